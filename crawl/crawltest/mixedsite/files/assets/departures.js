function loadDepartures() {
  var request = new XMLHttpRequest()
  request.open('GET', '/api' + location.pathname, true)
  request.onreadystatechange = function () {
    if (request.readyState !== 4 || request.status !== 200) return
    var trains = JSON.parse(request.responseText).items
    var list = document.getElementsByClassName('departures')[0]
    list.innerHTML = ''
    for (var i = 0; i < trains.length; i++) {
      var li = document.createElement('li')
      li.appendChild(document.createTextNode(trains[i].name + ' – ' + trains[i].text))
      list.appendChild(li)
    }
  }
  request.send()
}
