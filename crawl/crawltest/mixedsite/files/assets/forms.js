document.querySelectorAll('form').forEach(form => {
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const result = form.querySelector('.form-result')
    const answer = await fetch(form.action, { method: 'POST', body: new FormData(form) })
    result.textContent = answer.ok ? 'Thank you.' : 'That did not work.'
  })
})
const map = document.getElementById('map')
map?.addEventListener('click', () => { map.innerHTML = `<iframe src="https://maps.example/?at=${map.dataset.lat},${map.dataset.lng}"></iframe>` })
