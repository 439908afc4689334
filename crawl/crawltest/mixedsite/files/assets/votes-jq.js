jQuery(function ($) {
  $('.answer').each(function () {
    var answer = $(this)
    answer.find('.js-add-comment').click(function (e) {
      e.preventDefault()
      answer.find('.js-comments').html('<textarea></textarea><button>Add</button>')
    })
  })
  $('.menu-toggle').on('click', function () { $('#menu').toggleClass('open') })
  $('body').addClass('has-votes')
})
