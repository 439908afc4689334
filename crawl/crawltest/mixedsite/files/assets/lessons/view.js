const element = (name, text) => Object.assign(document.createElement(name), { textContent: text })

export function show(place, { title, text }) {
  place.replaceChildren(element('h2', title), element('p', text))
}
