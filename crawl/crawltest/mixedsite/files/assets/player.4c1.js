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
})()
