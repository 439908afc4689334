(() => {
  const bar = document.querySelector('.player-bar')
  const audio = document.querySelector('audio')
  const key = 'at-' + bar.dataset.track
  const saved = localStorage.getItem(key)
  if (saved) audio.currentTime = Number(saved)
  audio.addEventListener('timeupdate', () => {
    localStorage.setItem(key, audio.currentTime)
    bar.style.width = 100 * audio.currentTime / audio.duration + '%'
  })
  const chapters = document.getElementById('chapters')
  fetch('/api' + location.pathname).then(r => r.json()).then(data => {
    const list = document.createElement('ol')
    for (const chapter of data.items) {
      const li = document.createElement('li')
      li.textContent = chapter.name + ': ' + chapter.text
      list.append(li)
    }
    chapters.append(list)
  })
})()
