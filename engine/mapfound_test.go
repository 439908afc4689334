package engine

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/formats/weburl"
)

func TestPathFilter(t *testing.T) {
	for _, c := range []struct{ asked, base, want string }{
		{"https://a.example/", "https://a.example/", ""},
		{"https://a.example/", "https://a.example/en/", ""},
		{"https://a.example/docs", "https://a.example/docs", "/docs"},
		{"https://a.example/docs/?x=/y#z", "https://a.example/docs/", "/docs"},
		{"https://a.example/docs/index.html", "https://a.example/docs/index.html", "/docs"},
		{"https://a.example/docs/v1.2", "https://a.example/docs/v1.2", "/docs/v1.2"},
		{"https://a.example/.well-known", "https://a.example/.well-known", "/.well-known"},
		{"https://a.example/index.html", "https://a.example/index.html", ""},
		{"https://a.example/docs", "https://a.example/docs/latest/", "/docs"},
		{"https://a.example/docs", "https://www.a.example/docs/latest/", "/docs"},
		{"https://a.example/docs", "https://a.example/handbook/", "/handbook"},
		{"https://a.example/docs", "https://b.example/handbook/", "/handbook"},
		{"https://a.example/docs", "https://b.example/", ""},
		{"https://a.example/file.", "https://a.example/file.", "/file."},
	} {
		if got := pathFilter(c.asked, c.base); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.asked, c.base, got, c.want)
		}
	}
}

func TestUnder(t *testing.T) {
	for path, want := range map[string]bool{"/docs": true, "/docs/": true, "/docs/a": true, "/docs-old": false, "/doc": false, "/": false, "/a/docs": false} {
		if got := under("/docs", path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

func TestBareSlash(t *testing.T) {
	for href, want := range map[string]string{
		"https://a.example/":      "https://a.example/",
		"https://a.example/b/":    "https://a.example/b",
		"https://a.example/b//":   "https://a.example/b",
		"https://a.example/b/?x":  "https://a.example/b/?x",
		"https://a.example/b/#/x": "https://a.example/b/#/x",
		"https://a.example/b":     "https://a.example/b",
		"https://a.example//":     "https://a.example/",
	} {
		if got := bareSlash(href); got != want {
			t.Errorf("%s: %s, want %s", href, got, want)
		}
	}
}

func TestIsBase(t *testing.T) {
	for href, want := range map[string]bool{
		"https://a.example/": true, "https://www.a.example/": true, "http://a.co.uk:8080/": true, "http://192.0.2.1/": true, "http://intranet/": true,
		"https://u:p@a.example/": true, "https://b.a.example/": false, "https://a.example/x": false, "https://a.example/?x": false,
	} {
		if got := isBase(href); got != want {
			t.Errorf("%s: %t", href, got)
		}
	}
}

func TestWithoutUser(t *testing.T) {
	for href, want := range map[string]string{
		"https://u:p@a.example/x@y": "https://a.example/x@y", "https://a.example/x@y": "https://a.example/x@y", "http://u@a.example:81/": "http://a.example:81/",
	} {
		if got := withoutUser(href); got != want {
			t.Errorf("%s: %s", href, got)
		}
	}
}

// collector is an empty list for a page, as a map of it begins with.
func collector(t testing.TB, base string, o MapOptions) *found {
	t.Helper()
	p, err := newTestEngine(t, Options{Render: RenderNever}).resolveMap(base, o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFound(p, p.url)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFound_onePageIsListedOnceWithWhatIsKnownOfIt(t *testing.T) {
	f := collector(t, "https://a.example/", MapOptions{})
	for _, l := range []MapLink{
		{URL: "http://www.a.example/b/"}, {URL: "https://a.example/b?x=1", Title: "B"}, {URL: "https://a.example/b/index.html", Title: "other"}, {URL: "https://a.example/b#part"},
		{URL: "https://a.example/c", Description: "C"}, {URL: "https://a.example/c/", Title: "later"},
	} {
		f.add(l)
	}
	if got := fmt.Sprint(f.list); got != "[{http://www.a.example/b B } {https://a.example/c  C}]" {
		t.Errorf("got %s", got)
	}
}

func TestFound_isBounded(t *testing.T) {
	t.Parallel()
	f := collector(t, "https://a.example/", MapOptions{Limit: 10})
	for i := range 1000 {
		f.add(MapLink{URL: fmt.Sprintf("https://a.example/%d", i)})
	}
	if len(f.list) != 10 || len(f.at) != 10 {
		t.Errorf("%d URLs, %d keys", len(f.list), len(f.at))
	}
	f = collector(t, "https://a.example/", MapOptions{Limit: 100_000})
	long := strings.Repeat("x", 15<<10)
	for i := range 20_000 {
		f.add(MapLink{URL: fmt.Sprintf("https://a.example/%d/%s", i, long)})
	}
	var size int
	for _, l := range f.list {
		size += len(l.URL)
	}
	if !f.full() || size > foundBytes {
		t.Errorf("%d URLs of %d bytes, full %t", len(f.list), size, f.full())
	}
}

// What a list takes is a URL of the site, in normal form, whatever text is offered.
func FuzzFound(f *testing.F) {
	for _, seed := range []string{"https://granary.example/a/?b#c", "https://blog.granary.example/docs/../a//", "//x", "mailto:a@b", "https://granary.example/#!/r?q", "https://u:p@granary.example/docs/%zz", "\x00", "https://granary.example:443?#/"} {
		f.Add(seed, true, true)
	}
	e := newTestEngine(f, Options{Render: RenderNever})
	f.Fuzz(func(t *testing.T, href string, strip, external bool) {
		for _, base := range []string{"https://granary.example/", "https://granary.example/docs"} {
			p, err := e.resolveMap(base, MapOptions{IgnoreQueryParameters: &strip, AllowExternalLinks: external})
			if err != nil {
				t.Fatal(err)
			}
			list, err := newFound(p, base)
			if err != nil {
				t.Fatal(err)
			}
			list.add(MapLink{URL: href, Title: href})
			list.add(MapLink{URL: href})
			for _, l := range list.list {
				normal, err := weburl.Parse(l.URL)
				if err != nil || normal != l.URL || strip && strings.Contains(strings.SplitN(l.URL, "#", 2)[0], "?") {
					t.Errorf("%q: lists %q", href, l.URL)
				}
				if !external && registrable(hostname(l.URL)) != "granary.example" {
					t.Errorf("%q: lists another site's %q", href, l.URL)
				}
			}
			if len(list.list) > 1 {
				t.Errorf("%q: listed twice: %v", href, list.list)
			}
		}
	})
}

// storePage puts a page into an engine's cache.
func storePage(t testing.TB, e *Engine, href, variant string, m stored) {
	t.Helper()
	m.Source, m.URL, m.By, m.MediaType = href, href, byHTTP, orDefault(m.MediaType, "text/html")
	meta, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.stores.pages.Put(t.Context(), cache.Entry{Key: pageKey(href) + keyEnd + variant, Stored: e.now(), Meta: meta, Value: encodeBody(&source{})}, nil); err != nil {
		t.Fatal(err)
	}
}

// The look through the cache finds what reading every key would, among hosts with
// names that lie between each other.
func TestStoredPages_findsThePagesOfASiteAmongAllOthers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	e := newTestEngine(t, Options{Render: RenderNever})
	hosts := []string{"a.example", "www.a.example", "b.a.example", "c.b.a.example", "a.example:8443", "b.a.example:81", "a.example.org", "aa.example", "a-b.example", "a.exampl", "z.example", "xn--4ca.a.example", "0.a.example", "a.example-x.com"}
	paths := []string{"/", "/x", "/x/y", "?q", "/x?q", "#/r", "/0", "/~"}
	var all []string
	for _, host := range hosts {
		for _, path := range paths {
			href, err := weburl.Parse("https://" + host + path)
			if err != nil {
				t.Fatal(err)
			}
			if random.IntN(3) > 0 {
				all = append(all, href)
			}
		}
	}
	for i := range 300 { // many pages of one other host
		all = append(all, fmt.Sprintf("https://a.example.net/%d", i))
	}
	for _, href := range all {
		storePage(t, e, href, fmt.Sprint("v", random.IntN(3)), stored{Status: 200})
	}
	for _, subdomains := range []bool{true, false} {
		own, err := scope.New(scope.Options{Seed: "https://a.example/", CrawlEntireDomain: true, AllowSubdomains: subdomains})
		if err != nil {
			t.Fatal(err)
		}
		isOwn := func(href string) bool { return own.Judge(scope.Link{URL: href}).Accepted() }
		var want, got []string
		for _, href := range all {
			if isOwn(href) && (subdomains || pageHost(pageKey(href)) == "a.example") {
				want = append(want, href)
			}
		}
		for page, err := range e.storedPages(t.Context(), "https://a.example/", subdomains, isOwn) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.URL)
		}
		slices.Sort(want)
		want = uniquePages(want)
		got = uniquePages(sorted(got))
		if !slices.Equal(got, want) {
			t.Errorf("subdomains %t:\ngot  %q\nwant %q", subdomains, got, want)
		}
	}
}

// uniquePages keeps one URL of each page.
func uniquePages(hrefs []string) (keys []string) {
	for _, href := range hrefs {
		keys = append(keys, pageKey(href))
	}
	return slices.Compact(sorted(keys))
}

func sorted(list []string) []string { slices.Sort(list); return list }

func TestStoredPages_onlyWhatIsListable(t *testing.T) {
	e := newTestEngine(t, Options{Render: RenderNever})
	for href, m := range map[string]stored{
		"https://a.example/page":        {Status: 200, Title: "Page"},
		"https://a.example/text":        {Status: 200, MediaType: "text/plain"},
		"https://a.example/file.pdf":    {Status: 200, MediaType: "application/pdf"},
		"https://a.example/xhtml":       {Status: 200, MediaType: "application/xhtml+xml"},
		"https://a.example/gone":        {Status: 404},
		"https://a.example/wall":        {Status: 200, Wall: "captcha"},
		"https://a.example/sitemap.xml": {Status: 200, MediaType: "application/xml"},
		"https://a.example/feed":        {Status: 200, MediaType: "application/rss+xml"},
		"https://a.example/map.xml.gz":  {Status: 200, MediaType: "application/gzip"},
		"https://a.example/robots.txt":  {Status: 200, MediaType: "text/plain"},
		"https://a.example/sitemap.txt": {Status: 200, MediaType: "text/plain", File: true},
		"https://a.example/soft404.xml": {Status: 200, File: true},
	} {
		storePage(t, e, href, "v", m)
	}
	r, err := e.Map(t.Context(), "https://a.example/", MapOptions{Lockdown: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Links); got != "[{https://a.example/file.pdf  } {https://a.example/page Page } {https://a.example/text  } {https://a.example/xhtml  }]" {
		t.Errorf("got %s", got)
	}
}

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{"barley": "barl", "äöü": "äö", "a\xffb": "ab", "": "", "日本語": "日"} {
		if got := shorten(text, 4); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A map of 100 000 URLs from 2 sitemaps, ranked.
func BenchmarkMap_100000URLs(b *testing.B) {
	s := newShelf(map[string]string{
		"/": linkPage("Home"), "/sitemap.xml": sitemapIndex("https://granary.example/0.xml", "https://granary.example/1.xml"),
	})
	for part := range 2 {
		locs := make([]string, 50_000)
		for i := range locs {
			locs[i] = fmt.Sprintf("https://granary.example/field-%d/barley-and-oats/%d", i%100, part*50_000+i)
		}
		s.files[fmt.Sprintf("/%d.xml", part)] = urlset(locs...)
	}
	for name, o := range map[string]MapOptions{"list": {Limit: 100_000}, "search": {Limit: 100_000, Search: "oats on field 7"}} {
		b.Run(name, func(b *testing.B) {
			e := shelfEngine(b, s)
			for b.Loop() {
				r, err := e.Map(b.Context(), granaryURL, o)
				if err != nil || len(r.Links) != 100_000 {
					b.Fatalf("%d links, %v", len(r.Links), err)
				}
			}
		})
	}
}

// A look through a cache of many other sites for the few pages of one.
func BenchmarkMap_cacheOfManySites(b *testing.B) {
	e := newTestEngine(b, Options{Render: RenderNever, Hosts: map[string]http.Handler{"a.example": http.NotFoundHandler()}})
	for host := range 2000 {
		for i := range 20 {
			storePage(b, e, fmt.Sprintf("https://s%d.example/%d", host, i), "v", stored{Status: 200})
		}
	}
	for i := range 100 {
		storePage(b, e, fmt.Sprintf("https://a.example/%d", i), "v", stored{Status: 200, Title: "x"})
	}
	if err := e.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := e.Map(b.Context(), "https://a.example/", MapOptions{Lockdown: true})
		if err != nil || len(r.Links) != 100 {
			b.Fatalf("%d links, %v", len(r.Links), err)
		}
	}
}
