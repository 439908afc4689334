const state = JSON.parse(document.getElementById('state').textContent)
document.getElementById('sightings').innerHTML = state.items.map(s => `<div><h3>${s.name}</h3><p>${s.text}</p></div>`).join('')
