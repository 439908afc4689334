const style = '<style>:host { display: block } main { padding: 1em }</style>'

class GreenhouseApp extends HTMLElement {
  constructor() {
    super()
    this.attachShadow({ mode: 'open' })
  }
  async connectedCallback() {
    this.shadowRoot.innerHTML = style + '<main><slot></slot></main>'
    this.page = await (await fetch('/api' + location.pathname)).json()
    this.render()
  }
  render() {
    const { title, text, items } = this.page
    this.shadowRoot.innerHTML = `${style}<a href="/">Mixed</a><main><h1>${title}</h1><p>${text}</p>
      <ul>${items.map(i => `<li><b>${i.name}</b> ${i.text}</li>`).join('')}</ul></main>`
  }
}
customElements.define('greenhouse-app', GreenhouseApp)
