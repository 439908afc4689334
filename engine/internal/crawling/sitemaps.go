package crawling

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/sitemap"
)

// eventSitemap is the type of an event: something is wrong with a sitemap. Its data is an object with url and error.
const eventSitemap = "sitemap"

// fedAtOnce is how many URLs of a sitemap are put in line in one go.
const fedAtOnce = 500

// feedSitemaps puts in line what the sitemaps of the seed's site list. What is wrong
// with them becomes an event and ends nothing.
func (c *crawler) feedSitemaps(ctx context.Context, seed string) error {
	if !c.o.Sitemaps {
		return nil
	}
	put := func(line []crawl.Found) error {
		ask, err := c.night.sort(ctx, line)
		if err != nil {
			return err
		}
		return c.put(ctx, ask)
	}
	var line []crawl.Found
	for u, err := range c.site.Sitemaps(ctx, seed) {
		if problem, ok := errors.AsType[*sitemap.Problem](err); ok {
			c.noteProblem(ctx, problem)
			continue
		}
		if err != nil {
			return err
		}
		if found, ok := c.listed(u); ok {
			line = append(line, found)
		}
		if len(line) == fedAtOnce {
			if err := put(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	return put(line)
}

// listed judges a URL of a sitemap.
func (c *crawler) listed(u sitemap.URL) (crawl.Found, bool) {
	v := c.scope.Load().Judge(scope.Link{URL: u.Loc, Sitemap: true})
	if v.Reason != "" {
		return crawl.Found{}, false
	}
	return crawl.Found{URL: v.URL, Key: v.Key, Sitemap: true, Priority: u.Priority, LastMod: u.LastMod}, true
}

// Listed is what a sitemap said of a page; nil for one that none has.
func Listed(item crawl.Item) (lastModified *time.Time, priority *float64) {
	if !item.Sitemap {
		return nil, nil
	}
	if !item.LastMod.IsZero() {
		lastModified = &item.LastMod
	}
	return lastModified, &item.Priority
}

// noteProblem appends an event for those who follow the crawl.
func (c *crawler) noteProblem(ctx context.Context, p *sitemap.Problem) {
	err := c.line.Event(ctx, eventSitemap, map[string]string{"url": p.Sitemap, "error": p.Error()})
	if err != nil && ctx.Err() == nil {
		c.line.Logger().Warn("a sitemap's problem can't be noted", "error", fmt.Sprint(err))
	}
}
