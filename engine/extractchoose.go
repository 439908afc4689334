package engine

import (
	"context"

	"github.com/winnow-go/winnow/engine/internal/extracting"
	"github.com/winnow-go/winnow/llm"
)

// choose finds the pages to read, and fixes the form of the data.
func (x *extraction) choose(ctx context.Context) (extracting.Selection, error) {
	r := extracting.Request{
		URLs: x.options.URLs, Prompt: x.options.Prompt, Schema: x.schema, Limit: x.options.Limit, Search: x.options.EnableWebSearch,
	}
	return extracting.Choose(ctx, r, extracting.Means{
		Web: extractWeb{x}, Model: x.model, Spend: func(u llm.Usage) error { return x.Spend(u, 0) },
	})
}

// extractWeb is where an extraction looks for pages. The job pays.
type extractWeb struct{ *extraction }

// Pages implements [extracting.Web].
func (w extractWeb) Pages(ctx context.Context, site, words string, limit int) ([]extracting.Link, error) {
	o := w.options
	m, err := w.engine.listSite(ctx, site, MapOptions{
		Search: clipRunes(words, maxMapSearch), Limit: limit,
		IgnoreSitemap: o.IgnoreSitemap, IncludeSubdomains: o.IncludeSubdomains, AllowExternalLinks: o.AllowExternalLinks,
		Headers: o.Scrape.Headers, Location: o.Scrape.Location, Lockdown: o.Scrape.Lockdown, ZeroDataRetention: o.ZeroDataRetention,
		ObeyRobots: o.Scrape.ObeyRobots, RobotsUserAgent: o.Scrape.RobotsUserAgent, Owner: o.Owner,
	})
	if err != nil {
		return nil, err
	}
	var links []extracting.Link
	for _, l := range m.Links {
		links = append(links, extracting.Link(l))
	}
	return links, w.Spend(llm.Usage{}, mapCredits)
}

// Search implements [extracting.Web]. A search is paid for as any other.
func (w extractWeb) Search(ctx context.Context, query string, limit int) ([]string, error) {
	o := SearchOptions{Limit: limit, Owner: w.Record.Owner, ZeroDataRetention: w.options.ZeroDataRetention, IgnoreInvalidURLs: true}
	if w.options.Scrape.Lockdown {
		o.Scrape = &ScrapeOptions{Lockdown: true}
	}
	p, err := w.engine.resolveSearch(query, o)
	if err != nil {
		return nil, err
	}
	found, err := w.engine.find(ctx, p)
	if err != nil {
		return nil, err
	}
	var urls []string
	for _, hit := range found.Data.Web {
		if w.engine.mayFollow(hit.URL) {
			urls = append(urls, hit.URL)
		}
	}
	return urls, w.Spend(llm.Usage{}, found.Credits)
}

func orError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
