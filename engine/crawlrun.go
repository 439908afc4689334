package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// crawler is the task of a crawl.
type crawler struct {
	*run
	record  jobs.Record
	seed    string
	options CrawlOptions
	agent   string // that robots.txt is asked for
	robots  *robotsFiles
	scope   atomic.Pointer[scope.Scope] // another one once the seed has moved to another host
	failed  atomic.Pointer[Error]       // of the seed
}

// openCrawl takes up a crawl where it was left, or begins it.
func (r *run) openCrawl(record jobs.Record) error {
	var p crawlParams
	if err := json.Unmarshal(record.Params, &p); err != nil {
		return fmt.Errorf("parameters of the crawl: %w", err)
	}
	c := &crawler{run: r, record: record, seed: p.URL, options: p.Options, agent: orDefault(p.Options.RobotsUserAgent, DefaultRobotsAgent), robots: r.engine.robotsFor(p.Options.private())}
	s, err := scope.New(p.Options.scope(p.URL))
	if err != nil {
		return scopeError(err)
	}
	c.scope.Store(s)
	if err := c.rebased(); err != nil {
		return err
	}
	r.task = c
	return r.open(p.Options.MaxConcurrency, p.Options.Delay, p.Options.Limit)
}

// feed puts the seed in line, and then what the site's sitemaps list.
func (c *crawler) feed(ctx context.Context) error {
	if _, err := c.frontier.Put(ctx, []crawl.Found{{URL: c.seed, Key: c.scope.Load().Key(c.seed)}}); err != nil {
		return err
	}
	return c.feedSitemaps(ctx, c.seed)
}

// ended: a crawl whose seed failed has failed, unless it found pages all the same.
func (c *crawler) ended(ctx context.Context) error {
	s, err := c.frontier.Stats(ctx)
	if err != nil {
		return err
	}
	if failed := c.failed.Load(); failed != nil {
		if s.Done > 0 {
			return nil
		}
		return failed
	}
	if s.Refused > 0 || c.options.MaxDiscoveryDepth != nil || c.options.Sitemap == SitemapOnly {
		return nil // it hasn't followed all that its scope covers
	}
	return c.store.covered(c.record)
}

// note keeps what the crawl was led to, also where robots.txt forbids to fetch it.
func (c *crawler) note(tx crawl.Tx, item crawl.Item, page crawl.Page) error {
	if err := reached(tx, item.URL, c.record.Created); err != nil {
		return err
	}
	for _, d := range page.Denied {
		if d.Reason == string(scope.RobotsTxt) {
			if err := reached(tx, d.URL, c.record.Created); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *crawler) isSeed(item crawl.Item) bool {
	return item.Hops == 0 && !item.Sitemap && item.From == ""
}

// visit fetches a page that robots.txt allows, and judges its links.
func (c *crawler) visit(ctx context.Context, item crawl.Item) outcome {
	if out, ok := c.mayFetch(ctx, item); !ok {
		return c.noteSeed(item, out)
	}
	s, err := c.engine.newScrape(item.URL, c.options.page())
	if err != nil {
		return c.noteSeed(item, failedPage(err))
	}
	c.join(s, item)
	var links []string
	doc, err := c.scrape(ctx, s, func(ctx context.Context) (err error) {
		links, err = s.links(ctx)
		return err
	})
	if err != nil {
		return c.noteSeed(item, c.again(item, s, err))
	}
	if at, ok := c.pushedBack(item, s); ok {
		return outcome{retryAt: at, failed: s.source.refusal(), docs: []*Document{doc}, credits: s.cost}
	}
	return c.settle(ctx, item, s, doc, links)
}

// noteSeed keeps the reason for which there may be nothing to crawl.
func (c *crawler) noteSeed(item crawl.Item, out outcome) outcome {
	if c.isSeed(item) && out.page.Failed && out.retryAt.IsZero() {
		if own, ok := errors.AsType[*Error](out.failed); ok {
			c.failed.Store(own)
		} else {
			c.failed.Store(&Error{Code: CodeUnknown, Err: out.failed})
		}
	}
	return out
}

// settle decides what a fetched page is to the crawl, and where it leads.
func (c *crawler) settle(ctx context.Context, item crawl.Item, s *scrape, doc *Document, links []string) outcome {
	out := outcome{docs: []*Document{doc}, credits: s.cost}
	final := s.address()
	if err := c.moved(ctx, item, final); err != nil {
		return failedPage(err)
	}
	denied, err := c.leftOut(ctx, item, final)
	if err != nil {
		return failedPage(err)
	}
	if denied != nil {
		out = silent(out, denied...)
	}
	if c.options.Sitemap != SitemapOnly && (denied == nil || c.isSeed(item)) { // links of a seed that is no page of the crawl count all the same
		found, others := c.sort(ctx, item, final, links)
		out.page.Found, out.page.Denied = found, append(out.page.Denied, others...)
	}
	doc.Metadata.SitemapLastModified, doc.Metadata.SitemapPriority = sitemapWord(item)
	return out
}

// leftOut tells why a page that was fetched is none of the crawl: it led elsewhere, or
// to a page that another has, or it is a seed that the patterns leave out. Nil: it is one.
func (c *crawler) leftOut(ctx context.Context, item crawl.Item, final string) ([]crawl.Denied, error) {
	judge := c.scope.Load()
	if c.isSeed(item) {
		if v := judge.Judge(scope.Link{URL: final}); v.Reason != "" {
			return []crawl.Denied{{Reason: string(v.Reason), URL: final}}, nil
		}
	} else if v := judge.JudgeRedirect(item.URL, final); v.Reason != "" {
		return []crawl.Denied{{Reason: string(v.Reason), URL: item.URL}}, nil
	}
	if final != item.URL && !c.allows(ctx, final) {
		return []crawl.Denied{{Reason: string(scope.RobotsTxt), URL: final}}, nil
	}
	key := judge.Key(final)
	if key == "" || key == item.Key {
		return nil, nil
	}
	own, err := c.frontier.Claim(ctx, item, key)
	if err != nil || own {
		return nil, err
	}
	return []crawl.Denied{}, nil // nobody has to be told
}

func silent(out outcome, denied ...crawl.Denied) outcome {
	out.page.Silent, out.page.Denied, out.docs = true, denied, nil
	return out
}

// sitemapWord is what the sitemap said of a page.
func sitemapWord(item crawl.Item) (*time.Time, *float64) {
	if !item.Sitemap {
		return nil, nil
	}
	var at *time.Time
	if !item.LastMod.IsZero() {
		at = &item.LastMod
	}
	return at, &item.Priority
}

// sort tells a page's links that belong to the crawl from those that don't.
func (c *crawler) sort(ctx context.Context, item crawl.Item, from string, links []string) (found []crawl.Found, denied []crawl.Denied) {
	judge, file := c.scope.Load(), c.known(ctx, item.URL)
	for _, href := range links {
		v := judge.Judge(scope.Link{URL: href, From: from, Hops: item.Hops + 1})
		switch {
		case v.Reason != "":
			denied = append(denied, crawl.Denied{Reason: string(v.Reason), URL: href})
		case file != nil && originOf(v.URL) == originOf(item.URL) && !file.Allowed(c.agent, v.URL):
			denied = append(denied, crawl.Denied{Reason: string(scope.RobotsTxt), URL: v.URL})
		default:
			found = append(found, crawl.Found{URL: v.URL, Key: v.Key, Hops: item.Hops + 1, From: from})
		}
	}
	return found, denied
}

// seedBucket keeps where a crawl's seed has moved to.
const seedBucket = "crawl/seeds"

// moved takes the crawl to the host that its seed redirects to.
func (c *crawler) moved(ctx context.Context, item crawl.Item, final string) error {
	if !c.isSeed(item) || bareHost(hostOf(final)) == bareHost(hostOf(item.URL)) {
		return nil
	}
	s, err := c.scope.Load().Rebase(final)
	if err != nil {
		return scopeError(err)
	}
	c.scope.Store(s)
	err = c.store.db.Update(func(tx cache.Tx) error { return tx.Put(seedBucket, []byte(c.id), []byte(final)) })
	if err != nil {
		return err
	}
	return c.feedSitemaps(ctx, final)
}

// rebased finds where the seed had moved to before the engine was started again.
func (c *crawler) rebased() error {
	var seed string
	err := c.store.db.View(func(tx cache.Tx) error {
		seed = string(tx.Get(seedBucket, []byte(c.id)))
		return nil
	})
	if err != nil || seed == "" {
		return err
	}
	s, err := c.scope.Load().Rebase(seed)
	if err != nil {
		return scopeError(err)
	}
	c.scope.Store(s)
	return nil
}
