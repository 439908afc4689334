addEventListener('load', function () {
  var main = document.getElementById('main')
  fetch('/api' + location.pathname).then(function (r) { return r.json() }).then(function (news) {
    var section = document.createElement('section')
    var title = document.createElement('h2')
    var text = document.createElement('p')
    title.textContent = news.title
    text.textContent = news.text
    section.appendChild(title)
    section.appendChild(text)
    main.appendChild(section)
  })
})
