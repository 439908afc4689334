class StepList extends HTMLElement {
  static observedAttributes = ['src']
  async connectedCallback() {
    const answer = await fetch(this.getAttribute('src'))
    const { items } = await answer.json()
    const list = document.createElement('ol')
    for (const step of items) {
      const li = document.createElement('li')
      li.innerHTML = `<b>${step.name}</b> ${step.text}`
      list.appendChild(li)
    }
    this.appendChild(list)
  }
}
customElements.define('step-list', StepList)
customElements.define('theme-switch', class extends HTMLElement {
  connectedCallback() { this.addEventListener('click', () => document.documentElement.classList.toggle('dark')) }
})
