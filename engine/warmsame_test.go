//go:build unix

package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats"
)

// variety are pages that a browser has most different things to do with, made by script.
func variety() map[string]string {
	const app = `<script src="/app.js"></script>`
	pages := map[string]string{
		"/script":    `<main><h1 id=h>…</h1></main><script>setTimeout(() => h.textContent = "made late", 200)</script>`,
		"/program":   `<main><h1 id=app>…</h1></main>` + app,
		"/frame":     `<main><h1>With a frame</h1><iframe src="/inner"></iframe></main>`,
		"/inner":     `<p>inner text</p>`,
		"/consent":   `<main><h1>Behind a banner</h1><p>Some text of the page itself.</p></main><div id=cookie-banner style="position:fixed;bottom:0;left:0;right:0;background:#fff"><p>We use cookies to improve this site.</p><button onclick="this.parentNode.remove()">Reject all</button></div>`,
		"/name":      `<main><h1 id=h>…</h1></main><script>h.textContent = "name " + (window.name || "none"); window.name = "left"</script>`,
		"/popup":     `<main><h1>Opens another</h1></main><script>window.open("/script")</script>`,
		"/scroll":    `<main style="height:4000px"><h1>Far down</h1></main><script>history.pushState({}, "", "#down"); scrollTo(0, 3000)</script>`,
		"/redirects": `<main><h1>Gone on</h1></main><script>location.replace("/arrived")</script>`,
		"/arrived":   `<main><h1>Arrived</h1></main>`,
		"/console":   `<main><h1>Says much</h1></main><script>for (let i = 0; i < 2500; i++) console.log(i)</script>`,
		"/away":      "-> https://b.example/there",
		"/worker":    `<main><h1 id=h>…</h1></main><script>new Worker(URL.createObjectURL(new Blob(["postMessage(1 + 1)"]))).onmessage = e => h.textContent = "the worker says " + e.data</script>`,
	}
	for i := range 4 { // the same program and the same traces again and again
		pages[fmt.Sprintf("/again/%d", i)] = fmt.Sprintf(`<main><h1 id=app>…</h1><p>Page %d</p></main>`, i) + app
		pages[fmt.Sprintf("/traces/%d", i)] = fmt.Sprintf(`<main><h1>Page %d</h1></main>`, i) + traces
	}
	return pages
}

// varietySite serves them on a.example, which also redirects to b.example.
func varietySite() map[string]http.Handler {
	pages := variety()
	seed := `<main><h1>All</h1></main><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", ` + "`" +
		linksTo(append(slices.Sorted(maps.Keys(pages)), "/plain.txt", "/missing")...) + "`" + `), 50)</script>`
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		switch {
		case r.URL.Path == "/":
			htmlPage(seed).ServeHTTP(w, r)
		case r.URL.Path == "/app.js":
			w.Header().Set("Cache-Control", "max-age=3600")
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `fetch("/data").then(r => r.json()).then(d => setTimeout(() => app.textContent = "from data: " + d.text, 100))`)
		case r.URL.Path == "/data":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"text": "some words"}`)
		case r.URL.Path == "/cached.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "public, max-age=86400")
			http.SetCookie(w, &http.Cookie{Name: "http", Value: "only", HttpOnly: true, MaxAge: 3600})
		case r.URL.Path == "/plain.txt":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "plain text")
		case !ok:
			http.NotFound(w, r)
		case strings.HasPrefix(body, "-> "):
			http.Redirect(w, r, body[3:], http.StatusFound)
		default:
			htmlPage(body).ServeHTTP(w, r)
		}
	})
	return map[string]http.Handler{"a.example": site, "b.example": htmlPage(`<main><h1>Elsewhere</h1></main><script>document.cookie = "b=1"</script>`)}
}

// sameEachTime are the lines of a document without what is different each time.
func sameEachTime(t *testing.T, doc *Document) []string {
	t.Helper()
	d := *doc
	d.Metadata.ScrapeID, d.Metadata.ConcurrencyLimited, d.Metadata.ConcurrencyQueueDurationMs, d.Metadata.CacheState = "", false, 0, ""
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

// firstDifference is the index of the first line that isn't the same.
func firstDifference(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// crawledDocuments are those of a crawl that has ended well, by URL.
func crawledDocuments(t *testing.T, job documented) map[string]*Document {
	t.Helper()
	status, err := job.Status(t.Context())
	if err != nil || status.State != JobCompleted || status.Failed != 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	docs := map[string]*Document{}
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		docs[doc.Metadata.SourceURL] = doc
	}
	return docs
}

var everything = []formats.Format{{Type: formats.Markdown}, {Type: formats.HTML}, {Type: formats.RawHTML}, {Type: formats.Links}, shot}

func TestWarmCrawl_givesWhatSingleScrapesGive(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	e := hostEngine(t, varietySite(), func(o *Options) { o.MaxPages = 3 })
	scrape := ScrapeOptions{Render: RenderAlways, Formats: everything, StoreInCache: new(false), MaxAge: fresh, OnlyMainContent: new(false), Timeout: 2 * time.Minute}
	job, err := e.Crawl(t.Context(), "https://a.example/", CrawlOptions{Sitemap: SitemapSkip, MaxConcurrency: 2, Scrape: scrape, AllowExternalLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	docs := crawledDocuments(t, job)
	if len(docs) < len(variety()) {
		t.Errorf("%d documents of %d pages: %v", len(docs), len(variety()), slices.Sorted(maps.Keys(docs)))
	}
	if n := openedTabs(e); n == 0 || n > len(docs)/2 {
		t.Errorf("%d tabs for %d pages", n, len(docs))
	}
	for _, url := range slices.Sorted(maps.Keys(docs)) {
		single, err := e.Scrape(t.Context(), url, scrape)
		if err != nil {
			t.Fatal(url, err)
		}
		got, want := sameEachTime(t, docs[url]), sameEachTime(t, single)
		if i := firstDifference(got, want); i < len(got) && i < len(want) {
			t.Errorf("%s: the crawl has\n%.1000s\na single scrape\n%.1000s", url, got[i], want[i])
		} else if len(got) != len(want) {
			t.Errorf("%s: the crawl has\n%.9000s\na single scrape\n%.9000s", url, got, want)
		}
		if doc := docs[url]; strings.Contains(url, "/traces/") && !strings.Contains(doc.Markdown, "had: nothing") {
			t.Errorf("%s: %s", url, doc.Markdown)
		}
	}
}
