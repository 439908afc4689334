document.querySelectorAll('pre').forEach(pre => {
  const button = document.createElement('button')
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => navigator.clipboard.writeText(pre.textContent))
  pre.after(button)
})
