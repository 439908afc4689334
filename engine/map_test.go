package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
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
