export default function (island) {
  const shown = island.querySelector('span')
  const [less, more] = island.querySelectorAll('button')
  const step = n => () => { shown.textContent = Number(shown.textContent) + n }
  less.addEventListener('click', step(-1))
  more.addEventListener('click', step(1))
}
