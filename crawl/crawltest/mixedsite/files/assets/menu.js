(function () {
  'use strict'
  var toggle = document.querySelector('.menu-toggle')
  if (toggle) {
    toggle.addEventListener('click', function () {
      var open = toggle.getAttribute('aria-expanded') === 'true'
      toggle.setAttribute('aria-expanded', String(!open))
      document.getElementById('menu').classList.toggle('open', !open)
    })
  }
  document.querySelectorAll('[data-toggle=dropdown]').forEach(function (link) {
    link.addEventListener('mouseenter', function () { link.parentNode.classList.add('hover') })
    link.addEventListener('mouseleave', function () { link.parentNode.classList.remove('hover') })
  })
  document.documentElement.classList.add('js')
})()
