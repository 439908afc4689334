(async () => {
  const template = document.querySelector('#job')
  const place = document.querySelector('.job-list')
  const { items } = await fetch('/api' + location.pathname).then(r => r.json())
  const all = document.createDocumentFragment()
  for (const job of items) {
    const copy = template.content.cloneNode(true)
    copy.querySelector('h3').textContent = job.name
    copy.querySelector('p').textContent = job.text
    copy.querySelector('small').textContent = job.note
    all.append(copy)
  }
  place.append(all)
})()
