package crawling

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/crawl/traps"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Of a crawl that is spread over machines, each shard has a crawler of its own, for its hosts: their robots.txt, folds and traps are in its
// store. Only where a seed has moved to counts for all, and what is queued or claimed goes to its shard.

// listing begins the key of an item that is no page: the sitemaps of the URL's site are read when its turn comes.
const listing = "sitemaps "

// Seeds are what a spread crawl begins with. Its sitemaps follow on the seed's page, which may lead to another site.
func Seeds(o Options) ([]crawl.Found, error) {
	s, err := scope.New(o.Scope)
	if err != nil {
		return nil, err
	}
	return []crawl.Found{{URL: o.Seed, Key: s.Key(o.Seed)}}, nil
}

// apart is the task of a crawl that is spread.
type apart struct{ *crawler }

// Visit implements [work.Task].
func (a apart) Visit(ctx context.Context, item crawl.Item) work.Outcome {
	c := a.crawler
	if strings.HasPrefix(item.Key, listing) {
		item.Visit.End(crawl.Outcome{}) // pages of the host needn't wait
		return listSite(ctx, c, item)
	}
	out := c.Visit(ctx, item)
	if !isSeed(item) || out.Back || !out.RetryAt.IsZero() || !c.o.Sitemaps {
		return out
	}
	out.Found = append(out.Found, listingOf(c.o.Seed))
	if seed := c.seed.Load(); seed != nil {
		out.Found = append(out.Found, listingOf(*seed))
	}
	return out
}

// listSite queues what the sitemaps of a site list. What can't be queued at last is reported as what is wrong with them.
func listSite(ctx context.Context, c *crawler, item crawl.Item) work.Outcome {
	err := c.feedSitemaps(ctx, item.URL)
	if err != nil && item.Attempt < work.Attempts {
		return work.Outcome{Failed: err, RetryAt: c.line.Now().Add(time.Second)}
	}
	if err != nil {
		c.noteProblem(ctx, &sitemap.Problem{Sitemap: item.URL, Err: err})
	}
	return work.Outcome{Silent: true}
}

func listingOf(seed string) crawl.Found {
	return crawl.Found{URL: seed, Key: listing + seed, Sitemap: true}
}

// own parts URLs from those that are of other shards.
func own(l *work.Line, found []crawl.Found) (own, others []crawl.Found) {
	if !l.Apart() {
		return found, nil
	}
	for _, f := range found {
		if l.Own(f.URL) {
			own = append(own, f)
		} else {
			others = append(others, f)
		}
	}
	return own, others
}

// note is what the mirrors of a spread crawl keep.
type note struct {
	Traps []traps.Row `json:"traps,omitempty"`
}

// leaveNote leaves the rows that [Traps] lists for the mirrors.
func leaveNote(l *work.Line, tx jobs.Tx, rows []traps.Row) error {
	if !l.Apart() {
		return nil
	}
	var n note
	for _, row := range rows {
		if _, left := traps.Read(row.Value); left {
			n.Traps = append(n.Traps, row)
		}
	}
	if n.Traps == nil {
		return nil
	}
	return l.Leave(tx, n)
}

// Keep is [work.Kind].Keep of a crawl.
func Keep(tx jobs.Tx, job string, data json.RawMessage) error {
	var n note
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	for _, row := range n.Traps {
		if err := tx.Put(trapBucket, trapKey(job, ofPattern, []byte(row.Key)), row.Value); err != nil {
			return err
		}
	}
	return nil
}
