package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

// bigPages is a site of so many pages of 20 kB that do not compress, each linked from the first.
func bigPages(n int) map[string]string {
	pages, links := map[string]string{}, []string{}
	for i := range n {
		path := fmt.Sprintf("/%d", i+1)
		pages["a.example"+path] = fmt.Sprintf("<h1>Page %d</h1><p>%s</p>", i+1, noise(i, 20_000))
		links = append(links, path)
	}
	pages["a.example/"] = linksTo(links...)
	return pages
}

// Without a folder, the documents of a job that are more than its memory are read like the others, also while it runs.
func TestJob_documentsBeyondItsMemoryAreInAFile(t *testing.T) {
	const pages, limit = 40, 100_000
	e := webEngine(t, bigPages(pages), func(o *Options) { o.JobMemory = limit })
	job, err := e.StartCrawl(t.Context(), "https://a.example/", CrawlOptions{})
	must(t, err)
	want := []string{}
	for doc, err := range job.Documents(t.Context(), 0) { // live
		must(t, err)
		want = append(want, doc.Markdown)
	}
	if got := documentsOf(t, job); len(got) != pages+1 || len(want) != pages+1 {
		t.Errorf("%d documents, %d of them live", len(got), len(want))
	}
	var again []string
	for doc, err := range job.Documents(t.Context(), 0) {
		must(t, err)
		again = append(again, doc.Markdown)
	}
	if !slices.Equal(again, want) {
		t.Error("the documents differ when they are read again")
	}
	m := e.stores.State.(*cache.Map)
	total, _, err := m.Size()
	must(t, err)
	if held := m.InMemory(); held > 2*limit || total < held+pages/2*10_000 {
		t.Errorf("%d bytes, of them %d in memory, whose limit is %d", total, held, limit)
	}
}

// What must leave no trace is in memory alone.
func TestJob_withoutRetentionIsInMemoryAlone(t *testing.T) {
	e := webEngine(t, bigPages(5), func(o *Options) { o.JobMemory, o.AllowZeroDataRetention = 1, true })
	job, err := e.Crawl(t.Context(), "https://a.example/", CrawlOptions{ZeroDataRetention: true})
	must(t, err)
	if got := documentsOf(t, job); len(got) != 6 {
		t.Errorf("%d documents", len(got))
	}
	m := e.stores.State.(*cache.Map)
	if total, _, err := m.Size(); err != nil || total != m.InMemory() {
		t.Errorf("%d bytes, of them %d in memory: %v", total, m.InMemory(), err)
	}
}

// A folder for temporary files that can't be written fails the job with the reason, and costs the engine nothing.
func TestJob_aTemporaryFileThatFailsIsItsError(t *testing.T) {
	t.Setenv("TMPDIR", "/nonexistent")
	e, err := New(Options{JobMemory: 5000, Render: RenderNever, Hosts: web(bigPages(2))})
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	job, err := e.Crawl(t.Context(), "https://a.example/", CrawlOptions{})
	must(t, err)
	if s, err := job.Status(t.Context()); err != nil || s.State != JobFailed || !strings.Contains(s.Error, "temporary file") {
		t.Errorf("%+v, %v", s, err)
	}
}
