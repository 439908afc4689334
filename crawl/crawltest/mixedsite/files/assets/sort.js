function sortBy(table, column, kind) {
  var body = table.tBodies[0]
  var rows = Array.prototype.slice.call(body.rows)
  rows.sort(function (a, b) {
    var x = a.cells[column].textContent, y = b.cells[column].textContent
    return kind === 'number' ? x - y : x.localeCompare(y)
  })
  rows.forEach(function (row) { body.appendChild(row) })
}
document.querySelectorAll('table.sortable th').forEach(function (th, i) {
  th.tabIndex = 0
  th.addEventListener('click', function () { sortBy(th.closest('table'), i, th.dataset.sort) })
})
