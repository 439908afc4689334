package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch"
)

// countedSite counts the requests of each path. "/to/x" redirects to "/x", and robots.txt forbids "/private".
type countedSite struct {
	mu   sync.Mutex
	hits map[string]int
}

func (s *countedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.hits[r.URL.Path]++
	s.mu.Unlock()
	rest, leads := strings.CutPrefix(r.URL.Path, "/to/")
	switch {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /private")
	case leads:
		http.Redirect(w, r, "/"+strings.TrimLeft(rest, "12345"), http.StatusFound)
	case r.URL.Path == "/":
		w.Header().Set("Content-Type", "text/html")
		for i := range 5 {
			fmt.Fprintf(w, `<a href="/to/%dtarget">a</a> `, i+1)
		}
		fmt.Fprint(w, `<a href="/target">b</a> <a href="/to/private/x">c</a> <a href="/to/to/to/far">d</a>`)
	default:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<p>The page %s", r.URL.Path)
	}
}

func TestCrawl_redirectsAreJudgedBeforeTheyAreFollowed(t *testing.T) {
	t.Parallel()
	for range 3 { // in another order each time
		site := &countedSite{hits: map[string]int{}}
		e := webEngine(t, nil, func(o *Options) { o.Hosts = map[string]http.Handler{"shop.example": site} })
		job, err := e.Crawl(t.Context(), "https://shop.example/", CrawlOptions{Scrape: ScrapeOptions{Render: RenderNever}})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := job.Status(t.Context()); err != nil || s.Completed != 3 || s.Failed != 0 {
			t.Errorf("got %+v, %v, want the pages /, /target and /far", s, err)
		}
		if site.hits["/private/x"] != 0 || site.hits["/target"] != 1 || site.hits["/far"] != 1 {
			t.Errorf("requests %v, want none of /private/x and one of each page", site.hits)
		}
	}
}

func TestScrape_obeysRobotsBeforeItFollowsARedirect(t *testing.T) {
	t.Parallel()
	site := &countedSite{hits: map[string]int{}}
	e := webEngine(t, nil, func(o *Options) { o.Hosts = map[string]http.Handler{"shop.example": site} })
	_, err := e.Scrape(t.Context(), "https://shop.example/to/private/x", ScrapeOptions{Render: RenderNever, ObeyRobots: true})
	if CodeOf(err) != CodeRobots || site.hits["/private/x"] != 0 {
		t.Errorf("got %v, requests %v", err, site.hits)
	}
}

// What scripts and meta elements lead a browser to is judged as redirects are.
func TestCrawl_whereABrowserIsLedIsJudgedToo(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site := &countedSite{hits: map[string]int{}}
	leads := map[string]string{
		"/":          `<a href="/by/script">a</a> <a href="/by/meta">b</a> <a href="/to/private/x">c</a> <a href="/by/hop">d</a> <a href="/to/target">e</a> <a href="/to/to/target">f</a> <a href="/framed">g</a>`,
		"/by/script": `<p>Moved</p><script>location.replace("/private/y")</script>`,
		"/by/meta":   `<meta http-equiv="refresh" content="0;url=/private/z"><p>Moved</p>`,
		"/by/hop":    `<script>location.href = "/to/private/w"</script>`,
		"/framed":    `<p>With a frame</p><iframe src="/to/inner"></iframe>`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := leads[r.URL.Path]
		if !ok {
			site.ServeHTTP(w, r)
			return
		}
		htmlPage("<!doctype html><title>Page</title>"+body).ServeHTTP(w, r)
	}))
	defer server.Close()
	e := newTestEngine(t, Options{Browser: BrowserOptions{Shared: commonBrowser(t)}, Policy: fetch.Policy{AllowPrivate: true}})
	job, urls := crawled(t, e, server.URL+"/", CrawlOptions{Scrape: ScrapeOptions{Render: RenderAlways}})
	want := []string{server.URL + "/", server.URL + "/framed", server.URL + "/target"}
	if s, err := job.Status(t.Context()); err != nil || s.Failed != 0 || !slices.Equal(urls, want) {
		t.Errorf("got %v, %+v, %v, want %v", urls, s, err, want)
	}
	for path, n := range site.hits {
		if strings.HasPrefix(path, "/private") || path == "/target" && n != 1 {
			t.Errorf("%d requests of %s", n, path)
		}
	}
	if site.hits["/inner"] != 1 {
		t.Errorf("the frame's document was requested %d times", site.hits["/inner"])
	}
	_, err := e.Scrape(t.Context(), server.URL+"/to/private/x", ScrapeOptions{Render: RenderAlways, ObeyRobots: true})
	if CodeOf(err) != CodeRobots || site.hits["/private/x"] != 0 {
		t.Errorf("a scrape in a browser: %v, requests %v", err, site.hits)
	}
}
