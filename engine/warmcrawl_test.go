//go:build unix

package engine

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/actions"
)

// manyPages is a site of n pages made by script, and one page that links to all.
func manyPages(n int) map[string]http.Handler {
	var links []string
	for i := range n {
		links = append(links, fmt.Sprintf("/page/%d", i))
	}
	seed := linksTo(links...)
	return map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			htmlPage(seed).ServeHTTP(w, r)
			return
		}
		htmlPage(`<main><h1 id=h>…</h1></main><script>setTimeout(() => h.textContent = "made " + location.pathname, 20)</script>`).ServeHTTP(w, r)
	})}
}

// renderAll are the options of a crawl that renders each page.
func renderAll(workers int) CrawlOptions {
	return CrawlOptions{Sitemap: SitemapSkip, MaxConcurrency: workers, Scrape: ScrapeOptions{Render: RenderAlways, StoreInCache: new(false), MaxAge: fresh}}
}

func TestWarmCrawl_browserThatDiesCostsNoPage(t *testing.T) {
	t.Parallel()
	const pages = 16
	e := hostEngine(t, manyPages(pages), func(o *Options) { o.MaxPages = 3 }, ownBrowser)
	job, err := e.StartCrawl(t.Context(), "https://a.example/", renderAll(2))
	if err != nil {
		t.Fatal(err)
	}
	seen, kills := 0, 0
	for event, err := range job.Events(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Type != "page" {
			continue
		}
		if seen++; seen%8 == 0 && seen < pages {
			kills += killBrowsers(t, e)
		}
	}
	docs := crawledDocuments(t, job)
	if kills == 0 || len(docs) != pages+1 {
		t.Errorf("%d kills, %d documents, want %d", kills, len(docs), pages+1)
	}
	for url, doc := range docs {
		if url != "https://a.example/" && !strings.Contains(doc.Markdown, "made /page/") {
			t.Errorf("%s: %q", url, doc.Markdown)
		}
	}
}

func TestWarmCrawl_nothingStaysAfterTheJob(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, manyPages(12), func(o *Options) { o.MaxPages = 2 }, ownBrowser)
	if _, err := e.Scrape(t.Context(), "https://a.example/page/0", renderAll(2).Scrape); err != nil {
		t.Fatal(err)
	}
	job, err := e.Crawl(t.Context(), "https://a.example/", renderAll(2))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(crawledDocuments(t, job)); n != 13 {
		t.Errorf("%d documents", n)
	}
	cancelled, err := e.StartCrawl(t.Context(), "https://a.example/", renderAll(2))
	if err != nil {
		t.Fatal(err)
	}
	for event := range cancelled.Events(t.Context(), 0) {
		if event.Type == "page" {
			break
		}
	}
	if err := cancelled.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	noTabs(t, e)
	// Every place is free again: as many pages as the pool has can be open at once.
	done := make(chan error)
	for i := range 2 {
		go func() {
			_, err := e.Scrape(t.Context(), fmt.Sprintf("https://a.example/page/%d", i), renderAll(2).Scrape)
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// noTabs waits until the engine has no page or tab.
func noTabs(t *testing.T, e *Engine) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		busy, idle, _ := e.pages.Tabs.Counts()
		if busy+idle == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d pages and %d idle tabs stay", busy, idle)
		}
	}
}

func TestWarmCrawl_engineThatClosesLeavesNothing(t *testing.T) {
	before, goroutines := children(t), goleak.IgnoreCurrent()
	e := hostEngine(t, manyPages(50), func(o *Options) { o.MaxPages = 2 }, ownBrowser)
	job, err := e.StartCrawl(t.Context(), "https://a.example/", renderAll(2))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for event := range job.Events(t.Context(), 0) {
		if event.Type == "page" {
			if seen++; seen == 4 {
				break
			}
		}
	}
	if len(childrenSince(t, before)) == 0 && runtime.GOOS == "linux" {
		t.Error("no browser process was seen, so this test can't find one that stays")
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if after := childrenSince(t, before); len(after) != 0 {
		t.Errorf("processes stay: %v", after)
	}
	noneStays(t, goroutines)
}

func TestWarmCrawl_singleScrapesAreNotHeldUp(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, manyPages(12), func(o *Options) { o.MaxPages = 1 })
	job, err := e.StartCrawl(t.Context(), "https://a.example/", renderAll(1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 { // the one place is the crawl's or this scrape's, in turn
		if _, err := e.Scrape(t.Context(), fmt.Sprintf("https://a.example/page/%d", i), renderAll(1).Scrape); err != nil {
			t.Error(err)
		}
	}
	for range job.Events(t.Context(), 0) {
	}
	if n := len(crawledDocuments(t, job)); n != 13 {
		t.Errorf("%d documents", n)
	}
}

func TestWarmCrawl_headersGoWithEachPage(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	seed := linksTo("/1", "/2", "/3", "/4")
	e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		asked.Add(1)
		if c := r.Header.Get("Cookie"); c != "who=caller" || r.Header.Get("X-Key") != "k" {
			t.Errorf("%s: cookie %q, key %q", r.URL.Path, c, r.Header.Get("X-Key"))
		}
		htmlPage(seed+`<script>document.cookie = "who=site"; document.cookie = "more=1"</script>`).ServeHTTP(w, r)
	})}, func(o *Options) { o.MaxPages = 1 })
	o := renderAll(1)
	o.Scrape.Headers = map[string]string{"Cookie": "who=caller", "X-Key": "k"}
	job, err := e.Crawl(t.Context(), "https://a.example/", o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(crawledDocuments(t, job)); n != 5 || asked.Load() != 5 || openedTabs(e) != 1 {
		t.Errorf("%d documents, asked %d times, %d tabs", n, asked.Load(), openedTabs(e))
	}
}

func TestWarmCrawl_freshPagesWhereTheyAreDue(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, manyPages(2), func(o *Options) { o.MaxPages = 1 })
	for name, change := range map[string]func(*ScrapeOptions){
		"profile": func(o *ScrapeOptions) { o.Profile = &Profile{Name: "mine", SaveChanges: new(false)} },
		"actions": func(o *ScrapeOptions) { o.Actions = []actions.Action{{Type: actions.Wait, Milliseconds: 1}} },
	} {
		o := renderAll(1)
		change(&o.Scrape)
		job, err := e.Crawl(t.Context(), "https://a.example/", o)
		if err != nil {
			t.Fatal(name, err)
		}
		if n := len(crawledDocuments(t, job)); n != 3 || openedTabs(e) != 0 {
			t.Errorf("%s: %d documents, %d warm tabs", name, n, openedTabs(e))
		}
	}
}

// A site that wants https from now on must not change what its http pages come to.
func TestWarmCrawl_httpPagesAreNotUpgraded(t *testing.T) {
	t.Parallel()
	seed := linksTo("/1", "/2", "/3", "/secure")
	e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		if r.URL.Path == "/secure" && r.TLS == nil {
			http.Redirect(w, r, "https://a.example/secure", http.StatusFound)
			return
		}
		htmlPage(seed+`<script src="https://a.example/script.js"></script><p id=p></p><script>p.textContent = location.protocol</script>`).ServeHTTP(w, r)
	})}, func(o *Options) { o.MaxPages = 1 })
	job, err := e.Crawl(t.Context(), "http://a.example/", renderAll(1))
	if err != nil {
		t.Fatal(err)
	}
	docs := crawledDocuments(t, job)
	if openedTabs(e) != len(docs) {
		t.Errorf("%d tabs for %d pages, of which each has asked for something by https", openedTabs(e), len(docs))
	}
	for _, path := range []string{"", "1", "2", "3"} {
		doc := docs["http://a.example/"+path]
		if doc == nil || doc.Metadata.URL != "http://a.example/"+path || !strings.Contains(doc.Markdown, "http:") {
			t.Errorf("%q: %+v", path, doc)
		}
	}
}

// Each page may take as much as a page alone may, however many its tab has shown.
func TestWarmCrawl_limitsAreEachPagesOwn(t *testing.T) {
	t.Parallel()
	seed := linksTo("/1", "/2", "/3", "/4", "/5")
	bulk := strings.Repeat("grain ", 100_000)
	e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bulk" {
			w.Header().Set("Cache-Control", "no-store")
			fmt.Fprint(w, bulk)
			return
		}
		htmlPage(seed+`<p id=p>…</p><script>fetch("/bulk").then(r => r.text()).then(t => p.textContent = "length " + t.length)</script>`).ServeHTTP(w, r)
	})}, func(o *Options) { o.MaxPages, o.MaxBytes = 1, 1<<20 })
	job, err := e.Crawl(t.Context(), "https://a.example/", renderAll(1))
	if err != nil {
		t.Fatal(err)
	}
	docs := crawledDocuments(t, job)
	if len(docs) != 6 || openedTabs(e) != 1 {
		t.Errorf("%d documents on %d tabs", len(docs), openedTabs(e))
	}
	for url, doc := range docs {
		if !strings.Contains(doc.Markdown, "length 600000") {
			t.Errorf("%s: %q", url, doc.Markdown)
		}
	}
}

func TestWarmBatch_oneSiteSharesItsTab(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, manyPages(0), func(o *Options) { o.MaxPages = 1 })
	urls := []string{"https://a.example/page/1", "https://a.example/page/2", "https://a.example/page/3"}
	job, err := e.Batch(t.Context(), urls, BatchOptions{MaxConcurrency: 1, Scrape: renderAll(1).Scrape})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(crawledDocuments(t, job)); n != 3 || openedTabs(e) != 1 {
		t.Errorf("%d documents on %d tabs", n, openedTabs(e))
	}
}

func TestWarmScrapes_shareATabOfTheirOwner(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{"a.example": htmlPage(traces)}, func(o *Options) { o.MaxPages, o.AllowZeroDataRetention = 2, true })
	scrape := func(change func(*ScrapeOptions)) {
		t.Helper()
		o := ScrapeOptions{Render: RenderAlways, MaxAge: fresh}
		change(&o)
		doc, err := e.Scrape(t.Context(), "https://a.example/", o)
		if err != nil || strings.TrimSpace(doc.Markdown) != "had: nothing" {
			t.Errorf("%+v, %v", doc, err)
		}
	}
	for _, turn := range []struct {
		what   string
		tabs   int // opened until then
		change func(*ScrapeOptions)
	}{
		{"the first", 0, func(*ScrapeOptions) {}},
		{"the second", 1, func(*ScrapeOptions) {}},
		{"the third", 1, func(*ScrapeOptions) {}},
		{"another owner's first", 1, func(o *ScrapeOptions) { o.Owner = "b" }},
		{"another owner's second", 2, func(o *ScrapeOptions) { o.Owner = "b" }},
		{"other headers, first", 2, func(o *ScrapeOptions) { o.Headers = map[string]string{"X-A": "b"} }},
		{"actions", 2, func(o *ScrapeOptions) { o.Actions = []actions.Action{{Type: actions.Wait, Milliseconds: 1}} }},
		{"actions again", 2, func(o *ScrapeOptions) { o.Actions = []actions.Action{{Type: actions.Wait, Milliseconds: 1}} }},
		{"without records", 2, func(o *ScrapeOptions) { o.ZeroDataRetention = true }},
		{"without records again", 2, func(o *ScrapeOptions) { o.ZeroDataRetention = true }},
	} {
		scrape(turn.change)
		if n := openedTabs(e); n != turn.tabs {
			t.Errorf("%s: %d warm tabs so far, want %d", turn.what, n, turn.tabs)
		}
	}
}

// BenchmarkRenderedCrawl compares crawls of 30 pages made by script with and without
// warm tabs, one after the other in the same run.
func BenchmarkRenderedCrawl(b *testing.B) {
	const pages, workers = 30, 2
	crawl := func(b *testing.B, e *Engine) time.Duration {
		start := time.Now()
		job, err := e.Crawl(b.Context(), "https://a.example/", renderAll(workers))
		if err != nil {
			b.Fatal(err)
		}
		if s, err := job.Status(b.Context()); err != nil || s.Completed != pages+1 {
			b.Fatalf("%+v, %v", s, err)
		}
		return time.Since(start)
	}
	engines := map[bool]*Engine{}
	for _, warm := range []bool{true, false} {
		e := hostEngine(b, manyPages(pages), func(o *Options) { o.MaxPages = workers })
		e.pages.Tabs.Off = !warm
		engines[warm] = e
		crawl(b, e) // starts the browser
	}
	took := map[bool]time.Duration{}
	for b.Loop() {
		for _, warm := range []bool{true, false} {
			took[warm] += crawl(b, engines[warm])
		}
	}
	for warm, name := range map[bool]string{true: "warm", false: "fresh"} {
		b.ReportMetric(float64(b.N*(pages+1))/took[warm].Seconds(), name+"-pages/s")
	}
	b.ReportMetric(took[false].Seconds()/took[true].Seconds(), "x-of-fresh")
}

// openedTabs is how many tabs jobs have opened so far.
func openedTabs(e *Engine) int {
	_, _, opened := e.pages.Tabs.Counts()
	return opened
}
