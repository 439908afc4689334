package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/searching"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// hitPage is what came of the page of some results.
type hitPage struct {
	doc  *Document
	cost int
	err  error
}

// problem is the error of the page's hits; "" for none.
func (p hitPage) problem() (text string, code Code) {
	if p.err == nil {
		return "", ""
	}
	return p.err.Error(), CodeOf(p.err)
}

// scrapeHits gets the pages of the results, each once, and returns what they cost. As many run at once
// as the engine has slots.
func (e *Engine) scrapeHits(ctx context.Context, p *searchPlan, d *SearchData) (credits int) {
	if p.scrape == nil {
		return 0
	}
	pages := searching.Pages(d.pages(), e.options.MaxPages, func(url string) hitPage { return e.scrapeHit(ctx, p, url) })
	for i := range d.Web {
		h := &d.Web[i]
		h.Document = pages[h.URL].doc
		h.Error, h.Code = pages[h.URL].problem()
	}
	for i := range d.News {
		h := &d.News[i]
		h.Document = pages[h.URL].doc
		h.Error, h.Code = pages[h.URL].problem()
	}
	for _, page := range pages {
		credits += page.cost
	}
	return credits
}

// pages are the URLs of the results that can be scraped, in their order.
func (d *SearchData) pages() (urls []string) {
	for _, h := range d.Web {
		urls = append(urls, h.URL)
	}
	for _, h := range d.News {
		urls = append(urls, h.URL)
	}
	return urls
}

// scrapeHit is a scrape that is charged and kept as any other, but not listed among the requests.
func (e *Engine) scrapeHit(ctx context.Context, p *searchPlan, url string) hitPage {
	if !e.mayFollow(url) {
		return hitPage{err: refusal("scrape", url, &Error{Code: CodeBlocked, Err: errVirtualHit}, p.private())}
	}
	s, err := e.newScrape(url, *p.scrape)
	if err != nil {
		return hitPage{err: refusal("scrape", url, err, p.private())}
	}
	s.part = true
	doc, err := s.do(ctx, nil)
	if err != nil {
		return hitPage{cost: s.cost, err: err}
	}
	return hitPage{doc: doc, cost: s.cost}
}

var errVirtualHit = errors.New("a search provider that isn't local leads to a virtual host or an intranet")

// mayFollow reports whether a page may be fetched because a search has found it. What is elsewhere
// must not lead to virtual hosts or to sites that get credentials; providers of this machine know those by themselves.
func (e *Engine) mayFollow(url string) bool {
	elsewhere := slices.ContainsFunc(e.options.Search, func(p search.Provider) bool { return !p.Local() })
	return !elsewhere || !e.client.Virtual().Named(weburl.Hostname(url)) && !e.client.Access().Begins(url)
}
