package crawling

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// mayFetch asks who has a say before a page is fetched. Where it may not, out is
// what the item comes to.
func (c *crawler) mayFetch(ctx context.Context, item crawl.Item) (out work.Outcome, ok bool) {
	if err := c.site.Outside(item.URL); err != nil {
		return work.Outcome{Failed: err}, false
	}
	if !c.obeys() {
		return out, true
	}
	file, err := c.site.Robots(ctx, item.URL)
	if err != nil {
		return unreachable(item, err), false
	}
	if d, ok := file.CrawlDelay(c.o.Agent); ok {
		c.line.Pace.SetDelay(item.Host, d)
	}
	if !file.Allowed(c.o.Agent, item.URL) {
		return silent(out, crawl.Denied{Reason: string(scope.RobotsTxt), URL: item.URL}), false
	}
	return out, true
}

// obeys robots.txt.
func (c *crawler) obeys() bool { return c.o.Agent != "" }

// unreachable is what an item comes to whose host doesn't give its robots.txt.
func unreachable(item crawl.Item, err error) work.Outcome {
	out := work.Outcome{Failed: err}
	if closed, ok := errors.AsType[*UnreachableError](err); ok {
		out.Failed = closed.Err
		if item.Attempt < work.Attempts {
			out.RetryAt = closed.Next
		}
	}
	return out
}

// known is the file that the pages of an origin are judged by; nil where none counts.
func (c *crawler) known(ctx context.Context, href string) *robots.File {
	if !c.obeys() {
		return nil
	}
	file, err := c.site.Robots(ctx, href) // asked before this page was fetched
	if err != nil {
		return nil // each page will be asked for when its turn comes
	}
	return file
}

// allows reports whether robots.txt allows where a redirect led to. A file that is
// unavailable forbids nothing here: the page has been fetched.
func (c *crawler) allows(ctx context.Context, href string) bool {
	file := c.known(ctx, href)
	return file == nil || file.Allowed(c.o.Agent, href)
}
