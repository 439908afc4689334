package engine

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/crawl/scope"
)

// campaigns is a site with sessions in its links, campaigns in its menus and canonical links, on which one page shows a report by its session.
type campaigns struct {
	second bool // one page has changed

	mu      sync.Mutex
	fetched map[string]int
}

const campaignPages = 60

func (s *campaigns) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" || r.URL.Path == "/sitemap.xml" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	s.fetched[r.URL.RequestURI()]++
	id := len(s.fetched)
	s.mu.Unlock()
	var n int
	fmt.Sscanf(r.URL.Path, "/p/%d", &n)
	text := fmt.Sprintf("This is the page of article %d, which nobody has bought yet.", n)
	if n == 5 && s.second {
		text = "This is the page of article 5, which is sold out."
	}
	var links strings.Builder
	for _, to := range []int{2*n + 1, 2*n + 2} {
		if to < campaignPages {
			for _, more := range []string{"", fmt.Sprintf("?sid=%d", id), "?utm_source=menu", fmt.Sprintf("?utm_source=foot&amp;sid=%d", id)} {
				fmt.Fprintf(&links, `<li><a href="/p/%d%s">Article</a>`, to, more)
			}
		}
	}
	if strings.HasPrefix(r.URL.Path, "/report") {
		text = "The report of session " + r.URL.Query().Get("sid")
	} else if n == campaignPages-1 {
		links.WriteString(`<li><a href="/report?sid=a">A</a><li><a href="/report?sid=b">B</a>`)
	}
	canonical := ""
	if n%2 == 0 {
		canonical = fmt.Sprintf(`<link rel="canonical" href="https://a.example%s">`, r.URL.Path)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!DOCTYPE html><html><head><title>Article %d</title>%s</head><body><main><h1>%s</h1><p>%s</p><ul>%s</ul></main></body></html>",
		n, canonical, text, strings.Repeat(text+" ", 20), links.String())
}

func TestCrawl_addressesOfOnePageAreFetchedOnce(t *testing.T) {
	site := &campaigns{fetched: map[string]int{}}
	e := webEngine(t, nil, func(o *Options) { o.Hosts, o.MaxPages = map[string]http.Handler{"a.example": site}, 4 })
	job, urls := crawled(t, e, "https://a.example/p/0", CrawlOptions{CrawlEntireDomain: true})
	pages := map[string]bool{}
	for _, href := range urls {
		if strings.Contains(href, "/report") {
			pages[href] = true
		} else {
			path, _, _ := strings.Cut(href, "?")
			pages[path] = true
		}
	}
	denied, err := job.Denied(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folded := 0
	for _, d := range denied {
		if d.Reason == string(scope.Duplicate) {
			folded = d.Count
		}
	}
	t.Logf("%d documents of %d pages, %d addresses fetched, %d left out", len(urls), len(pages), len(site.fetched), folded)
	if len(urls) != len(pages) || len(site.fetched) > 4*campaignPages || folded < 6*campaignPages {
		t.Error("addresses of one page were taken for pages")
	}
	if len(pages) != campaignPages+2 || !pages["https://a.example/report?sid=a"] || !pages["https://a.example/report?sid=b"] {
		t.Errorf("got %v", urls)
	}
}

// A crawl that comes again takes other addresses of pages that it has for no new ones.
func TestCrawl_thatComesAgainKnowsAddressesOfOnePage(t *testing.T) {
	t.Parallel()
	site := &campaigns{fetched: map[string]int{}}
	e := webEngine(t, nil, func(o *Options) { o.Hosts, o.MaxPages = map[string]http.Handler{"a.example": site}, 4 })
	o := CrawlOptions{CrawlEntireDomain: true}
	if _, err := e.Crawl(t.Context(), "https://a.example/p/0", o); err != nil {
		t.Fatal(err)
	}
	site.second, o.Since = true, SinceLast
	job, err := e.Crawl(t.Context(), "https://a.example/p/0", o)
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range job.Changes(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind != PageChanged || !strings.HasPrefix(c.URL, "https://a.example/p/5") {
			t.Errorf("it reports %s %s %s", c.Kind, c.URL, c.From)
		}
	}
	if counts, err := job.ChangeCounts(t.Context()); err != nil || counts[PageChanged] == 0 {
		t.Errorf("counts are %v, %v", counts, err)
	}
}
