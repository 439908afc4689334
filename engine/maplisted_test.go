package engine

import (
	"cmp"
	"fmt"
	"net/http"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// storePage puts a page into an engine's cache.
func storePage(t testing.TB, e *Engine, href, variant string, m pagestore.Facts) {
	t.Helper()
	m.Source, m.URL, m.By, m.MediaType = href, href, page.ByHTTP, cmp.Or(m.MediaType, "text/html")
	entry := cache.Entry{Key: weburl.Key(href) + weburl.KeyEnd + variant, Stored: e.now()}
	if err := pagestore.Put(t.Context(), e.stores.Pages, entry, &m, &page.Page{}); err != nil {
		t.Fatal(err)
	}
}

func TestMap_listsOnlyWhatIsListable(t *testing.T) {
	e := newTestEngine(t, Options{Render: RenderNever})
	for href, m := range map[string]pagestore.Facts{
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
	if got := fmt.Sprint(r.Links); got != "[{https://a.example/file.pdf   <nil>} {https://a.example/page Page  <nil>} {https://a.example/text   <nil>} {https://a.example/xhtml   <nil>}]" {
		t.Errorf("got %s", got)
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
			storePage(b, e, fmt.Sprintf("https://s%d.example/%d", host, i), "v", pagestore.Facts{Status: 200})
		}
	}
	for i := range 100 {
		storePage(b, e, fmt.Sprintf("https://a.example/%d", i), "v", pagestore.Facts{Status: 200, Title: "x"})
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
