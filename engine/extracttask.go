package engine

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/engine/internal/extracting"
	"github.com/winnow-go/winnow/engine/internal/prices"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

func (e *Engine) openExtract(l *work.Line) (work.Task, work.LineOptions, error) {
	var p extractParams
	if err := l.Params(&p); err != nil {
		return nil, work.LineOptions{}, err
	}
	o, err := e.extracting(p.Options)
	if err != nil {
		return nil, work.LineOptions{}, err
	}
	pages := extractPages{e.pagesOf(l, o.Workers), p.Options.page()}
	task, lo, err := extracting.Open(l, pages, extractWeb{l, e, p.Options}, o)
	lo.Close = pages.end
	return task, lo, err
}

// extracting gives the options of the task.
func (e *Engine) extracting(o ExtractOptions) (t extracting.Options, err error) {
	if t.Schema, err = o.schema(); err != nil {
		return t, err
	}
	t.URLs, t.Prompt, t.SystemPrompt, t.Search, t.Limit = o.URLs, o.Prompt, o.SystemPrompt, o.EnableWebSearch, o.Limit
	t.Evidence, t.Sources, t.Credits = o.Evidence, o.ShowSources, prices.Model
	t.Timeout, t.MaxTokens, t.Workers = o.Timeout, o.MaxTokens, e.workers(o.MaxConcurrency)
	t.Model, err = e.modelFor(o.private())
	return t, err
}

// extractPages implements [extracting.Pages].
type extractPages struct {
	*jobPages
	options ScrapeOptions
}

func (p extractPages) Visit(ctx context.Context, item crawl.Item, budget *llm.Meter) (v extracting.Visit, err error) {
	s, err := p.engine.newScrape(item.URL, p.options)
	if err != nil {
		return v, err
	}
	p.join(s, item)
	s.Model = budget
	var text read.Page
	doc, err := p.scrape(ctx, s, func(ctx context.Context) (err error) {
		text, err = s.readable(ctx)
		return err
	})
	v.Tried = s.tried()
	if err != nil {
		return v, err
	}
	v.Document, v.URL, v.Status, v.Page = doc, s.address(), s.status(), text
	return v, nil
}

// extractWeb implements [extracting.Web]. The job pays.
type extractWeb struct {
	*work.Line
	engine  *Engine
	options ExtractOptions
}

// Pages lists pages of a site.
func (w extractWeb) Pages(ctx context.Context, site, words string, limit int) ([]extracting.Link, error) {
	o := w.options
	m, err := w.engine.listSite(ctx, site, MapOptions{
		Search: clip.Runes(words, maxMapSearch), Limit: limit,
		IgnoreSitemap: o.IgnoreSitemap, IncludeSubdomains: o.IncludeSubdomains, AllowExternalLinks: o.AllowExternalLinks,
		Headers: o.Scrape.Headers, Location: o.Scrape.Location, Lockdown: o.Scrape.Lockdown, ZeroDataRetention: o.ZeroDataRetention,
		ObeyRobots: o.Scrape.ObeyRobots, RobotsUserAgent: o.Scrape.RobotsUserAgent, Owner: o.Owner,
	})
	if err != nil {
		return nil, err
	}
	var links []extracting.Link
	for _, l := range m.Links {
		links = append(links, extracting.Link{URL: l.URL, Title: l.Title, Description: l.Description})
	}
	return links, w.Spend(llm.Usage{}, prices.Map)
}

// Search returns the addresses that a search finds, which costs what any other does.
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
