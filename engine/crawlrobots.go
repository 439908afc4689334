package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/fetch"
)

// mayFetch asks who has a say before a page is fetched. Where it may not, out is
// what the item comes to.
func (c *crawler) mayFetch(ctx context.Context, item crawl.Item) (out outcome, ok bool) {
	if virtual := c.engine.client.Virtual(); virtual.Has(hostname(item.URL)) && !virtual.Has(hostname(c.seed)) {
		return failedPage(&Error{Code: CodeBlocked, Op: "scrape", URL: item.URL, Err: errors.New("a public page leads to a virtual host")}), false
	}
	if !c.obeys() {
		return outcome{}, true
	}
	file, err := c.robots.file(ctx, item.URL)
	if err != nil {
		return c.unreachable(ctx, item, err), false
	}
	if d, ok := file.CrawlDelay(c.agent); ok {
		c.pace.SetDelay(item.Host, d)
	}
	if !file.Allowed(c.agent, item.URL) {
		return silent(outcome{}, crawl.Denied{Reason: string(scope.RobotsTxt), URL: item.URL}), false
	}
	return outcome{}, true
}

// obeys robots.txt: it isn't fetched where nothing may be.
func (c *crawler) obeys() bool { return !c.options.IgnoreRobotsTxt && !c.options.Scrape.Lockdown }

// unreachable is what an item comes to whose host doesn't give its robots.txt.
func (c *crawler) unreachable(ctx context.Context, item crawl.Item, err error) outcome {
	if blocked, ok := errors.AsType[*fetch.BlockedError](err); ok { // so is the page
		err = blocked
	}
	out := failedPage(failure(ctx, "scrape", item.URL, err))
	if closed, ok := errors.AsType[*robotsError](err); ok && item.Attempt < pageAttempts {
		out.retryAt = closed.Next
	}
	return out
}

// known is the file that the pages of an origin are judged by; nil where none counts.
func (c *crawler) known(ctx context.Context, href string) *robots.File {
	if !c.obeys() {
		return nil
	}
	file, err := c.robots.file(ctx, href) // asked before this page was fetched
	if err != nil {
		return nil // each page will be asked for when its turn comes
	}
	return file
}

// allows tells whether robots.txt allows where a redirect led to. A file that can't be
// had forbids nothing here: the page has been fetched.
func (c *crawler) allows(ctx context.Context, href string) bool {
	file := c.known(ctx, href)
	return file == nil || file.Allowed(c.agent, href)
}

// mostCrawlSitemaps is the service's bound for one crawl.
const mostCrawlSitemaps = 20

// fedAtOnce is how many URLs of a sitemap are put in line in one go.
const fedAtOnce = 500

// feedSitemaps puts in line what the sitemaps of the seed's site list. What is wrong
// with them is told by events and ends nothing.
func (c *crawler) feedSitemaps(ctx context.Context, seed string) error {
	if c.options.Sitemap == SitemapSkip || c.options.Scrape.Lockdown {
		return nil
	}
	file, _ := c.robots.file(ctx, seed) // one that can't be had names no sitemaps
	fetcher := c.engine.sitemapFetcher(seed, c.options.page())
	var line []crawl.Found
	for u, err := range sitemapPages(ctx, fetcher, seed, file, sitemap.WalkOptions{MaxSitemaps: mostCrawlSitemaps}) {
		if problem, ok := errors.AsType[*sitemap.Problem](err); ok {
			c.tell(ctx, problem)
			continue
		}
		if err != nil {
			return err
		}
		if found, ok := c.listed(u); ok {
			line = append(line, found)
		}
		if len(line) == fedAtOnce {
			if _, err := c.frontier.Put(ctx, line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	_, err := c.frontier.Put(ctx, line)
	return err
}

// listed judges a URL of a sitemap.
func (c *crawler) listed(u sitemap.URL) (crawl.Found, bool) {
	v := c.scope.Load().Judge(scope.Link{URL: u.Loc, Sitemap: true})
	if v.Reason != "" {
		return crawl.Found{}, false
	}
	return crawl.Found{URL: v.URL, Key: v.Key, Sitemap: true, Priority: u.Priority, LastMod: u.LastMod}, true
}

// EventSitemap is an event of its own kind: something is wrong with a sitemap. Its
// Data is an object with url and error.
const EventSitemap = "sitemap"

// tell notes what is wrong with a sitemap.
func (c *crawler) tell(ctx context.Context, p *sitemap.Problem) {
	data, err := json.Marshal(map[string]string{"url": p.Sitemap, "error": p.Error()})
	if err == nil {
		_, err = c.store.jobs.Append(ctx, c.id, jobs.Event{Type: EventSitemap, Data: data})
	}
	if err != nil && ctx.Err() == nil {
		c.engine.log.Warn("a sitemap's problem can't be noted", "job", c.id, "error", fmt.Sprint(err))
	}
}
