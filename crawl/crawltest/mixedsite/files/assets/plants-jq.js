jQuery(document).ready(function ($) {
  $('.menu-toggle').click(function () { $('nav').toggleClass('open') })
  $('#care').load('/part' + location.pathname)
  $.getJSON('/api' + location.pathname, function (data) {
    var rows = ''
    for (var i = 0; i < data.items.length; i++) rows += '<li>' + data.items[i].name + '</li>'
    $('#pests').append(rows)
  })
})
