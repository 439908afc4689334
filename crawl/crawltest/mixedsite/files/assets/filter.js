(() => {
  const form = document.querySelector('[data-filter]')
  const cards = [...document.querySelectorAll('.card')]
  form.addEventListener('change', () => {
    const chosen = [...form.querySelectorAll(':checked')].map(c => c.value)
    cards.forEach(c => c.classList.toggle('gone', chosen.length > 0 && !chosen.includes(c.dataset.kind)))
  })
  const view = document.getElementById('quick-view')
  document.querySelectorAll('.quick').forEach(b => b.addEventListener('click', async () => {
    view.innerHTML = await (await fetch('/quick/' + b.dataset.id)).text()
    view.hidden = false
  }))
})()
