const dialog = document.getElementById('search-dialog')
const input = dialog.querySelector('input')
const hits = document.getElementById('search-hits')
let index

async function open() {
  dialog.hidden = false
  input.focus()
  index ??= await (await fetch('/search-index.json')).json()
}

document.getElementById('search-button').addEventListener('click', open)
document.addEventListener('keydown', e => { if (e.key === '/' && e.target === document.body) open() })
input.addEventListener('input', () => {
  const words = input.value.toLowerCase()
  hits.innerHTML = index.filter(p => p.title.includes(words)).map(p => `<li><a href="${p.path}">${p.title}</a></li>`).join('')
})
document.getElementById('theme-button').addEventListener('click', () => {
  const dark = document.documentElement.classList.toggle('dark')
  localStorage.setItem('theme', dark ? 'dark' : 'light')
})
