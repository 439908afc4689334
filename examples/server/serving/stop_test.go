package serving

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// slowSite is a site whose pages wait until they are let go. It reports when the first is waited for.
type slowSite struct {
	*httptest.Server
	asked   chan struct{}
	first   sync.Once
	release chan struct{}
	let     sync.Once
}

// newSlowSite has a first page that answers at once and links to pages that wait.
func newSlowSite(t *testing.T) *slowSite {
	s := &slowSite{asked: make(chan struct{}), release: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" || r.URL.Path == "/sitemap.xml" {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path != "/" {
			s.first.Do(func() { close(s.asked) })
			select {
			case <-s.release:
			case <-r.Context().Done():
				return
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%s</title><main><h1>Page %s</h1><p>Slow but sure.</p><a href="/a">a</a> <a href="/b">b</a> <a href="/c">c</a></main>`, r.URL.Path, r.URL.Path)
	}))
	t.Cleanup(func() { s.letGo(); s.Close() })
	return s
}

func (s *slowSite) letGo() { s.let.Do(func() { close(s.release) }) }

// scrapeSlowly begins a scrape that waits, and gives what comes of it.
func scrapeSlowly(r *running, s *slowSite) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		a, err := r.ask("POST", "/v2/scrape", `{"url":"`+s.URL+`/a"}`)
		if err != nil {
			a.body = err.Error()
		}
		done <- a
	}()
	<-s.asked
	return done
}

func TestStop_letsWhatIsAtWorkEnd(t *testing.T) {
	site := newSlowSite(t)
	r := started(t, "-allow-private", "-grace", "5m")
	scraped := scrapeSlowly(r, site)
	r.stop()
	a := r.until("/readyz", func(a answer) bool { return a.status == 503 })
	if !strings.Contains(a.body, "stopping") {
		t.Error(a.body)
	}
	r.want(200, "GET", "/healthz", "")
	if a := r.want(503, "POST", "/v2/scrape", `{"url":"`+site.URL+`/"}`); !strings.Contains(a.body, "the server is stopping") {
		t.Error(a.body)
	}
	site.letGo()
	if a := <-scraped; a.status != 200 || !strings.Contains(a.body, "Slow but sure.") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if _, err := r.ask("GET", "/healthz", ""); err == nil {
		t.Error("it still answers")
	}
}

func TestStop_breaksOffWhatTakesTooLong(t *testing.T) {
	site := newSlowSite(t)
	r := started(t, "-allow-private", "-grace", "10ms")
	scraped := scrapeSlowly(r, site)
	if err := r.end(); err != nil {
		t.Error(err)
	}
	if a := <-scraped; a.status == 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if !strings.Contains(r.log.String(), "grace period is over") {
		t.Error(r.log)
	}
}

// A crawl that a stop breaks off goes on where the same cache is used again. No request waits for it.
func TestStop_aCrawlIsResumedAtTheNextStart(t *testing.T) {
	site, dir := newSlowSite(t), t.TempDir()
	args := []string{"-allow-private", "-cache", dir + "/cache.db", "-grace", "5m"}
	r := started(t, args...)
	id := r.want(200, "POST", "/v2/crawl", `{"url":"`+site.URL+`/","maxConcurrency":1}`).field(t, "id").(string)
	<-site.asked
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	site.letGo()
	r = started(t, args...)
	a := r.until("/v2/crawl/"+id, func(a answer) bool { return a.status == 200 && !strings.Contains(a.body, `"status":"scraping"`) })
	if a.field(t, "status") != "completed" || a.field(t, "completed") != 4.0 {
		t.Error(a.body)
	}
	if !strings.Contains(r.printed, "cache     "+dir) {
		t.Error(r.printed)
	}
}

func TestGate_isClosedOnceAndForAll(t *testing.T) {
	g := newGate()
	if !g.enter(false) || !g.enter(true) {
		t.Fatal("an open gate refuses")
	}
	empty := g.close()
	if g.enter(false) || g.enter(true) {
		t.Error("a closed gate lets in")
	}
	select {
	case <-empty:
		t.Error("what is at work isn't waited for")
	case <-g.stopping:
	}
	g.leave(false)
	<-g.close() // the stream isn't awaited
	g.leave(true)
	g.wait()
}
