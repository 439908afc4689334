document.addEventListener('DOMContentLoaded', () => {
  const section = document.getElementById('opening')
  fetch('/api' + location.pathname).then(r => r.json()).then(hours => {
    const title = document.createElement('h2')
    const text = document.createElement('p')
    title.textContent = hours.title
    text.textContent = hours.text
    section.append(title, text)
  })
})
