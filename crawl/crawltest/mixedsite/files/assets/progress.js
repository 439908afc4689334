(() => {
  const bar = document.createElement('div')
  bar.className = 'reading-progress'
  document.body.prepend(bar)
  const update = () => { bar.style.width = 100 * scrollY / Math.max(1, document.body.scrollHeight - innerHeight) + '%' }
  addEventListener('scroll', update, { passive: true })
  update()
})()
