package engine

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch"
)

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
	s.files["/llms.txt"] = "# The granary" // one that is missing is looked for each time
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
	if ids, err := e.stores.Records.Records.Keys(t.Context(), "", "", 0); err != nil || len(ids) != 0 {
		t.Errorf("records %v, %v", ids, err)
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
	if after := childrenSince(t, before); len(after) != 0 {
		t.Errorf("processes were started: %v", after)
	}
	if strings.Contains(log.String(), "example") || strings.Contains(log.String(), "marker") {
		t.Errorf("the log tells URLs:\n%s", log.String())
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := foundIn(t, dir, "secret.example", "marker"); len(found) != 0 {
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
	if e.rendered.Count() != 0 || e.robots.Count() != 0 {
		t.Errorf("%d outputs and %d robots.txt are kept in memory", e.rendered.Count(), e.robots.Count())
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{dir, temp} {
		if found := foundIn(t, folder, marker, host, "secretpath"); len(found) != 0 {
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
