package engine

import (
	"testing"

	"github.com/winnow-go/winnow/cache"
)

// textsOf counts what is kept of the texts of pages.
func textsOf(t *testing.T, e *Engine) (rows, bytes int) {
	t.Helper()
	err := e.stores.State.View(func(tx cache.Tx) error {
		for _, text := range tx.Scan("since.texts", nil) {
			rows++
			bytes += len(text)
		}
		return nil
	})
	must(t, err)
	return rows, bytes
}

// While a job has a page's text in a document there is no other copy of it; when the job is forgotten the text is there still, and the next
// crawl says what has changed. What the documents of a crawl in between had is known too.
func TestCrawl_textsOutliveTheJobsThatHaveThem(t *testing.T) {
	t.Parallel()
	s := newNightly("texts.example", 30)
	e := nightEngine(t, s, func(o *Options) { o.Dir = t.TempDir() })
	feed(t, e, s, CrawlOptions{})
	rows, inPlace := textsOf(t, e)
	if rows < 31 || inPlace > 100*rows {
		t.Errorf("%d texts take %d bytes", rows, inPlace)
	}
	s.night(func() { s.edit(5) })
	feed(t, e, s, CrawlOptions{Since: SinceLast})
	s.night(func() {})
	s.night(func() { s.edit(5); s.edit(7) })
	_, err := e.durable.Records.Prune(t.Context())
	must(t, err)
	jobs, err := e.Jobs(t.Context(), false)
	if err != nil || len(jobs) > 0 {
		t.Errorf("%d jobs are left, %v", len(jobs), err)
	}
	if now, own := textsOf(t, e); now != rows || own < 3*inPlace {
		t.Errorf("%d texts of their own take %d bytes, %d in documents took %d", now, own, rows, inPlace)
	}
	got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast})
	wantChanges(t, got, "changed "+s.address(5)+" by 1", "changed "+s.address(7)+" by 1")
}
