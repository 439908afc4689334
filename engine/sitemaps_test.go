package engine

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

func TestPlacesOf(t *testing.T) {
	file := robots.Parse([]byte("Sitemap: https://cdn.example/a.xml\nSitemap: https://shop.example/sitemap.xml"))
	for _, c := range []struct {
		seed           string
		file           *robots.File
		named, guessed string
	}{
		{"https://shop.example/", nil, "", "https://shop.example/sitemap.xml"},
		{"https://www.shop.example/", nil, "", "https://www.shop.example/sitemap.xml"},
		{"https://user:pass@shop.example:8443/a/b.html?x=/y/#/z", nil, "", "https://shop.example:8443/a/sitemap.xml https://shop.example:8443/sitemap.xml"},
		{"https://blog.shop.example/docs/", nil, "", "https://blog.shop.example/docs/sitemap.xml https://blog.shop.example/sitemap.xml https://shop.example/sitemap.xml"},
		{"https://me.github.io/", nil, "", "https://me.github.io/sitemap.xml"},
		{"http://192.0.2.1/", nil, "", "http://192.0.2.1/sitemap.xml"},
		{"https://shop.example/", file, "https://cdn.example/a.xml https://shop.example/sitemap.xml", ""},
		{"https://shop.example/map.XML.gz?x", file, "https://shop.example/map.XML.gz?x", ""},
		{"https://shop.example/feed.xml", file, "https://shop.example/feed.xml", ""},
	} {
		p := placesOf(c.seed, c.file)
		if got := strings.Join(p.named, " "); got != c.named {
			t.Errorf("%s: named %q, want %q", c.seed, got, c.named)
		}
		if got := strings.Join(p.guessed, " "); got != c.guessed {
			t.Errorf("%s: guessed %q, want %q", c.seed, got, c.guessed)
		}
	}
}

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

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

// shelfEngine serves a shelf under granary.example, www., blog. and other.example.
func shelfEngine(t testing.TB, s http.Handler, change ...func(*Options)) *Engine {
	t.Helper()
	return cachingEngine(t, s, append([]func(*Options){func(o *Options) {
		o.Hosts["blog.granary.example"], o.Hosts["other.example"] = s, s
		o.AllowZeroDataRetention = true
	}}, change...)...)
}

// walked collects what a walk gives.
func walked(t *testing.T, e *Engine, seed string, file *robots.File, o ScrapeOptions) (urls []string, problems []error) {
	t.Helper()
	for u, err := range sitemapPages(t.Context(), e.sitemapFetcher(seed, o), seed, file, sitemap.WalkOptions{}) {
		if err != nil {
			problems = append(problems, err)
			continue
		}
		urls = append(urls, u.Loc)
	}
	return urls, problems
}

func TestSitemapPages_indexesAndGzip(t *testing.T) {
	s := newShelf(map[string]string{
		"/sitemap.xml":     sitemapIndex("https://granary.example/one.xml.gz", "https://granary.example/two.txt"),
		"/one.xml.gz":      gzipped(urlset("https://granary.example/barley")),
		"/two.txt":         "https://granary.example/oats\nhttps://granary.example/rye\n",
		"/sitemap.txt":     "https://granary.example/not-asked-for",
		"/wp-sitemap.xml":  "",
		"/robots-says.xml": urlset("https://granary.example/wheat"),
	})
	e := shelfEngine(t, s)
	urls, problems := walked(t, e, "https://granary.example/", robots.Parse([]byte("Sitemap: https://granary.example/robots-says.xml")), ScrapeOptions{})
	want := []string{"https://granary.example/wheat", "https://granary.example/barley", "https://granary.example/oats", "https://granary.example/rye"}
	if !slices.Equal(urls, want) || len(problems) != 0 {
		t.Errorf("got %q, %v", urls, problems)
	}
	if s.count("granary.example/sitemap.txt") != 0 {
		t.Error("the unlikely places were tried")
	}
}

func TestSitemapPages_otherUsualPlaces(t *testing.T) {
	s := newShelf(map[string]string{"/wp-sitemap.xml": urlset("https://granary.example/barley"), "/sitemap.xml": "<p>Not here"})
	urls, problems := walked(t, shelfEngine(t, s), "https://granary.example/", nil, ScrapeOptions{})
	if !slices.Equal(urls, []string{"https://granary.example/barley"}) || len(problems) != 0 {
		t.Errorf("got %q, %v", urls, problems)
	}
}

// What is named and not there is told; what was only guessed isn't.
func TestSitemapPages_problems(t *testing.T) {
	s := newShelf(map[string]string{"/broken.xml": "status 500", "/page.xml": "<p>A page"})
	named := robots.Parse([]byte("Sitemap: https://granary.example/broken.xml\nSitemap: https://granary.example/page.xml\nSitemap: https://granary.example/none.xml"))
	urls, problems := walked(t, shelfEngine(t, s), "https://granary.example/", named, ScrapeOptions{})
	var got []string
	for _, err := range problems {
		p, ok := errors.AsType[*sitemap.Problem](err)
		if !ok {
			t.Fatalf("got %v", err)
		}
		got = append(got, string(p.Code)+" "+p.Sitemap)
		if p.Code == sitemap.FetchFailed && CodeOf(p) != CodeSite {
			t.Errorf("%v has the code %s", p, CodeOf(p))
		}
	}
	if len(urls) != 0 || strings.Join(got, "; ") != "FETCH_FAILED https://granary.example/broken.xml; NOT_SITEMAP https://granary.example/page.xml; FETCH_FAILED https://granary.example/none.xml" {
		t.Errorf("got %q, %q", urls, got)
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
	if ids, err := e.stores.records.Keys(t.Context(), "", "", 0); err != nil || len(ids) != 0 {
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
	if e.queue.waiting() != 0 || !e.queue.places.TryAcquire(1) {
		t.Error("the place in line is kept")
	}
}

func TestSameOrigin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"https://a.example/x", "https://a.example/y?z", true},
		{"https://u:p@a.example/x", "https://a.example/", true},
		{"http://a.example/", "https://a.example/", true},
		{"https://a.example/", "http://a.example/", false},
		{"http://a.example:8080/", "https://a.example:8080/", false},
		{"http://a.example/", "https://a.example:8443/", false},
		{"http://[::1]/", "https://[::1]/", true},
		{"https://a.example/", "https://www.a.example/", false},
		{"https://a.example/", "https://a.example:8443/", false},
	} {
		if got := sameOrigin(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %t", c.a, c.b, got)
		}
	}
}
