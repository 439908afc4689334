// Notes of readers: nobody has written one yet.
const box = document.getElementById('contributions')
fetch(box.dataset.src).then(r => r.json()).then(({ items }) => {
  if (items.length === 0) return
  box.innerHTML = '<h2>Notes of readers</h2>' + items.map(n => `<p><b>${n.name}</b> ${n.text}</p>`).join('')
})
