(function () {
  var factor = 1
  var card = document.getElementById('card')
  card.querySelector('.servings').addEventListener('click', function () {
    factor *= 2
    card.querySelectorAll('[data-amount]').forEach(function (li) {
      li.textContent = li.textContent.replace(/^\d+/, li.dataset.amount * factor)
    })
  })
  card.querySelector('.print').addEventListener('click', function () { window.print() })
  setTimeout(function () { document.body.classList.add('fonts-loaded') }, 300)
})()
