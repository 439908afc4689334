package engine

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// shelf is a site of files by path, which counts what is asked for.
type shelf struct {
	mu    sync.Mutex
	files map[string]string // by path; "" answers 404
	asked map[string]int
	seen  map[string]http.Header
}

func newShelf(files map[string]string) *shelf {
	return &shelf{files: files, asked: map[string]int{}, seen: map[string]http.Header{}}
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	body, ok := s.files[r.Host+r.URL.Path]
	if !ok {
		body, ok = s.files[r.URL.Path]
	}
	s.asked[r.Host+r.URL.Path]++
	s.seen[r.Host+r.URL.Path] = r.Header.Clone()
	s.mu.Unlock()
	to, redirect := strings.CutPrefix(body, "-> ")
	code, failing := strings.CutPrefix(body, "status ")
	switch {
	case !ok:
		http.NotFound(w, r)
	case redirect:
		http.Redirect(w, r, to, http.StatusFound)
	case failing:
		var n int
		fmt.Sscan(code, &n)
		http.Error(w, "x", n)
	case strings.HasPrefix(body, "<"):
		w.Header().Set("Content-Type", "text/html")
		if strings.HasPrefix(body, "<urlset") || strings.HasPrefix(body, "<sitemapindex") {
			w.Header().Set("Content-Type", "application/xml")
		}
		fmt.Fprint(w, body)
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, body)
	}
}

func (s *shelf) count(place string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[place]
}

func (s *shelf) total() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.asked {
		n += k
	}
	return n
}

func (s *shelf) header(place, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[place].Get(name)
}

func urlset(locs ...string) string {
	return "<urlset><url><loc>" + strings.Join(locs, "</loc></url><url><loc>") + "</loc></url></urlset>"
}

func sitemapIndex(locs ...string) string {
	return "<sitemapindex><sitemap><loc>" + strings.Join(locs, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
}

// shelfEngine serves a shelf under granary.example, www., blog. and other.example.
func shelfEngine(t testing.TB, s http.Handler, change ...func(*Options)) *Engine {
	t.Helper()
	return cachingEngine(t, s, append([]func(*Options){func(o *Options) {
		o.Hosts["blog.granary.example"], o.Hosts["other.example"] = s, s
		o.AllowZeroDataRetention = true
	}}, change...)...)
}

func TestSitemapFetcher_aStatusIsTheSitesFault(t *testing.T) {
	e := shelfEngine(t, newShelf(map[string]string{"/broken.xml": "status 500"}))
	f := e.sitemapFetcher("https://granary.example/", ScrapeOptions{})
	for _, name := range []string{"broken.xml", "none.xml"} {
		if _, err := f.Fetch(t.Context(), "https://granary.example/"+name); CodeOf(err) != CodeSite {
			t.Errorf("%s: %v has the code %s", name, err, CodeOf(err))
		}
	}
}

func TestSitemapFetcher_goesThroughTheCache(t *testing.T) {
	s, c := newShelf(map[string]string{"/sitemap.xml": urlset("https://granary.example/barley")}), newClock()
	e := shelfEngine(t, s, func(o *Options) { o.Now = c.now })
	read := func(o ScrapeOptions, want int) {
		t.Helper()
		body, err := e.sitemapFetcher("https://granary.example/", o).Fetch(t.Context(), "https://granary.example/sitemap.xml")
		if err != nil || body == nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(body); err != nil || !strings.Contains(b.String(), "barley") {
			t.Errorf("got %q, %v", b.String(), err)
		}
		if n := s.total(); n != want {
			t.Errorf("%d requests, want %d", n, want)
		}
	}
	read(ScrapeOptions{ZeroDataRetention: true}, 1)
	read(ScrapeOptions{}, 2)
	read(ScrapeOptions{}, 2)
	read(ScrapeOptions{Lockdown: true}, 2)
	c.pass(72 * time.Hour)
	read(ScrapeOptions{MaxAge: new(7 * 24 * time.Hour)}, 2)
	read(ScrapeOptions{}, 3)
	read(ScrapeOptions{MaxAge: fresh}, 4)
	if u, err := e.Usage(t.Context(), ""); err != nil || u.Credits != 0 {
		t.Errorf("usage %+v, %v", u, err)
	}
	if ids, err := e.stores.Records.Records.Keys(t.Context(), "", "", 0); err != nil || len(ids) != 0 {
		t.Errorf("records %v, %v", ids, err)
	}
	rawFormat := ScrapeOptions{Formats: []formats.Format{{Type: formats.RawBase64}}, SkipTLSVerification: new(true)}
	for range 2 { // the output is kept in memory, and not the body
		scrapeOK(t, e, "https://granary.example/sitemap.xml", rawFormat)
	}
	read(ScrapeOptions{}, 4)
	_, err := e.sitemapFetcher("https://granary.example/", ScrapeOptions{Lockdown: true}).Fetch(t.Context(), "https://granary.example/other.xml")
	if CodeOf(err) != CodeLockdownMiss || s.total() != 4 {
		t.Errorf("lockdown: %v, %d requests", err, s.total())
	}
}

// A caller's headers go to the seed's own origin, the location's languages everywhere.
func TestSitemapFetcher_headersStayAtHome(t *testing.T) {
	s := newShelf(map[string]string{"/sitemap.xml": urlset("https://granary.example/barley")})
	e := shelfEngine(t, s)
	f := e.sitemapFetcher("http://granary.example/", ScrapeOptions{Headers: map[string]string{"Cookie": "who=me"}, Location: &Location{Country: "DE"}})
	for place, want := range map[string]string{
		"http://granary.example/sitemap.xml":       "who=me",
		"https://granary.example/sitemap.xml":      "who=me",
		"https://blog.granary.example/sitemap.xml": "",
		"https://other.example/sitemap.xml":        "",
	} {
		if _, err := f.Fetch(t.Context(), place); err != nil {
			t.Fatal(err)
		}
		at := strings.TrimPrefix(strings.TrimPrefix(place, "http://"), "https://")
		if got := s.header(at, "Cookie"); got != want {
			t.Errorf("%s: Cookie %q", place, got)
		}
		if got := s.header(at, "Accept-Language"); !strings.HasPrefix(got, "de") {
			t.Errorf("%s: Accept-Language %q", place, got)
		}
	}
	if st, err := e.CacheStats(t.Context()); err != nil || st.Versions != 2 {
		t.Errorf("stats %+v, %v", st, err)
	}
}

func TestSitemapFetcher_obeysRobots(t *testing.T) {
	s := newShelf(map[string]string{"/robots.txt": "User-agent: *\nDisallow: /hidden.xml", "/hidden.xml": urlset("https://granary.example/a"), "/sitemap.xml": urlset("https://granary.example/b")})
	e := shelfEngine(t, s)
	f := e.sitemapFetcher("https://granary.example/", ScrapeOptions{ObeyRobots: true})
	if _, err := f.Fetch(t.Context(), "https://granary.example/hidden.xml"); CodeOf(err) != CodeRobots || s.count("granary.example/hidden.xml") != 0 {
		t.Errorf("got %v", err)
	}
	if _, err := f.Fetch(t.Context(), "https://granary.example/sitemap.xml"); err != nil {
		t.Error(err)
	}
}

// A site outside must not get at a virtual host by naming a sitemap there.
func TestSitemapFetcher_virtualHostsOnlyFromOne(t *testing.T) {
	s := newShelf(map[string]string{"/sitemap.xml": urlset("https://granary.example/b")})
	outside := serve(t, map[string]string{"/sitemap.xml": "https://granary.example/x"})
	e := newTestEngine(t, Options{Policy: fetch.Policy{AllowPrivate: true}, Hosts: map[string]http.Handler{"granary.example": s}})
	_, err := e.sitemapFetcher(outside.URL+"/", ScrapeOptions{}).Fetch(t.Context(), "https://granary.example/sitemap.xml")
	if CodeOf(err) != CodeBlocked || s.total() != 0 {
		t.Errorf("got %v, %d requests", err, s.total())
	}
	if _, err := e.sitemapFetcher("https://granary.example/", ScrapeOptions{}).Fetch(t.Context(), outside.URL+"/sitemap.xml"); err != nil {
		t.Errorf("the other way: %v", err)
	}
}

func TestSitemapFetcher_endsWithItsContext(t *testing.T) {
	hang := make(chan struct{})
	s := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(hang)
		<-r.Context().Done()
	})
	e := shelfEngine(t, s)
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-hang; leave() }()
	if _, err := e.sitemapFetcher("https://granary.example/", ScrapeOptions{}).Fetch(ctx, "https://granary.example/sitemap.xml"); CodeOf(err) != CodeCancelled {
		t.Errorf("got %v", err)
	}
	if e.queue.Waiting() != 0 || e.queue.Active() != 0 {
		t.Error("the place in line is kept")
	}
}
