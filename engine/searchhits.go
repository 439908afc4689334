package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/winnow-go/winnow/engine/search"
)

// hit is where the page of some results goes.
type hit struct {
	doc  **Document
	err  *string
	code *Code
}

// scrapeHits gets the pages of the results, each once, and tells what they cost. As many are at work
// as the engine has places.
func (s *searching) scrapeHits(ctx context.Context, d *SearchData) (credits int) {
	if s.plan.scrape == nil {
		return 0
	}
	urls, hits := byURL(d)
	var mu sync.Mutex
	var work sync.WaitGroup
	next := make(chan string)
	for range min(len(urls), s.engine.options.MaxPages) {
		work.Go(func() {
			for url := range next {
				doc, cost, err := s.scrapeHit(ctx, url)
				mu.Lock()
				credits += cost
				mu.Unlock()
				for _, h := range hits[url] {
					if *h.doc = doc; err != nil {
						*h.err, *h.code = err.Error(), CodeOf(err)
					}
				}
			}
		})
	}
	for _, url := range urls {
		next <- url
	}
	close(next)
	work.Wait()
	return credits
}

// byURL gives each URL of the results once, in their order, and the hits that have it.
func byURL(d *SearchData) (urls []string, hits map[string][]hit) {
	hits = map[string][]hit{}
	add := func(url string, h hit) {
		if hits[url] == nil {
			urls = append(urls, url)
		}
		hits[url] = append(hits[url], h)
	}
	for i := range d.Web {
		h := &d.Web[i]
		add(h.URL, hit{&h.Document, &h.Error, &h.Code})
	}
	for i := range d.News {
		h := &d.News[i]
		add(h.URL, hit{&h.Document, &h.Error, &h.Code})
	}
	return urls, hits
}

// scrapeHit is a scrape that is charged and kept as any other, but not listed among the requests.
func (s *searching) scrapeHit(ctx context.Context, url string) (*Document, int, error) {
	private := s.plan.private
	if !s.engine.mayFollow(url) {
		return nil, 0, refusal("scrape", url, &Error{Code: CodeBlocked, Err: errVirtualHit}, private)
	}
	p, err := s.engine.newScrape(url, *s.plan.scrape)
	if err != nil {
		return nil, 0, refusal("scrape", url, err, private)
	}
	p.part = true
	doc, err := p.do(ctx, func(context.Context) error { return nil })
	if err != nil {
		return nil, p.cost, err
	}
	return doc, p.cost, nil
}

var errVirtualHit = errors.New("a search provider that isn't local leads to a virtual host")

// mayFollow tells whether a page may be fetched because a search has found it. What is elsewhere
// must not lead to virtual hosts; providers of this machine know those by themselves.
func (e *Engine) mayFollow(url string) bool {
	elsewhere := slices.ContainsFunc(e.options.Search, func(p search.Provider) bool { return !p.Local() })
	return !elsewhere || !e.client.Virtual().Has(hostname(url))
}
