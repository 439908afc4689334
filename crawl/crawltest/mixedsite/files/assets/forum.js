(() => {
  const post = (path, body) => fetch('/forum/api/' + path, { method: 'POST', body: JSON.stringify(body) }).then(r => r.json())
  document.addEventListener('click', async e => {
    const vote = e.target.closest('.vote')
    if (vote) {
      const box = vote.parentNode.querySelector('.vote-message')
      const answer = await post('vote', { thread: window.FORUM.thread })
      box.textContent = answer.message
    }
    if (e.target.matches('.quote')) {
      const editor = document.getElementById('reply-editor')
      editor.innerHTML = '<textarea>' + e.target.closest('.post').querySelector('.body').textContent + '</textarea>'
    }
  })
  if (window.FORUM.user) document.querySelectorAll('.online-dot').forEach(d => d.classList.add('on'))
})()
