const box = document.querySelector('.lightbox')
const big = box.querySelector('img')
document.querySelectorAll('[data-lightbox]').forEach(b => b.addEventListener('click', () => {
  big.src = b.dataset.lightbox
  box.hidden = false
}))
box.querySelector('button').addEventListener('click', () => { box.hidden = true })
const lazy = new IntersectionObserver(list => list.forEach(entry => {
  if (!entry.isIntersecting) return
  entry.target.src = entry.target.dataset.src
  entry.target.classList.replace('lazyload', 'lazyloaded')
  lazy.unobserve(entry.target)
}))
document.querySelectorAll('.lazyload').forEach(img => lazy.observe(img))
