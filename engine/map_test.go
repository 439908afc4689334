package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/fetch"
)

// links is a page with a title and links.
func linkPage(title string, hrefs ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<html lang=en><title>%s</title><meta name=description content="All about %s"><main><h1>%s</h1><p>Words on %s.</p>`, title, title, title, title)
	for _, href := range hrefs {
		fmt.Fprintf(&b, `<a href="%s">%s</a> `, href, href)
	}
	return b.String() + "</main></html>"
}

const granaryURL = "https://granary.example/"

// farm is a site with a sitemap and links of every kind.
func farm() *shelf {
	return newShelf(map[string]string{
		"/robots.txt": "Sitemap: https://granary.example/sitemap.xml\n\nUser-agent: *\nDisallow: /private\n\nUser-agent: goodbot\nDisallow: /docs",
		"/": linkPage("Granary", "/barley", "/barley?sort=up", "/barley#top", "/oats/", "/docs/intro", "mailto:a@granary.example", "/logo.png",
			"https://blog.granary.example/news", "https://other.example/story", "https://other.example/", "https://facebook.com/granary", "/#/route", "/private/x"),
		"/sitemap.xml":              urlset("https://granary.example/rye", "https://granary.example/barley/", "https://www.granary.example/wheat?x=1", "https://blog.granary.example/harvest", "https://other.example/listed"),
		"/barley":                   linkPage("Barley"),
		"/docs":                     linkPage("Docs", "/docs/a", "/docs-old", "/", "https://blog.granary.example/docs/b", "https://other.example/story"),
		"blog.granary.example/":     linkPage("Blog", "/news"),
		"blog.granary.example/news": linkPage("News"),
	})
}

func mapOK(t *testing.T, e *Engine, url string, o MapOptions) *MapResult {
	t.Helper()
	r, err := e.Map(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// urlsOf gives the list without the common beginning.
func urlsOf(r *MapResult) string {
	var urls []string
	for _, l := range r.Links {
		urls = append(urls, strings.TrimPrefix(l.URL, "https://"))
	}
	return strings.ReplaceAll(strings.Join(urls, " "), "granary.example", "g")
}

func TestMap_options(t *testing.T) {
	for name, c := range map[string]struct {
		url  string
		o    MapOptions
		want string
	}{
		"zero": {granaryURL, MapOptions{},
			"g/ g/barley g/oats g/docs/intro blog.g/news g/#/route g/private/x g/rye www.g/wheat blog.g/harvest"},
		"without a scheme": {"http://granary.example", MapOptions{Limit: 2}, "http://g/ http://g/barley"},
		"limit":            {granaryURL, MapOptions{Limit: 3}, "g/ g/barley g/oats"},
		"sitemap skip":     {granaryURL, MapOptions{Sitemap: SitemapSkip}, "g/ g/barley g/oats g/docs/intro blog.g/news g/#/route g/private/x"},
		"ignore sitemap":   {granaryURL, MapOptions{IgnoreSitemap: true, Limit: 2}, "g/ g/barley"},
		"sitemap only":     {granaryURL, MapOptions{Sitemap: SitemapOnly}, "g/rye g/barley www.g/wheat blog.g/harvest"},
		"no subdomains":    {granaryURL, MapOptions{IncludeSubdomains: new(false)}, "g/ g/barley g/oats g/docs/intro g/#/route g/private/x g/rye www.g/wheat"},
		"queries": {granaryURL, MapOptions{IgnoreQueryParameters: new(false), IncludePaths: []string{"^/barley", "^/wheat"}},
			"g/barley g/barley?sort=up www.g/wheat?x=1"},
		"external": {granaryURL, MapOptions{AllowExternalLinks: true},
			"g/ g/barley g/oats g/docs/intro blog.g/news other.example/story g/#/route g/private/x g/rye www.g/wheat blog.g/harvest other.example/listed"},
		"paths":           {granaryURL, MapOptions{IncludePaths: []string{"^/(barley|docs|rye)"}, ExcludePaths: []string{"intro$"}}, "g/barley g/rye"},
		"path":            {granaryURL + "docs", MapOptions{}, "g/docs g/docs/a blog.g/docs/b"},
		"path, file":      {granaryURL + "docs/index.html", MapOptions{Sitemap: SitemapSkip}, ""},
		"whole site":      {granaryURL + "docs", MapOptions{FilterByPath: new(false), Sitemap: SitemapSkip, IncludeSubdomains: new(false), IncludePaths: []string{"docs", "^/$"}}, "g/docs g/docs/a g/docs-old g/ g/docs/intro g/#/route"},
		"path, external":  {granaryURL + "docs", MapOptions{AllowExternalLinks: true}, "g/docs g/docs/a blog.g/docs/b other.example/story other.example/listed"},
		"search":          {granaryURL, MapOptions{Search: "wheat", Limit: 2}, "www.g/wheat g/"},
		"search by title": {granaryURL, MapOptions{Search: "granary", Limit: 1}, "g/"},
		"obey robots": {granaryURL, MapOptions{ObeyRobots: true, Limit: 5},
			"g/ g/barley g/oats g/docs/intro blog.g/news"},
		"obey robots, all": {granaryURL, MapOptions{ObeyRobots: true},
			"g/ g/barley g/oats g/docs/intro blog.g/news g/#/route g/rye www.g/wheat blog.g/harvest"},
		"obey robots as": {granaryURL, MapOptions{ObeyRobots: true, RobotsUserAgent: "goodbot", IncludePaths: []string{"docs", "private"}}, "g/private/x"},
	} {
		t.Run(name, func(t *testing.T) {
			r := mapOK(t, shelfEngine(t, farm()), c.url, c.o)
			if got := urlsOf(r); got != c.want {
				t.Errorf("got  %s\nwant %s\nwarning %q", got, c.want, r.Warning)
			}
			if r.ID == "" || r.Credits != 1 || r.Links == nil {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestMap_refusesWhatItCannotHonour(t *testing.T) {
	e := shelfEngine(t, farm(), func(o *Options) { o.AllowZeroDataRetention = false })
	for field, o := range map[string]MapOptions{
		"sitemap":            {Sitemap: "never"},
		"ignoreSitemap":      {IgnoreSitemap: true, Sitemap: SitemapOnly},
		"limit":              {Limit: 100_001},
		"timeout":            {Timeout: time.Hour},
		"search":             {Search: strings.Repeat("ä", 1001)},
		"includePaths[0]":    {IncludePaths: []string{"("}},
		"excludePaths[1]":    {ExcludePaths: []string{"x", "(?!y)"}},
		"ignoreCache":        {IgnoreCache: true, Lockdown: true},
		"headers":            {Headers: map[string]string{"Host": "x"}},
		"location.country":   {Location: &Location{Country: "XX"}},
		"robotsUserAgent":    {RobotsUserAgent: "x"},
		"owner":              {Owner: strings.Repeat("x", 257)},
		"zeroDataRetention":  {ZeroDataRetention: true},
		"render":             {Location: &Location{Country: "DE"}}, // without a browser
		"limit of less":      {Limit: -1},
		"timeout of less":    {Timeout: -1},
		"headers (lockdown)": {Lockdown: true, Headers: map[string]string{"Cookie": "a=b"}},
	} {
		_, err := e.Map(t.Context(), granaryURL, o)
		option, ok := errors.AsType[*OptionError](err)
		name, _, _ := strings.Cut(field, " ")
		if CodeOf(err) != CodeBadRequest || !ok || option.Field != name {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := e.Map(t.Context(), "ftp://granary.example/", MapOptions{}); CodeOf(err) != CodeBadRequest || !strings.HasPrefix(err.Error(), "map ") {
		t.Errorf("bad URL: %v", err)
	}
}

func TestMap_followsTheRootToItsNewHost(t *testing.T) {
	s := farm()
	s.files["other.example/"] = "-> https://www.granary.example/docs"
	s.files["other.example/handbook"] = "-> https://granary.example/docs"
	e := shelfEngine(t, s)
	r := mapOK(t, e, "https://other.example", MapOptions{IncludePaths: []string{"docs"}})
	if got := urlsOf(r); r.URL != "https://www.granary.example/docs" || got != "www.g/docs www.g/docs/a www.g/docs-old blog.g/docs/b" {
		t.Errorf("got %s: %s", r.URL, got)
	}
	r = mapOK(t, e, "https://other.example/handbook", MapOptions{})
	if got := urlsOf(r); got != "g/docs g/docs/a blog.g/docs/b" {
		t.Errorf("a page of another host: %s", got)
	}
}

func TestMap_titlesComeFromTheCache(t *testing.T) {
	s := farm()
	e := shelfEngine(t, s)
	for _, url := range []string{granaryURL + "barley", "https://blog.granary.example/news", granaryURL + "sitemap.xml", granaryURL + "none"} {
		scrapeOK(t, e, url, ScrapeOptions{})
	}
	s.files["/hidden"] = linkPage("Hidden")
	scrapeOK(t, e, granaryURL+"hidden", ScrapeOptions{})
	scrapeOK(t, e, "https://other.example/barley", ScrapeOptions{})
	r := mapOK(t, e, granaryURL, MapOptions{})
	if got := urlsOf(r); !strings.HasSuffix(got, "blog.g/harvest g/hidden") || strings.Contains(got, "none") || strings.Contains(got, "xml") {
		t.Errorf("got %s", got)
	}
	titles := map[string]MapLink{}
	for _, l := range r.Links {
		titles[l.URL] = l
	}
	for url, want := range map[string]string{granaryURL: "Granary", granaryURL + "barley": "Barley", "https://blog.granary.example/news": "News", granaryURL + "hidden": "Hidden", granaryURL + "rye": ""} {
		if l := titles[url]; l.Title != want || want != "" && l.Description != "All about "+want {
			t.Errorf("%s: %+v", url, l)
		}
	}
	for name, o := range map[string]MapOptions{"no index": {UseIndex: new(false)}, "ignore cache": {IgnoreCache: true}} {
		if got := urlsOf(mapOK(t, e, granaryURL, o)); strings.Contains(got, "hidden") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{IgnoreCache: true, UseIndex: new(true)})); !strings.Contains(got, "hidden") {
		t.Errorf("index without cache: %s", got)
	}
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{IncludeSubdomains: new(false), Sitemap: SitemapSkip, IncludePaths: []string{"hidden", "news"}})); got != "g/hidden" {
		t.Errorf("own host: %s", got)
	}
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{Sitemap: SitemapOnly})); got != "g/rye g/barley www.g/wheat blog.g/harvest" {
		t.Errorf("sitemap only: %s", got)
	}
}

// A page that is gone, or was a wall when it was stored last, isn't listed.
func TestMap_cachedErrorsAreNotListed(t *testing.T) {
	s := farm()
	s.files["/was"] = linkPage("Was")
	e := shelfEngine(t, s)
	scrapeOK(t, e, granaryURL+"was", ScrapeOptions{})
	delete(s.files, "/was")
	scrapeOK(t, e, granaryURL+"was", ScrapeOptions{MaxAge: fresh})
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{})); strings.Contains(got, "was") {
		t.Errorf("got %s", got)
	}
}

func TestMap_isServedFromTheCache(t *testing.T) {
	s, c := farm(), newClock()
	e := shelfEngine(t, s, func(o *Options) { o.Now = c.now })
	first := mapOK(t, e, granaryURL, MapOptions{})
	requests := s.total()
	again := mapOK(t, e, granaryURL, MapOptions{})
	if urlsOf(again) != urlsOf(first) || s.total() != requests || again.ID == first.ID {
		t.Errorf("%d requests, then %d", requests, s.total())
	}
	c.pass(72 * time.Hour) // the page and robots.txt are too old, the sitemaps aren't
	mapOK(t, e, granaryURL, MapOptions{})
	if s.count("granary.example/") != 2 || s.count("granary.example/sitemap.xml") != 1 {
		t.Errorf("asked %v", s.asked)
	}
	mapOK(t, e, granaryURL, MapOptions{IgnoreCache: true})
	if s.count("granary.example/") != 3 || s.count("granary.example/sitemap.xml") != 2 {
		t.Errorf("ignoring the cache: asked %v", s.asked)
	}
	if u, err := e.Usage(t.Context(), ""); err != nil || u.Credits != 4 {
		t.Errorf("usage %+v, %v", u, err)
	}
	if ids, err := e.stores.records.Keys(t.Context(), "", "", 0); err != nil || len(ids) != 0 {
		t.Errorf("records %v, %v", ids, err)
	}
}

func TestMap_looksFurtherWithoutASitemap(t *testing.T) {
	pages := map[string]string{"/": linkPage("Home", "/p1", "/p2", "/gone", "/away", "/moved")}
	for i := 1; i < 300; i++ {
		pages[fmt.Sprintf("/p%d", i)] = linkPage(fmt.Sprint("Page ", i), fmt.Sprintf("/p%d", 2*i), fmt.Sprintf("/p%d", 2*i+1))
	}
	pages["/away"] = "-> https://other.example/p1"
	pages["/moved"] = "-> /p250"
	s := newShelf(pages)
	e := shelfEngine(t, s)
	r := mapOK(t, e, granaryURL, MapOptions{})
	if n := len(r.Links); n < 150 || n > 250 {
		t.Errorf("%d links", n)
	}
	visited := s.total() - s.count("granary.example/robots.txt")
	if visited > 1+mostFurther+1+8 || !strings.Contains(r.Warning, "links of 100.") {
		t.Errorf("%d requests, warning %q", visited, r.Warning)
	}
	for i, want := range []string{"", "p1", "p2", "gone", "away", "moved", "p3", "p4", "p5"} {
		if got := r.Links[i].URL; got != granaryURL+want {
			t.Errorf("link %d is %s, want %s", i, got, want)
		}
	}
	if r.Links[1].Title != "Page 1" || r.Links[4].Title != "" {
		t.Errorf("got %+v", r.Links[:5])
	}
	if slices.ContainsFunc(r.Links, func(l MapLink) bool { return strings.Contains(l.URL, "other") }) || s.count("other.example/p2") != 0 {
		t.Error("the look left the site")
	}
	requests := s.total()
	if r = mapOK(t, e, granaryURL, MapOptions{Limit: 5}); len(r.Links) != 5 || s.total() != requests {
		t.Errorf("%d links after %d further requests", len(r.Links), s.total()-requests)
	}
}

func TestMap_leavesABusySiteAlone(t *testing.T) {
	s := newShelf(map[string]string{"/": linkPage("Home", "/1", "/2", "/3", "/4", "/5", "/6"), "/2": "status 429", "/3": "status 429", "/1": "status 429"})
	e := shelfEngine(t, s)
	mapOK(t, e, granaryURL, MapOptions{})
	if s.count("granary.example/5") != 0 {
		t.Errorf("asked %v", s.asked)
	}
}

func TestMap_keepsToCrawlDelayAndRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(map[string]string{
			"/robots.txt": "User-agent: *\nCrawl-delay: 5\nDisallow: /no",
			"/":           linkPage("Home", "/1", "/no", "/2"), "/1": linkPage("One"), "/2": linkPage("Two"), "/no": linkPage("No", "/never"),
		})
		begin := time.Now()
		r := mapOK(t, shelfEngine(t, s), granaryURL, MapOptions{ObeyRobots: true})
		if got := urlsOf(r); got != "g/ g/1 g/2" || s.count("granary.example/no") != 0 || !strings.Contains(r.Warning, "left out: 1") {
			t.Errorf("got %s, %q, asked %v", got, r.Warning, s.asked)
		}
		if took := time.Since(begin); took != 10*time.Second {
			t.Errorf("took %s, want two pauses of 5s", took)
		}
		s.files["/robots.txt"] = strings.Replace(s.files["/robots.txt"], "5", "3600", 1)
		r = mapOK(t, shelfEngine(t, s), granaryURL, MapOptions{ObeyRobots: true})
		if took := time.Since(begin); took != 10*time.Second || s.count("granary.example/2") != 1 {
			t.Errorf("it waits in vain: %s, asked %v", took, s.asked)
		}
	})
}

func TestMap_aPageThatRobotsForbids(t *testing.T) {
	s := farm()
	s.files["/robots.txt"] = "User-agent: *\nDisallow: /\nAllow: /sitemap.xml\nAllow: /rye"
	e := shelfEngine(t, s)
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{ObeyRobots: true, IncludeSubdomains: new(false)})); got != "g/rye" && got != "g/rye www.g/wheat" {
		t.Errorf("got %s", got)
	}
	s.files["/robots.txt"] = "User-agent: *\nDisallow: /"
	if _, err := e.Map(t.Context(), "https://other.example/", MapOptions{ObeyRobots: true}); CodeOf(err) != CodeRobots || s.count("other.example/")+s.count("other.example/sitemap.xml") != 0 {
		t.Errorf("got %v, asked %v", err, s.asked)
	}
}

func TestMap_robotsThatCannotBeHad(t *testing.T) {
	s, c := farm(), newClock()
	s.files["/robots.txt"] = "status 500"
	e := shelfEngine(t, s, func(o *Options) { o.Now = c.now })
	e.robots.sleep = c.sleep
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{})); !strings.Contains(got, "g/rye") {
		t.Errorf("not obeyed: %s", got)
	}
	if _, err := e.Map(t.Context(), "https://other.example/", MapOptions{ObeyRobots: true, Timeout: 5 * time.Minute}); CodeOf(err) != CodeRobotsUnreachable {
		t.Errorf("obeyed: %v", err)
	}
	if s.count("other.example/")+s.count("other.example/sitemap.xml") != 0 {
		t.Errorf("asked %v", s.asked)
	}
}

func TestMap_warnings(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(s *shelf)
		url     string
		o       MapOptions
		warning string
	}{
		"all is well":       {func(s *shelf) {}, granaryURL, MapOptions{}, ""},
		"next to nothing":   {func(s *shelf) {}, granaryURL + "barley", MapOptions{}, "There is next to nothing at or below this URL; a map of the domain's home page may give more."},
		"one was asked for": {func(s *shelf) {}, granaryURL + "barley", MapOptions{Limit: 1}, ""},
		"home page":         {func(s *shelf) { s.files = map[string]string{"/": "<p>Soon"} }, granaryURL, MapOptions{}, ""},
		"no sitemap": {func(s *shelf) { delete(s.files, "/sitemap.xml"); delete(s.files, "/robots.txt") }, granaryURL, MapOptions{Sitemap: SitemapOnly},
			"No sitemap with such URLs was found."},
		"wall":   {func(s *shelf) { s.files["/"] = `<title>Enter</title><form><input type=password></form>` }, granaryURL, MapOptions{}, "The page shows a wall (login) instead of its content."},
		"status": {func(s *shelf) { s.files["/"] = "status 500" }, granaryURL, MapOptions{}, "The page answers with status 500."},
		"sitemap": {func(s *shelf) {
			s.files["/sitemap.xml"] = sitemapIndex("https://granary.example/1.xml", "https://granary.example/2.xml")
			s.files["/2.xml"] = "<urlset><url><loc>https://granary.example/cut</loc></url><url><loc>https"
		}, granaryURL, MapOptions{Limit: 20}, "Sitemaps that could not be read, or not whole: 2."},
		"many sitemaps": {func(s *shelf) {
			var list []string
			for i := range 30 {
				list = append(list, fmt.Sprintf("https://granary.example/%d.xml", i))
				s.files[fmt.Sprintf("/%d.xml", i)] = urlset(fmt.Sprintf("https://granary.example/page%d", i))
			}
			s.files["/sitemap.xml"] = sitemapIndex(list...)
		}, granaryURL, MapOptions{}, "Only the first 25 sitemaps were read."},
	} {
		t.Run(name, func(t *testing.T) {
			s := farm()
			c.change(s)
			if r := mapOK(t, shelfEngine(t, s), c.url, c.o); r.Warning != c.warning {
				t.Errorf("got %q, want %q\n%s", r.Warning, c.warning, urlsOf(r))
			}
		})
	}
}

// hangingSite answers some paths never.
func hangingSite(s *shelf, paths ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(paths, r.URL.Path) {
			<-r.Context().Done()
			return
		}
		s.ServeHTTP(w, r)
	})
}

func TestMap_timeoutGivesWhatWasFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := shelfEngine(t, hangingSite(farm(), "/sitemap.xml"))
		begin := time.Now()
		r := mapOK(t, e, granaryURL, MapOptions{Timeout: 15 * time.Second})
		if got := urlsOf(r); !strings.HasPrefix(got, "g/ g/barley") || r.Warning != "The time ran out: these are the URLs found within 15s." || time.Since(begin) != 15*time.Second {
			t.Errorf("got %s, %q after %s", got, r.Warning, time.Since(begin))
		}
	})
}

func TestMap_theCacheIsReadAlsoWhenTheTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := farm()
		s.files["/hidden"] = linkPage("Hidden")
		e := shelfEngine(t, hangingSite(s, "/", "/sitemap.xml"))
		scrapeOK(t, e, granaryURL+"hidden", ScrapeOptions{})
		r := mapOK(t, e, granaryURL, MapOptions{Timeout: 15 * time.Second})
		if got := urlsOf(r); got != "g/hidden" || !strings.Contains(r.Warning, "time ran out") || !strings.Contains(r.Warning, string(CodeTimeout)) {
			t.Errorf("got %s, %q", got, r.Warning)
		}
	})
}

func TestMap_timeoutWithNothingFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := shelfEngine(t, hangingSite(farm(), "/", "/sitemap.xml", "/robots.txt"))
		_, err := e.Map(t.Context(), granaryURL, MapOptions{Timeout: 10 * time.Second})
		if CodeOf(err) != CodeMapTimeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if u, err := e.Usage(t.Context(), ""); err != nil || u.Credits != 0 {
			t.Errorf("usage %+v, %v", u, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := e.Map(ctx, granaryURL, MapOptions{}); CodeOf(err) != CodeMapTimeout {
			t.Errorf("the caller's own deadline: %v", err)
		}
	})
}

// The page may take half of the time, so that something is left for the rest.
func TestMap_aHangingPageLeavesTimeForSitemaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := shelfEngine(t, hangingSite(farm(), "/"))
		r := mapOK(t, e, granaryURL, MapOptions{Timeout: 10 * time.Second})
		if got := urlsOf(r); got != "g/rye g/barley www.g/wheat blog.g/harvest" || r.Warning != "The page itself could not be read (SCRAPE_TIMEOUT)." {
			t.Errorf("got %s, %q", got, r.Warning)
		}
	})
}

// Without a timeout each part has its own.
func TestMap_eachPartHasATimeOfItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		hangs   []string
		took    time.Duration
		list    string
		warning string
	}{
		"page": {[]string{"/"}, 30 * time.Second, "g/1.xml-page g/2.xml-page", // the client waits no longer for an answer
			"The page itself could not be read (SCRAPE_SITE_ERROR)."},
		"robots.txt": {[]string{"/robots.txt"}, 8 * time.Second, "g/ g/1 g/2 g/3 g/4 g/5 g/1.xml-page g/2.xml-page", ""},
		"a sitemap": {[]string{"/1.xml"}, 20 * time.Second, "g/ g/1 g/2 g/3 g/4 g/5 g/2.xml-page",
			"Sitemaps that could not be read, or not whole: 1."},
		"all sitemaps": {[]string{"/1.xml", "/2.xml"}, 30 * time.Second, "g/ g/1 g/2 g/3 g/4 g/5",
			"The sitemaps could not all be read within 30s. Sitemaps that could not be read, or not whole: 1."},
		"further pages": {[]string{"/sitemap.xml", "/1", "/2", "/3", "/4", "/5"}, 20*time.Second + 2*15*time.Second, "g/ g/1 g/2 g/3 g/4 g/5", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := shelfEngine(t, hangingSite(newShelf(map[string]string{
					"/":            linkPage("Home", "/1", "/2", "/3", "/4", "/5"),
					"/sitemap.xml": sitemapIndex("https://granary.example/1.xml", "https://granary.example/2.xml"),
					"/1.xml":       urlset("https://granary.example/1.xml-page"), "/2.xml": urlset("https://granary.example/2.xml-page"),
				}), c.hangs...))
				begin := time.Now()
				r, err := e.Map(t.Context(), granaryURL, MapOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(begin); took != c.took || r.Warning != c.warning || urlsOf(r) != c.list {
					t.Errorf("took %s, want %s\ngot  %s\nwant %s\ngot  %q\nwant %q", took, c.took, urlsOf(r), c.list, r.Warning, c.warning)
				}
			})
		})
	}
}

func TestMap_endsWithItsCaller(t *testing.T) {
	arrived := make(chan struct{})
	s := farm()
	e := shelfEngine(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" {
			close(arrived)
			<-r.Context().Done()
			return
		}
		s.ServeHTTP(w, r)
	}))
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-arrived; leave() }()
	if _, err := e.Map(ctx, granaryURL, MapOptions{}); CodeOf(err) != CodeCancelled {
		t.Errorf("got %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Map(t.Context(), granaryURL, MapOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed engine: %v", err)
	}
}

// A site that doesn't answer isn't asked for more.
func TestMap_aSiteThatIsNotThere(t *testing.T) {
	var asked atomic.Int64
	e := newTestEngine(t, Options{Render: RenderNever, Resolver: missing{&asked}})
	if _, err := e.Map(t.Context(), "https://nowhere.example/", MapOptions{}); CodeOf(err) != CodeDNS || asked.Load() != 1 {
		t.Errorf("got %v after %d look-ups", err, asked.Load())
	}
	if _, err := e.Map(t.Context(), "http://127.0.0.1:1/", MapOptions{}); CodeOf(err) != CodeBlocked {
		t.Errorf("got %v", err)
	}
}

func TestMap_aPageThatOnlyRedirects(t *testing.T) {
	s := farm()
	s.files["/"] = "-> /"
	r := mapOK(t, shelfEngine(t, s), granaryURL, MapOptions{})
	if got := urlsOf(r); got != "g/rye g/barley www.g/wheat blog.g/harvest" || r.Warning != "The page itself could not be read (SCRAPE_SITE_ERROR)." {
		t.Errorf("got %s, %q", got, r.Warning)
	}
}

// The page may come from the cache though its site has no robots.txt to obey any more.
func TestMap_obeysARobotsTxtThatIsGone(t *testing.T) {
	s := farm()
	e := shelfEngine(t, s)
	scrapeOK(t, e, granaryURL, ScrapeOptions{})
	s.files["/robots.txt"] = "status 500"
	requests := s.total()
	r := mapOK(t, e, granaryURL, MapOptions{ObeyRobots: true, Limit: 20})
	if len(r.Links) != 7 || s.total() != requests+1 || r.Warning != "The site's robots.txt can't be had, so nothing of it was fetched." {
		t.Errorf("got %s, %q after %d requests", urlsOf(r), r.Warning, s.total()-requests)
	}
}

// No more than 500 are ranked: the others keep the order in which they were found.
func TestMap_ranksTheFirst500(t *testing.T) {
	const groups, each = 12, 50
	var locs []string
	for g := range groups { // the later, the fewer words beside the one that is looked for
		for i := range each {
			locs = append(locs, fmt.Sprintf("%sbarley%s/%d", granaryURL, strings.Repeat("/x", 2*(groups-g)), i))
		}
	}
	s := newShelf(map[string]string{"/": "<p>Home", "/sitemap.xml": urlset(locs...)})
	r := mapOK(t, shelfEngine(t, s), granaryURL, MapOptions{Search: "barley"})
	var want []string
	for g := groups - 1; g >= 2; g-- {
		want = append(want, locs[g*each:(g+1)*each]...)
	}
	want = append(append(want, granaryURL), locs[:2*each]...)
	var got []string
	for _, l := range r.Links {
		got = append(got, l.URL)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestMap_headersStayAtHome(t *testing.T) {
	s := farm()
	delete(s.files, "/sitemap.xml")
	delete(s.files, "/robots.txt")
	e := shelfEngine(t, s)
	r := mapOK(t, e, granaryURL, MapOptions{Headers: map[string]string{"Cookie": "who=me"}, UseIndex: new(true)})
	for _, place := range []string{"granary.example/", "granary.example/barley", "granary.example/sitemap.xml"} {
		if s.header(place, "Cookie") != "who=me" {
			t.Errorf("%s: no cookie", place)
		}
	}
	if got := s.header("blog.granary.example/news", "Cookie"); got != "" || s.count("blog.granary.example/news") != 1 {
		t.Errorf("another origin got %q, asked %v", got, s.asked)
	}
	if len(r.Links) < 5 {
		t.Errorf("got %s", urlsOf(r))
	}
	if v, err := e.Versions(t.Context(), granaryURL+"*"); err != nil || len(v) != 0 {
		t.Errorf("kept: %+v, %v", v, err)
	}
}

// A site outside can't have a map look at virtual hosts.
func TestMap_virtualHostsOnlyFromOne(t *testing.T) {
	s := farm()
	outside := serve(t, map[string]string{"/": linkPage("Out", "https://granary.example/barley"), "/robots.txt": "Sitemap: https://granary.example/sitemap.xml"})
	e := newTestEngine(t, Options{Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, Hosts: map[string]http.Handler{"granary.example": s}})
	mapOK(t, e, outside.URL, MapOptions{AllowExternalLinks: true})
	if s.total() != 0 {
		t.Errorf("asked %v", s.asked)
	}
}

// Neither can one whose own subdomain a virtual host claims to be, however its links are spelled.
func TestMap_virtualSubdomainsAreNotReachedFromOutside(t *testing.T) {
	inner := farm()
	outside := serve(t, map[string]string{
		"/":           linkPage("Out", "http://inner.granary.test/x", "http://inner.granary.test/%0", "http://inner.granary.test:8080/%zz"),
		"/robots.txt": "Sitemap: http://inner.granary.test/sitemap.xml\nSitemap: http://inner.granary.test/%0.xml",
	})
	e := newTestEngine(t, Options{
		Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, Resolver: names{"pub.granary.test": "127.0.0.1"},
		Hosts: map[string]http.Handler{"inner.granary.test": inner, "granary.test": inner},
	})
	r := mapOK(t, e, strings.Replace(outside.URL, "127.0.0.1", "pub.granary.test", 1), MapOptions{})
	if len(r.Links) != 4 || inner.total() != 0 {
		t.Errorf("got %+v, asked %v", r.Links, inner.asked)
	}
}

// The links of a page that scripts make are found in the browser, as in a scrape.
func TestMap_ofAPageMadeByScripts(t *testing.T) {
	s := newShelf(map[string]string{
		"/": `<!DOCTYPE html><html lang=en><title>App</title><div id=root></div><script>
			setTimeout(() => { root.innerHTML = "<h1>Grain</h1><p>We sell " + "barley and oats ".repeat(20) + navigator.language + "</p><a href='/barley'>Barley</a> <a href='/in-" + navigator.language + "'>x</a>" }, 20)</script>`,
		"/sitemap.xml": urlset("https://granary.example/rye"),
	})
	e := hostEngine(t, map[string]http.Handler{"granary.example": s})
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{})); got != "g/ g/barley g/in-en-US g/rye" {
		t.Errorf("got %s", got)
	}
	if got := urlsOf(mapOK(t, e, granaryURL, MapOptions{Location: &Location{Country: "DE"}, UseIndex: new(false)})); got != "g/ g/barley g/in-de-DE g/rye" {
		t.Errorf("in Germany: %s", got)
	}
	if got := s.header("granary.example/sitemap.xml", "Accept-Language"); !strings.HasPrefix(got, "de-DE") {
		t.Errorf("the sitemap is asked for in %q", got)
	}
}

func TestMap_lockdownListsFromTheCacheAlone(t *testing.T) {
	dir, log, out := t.TempDir(), &logBuffer{}, &outbound{}
	filler := shelfEngine(t, farm(), func(o *Options) { o.Dir = dir })
	for _, url := range []string{granaryURL, granaryURL + "barley", "https://blog.granary.example/news"} {
		scrapeOK(t, filler, url, ScrapeOptions{})
	}
	mapOK(t, filler, granaryURL, MapOptions{Sitemap: SitemapOnly}) // keeps the sitemap
	if err := filler.Close(); err != nil {
		t.Fatal(err)
	}
	before := children(t)
	e := newTestEngine(t, Options{
		Dir: dir, Logger: log.logger(), Resolver: out, DialContext: out.dial, Policy: fetch.Policy{AllowPrivate: true},
		Hosts: map[string]http.Handler{"virtual.example": out}, Browser: BrowserOptions{CacheDir: t.TempDir()},
	})
	for name, c := range map[string]struct {
		url  string
		o    MapOptions
		want string // the list, or the code
	}{
		"all":          {granaryURL, MapOptions{}, "g/ g/barley g/oats g/docs/intro blog.g/news g/#/route g/private/x g/rye www.g/wheat blog.g/harvest"},
		"sitemap":      {granaryURL, MapOptions{Sitemap: SitemapOnly}, "g/rye g/barley www.g/wheat blog.g/harvest"},
		"obeying":      {granaryURL, MapOptions{ObeyRobots: true, Limit: 2}, "g/ g/barley"},
		"search":       {granaryURL, MapOptions{Search: "news", Limit: 1}, "blog.g/news"},
		"other page":   {granaryURL + "marker", MapOptions{FilterByPath: new(false), Sitemap: SitemapSkip}, "g/ g/barley blog.g/news"},
		"no index":     {granaryURL, MapOptions{UseIndex: new(false), Sitemap: SitemapSkip, Limit: 3}, "g/ g/barley g/oats"},
		"miss":         {"https://secret.example/marker", MapOptions{}, string(CodeLockdownMiss)},
		"virtual":      {"https://virtual.example/marker", MapOptions{}, string(CodeLockdownMiss)},
		"bad URL":      {"ftp://secret.example/marker", MapOptions{}, string(CodeBadRequest)},
		"ignore cache": {granaryURL, MapOptions{IgnoreCache: true}, string(CodeBadRequest)},
	} {
		c.o.Lockdown = true
		r, err := e.Map(t.Context(), c.url, c.o)
		got := string(CodeOf(err))
		if err == nil {
			got = urlsOf(r)
		}
		if got != c.want {
			t.Errorf("%s: %s, %v\nwant %s", name, got, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "marker") || strings.Contains(err.Error(), "secret.example")) {
			t.Errorf("%s: the error tells the URL: %v", name, err)
		}
	}
	if out.lookups.Load()+out.dials.Load()+out.requests.Load() != 0 {
		t.Errorf("%d look-ups, %d dials, %d requests", out.lookups.Load(), out.dials.Load(), out.requests.Load())
	}
	if after := children(t); len(after) != len(before) {
		t.Errorf("processes were started: %v", after)
	}
	if strings.Contains(log.String(), "example") || strings.Contains(log.String(), "marker") {
		t.Errorf("the log tells URLs:\n%s", log.String())
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := search(t, dir, "secret.example", "marker"); len(found) != 0 {
		t.Errorf("found in %v", found)
	}
}

func TestMap_zeroDataRetentionLeavesNoTrace(t *testing.T) {
	const marker, host = "kernelmarker", "hushed.example"
	s := newShelf(map[string]string{
		"/robots.txt":  "Sitemap: https://" + host + "/" + marker + ".xml\nUser-agent: *\nDisallow: /x",
		"/secretpath":  linkPage(marker, "/secretpath/"+marker, "/secretpath/b"),
		"/kernelx.xml": "",
	})
	dir, temp, log := t.TempDir(), t.TempDir(), &logBuffer{}
	t.Setenv("TMPDIR", temp)
	e := shelfEngine(t, s, func(o *Options) {
		o.Dir, o.Logger = dir, log.logger()
		o.Hosts[host] = s
	})
	for name, o := range map[string]MapOptions{
		"no sitemap": {}, "search": {Search: marker}, "obeying": {ObeyRobots: true}, "skip": {Sitemap: SitemapSkip},
	} {
		o.ZeroDataRetention, o.Owner = true, "o"
		r := mapOK(t, e, "https://"+host+"/secretpath", o)
		if len(r.Links) != 3 || r.Credits != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	s.files["/"+marker+".xml"] = urlset("https://" + host + "/secretpath/c")
	if r := mapOK(t, e, "https://"+host+"/secretpath", MapOptions{ZeroDataRetention: true, Owner: "o"}); len(r.Links) != 4 {
		t.Errorf("with a sitemap: %+v", r)
	}
	for _, url := range []string{"http://unknown-" + host + "/secretpath", "ftp://" + host + "/secretpath"} {
		_, err := e.Map(t.Context(), url, MapOptions{ZeroDataRetention: true, Owner: "o"})
		if err == nil || strings.Contains(err.Error(), host) || strings.Contains(fmt.Sprintf("%+v", err), "secretpath") {
			t.Errorf("the error tells the URL, or there is none: %v", err)
		}
	}
	if v, err := e.Versions(t.Context(), host+"*"); err != nil || len(v) != 0 {
		t.Errorf("versions %+v, %v", v, err)
	}
	if e.rendered.kept.Len() != 0 || e.robots.kept.Len() != 0 {
		t.Errorf("%d outputs and %d robots.txt are kept in memory", e.rendered.kept.Len(), e.robots.kept.Len())
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{dir, temp} {
		if found := search(t, folder, marker, host, "secretpath"); len(found) != 0 {
			t.Errorf("found in %v", found)
		}
	}
	if text := log.String(); strings.Contains(text, marker) || strings.Contains(text, "secretpath") {
		t.Errorf("found in the log:\n%s", text)
	}
	if u, err := e.Usage(t.Context(), "o"); err != nil || u.Credits != 5 {
		t.Errorf("usage %+v, %v", u, err)
	}
}
