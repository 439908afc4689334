(function ($) {
  $(document).ready(function () {
    $('.slider-wrap').slick({ autoplay: true, dots: false })
    $('.mega .has-children').on('mouseover', function () { $(this).addClass('open') })
    $('.newsletter').on('submit', function (e) {
      e.preventDefault()
      $.post('/subscribe', '', function (answer) { $('.form-message').html(answer) })
    })
    $(window).on('scroll', function () { $('body').toggleClass('scrolled') })
    setTimeout(function () { if (localStorage.popup === 'yes') $('.newsletter-popup').css('display', 'block') }, 20000)
  })
})(jQuery)
