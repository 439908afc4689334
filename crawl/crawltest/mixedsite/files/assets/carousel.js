document.querySelectorAll('[data-carousel]').forEach(box => {
  const slides = [...box.querySelectorAll('.slide, img')]
  let at = 0
  const show = n => {
    slides[at]?.classList.remove('active')
    at = (n + slides.length) % slides.length
    slides[at]?.classList.add('active')
  }
  const dots = box.querySelector('.dots')
  if (dots) slides.forEach((_, i) => {
    const dot = document.createElement('button')
    dot.onclick = () => show(i)
    dots.append(dot)
  })
  if (slides.length > 1) setInterval(() => show(at + 1), 6000)
})
