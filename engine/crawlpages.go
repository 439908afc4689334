package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/engine/internal/sitemaps"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch"
)

// maxCrawlSitemaps is the service's bound for one crawl.
const maxCrawlSitemaps = 20

func (e *Engine) openCrawl(l *work.Line) (work.Task, work.LineOptions, error) {
	var p crawlParams
	if err := l.Params(&p); err != nil {
		return nil, work.LineOptions{}, err
	}
	workers := e.workers(p.Options.MaxConcurrency)
	site := crawlSite{engine: e, seed: p.URL, page: p.Options.page(), robots: e.scraper.RobotsFor(p.Options.private() || p.Options.Record != "")}
	pages := crawlPages{e.auditedPages(l, workers, p.Options.private()), p.Options.page(), p.Options.agent(), site.robots}
	task, o, err := crawling.Open(l, pages, site, p.task(workers))
	o.Close, o.Within = pages.end, e.taped.Within(p.Options.Record)
	return task, o, err
}

// task gives the options of the task. In lockdown nothing is fetched but what the cache has.
func (p crawlParams) task(workers int) crawling.Options {
	o := p.Options
	t := crawling.Options{
		Seed: p.URL, Scope: o.scope(p.URL),
		Sitemaps: o.Sitemap != SitemapSkip && !o.Scrape.Lockdown, Links: o.Sitemap != SitemapOnly,
		Workers: workers, Delay: o.Delay, Limit: o.Limit, FollowTraps: o.FollowTraps,
		Series: o.series(p.URL), Again: o.Since != "", OrFirst: o.Since == SinceLast,
	}
	t.Agent = o.agent()
	return t
}

// agent is the robot that the crawl obeys robots.txt as; "" where it obeys none.
func (o CrawlOptions) agent() string {
	if o.IgnoreRobotsTxt || o.Scrape.Lockdown {
		return ""
	}
	return cmp.Or(o.RobotsUserAgent, DefaultRobotsAgent)
}

// crawlPages implements [crawling.Pages].
type crawlPages struct {
	*jobPages
	options ScrapeOptions
	agent   string
	robots  *robotstxt.Files
}

func (p crawlPages) Visit(ctx context.Context, item crawl.Item, ask crawling.Ask) (v crawling.Visit, err error) {
	s, err := p.engine.newScrape(item.URL, p.options)
	if err != nil {
		return v, err
	}
	p.join(s, item)
	s.Robots, s.Agent, s.Onward, s.Known, s.plan.Rendering.PageLinks = p.robots, p.agent, ask.Onward, (*scraping.Known)(ask.Known), true
	s.plan.Caching.Read = s.plan.Caching.Read && !ask.Whole
	doc, err := p.scrape(ctx, s, linksInto(s, &v))
	v.Tried, v.InTx = s.tried(), p.enter(s, item)
	if err != nil {
		return v, err
	}
	s.describe(&v, item, doc)
	return v, nil
}

// describe says what the crawl needs to know of a page; doc is nil for one that is as the crawl had it.
func (s *scrape) describe(v *crawling.Visit, item crawl.Item, doc *Document) {
	v.URL, v.Status = s.address(), s.status()
	if doc == nil {
		v.Unchanged, v.Whole = true, s.result.Unchanged == scraping.SameBytes
		return
	}
	doc.Metadata.SitemapLastModified, doc.Metadata.SitemapPriority = crawling.Listed(item)
	v.Document, v.Canonical, v.Sketch, v.Text = doc, doc.Metadata.Canonical, s.result.Output.Sketch, s.result.Output.Markdown
	v.TextInDocument = doc.Markdown == v.Text
	if v.Status == http.StatusOK {
		v.Sum = s.result.Output.PageSum
	}
	src := s.result.Page
	v.Unfit = src.Late || src.Partial || src.BlockedBy() != ""
	if src.By == page.ByHTTP && !v.Unfit { // what scripts load, the shell's validators don't vouch for
		v.Answer = crawling.Answer{ETag: src.ETag, LastModified: src.LastModified, Digest: src.Digest()}
	}
}

func linksInto(s *scrape, v *crawling.Visit) func(context.Context) error {
	return func(ctx context.Context) (err error) {
		v.Links, err = s.links(ctx)
		return err
	}
}

// Again implements [crawling.Pages].
func (p crawlPages) Again(
	ctx context.Context, c work.Correction, item crawl.Item, ask crawling.Ask,
) (v crawling.Visit, err error) {
	s, err := p.engine.newScrape(item.URL, p.options)
	if err != nil {
		return v, err
	}
	s.Robots, s.Agent, s.Onward = p.robots, p.agent, ask.Onward
	doc, err := p.again(ctx, s, c, item, linksInto(s, &v))
	if v.InTx = p.book.Settle(c, s.result.Route); doc != nil {
		s.describe(&v, item, doc)
	}
	return v, err
}

// crawlSite implements [crawling.Site].
type crawlSite struct {
	engine *Engine
	seed   string
	page   ScrapeOptions
	robots *robotstxt.Files
}

func (s crawlSite) Outside(href string) error {
	if !s.engine.client.Strange(s.seed, href) {
		return nil
	}
	return &Error{Code: CodeBlocked, Op: "scrape", URL: href, Err: errors.New("a public page leads to a virtual host or an intranet")}
}

func (s crawlSite) Robots(ctx context.Context, href string) (*robots.File, error) {
	file, err := s.robots.File(ctx, href)
	if err == nil {
		return file, nil
	}
	if blocked, ok := errors.AsType[*fetch.BlockedError](err); ok { // so is the page
		err = blocked
	}
	failed := failure(ctx, "scrape", href, err)
	if closed, ok := errors.AsType[*robotstxt.UnreachableError](err); ok {
		return nil, &crawling.UnreachableError{Next: closed.Next, Err: failed}
	}
	return nil, failed
}

func (s crawlSite) Sitemaps(ctx context.Context, seed string) iter.Seq2[sitemap.URL, error] {
	file, _ := s.robots.File(ctx, seed) // one that is unavailable names no sitemaps
	fetcher := s.engine.sitemapFetcher(seed, s.page)
	return sitemaps.Pages(ctx, fetcher, seed, file, sitemap.WalkOptions{MaxSitemaps: maxCrawlSitemaps})
}

// visibility is "hidden" for a page that an earlier crawl was led to and the newest
// whole crawl whose scope covers it was not (rulings). Crawls under zero data retention
// and lockdown have a store of their own, which isn't asked.
func (e *Engine) visibility(href string) (string, error) {
	gone, err := crawling.Hidden(e.stores.State, href, func(params []byte) bool {
		var p crawlParams
		return json.Unmarshal(params, &p) == nil && crawling.Covers(p.Options.scope(p.URL), href)
	})
	if gone {
		return hidden, err
	}
	return visible, err
}
