package engine

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch"
)

// counting counts the requests for each path.
type counting struct {
	http.Handler
	mu   sync.Mutex
	hits map[string]int
}

func counted(h http.HandlerFunc) *counting { return &counting{Handler: h, hits: map[string]int{}} }

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.hits[r.URL.Path]++
	c.mu.Unlock()
	c.Handler.ServeHTTP(w, r)
}

func (c *counting) of(path string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits[path]
}

// hangUp ends a connection without an answer.
func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// troubles are sites in trouble, by path.
func troubles(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Connection", "close") // net/http asks once more over a new connection where a used one breaks
	switch r.URL.Path {
	case "/reset":
		hangUp(w)
	case "/429", "/502", "/503", "/504":
		var status int
		fmt.Sscan(r.URL.Path[1:], &status)
		w.WriteHeader(status)
		fmt.Fprint(w, "<p>Try later</p><script src=/x.js></script>")
	case "/loop":
		http.Redirect(w, r, "/loop", http.StatusFound)
	case "/far":
		http.Redirect(w, r, "/far?"+r.URL.RawQuery+"x", http.StatusFound)
	case "/gzip":
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff")
	case "/type":
		w.Header().Set("Content-Type", "application/x-own")
		fmt.Fprint(w, "\x00\x01")
	default:
		http.NotFound(w, r)
	}
}

// hasty is a clock by which a second goes by at each look: no pause of a job takes long, and no lease ends.
func hasty(o *Options) {
	start := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	var looks atomic.Int64
	o.Now = func() time.Time { return start.Add(time.Duration(looks.Add(1)) * time.Second) }
}

// Retries don't multiply: a job's page is requested as often as one layer tries, and what can't change once.
func TestJob_requestsAPageAsOftenAsOneLayerTries(t *testing.T) {
	site := counted(troubles)
	e := cachingEngine(t, site, hasty)
	for path, want := range map[string]int{
		"/reset": work.Attempts, "/429": work.Attempts, "/502": work.Attempts, "/503": work.Attempts, "/504": work.Attempts,
		"/loop": 1, "/gzip": 1, "/type": 1, "/far": 21, // 20 redirects are followed, once
	} {
		url, o := "http://granary.example"+path, ScrapeOptions{MaxAge: fresh}
		job, err := e.StartBatch(t.Context(), []string{url}, BatchOptions{Scrape: o})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := job.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := site.of(path); got != want {
			t.Errorf("%s in a batch: got %d requests, want %d", path, got, want)
		}
		if _, err = e.Crawl(t.Context(), url, CrawlOptions{Sitemap: SitemapSkip, IgnoreRobotsTxt: true, Scrape: o}); err != nil {
			t.Fatal(err)
		}
		if got := site.of(path) - want; got != want {
			t.Errorf("%s in a crawl: got %d requests, want %d", path, got, want)
		}
	}
}

// The browser's try is one of the job's.
func TestJob_theBrowsersTriesAreNotOnTop(t *testing.T) {
	site := counted(troubles)
	const host = "granary.example"
	e := hostEngine(t, map[string]http.Handler{host: site}, hasty)
	for _, render := range []Render{RenderAuto, RenderAlways} {
		for _, path := range []string{"/reset", "/503"} {
			before := site.of(path)
			job, err := e.StartBatch(t.Context(), []string{"http://" + host + path}, BatchOptions{Scrape: ScrapeOptions{Render: render, MaxAge: fresh}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := job.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := site.of(path) - before; got != work.Attempts {
				t.Errorf("%s, %s: got %d requests, want %d", path, render, got, work.Attempts)
			}
		}
	}
}

// A site that hangs up on plain clients is given by a browser, at the job's next attempt.
func TestJob_goesOnInABrowserWhereHTTPIsHungUpOn(t *testing.T) {
	site := counted(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Mode") == "" && r.Header.Get("Sec-Ch-Ua") == "" && !strings.Contains(r.Header.Get("Accept"), "image/") {
			hangUp(w)
			return
		}
		htmlPage("<p>For browsers only</p>").ServeHTTP(w, r)
	})
	e, host := sharedSite(t, site)
	job, err := e.StartBatch(t.Context(), []string{"http://" + host + "/"}, BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	status, err := job.Wait(t.Context())
	if err != nil || status.Completed != 1 || site.of("/") != 2 {
		t.Errorf("got %+v, %v after %d requests, want a page after 2", status, err, site.of("/"))
	}
}

// A scrape by itself is tried again at once, as ever.
func TestScrape_aloneIsTriedAgain(t *testing.T) {
	site := counted(troubles)
	e := cachingEngine(t, site)
	if _, err := e.Scrape(t.Context(), "http://granary.example/reset", ScrapeOptions{}); CodeOf(err) != CodeSite || site.of("/reset") != 3 {
		t.Errorf("got %v after %d requests, want 3", err, site.of("/reset"))
	}
}

func TestTemporary_isWhatMayPass(t *testing.T) {
	cause := net.ErrClosed
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&fetch.ConnectError{Net: "ERR_CONNECTION_RESET", Err: cause}, true},
		{&fetch.TimeoutError{Phase: "headers", After: time.Second}, true},
		{&fetch.DNSError{Err: &net.DNSError{IsTemporary: true}}, true},
		{&fetch.DNSError{Err: &net.DNSError{IsNotFound: true}}, false},
		{&fetch.ProxyError{Err: &fetch.ConnectError{Net: "ERR_CONNECTION_REFUSED", Err: cause}}, true},
		{&fetch.RedirectError{Reason: "loop"}, false},
		{&fetch.RedirectError{Reason: "too many"}, false},
		{&fetch.DecodeError{Encoding: "gzip", Err: cause}, false},
		{&fetch.TLSError{Err: cause}, false},
		{&fetch.BlockedError{}, false},
		{&fetch.SizeError{}, false},
		{&browser.NavigationError{Net: "ERR_CONNECTION_CLOSED", Err: cause}, true},
		{&browser.NavigationError{Net: "ERR_TOO_MANY_REDIRECTS", Err: cause}, false},
		{&browser.NavigationError{Net: "ERR_CONTENT_DECODING_FAILED", Err: cause}, false},
		{&browser.NavigationError{Net: "ERR_CERT_DATE_INVALID", Err: cause}, false},
		{browser.ErrCrashed, true},
		{&robotstxt.UnreachableError{Err: &fetch.ConnectError{Net: "ERR_CONNECTION_REFUSED", Err: cause}}, false},
		{context.DeadlineExceeded, false},
	} {
		if got := temporary(failure(t.Context(), "scrape", "u", c.err)); got != c.want {
			t.Errorf("%#v: got %v, want %v", c.err, got, c.want)
		}
	}
}

// What may have sent something isn't done twice by a job either.
func TestJob_doesNotRepeatAPageThatWasWorkedOn(t *testing.T) {
	e := cachingEngine(t, counted(troubles))
	for _, acted := range []bool{false, true} {
		s, err := e.newScrape("http://granary.example/", ScrapeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s.result.Acted = acted
		s.failed(t.Context(), &Error{Code: CodeAllEnginesFailed, Err: browser.ErrCrashed})
		if s.temporary == acted {
			t.Errorf("worked on: %v, to be tried again: %v", acted, s.temporary)
		}
	}
}
