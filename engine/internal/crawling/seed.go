package crawling

import (
	"cmp"
	"context"
	"errors"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/folding"
	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// seedBucket keeps where a crawl's seed has moved to, by job.
const seedBucket = "crawl/seeds"

func isSeed(item crawl.Item) bool {
	return item.Hops == 0 && !item.Sitemap && item.From == ""
}

func putSeed(ctx context.Context, c *crawler) error {
	_, err := c.line.Frontier.Put(ctx, []crawl.Found{{URL: c.o.Seed, Key: c.scope.Load().Key(c.o.Seed)}})
	return err
}

// noteSeed keeps the reason for which there may be nothing to crawl.
func (c *crawler) noteSeed(item crawl.Item, out work.Outcome) work.Outcome {
	if isSeed(item) && out.Failed != nil && out.RetryAt.IsZero() {
		c.failed.Store(&out.Failed)
		out.Fatal = true
	}
	return out
}

// moved takes the crawl to the host that its seed redirects to.
func (c *crawler) moved(ctx context.Context, item crawl.Item, final string) error {
	if !isSeed(item) || weburl.BareHost(weburl.Host(final)) == weburl.BareHost(weburl.Host(item.URL)) {
		return nil
	}
	if err := c.rebase(final); err != nil {
		return err
	}
	err := c.line.DB().Update(func(tx jobs.Tx) error { return tx.Put(seedBucket, []byte(c.line.Record.ID), []byte(final)) })
	if err != nil {
		return err
	}
	if c.line.Apart() {
		return c.line.Share(ctx, final)
	}
	return c.feedSitemaps(ctx, final)
}

// rebased finds where the seed had moved to before the crawl was interrupted.
func (c *crawler) rebased() error {
	var seed string
	err := c.line.DB().View(func(tx jobs.Tx) error {
		seed = string(tx.Get(seedBucket, []byte(c.line.Record.ID)))
		return nil
	})
	if seed = cmp.Or(seed, c.line.Shared()); err != nil || seed == "" {
		return err
	}
	return c.rebase(seed)
}

func (c *crawler) rebase(seed string) error {
	s, err := c.scope.Load().Rebase(seed)
	if err == nil {
		c.scope.Store(s)
		c.seed.Store(&seed)
	}
	return err
}

// Drop forgets what a crawl keeps beside its pages; with last also what is kept for a crawl that comes again, if it is the last of its
// series.
func Drop(db work.DB, job string, last bool) error {
	if err := keepTexts(db, job, last); err != nil {
		return err
	}
	if err := errors.Join(folding.Drop(db, job), dropTraps(db, job), since.Drop(db, job, last), dropChanges(db, job)); err != nil {
		return err
	}
	return db.Update(func(tx jobs.Tx) error { return tx.Delete(seedBucket, []byte(job)) })
}
