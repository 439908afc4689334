package trapsite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	robotstxt "github.com/winnow-go/winnow/crawl/robots"
)

// ask gets one answer of a site's host.
func ask(t *testing.T, s *Site, href string) *http.Response {
	t.Helper()
	resp, err := inProcess(s.Hosts()).RoundTrip(httptest.NewRequest("GET", href, nil))
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func text(t *testing.T, s *Site, href string) string {
	t.Helper()
	body, err := io.ReadAll(ask(t, s, href).Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// A server of one host: everything on it is as on the real host, the others aren't there.
func TestHandler_servesTheMainHostUnderAnyName(t *testing.T) {
	site := New(fast(Options{Without: Endless()}))
	srv := httptest.NewServer(site.Handler())
	defer srv.Close()
	defer srv.Client().CloseIdleConnections()
	for name, w := range map[string]Want{"default": {}, "external": {AllowExternalLinks: true}, "subdomains": {AllowSubdomains: true},
		"no robots":        {IgnoreRobotsTxt: true},
		"not deduplicated": {DeduplicateSimilarURLs: new(false)}, "docs": {Seed: srv.URL + "/docs/"}} {
		if w.Seed == "" {
			w.Seed = srv.URL
		}
		site.Reset()
		got := crawlBy(t, oneHost{srv}, w, nil)
		if diff := site.Diff(w, got); diff != "" || len(got) < 20 {
			t.Errorf("%s: %d pages:\n%s", name, len(got), diff)
		}
		if twice := site.Twice(); twice != nil {
			t.Errorf("%s: twice: %q", name, twice)
		}
	}
}

// oneHost reaches a server and nothing else.
type oneHost struct{ srv *httptest.Server }

func (o oneHost) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != o.srv.Listener.Addr().String() {
		return nil, errors.New("no such host")
	}
	return o.srv.Client().Transport.RoundTrip(r)
}

func TestSite_isTheSameForASeedAndOnlyForIt(t *testing.T) {
	leftToUnraced(t)
	urls := New(Options{Without: Endless()}).Want(Want{})
	a, b, c := New(Options{}), New(Options{}), New(Options{Seed: 1})
	for _, u := range urls {
		if strings.Contains(u, "/busy/") || strings.Contains(u, "/huge/") {
			continue
		}
		if text(t, a, u) != text(t, b, u) {
			t.Errorf("%s differs", u)
		}
	}
	if slices.Equal(urls, New(Options{Seed: 1, Without: Endless()}).Want(Want{})) {
		t.Error("the same pages for another seed")
	}
	if text(t, a, a.Seed()+"similar/one") == text(t, c, c.Seed()+"similar/one") {
		t.Error("the same text for another seed")
	}
}

func TestSite_everyPageOfTheModelIsServed(t *testing.T) {
	leftToUnraced(t)
	site := New(fast(Options{}))
	for _, path := range site.Paths() {
		n := site.pages[path]
		if n.fails || n.refuses != 0 {
			continue
		}
		if resp := ask(t, site, "https://"+path); resp.StatusCode != n.code() {
			t.Errorf("%s: status %d, want %d", path, resp.StatusCode, n.code())
		}
	}
	if resp := ask(t, site, site.Seed()+"no/such/page"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestOptions_chooseTraps(t *testing.T) {
	if got := New(Options{Only: []string{"nofollow", "huge"}, Without: []string{"huge"}}).Want(Want{}); !slices.Equal(got, []string{
		"https://trap.example/", "https://trap.example/nofollow/", "https://trap.example/nofollow/one", "https://trap.example/nofollow/two"}) {
		t.Errorf("got %q", got)
	}
	if got := New(Options{Only: []string{"docs"}, Pages: 100}).Want(Want{Seed: "https://trap.example/docs/"}); len(got) != 100 {
		t.Errorf("%d pages", len(got))
	}
	for _, o := range []Options{{Only: []string{"doc"}}, {Without: []string{""}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is taken", o)
				}
			}()
			New(o)
		}()
	}
	names := slices.Sorted(slices.Values(Names()))
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names are there twice: %q", names)
	}
}

// A trap that nothing leads to proves nothing.
func TestTraps_areOnTheWayOfACrawl(t *testing.T) {
	leftToUnraced(t)
	w := Want{AllowSubdomains: true, AllowExternalLinks: true, IgnoreRobotsTxt: true, MaxDiscoveryDepth: new(5)}
	for _, trap := range Names() {
		site := New(fast(Options{Only: []string{trap}}))
		switch trap {
		case "moved":
			w.Seed = "https://old.example/"
		case "failinghosts":
			if crawl(t, site.Hosts(), w); site.Hits()["https://failing.example/a"] == 0 {
				t.Errorf("%s: hits %v", trap, site.Hits())
			}
			continue
		default:
			w.Seed = ""
		}
		if got := site.Want(w); len(got) < 2 && trap != "moved" || len(got) < 1 {
			t.Errorf("%s: a crawl delivers %q", trap, got)
		}
	}
}

func TestWant_renderedHasWhatOnlyABrowserSees(t *testing.T) {
	leftToUnraced(t)
	site := New(fast(Options{Only: []string{"scripts", "frames", "refresh"}}))
	plain, rendered := site.Want(Want{}), site.Want(Want{Rendered: true})
	only := func(a, b []string) (list []string) {
		for _, u := range a {
			if !slices.Contains(b, u) {
				list = append(list, strings.TrimPrefix(u, "https://trap.example"))
			}
		}
		return list
	}
	if got := only(rendered, plain); !slices.Equal(got, []string{"/frames/behind", "/frames/srcdoc", "/refresh/here", "/scripts/deep",
		"/scripts/one", "/scripts/two"}) {
		t.Errorf("only by a browser: %q", got)
	}
	if got := only(plain, rendered); !slices.Equal(got, []string{"/refresh/"}) {
		t.Errorf("only by HTTP: %q", got)
	}
	body := text(t, site, "https://trap.example/scripts/")
	if !strings.Contains(body, `a.href = "/scripts/one"`) || strings.Contains(body, `<a href="/scripts/one"`) {
		t.Errorf("the page: %s", body)
	}
}

func TestSite_countsPagesAndFilesApart(t *testing.T) {
	site := New(fast(Options{}))
	for _, u := range []string{"https://trap.example/docs/", "http://trap.example/docs/", "https://trap.example/docs/",
		"https://trap.example/status/500", "https://trap.example/status/500",
		"https://trap.example/robots.txt", "https://trap.example/maps/index.xml", "https://trap.example/none.xml", "https://trap.example/session/?sid=7"} {
		ask(t, site, u)
	}
	head := httptest.NewRequest("HEAD", "https://trap.example/docs/", nil)
	if _, err := inProcess(site.Hosts()).RoundTrip(head); err != nil {
		t.Fatal(err)
	}
	wantHits := map[string]int{"https://trap.example/docs/": 2, "http://trap.example/docs/": 1, "https://trap.example/status/500": 2,
		"https://trap.example/session/?sid=7": 1}
	wantFiles := map[string]int{"https://trap.example/robots.txt": 1, "https://trap.example/maps/index.xml": 1, "https://trap.example/none.xml": 1}
	if hits, files := site.Hits(), site.Files(); !maps.Equal(hits, wantHits) || !maps.Equal(files, wantFiles) {
		t.Errorf("hits %v, files %v", hits, files)
	}
	if got := site.Twice(); !slices.Equal(got, []string{"https://trap.example/docs/"}) {
		t.Errorf("twice: %q", got)
	}
	site.Reset()
	if len(site.Hits())+len(site.Files())+len(site.Twice()) != 0 {
		t.Error("counts are left after a reset")
	}
}

func TestBusy_refusesOnceAndSeesWhoDoesNotWait(t *testing.T) {
	now := time.Now()
	site := New(Options{Now: func() time.Time { return now }})
	for _, rude := range []bool{false, true} {
		site.Reset()
		first := ask(t, site, "https://trap.example/busy/429")
		if first.StatusCode != http.StatusTooManyRequests || first.Header.Get("Retry-After") != "1" {
			t.Errorf("%d, %v", first.StatusCode, first.Header)
		}
		if !rude {
			now = now.Add(time.Second)
		}
		if second := ask(t, site, "https://trap.example/busy/429"); second.StatusCode != http.StatusOK {
			t.Errorf("second answer: %d", second.StatusCode)
		}
		if got := site.Rude(); (len(got) != 0) != rude {
			t.Errorf("rude %t: %q", rude, got)
		}
		if a, b := ask(t, site, "https://trap.example/busy/503").StatusCode, ask(t, site,
			"https://trap.example/busy/503").StatusCode; a != 503 || b != 200 {
			t.Errorf("503: %d, %d", a, b)
		}
	}
}

func TestRude_isWhoDoesNotKeepTheCrawlDelay(t *testing.T) {
	now := time.Now()
	site := New(fast(Options{Now: func() time.Time { return now }, CrawlDelay: 2 * time.Second}))
	for _, host := range []string{"https://slow.example/a", "https://trap.example/docs/"} {
		delay := map[bool]time.Duration{true: slowHostDelay, false: 2 * time.Second}[strings.Contains(host, "slow")]
		ask(t, site, host)
		now = now.Add(delay)
		ask(t, site, host)
		ask(t, site, "https://blog.trap.example/")
		ask(t, site, "https://blog.trap.example/")
		if got := site.Rude(); len(got) != 0 {
			t.Errorf("%s: %q", host, got)
		}
		now = now.Add(delay / 3)
		ask(t, site, host)
		if got := site.Rude(); len(got) != 1 {
			t.Errorf("%s: %q", host, got)
		}
		site.Reset()
	}
}

func TestBroken_closesTheConnection(t *testing.T) {
	site := New(Options{})
	srv := httptest.NewServer(site.Handler())
	defer srv.Close()
	defer srv.Client().CloseIdleConnections()
	resp, err := srv.Client().Get(srv.URL + "/broken/closes")
	if err == nil {
		resp.Body.Close()
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestSlow_endsWhenTheClientHangsUp(t *testing.T) {
	site := New(Options{SlowDelay: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan *httptest.ResponseRecorder)
	go func() {
		w := httptest.NewRecorder()
		site.Handler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/slow/", nil))
		done <- w
	}()
	cancel()
	if w := <-done; w.Body.Len() != 0 {
		t.Errorf("%d bytes", w.Body.Len())
	}
}

func TestHuge_hasItsLinkAtTheEnd(t *testing.T) {
	body := text(t, New(Options{}), "https://trap.example/huge/")
	if len(body) < 3<<20 || !strings.Contains(body[len(body)-100:], "/huge/end") {
		t.Errorf("%d bytes, the end: %q", len(body), body[len(body)-100:])
	}
}

func TestRobots_textSaysWhatTheModelMeans(t *testing.T) {
	site := New(Options{CrawlDelay: 1500 * time.Millisecond})
	file := robotstxt.Parse([]byte(text(t, site, "https://trap.example/robots.txt")))
	for _, agent := range []string{"winnow", "trapbot", "trap"} {
		for _, path := range []string{"/", "/private/", "/private/page", "/private/open", "/private/opened", "/private", "/x?secret=1",
			"/?secret=", "/x?a=1&secret=1", "/agents/", "/agents/page"} {
			if got, want := file.Allowed(agent, path), site.robots[Main].admit(agent, path); got != want {
				t.Errorf("%s, %s: allowed %t, the model says %t", agent, path, got, want)
			}
		}
	}
	if got := file.Sitemaps(); !slices.Equal(got, []string{"https://trap.example/maps/index.xml"}) {
		t.Errorf("sitemaps: %q", got)
	}
	if got, ok := file.CrawlDelay("winnow"); !ok || got != 1500*time.Millisecond {
		t.Errorf("delay: %v", got)
	}
}

func TestCanon_distinguishesPages(t *testing.T) {
	cases := []struct {
		w    Want
		a, b string
		same bool
	}{
		{a: "https://trap.example", b: "http://www.trap.example/index.html", same: true},
		{a: "https://trap.example/a", b: "http://www.trap.example/a/index.php", same: true},
		{a: "https://trap.example/a", b: "https://trap.example/a/#part", same: true},
		{a: "https://trap.example/a", b: "https://trap.example/A"},
		{a: "https://trap.example/a", b: "https://blog.trap.example/a"},
		{a: "https://trap.example/a", b: "https://trap.example/#/a"},
		{a: "https://trap.example/#/a", b: "https://trap.example/#/b"},
		{a: "https://trap.example/a%2Fb", b: "https://trap.example/a/b"},
		{a: "https://trap.example/a?x=1&y=2", b: "https://trap.example/a?y=2&x=1"},
		{w: Want{IgnoreQueryParameters: true}, a: "https://trap.example/a?x=1&y=2", b: "https://trap.example/a", same: true},
		{w: Want{DeduplicateSimilarURLs: new(false)}, a: "https://trap.example/a", b: "http://trap.example/a"},
		{w: Want{DeduplicateSimilarURLs: new(false)}, a: "https://trap.example/a", b: "https://trap.example/a/"},
		{w: Want{DeduplicateSimilarURLs: new(false)}, a: "https://trap.example", b: "https://trap.example/", same: true},
	}
	for _, c := range cases {
		if got := c.w.Same(c.a, c.b); got != c.same {
			t.Errorf("%s and %s: %t, %s, %s", c.a, c.b, got, c.w.Canon(c.a), c.w.Canon(c.b))
		}
		if once := c.w.Canon(c.b); c.w.Canon(once) != once {
			t.Errorf("%s, then %s", once, c.w.Canon(once))
		}
	}
}

func TestDiff_namesEveryDifference(t *testing.T) {
	site := New(Options{Only: []string{"canonical"}})
	got := []string{"http://trap.example/", "https://trap.example/index.html", "https://trap.example/canonical/copy",
		"https://trap.example/canonical/hidden", "https://trap.example/canonical/second"}
	want := "twice: http://trap.example/, and as https://trap.example/index.html\ntoo much: https://trap.example/canonical/hidden\nmissing: https://trap.example/canonical/original\n"
	if diff := site.Diff(Want{}, got); diff != want {
		t.Errorf("got:\n%s", diff)
	}
}

func TestWant_limitIsACount(t *testing.T) {
	leftToUnraced(t)
	site := New(Options{Pages: 30, Only: []string{"docs", "broken", "redirects"}})
	all := site.Want(Want{})
	for _, limit := range []int{1, 7, len(all), len(all) + 5} {
		if got := site.Want(Want{Limit: limit}); len(got) != min(limit, len(all)) {
			t.Errorf("limit %d: %d pages of %d", limit, len(got), len(all))
		}
	}
}

func TestSite_manyAskAtOnce(t *testing.T) {
	site := New(fast(Options{Without: Endless()}))
	urls := site.Want(Want{AllowSubdomains: true, AllowExternalLinks: true})
	hosts := inProcess(site.Hosts())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, u := range urls {
				if _, err := hosts.RoundTrip(httptest.NewRequest("GET", u, nil)); err != nil {
					t.Errorf("%s: %v", u, err)
				}
			}
			site.Want(Want{})
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range site.Hits() {
		sum += n
	}
	if sum != 4*len(urls) {
		t.Errorf("%d requests counted, want %d", sum, 4*len(urls))
	}
}

func ExampleNew() {
	site := New(Options{Only: []string{"nofollow"}})
	srv := httptest.NewServer(site.Handler())
	defer srv.Close()

	crawl := Want{Seed: srv.URL + "/"}
	delivered := []string{srv.URL + "/", srv.URL + "/nofollow/"} // by a crawler that thinks nofollow means it
	missing := strings.ReplaceAll(site.Diff(crawl, delivered), srv.URL, "")
	fmt.Print(missing)
	// Output:
	// missing: /nofollow/one
	// missing: /nofollow/two
}
