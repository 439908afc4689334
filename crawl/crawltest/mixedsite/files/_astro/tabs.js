export default function (island) {
  island.querySelectorAll('[role=tab]').forEach(tab => tab.addEventListener('click', () => tab.classList.toggle('on')))
}
