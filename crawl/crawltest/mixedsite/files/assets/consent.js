(function () {
  if (document.cookie.indexOf('consent=') >= 0) return
  var banner = document.createElement('div')
  banner.className = 'cookie-banner'
  banner.id = 'cookie-banner'
  banner.setAttribute('role', 'dialog')
  banner.innerHTML = '<p>We use cookies to make this site better.</p><button data-answer="no">Reject all</button><button data-answer="yes">Accept all</button>'
  banner.addEventListener('click', function (e) {
    if (!e.target.dataset.answer) return
    document.cookie = 'consent=' + e.target.dataset.answer
    banner.remove()
  })
  document.body.appendChild(banner)
})()
