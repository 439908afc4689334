package engine

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
	"github.com/winnow-go/winnow/formats"
)

func TestCrawl_ofTheCacheAlone(t *testing.T) {
	dir, out := t.TempDir(), &outbound{}
	e := webEngine(t, chain(6), func(o *Options) { o.Dir = dir })
	_, want := crawled(t, e, "https://a.example/", CrawlOptions{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = newTestEngine(t, Options{Dir: dir, Resolver: out, DialContext: out.dial, Policy: fetch.Policy{AllowPrivate: true}})
	job, got := crawled(t, e, "https://a.example/", CrawlOptions{Scrape: ScrapeOptions{Lockdown: true}})
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := out.lookups.Load() + out.dials.Load() + out.requests.Load(); n != 0 {
		t.Errorf("%d ways out were taken", n)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = newTestEngine(t, Options{Dir: dir})
	if _, err := e.Job(t.Context(), job.ID()); CodeOf(err) != CodeNotFound {
		t.Errorf("a crawl under lockdown was kept: %v", err)
	}
}

func TestCrawl_tellsWhatSitemapsSay(t *testing.T) {
	e := webEngine(t, map[string]string{
		"a.example/":           linksTo("/linked"),
		"a.example/linked":     linksTo(),
		"a.example/listed":     linksTo(),
		"a.example/robots.txt": "Sitemap: https://a.example/all.xml\n",
		"a.example/all.xml": `<urlset><url><loc>https://a.example/listed</loc><lastmod>2026-01-02</lastmod><priority>0.8</priority></url>
			<url><loc>https://b.example/elsewhere</loc></url></urlset>`,
	})
	job, urls := crawled(t, e, "https://a.example/", CrawlOptions{})
	if fmt.Sprint(urls) != "[https://a.example/ https://a.example/linked https://a.example/listed]" {
		t.Errorf("got %v", urls)
	}
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		m := doc.Metadata
		if listed := strings.HasSuffix(m.URL, "/listed"); listed != (m.SitemapPriority != nil && *m.SitemapPriority == 0.8) ||
			listed != (m.SitemapLastModified != nil && m.SitemapLastModified.Equal(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))) {
			t.Errorf("%s: %v, %v", m.URL, m.SitemapLastModified, m.SitemapPriority)
		}
	}
	if _, urls := crawled(t, e, "https://a.example/", CrawlOptions{Sitemap: SitemapOnly}); fmt.Sprint(urls) != "[https://a.example/ https://a.example/listed]" {
		t.Errorf("only: %v", urls)
	}
	if _, urls := crawled(t, e, "https://a.example/", CrawlOptions{Sitemap: SitemapSkip}); fmt.Sprint(urls) != "[https://a.example/ https://a.example/linked]" {
		t.Errorf("skip: %v", urls)
	}
}

func TestCrawl_aBrokenSitemapIsAnEvent(t *testing.T) {
	e := webEngine(t, map[string]string{
		"a.example/":           linksTo(),
		"a.example/robots.txt": "Sitemap: https://a.example/all.xml\n",
		"a.example/all.xml":    `<urlset><url><loc>https://a.example/listed</loc></url><url><loc></urlset>`,
		"a.example/listed":     linksTo(),
	})
	job, urls := crawled(t, e, "https://a.example/", CrawlOptions{})
	problems := 0
	for ev, err := range job.Events(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Type == EventSitemap && strings.Contains(string(ev.Data), "all.xml") {
			problems++
		}
	}
	if len(urls) != 2 || problems == 0 {
		t.Errorf("%v, %d problems", urls, problems)
	}
}

func TestCrawl_listsWhatRobotsTxtForbids(t *testing.T) {
	pages := map[string]string{
		"a.example/":           linksTo("/open", "/private/x", "/moved"),
		"a.example/open":       linksTo(),
		"a.example/moved":      "-> /private/y",
		"a.example/private/x":  linksTo(),
		"a.example/private/y":  linksTo(),
		"a.example/robots.txt": "User-agent: *\nDisallow: /private/\n\nUser-agent: friend\nDisallow:\n",
	}
	e := webEngine(t, pages)
	job, urls := crawled(t, e, "https://a.example/", CrawlOptions{})
	if fmt.Sprint(urls) != "[https://a.example/ https://a.example/open]" {
		t.Errorf("got %v", urls)
	}
	blocked, err := job.RobotsBlocked(t.Context())
	slices.Sort(blocked)
	if err != nil || fmt.Sprint(blocked) != "[https://a.example/private/x https://a.example/private/y]" {
		t.Errorf("blocked %v, %v", blocked, err)
	}
	status, err := job.Status(t.Context())
	if err != nil || !strings.Contains(status.Warning, "robots.txt") || status.State != JobCompleted {
		t.Errorf("%+v, %v", status, err)
	}
	for name, o := range map[string]CrawlOptions{"ignored": {IgnoreRobotsTxt: true}, "friend": {RobotsUserAgent: "friend"}} {
		if _, urls := crawled(t, e, "https://a.example/", o); len(urls) != 4 {
			t.Errorf("%s: %v", name, urls)
		}
	}
	job, urls = crawled(t, e, "https://a.example/private/x", CrawlOptions{})
	if status, err := job.Status(t.Context()); err != nil || len(urls) != 0 || status.Warning == "" {
		t.Errorf("a forbidden seed: %v, %+v, %v", urls, status, err)
	}
}

func TestCrawl_ofARefusedAddressIsBlocked(t *testing.T) {
	e := newTestEngine(t, Options{Render: RenderNever})
	for range 2 { // also when the answer is remembered
		job, err := e.Crawl(t.Context(), "http://127.0.0.1/", CrawlOptions{Sitemap: SitemapSkip})
		if err != nil {
			t.Fatal(err)
		}
		if status, err := job.Status(t.Context()); err != nil || status.State != JobFailed || status.Code != CodeBlocked {
			t.Errorf("%+v, %v", status, err)
		}
	}
}

// A crawl of what can't be reached says so, and not that its robots.txt can't be read.
func TestCrawl_ofAHostThatCannotBeReachedSaysWhy(t *testing.T) {
	asked := missing{new(atomic.Int64)}
	none := newTestEngine(t, Options{Render: RenderNever, Resolver: asked})
	o := Options{Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}}
	hasty(&o)
	own := newTestEngine(t, o)
	for _, c := range []struct {
		e    *Engine
		seed string
		want Code
		asks bool // name servers may be asked
	}{
		{none, "https://nowhere.example/", CodeDNS, true},
		{none, "http://localhost./", CodeBlocked, false},
		{none, "http://LOCALHOST.:8080/", CodeBlocked, false},
		{none, "http://shop.localhost/", CodeBlocked, false},
		{own, "http://" + fetchtest.ClosedPort(t) + "/", CodeSite, false},
	} {
		asked.asked.Store(0)
		job, err := c.e.Crawl(t.Context(), c.seed, CrawlOptions{})
		if err != nil {
			t.Fatal(err)
		}
		status, err := job.Status(t.Context())
		if err != nil || status.State != JobFailed || status.Code != c.want || asked.asked.Load() > 0 && !c.asks {
			t.Errorf("%s: got %+v, %v after %d questions, want %s", c.seed, status, err, asked.asked.Load(), c.want)
		}
		pages, err := job.Errors(t.Context())
		if err != nil || len(pages) != 1 || pages[0].Code != c.want {
			t.Errorf("%s: got %+v, %v, want one page with %s", c.seed, pages, err, c.want)
		}
	}
}

func TestCrawl_pagesOfAHostWithoutReachableRobotsTxtFail(t *testing.T) {
	var calls atomic.Int64
	start := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	e := webEngine(t, nil, func(o *Options) {
		// A minute goes by at each look at the clock: no pause takes long.
		o.Now = func() time.Time { return start.Add(time.Duration(calls.Add(1)) * time.Minute) }
		o.Hosts = map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.Error(w, "no", http.StatusInternalServerError)
				return
			}
			htmlPage(barley).ServeHTTP(w, r)
		})}
	})
	job, err := e.Crawl(t.Context(), "https://a.example/", CrawlOptions{Sitemap: SitemapSkip})
	if err != nil {
		t.Fatal(err)
	}
	status, err := job.Status(t.Context())
	if err != nil || status.State != JobFailed || status.Code != CodeRobotsUnreachable {
		t.Errorf("%+v, %v", status, err)
	}
}

func TestCrawl_followsItsSeedToAnotherHost(t *testing.T) {
	e := webEngine(t, map[string]string{
		"old.example/":            "-> https://new.example/",
		"old.example/left":        linksTo(),
		"new.example/":            linksTo("/one", "https://old.example/left"),
		"new.example/one":         linksTo(),
		"new.example/listed":      linksTo(),
		"new.example/sitemap.xml": `<urlset><url><loc>https://new.example/listed</loc></url></urlset>`,
	})
	if _, urls := crawled(t, e, "https://old.example/", CrawlOptions{}); fmt.Sprint(urls) != "[https://new.example/ https://new.example/listed https://new.example/one]" {
		t.Errorf("got %v", urls)
	}
}

// A seed that the patterns leave out is no result, but its links count.
func TestCrawl_aSeedOutsideItsPatternsLeadsOn(t *testing.T) {
	e := webEngine(t, map[string]string{
		"a.example/":       linksTo("/docs/a", "/news"),
		"a.example/docs/a": linksTo(),
		"a.example/news":   linksTo(),
	})
	job, urls := crawled(t, e, "https://a.example/", CrawlOptions{IncludePaths: []string{"^/docs/"}})
	if status, err := job.Status(t.Context()); err != nil || fmt.Sprint(urls) != "[https://a.example/docs/a]" || status.Completed != 1 || status.State != JobCompleted {
		t.Errorf("got %v, %+v, %v", urls, status, err)
	}
}

// A public page leads no crawl to a virtual host.
func TestCrawl_virtualHostsAreNotReachedFromOutside(t *testing.T) {
	var reached atomic.Int64
	outside := serve(t, map[string]string{"/": linksTo("http://inner.example/secret")})
	e := newTestEngine(t, Options{
		Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true},
		Hosts: map[string]http.Handler{"inner.example": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) })},
	})
	job, urls := crawled(t, e, outside.URL, CrawlOptions{AllowExternalLinks: true})
	errs, err := job.Errors(t.Context())
	if err != nil || len(urls) != 1 || len(errs) != 1 || errs[0].Code != CodeBlocked || reached.Load() != 0 {
		t.Errorf("%v, %+v, %v, reached %d times", urls, errs, err, reached.Load())
	}
}

func TestCrawl_theLimitCountsPagesThatGaveADocument(t *testing.T) {
	e := webEngine(t, chain(30))
	job, urls := crawled(t, e, "https://a.example/", CrawlOptions{Limit: 7, MaxConcurrency: 2})
	status, err := job.Status(t.Context())
	if err != nil || len(urls) != 7 || status.Total != 7 {
		t.Errorf("%v, %+v, %v", urls, status, err)
	}
}

func TestCrawl_scrapeOptionsAreThePages(t *testing.T) {
	e := webEngine(t, chain(2))
	job, err := e.Crawl(t.Context(), "https://a.example/", CrawlOptions{Owner: "team", Scrape: ScrapeOptions{
		Formats: []formats.Format{{Type: formats.Links}, {Type: formats.RawHTML}}, StoreInCache: new(false),
	}})
	if err != nil {
		t.Fatal(err)
	}
	var id string
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil || doc.Markdown != "" || doc.RawHTML == "" {
			t.Errorf("%+v, %v", doc, err)
		}
		id = doc.Metadata.ScrapeID
	}
	if record, err := e.ScrapeByID(t.Context(), id); err != nil || record.Job != job.ID() || record.Owner != "team" || record.Document != nil {
		t.Errorf("%+v, %v", record, err)
	}
	if st, err := e.CacheStats(t.Context()); err != nil || st.Versions != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	if u, err := e.Usage(t.Context(), "team"); err != nil || u.Credits != 4 {
		t.Errorf("%+v, %v", u, err)
	}
}

// A page is hidden that an earlier crawl was led to and the newest that covers it wasn't.
func TestChangeTracking_visibilityIsWhatCrawlsHaveFound(t *testing.T) {
	c, dir := newClock(), t.TempDir()
	pages := map[string]string{
		"a.example/":         linksTo("/docs/a", "/docs/b", "/shut"),
		"a.example/docs/":    linksTo("/docs/a"),
		"a.example/docs/a":   linksTo(),
		"a.example/docs/b":   linksTo(),
		"a.example/shut":     linksTo(),
		"a.example/unlinked": linksTo(),
	}
	e := webEngine(t, pages, func(o *Options) { o.Now, o.Dir, o.AllowZeroDataRetention = c.now, dir, true })
	crawl := func(o CrawlOptions, seed string) {
		t.Helper()
		c.pass(time.Hour)
		o.Scrape.MaxAge = fresh
		crawled(t, e, seed, o)
	}
	want := func(when string, hidden ...string) {
		t.Helper()
		for _, path := range []string{"/docs/a", "/docs/b", "/shut", "/unlinked"} {
			word := "visible"
			if slices.Contains(hidden, path) {
				word = "hidden"
			}
			doc := scrapeOK(t, e, "https://a.example"+path, ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.ChangeTracking}}})
			if got := doc.ChangeTracking.Visibility; got != word {
				t.Errorf("%s: %s is %s", when, path, got)
			}
		}
	}
	want("before any crawl")
	crawl(CrawlOptions{}, "https://a.example/")
	want("after a crawl that finds them")
	crawl(CrawlOptions{}, "https://a.example/docs/") // leads to a only
	want("after a crawl that covers a part", "/docs/b")
	crawl(CrawlOptions{Limit: 1}, "https://a.example/")
	crawl(CrawlOptions{MaxDiscoveryDepth: new(0)}, "https://a.example/")
	crawl(CrawlOptions{ZeroDataRetention: true}, "https://a.example/docs/")
	want("after crawls that aren't whole, or are forgotten", "/docs/b")
	crawl(CrawlOptions{}, "https://a.example/")
	want("when it is found again")
	pages["a.example/"] = linksTo("/docs/a")
	pages["a.example/robots.txt"] = "User-agent: *\nDisallow: /docs/a\n"
	c.pass(25 * time.Hour) // robots.txt is read again
	crawl(CrawlOptions{}, "https://a.example/")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = webEngine(t, pages, func(o *Options) { o.Now, o.Dir = c.now, dir })
	want("when links are gone, after a restart", "/docs/b", "/shut")
	if _, err := e.Forget(t.Context(), "https://a.example/shut"); err != nil {
		t.Fatal(err)
	}
	want("when one is forgotten", "/docs/b")
	if _, err := e.Forget(t.Context(), "https://a.example/docs/*"); err != nil {
		t.Fatal(err)
	}
	want("when all are")
}
