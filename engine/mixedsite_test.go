package engine

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/crawltest/mixedsite"
	"github.com/winnow-go/winnow/formats"
)

// smallMixedSite has all templates and few pages of each.
func smallMixedSite() *mixedsite.Site { return mixedsite.New(mixedsite.Options{Seed: 1, Pages: 400}) }

// eachMixedPage calls a function with each page, a few at once.
func eachMixedPage(pages []mixedsite.Page, visit func(mixedsite.Page)) {
	var visits sync.WaitGroup
	slots := make(chan struct{}, 4)
	for _, p := range pages {
		visits.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			visit(p)
		})
	}
	visits.Wait()
}

// wholeText is what a scrape of a page reads, chrome included.
func wholeText(t *testing.T, e *Engine, url string, how Render) *Document {
	t.Helper()
	doc, err := e.Scrape(t.Context(), url, ScrapeOptions{Render: how, OnlyMainContent: new(false), MaxAge: fresh, Timeout: 5 * time.Minute})
	if err != nil {
		t.Errorf("%s: %v", url, err)
		return &Document{}
	}
	return doc
}

// What the mixed site says of its pages is what plain HTTP and a browser read.
func TestScrape_ofAMixedSiteIsAsItSays(t *testing.T) {
	leftToUnraced(t)
	site := smallMixedSite()
	e, host := sharedSite(t, site)
	pages := site.OneOfEach()
	eachMixedPage(pages, func(p mixedsite.Page) {
		url := "https://" + host + p.Path
		plain, rendered := wholeText(t, e, url, RenderNever), wholeText(t, e, url, RenderAlways)
		if missing := p.Missing(plain.Markdown); !slices.Equal(missing, p.Added) {
			t.Errorf("%s %s: plain HTTP lacks %v, want %v:\n%s", p.Template, p.Path, missing, p.Added, plain.Markdown)
		}
		if missing := p.Missing(rendered.Markdown); len(missing) > 0 {
			t.Errorf("%s %s: the browser lacks %v:\n%s", p.Template, p.Path, missing, rendered.Markdown)
		}
	})
}

// A crawl by plain HTTP comes to all pages that have a link in the HTML.
func TestCrawl_ofAMixedSite(t *testing.T) {
	t.Parallel()
	site := mixedsite.New(mixedsite.Options{Seed: 1, Pages: sized(400)})
	e := newTestEngine(t, Options{Render: RenderNever, Resolver: names{}, Hosts: map[string]http.Handler{mixedsite.Host: site}})
	o := CrawlOptions{}
	o.Scrape.Formats = []formats.Format{{Type: formats.Links}}
	_, got := crawled(t, e, "https://"+mixedsite.Host+"/", o)
	var want []string
	for p := range site.Pages() {
		if !p.Hidden && p.Fails != mixedsite.Cut {
			want = append(want, p.URL())
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d pages, want %d", len(got), len(want))
	}
}
