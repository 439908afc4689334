package crawling

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/folding"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// openBook opens what the crawl learns of addresses that are one page. Without DeduplicateSimilarURLs each spelling is one.
func (c *crawler) openBook() (err error) {
	if !c.o.Scope.DeduplicateSimilarURLs {
		return nil
	}
	retake := func(ctx context.Context, list []crawl.Retaken) error { return c.line.Retake(ctx, list) }
	c.book, err = folding.Open(c.line.DB(), c.line.Record.ID, string(scope.Duplicate), retake)
	return err
}

func duplicate(href string) crawl.Denied {
	return crawl.Denied{Reason: string(scope.Duplicate), URL: href}
}

// isThere reports an item that isn't fetched, since its page is there under another address, and what it comes to.
func (c *crawler) isThere(ctx context.Context, item crawl.Item) (out work.Outcome, is bool) {
	if c.book == nil || isSeed(item) {
		return out, false
	}
	is, err := c.book.Leave(ctx, item)
	if err != nil {
		return work.Outcome{Failed: err}, true
	}
	return silent(out, duplicate(item.URL)), is
}

// fold learns from a fetched page, which may be the same as another's.
func (c *crawler) fold(ctx context.Context, item crawl.Item, v Visit, out work.Outcome) work.Outcome {
	if c.book == nil {
		return out
	}
	ours, _ := own(c.line, out.Found)
	c.book.Meet(ours)
	if !out.Silent {
		same, err := c.book.Fetched(ctx, c.folded(item, v))
		if err != nil {
			return work.Outcome{Failed: err}
		}
		if same && !isSeed(item) {
			out = silent(out, append(out.Denied, duplicate(item.URL))...)
		}
	}
	return out
}

// folded is a page as the book sees it.
func (c *crawler) folded(item crawl.Item, v Visit) folding.Page {
	judge := c.scope.Load()
	p := folding.Page{Item: item, Key: judge.Key(v.URL), Content: v.Sum}
	if v.Canonical != "" {
		p.Canonical = judge.Key(v.Canonical)
	}
	p.Links = func() (keys []string) {
		host := weburl.BareHost(weburl.Host(v.URL))
		for _, href := range v.Links {
			if weburl.BareHost(weburl.Host(href)) == host {
				keys = append(keys, judge.Key(href))
			}
		}
		return keys
	}
	return p
}

// led learns from a redirect to a page that the crawl has.
func (c *crawler) led(ctx context.Context, item crawl.Item, key string) error {
	if c.book == nil {
		return nil
	}
	return c.book.Led(ctx, item, key)
}

// place leaves out of what a page leads to what is a page that the crawl has.
func (c *crawler) place(ctx context.Context, item uint64, out work.Outcome) work.Outcome {
	if c.book == nil || len(out.Found) == 0 {
		return out
	}
	ours, others := own(c.line, out.Found)
	take, left, err := c.book.Links(ctx, item, ours)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	out.Found = append(take, others...)
	for _, f := range left {
		out.Denied = append(out.Denied, duplicate(f.URL))
	}
	return out
}

// put queues what no page leads to.
func (c *crawler) put(ctx context.Context, found []crawl.Found) error {
	out := c.place(ctx, 0, work.Outcome{Found: found})
	if out.Failed != nil {
		return out.Failed
	}
	if err := c.line.Put(ctx, out.Found); err != nil {
		return err
	}
	return c.line.Deny(ctx, out.Denied)
}

// noteLost has another address of the page fetched, where an item came to nothing that others were left out for.
func (c *crawler) noteLost(ctx context.Context, item crawl.Item, out work.Outcome) work.Outcome {
	final := out.Silent || out.Failed != nil && (out.RetryAt.IsZero() || item.Attempt >= work.Attempts)
	if c.book == nil || !final {
		return out
	}
	if err := c.book.Failed(ctx, item); err != nil && ctx.Err() == nil {
		return work.Outcome{Failed: err}
	}
	return out
}

// Last implements [work.Finisher].
func (c *crawler) Last(ctx context.Context) (bool, error) {
	if c.book != nil {
		if more, err := c.book.Last(ctx); more || err != nil {
			return more, err
		}
	}
	return c.night.doubt(ctx)
}
