(() => {
  const feed = document.querySelector('.feed')
  const sentinel = document.querySelector('.sentinel')
  const show = batch => {
    for (const { name, text } of batch.items) {
      feed.insertAdjacentHTML('beforeend', `<article><h3>${name}</h3><p>${text}</p></article>`)
    }
    if (batch.more) feed.insertAdjacentHTML('beforeend', `<a class="more" href="${batch.more}">More of this</a>`)
  }
  const next = async () => {
    const from = feed.dataset.next
    if (!from) return
    delete feed.dataset.next // each page has one batch
    show(await (await fetch(from)).json())
  }
  new IntersectionObserver(list => { if (list.some(e => e.isIntersecting)) next() }).observe(sentinel)
  next()
})()
