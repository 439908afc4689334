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
)

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
	if visited > 1+100+1+8 || !strings.Contains(r.Warning, "links of 100.") {
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
	t.Parallel()
	s := newShelf(map[string]string{"/": linkPage("Home", "/1", "/2", "/3", "/4", "/5", "/6"), "/2": "status 429", "/3": "status 429", "/1": "status 429"})
	e := shelfEngine(t, s)
	mapOK(t, e, granaryURL, MapOptions{})
	if s.count("granary.example/5") != 0 {
		t.Errorf("asked %v", s.asked)
	}
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
	e.robots.Sleep = c.sleep
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
	if len(r.Links) != 7 || s.total() != requests+1 || r.Warning != "The site's robots.txt is unavailable, so nothing of it was fetched." {
		t.Errorf("got %s, %q after %d requests", urlsOf(r), r.Warning, s.total()-requests)
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
	t.Parallel()
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
