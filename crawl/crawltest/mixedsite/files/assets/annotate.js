const place = document.getElementById('annotations')
fetch(place.dataset.src).then(r => r.json()).then(({ items }) => {
  if (items.length === 0) return
  place.innerHTML = '<h2>Remarks</h2><ul>' + items.map(a => `<li><b>${a.name}</b>: ${a.text}</li>`).join('') + '</ul>'
})
