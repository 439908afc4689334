// Renders a text in the manner of documentation that has no server of its own.
(function (options) {
  var heading = function (text) { return '# ' + text }
  function source(page) {
    return [heading(page.title), page.text].concat(page.items.map(function (i) { return '* **' + i.name + '** ' + i.text })).join('\n\n')
  }
  function compile(markdown) {
    return markdown.split('\n\n').map(function (block) {
      if (block[0] === '#') return '<h1>' + block.slice(2) + '</h1>'
      if (block[0] === '*') return '<li>' + block.slice(2).replace(/\*\*(.+?)\*\*/, '<b>$1</b>') + '</li>'
      return '<p>' + block + '</p>'
    }).join('')
  }
  window.addEventListener('DOMContentLoaded', function () {
    var el = document.getElementById('reader')
    fetch(options.base + location.pathname)
      .then(function (r) { return r.json() })
      .then(function (page) { el.innerHTML = '<a href="/">' + options.name + '</a>' + compile(source(page)) })
  })
})(window.$reader)
