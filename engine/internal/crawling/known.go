package crawling

import (
	"cmp"
	"context"
	"sync"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// audits are the keys of pages that come whole although nothing speaks for a change.
type audits struct {
	mu   sync.Mutex
	keys map[string]bool
}

// inHand counts the known pages that are being fetched, by host.
type inHand struct {
	mu      sync.Mutex
	by      map[string]int
	changed chan struct{} // closed, and another one, when those of a host are there
}

// again reports whether there is an earlier crawl to go on from.
func (n *night) again() bool { return n != nil && n.book.Again() }

// feed queues what sitemaps list, the seed, and what an earlier crawl had beside that, those first that are likely to have changed.
func (n *night) feed(ctx context.Context) error {
	defer close(n.fed)
	keys, err := n.book.Audits(n.now())
	if err != nil {
		return err
	}
	n.audits.mu.Lock()
	n.audits.keys = keys
	n.audits.mu.Unlock()
	if err := n.c.feedSitemaps(ctx, n.c.o.Seed); err != nil {
		return err
	}
	if err := putSeed(ctx, n.c); err != nil {
		return err
	}
	return n.book.Pages(func(pages []since.Page) error {
		_, err := n.c.line.Frontier.Put(ctx, n.foundAll(pages))
		return err
	})
}

// begin notes that a known page is being fetched; end is called after it.
func (n *night) begin(item crawl.Item) (end func()) {
	n.inHand.mu.Lock()
	defer n.inHand.mu.Unlock()
	n.inHand.by[item.Host]++
	return func() {
		n.inHand.mu.Lock()
		defer n.inHand.mu.Unlock()
		if n.inHand.by[item.Host]--; n.inHand.by[item.Host] == 0 {
			delete(n.inHand.by, item.Host)
			close(n.inHand.changed)
			n.inHand.changed = make(chan struct{})
		}
	}
}

// afterKnown waits, with a page that no earlier crawl had, until those known ones of its host that are being fetched are there, which come
// before it in line: so it is clear which addresses lead to known pages. One that had its turn while these were still being queued is
// early: it goes back into line when they are.
func (n *night) afterKnown(ctx context.Context, item crawl.Item) (early bool, err error) {
	if !n.again() || isSeed(item) {
		return false, nil
	}
	select {
	case <-n.fed:
	default:
		return true, until(ctx, n.fed)
	}
	for wait := n.changed(item.Host); wait != nil && err == nil; wait = n.changed(item.Host) {
		err = until(ctx, wait)
	}
	return false, err
}

func until(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// changed is closed when fewer known pages are being fetched; nil: none is, of a host.
func (n *night) changed(host string) chan struct{} {
	n.inHand.mu.Lock()
	defer n.inHand.mu.Unlock()
	if n.inHand.by[host] == 0 {
		return nil
	}
	return n.inHand.changed
}

func (n *night) foundAll(pages []since.Page) (found []crawl.Found) {
	for i := range pages {
		found = append(found, n.found(&pages[i]))
	}
	return found
}

// found is a page that an earlier crawl had. It stands on no page of this one.
func (n *night) found(p *since.Page) crawl.Found {
	return crawl.Found{URL: p.URL, Key: cmp.Or(p.Key, p.URL), Hops: p.Hops, From: p.URL, Chance: n.chance(p)}
}

// chance orders the work: audits come early, so that a host that can't be believed is found early.
func (n *night) chance(p *since.Page) float64 {
	n.audits.mu.Lock()
	defer n.audits.mu.Unlock()
	if n.audits.keys[cmp.Or(p.Key, p.URL)] {
		return 1
	}
	return p.Chance(n.now())
}

// onlyNew leaves out of what a page leads to what an earlier crawl had: that is queued by itself, with what its sitemap says.
func (n *night) onlyNew(out work.Outcome) work.Outcome {
	if !n.again() || len(out.Found) == 0 {
		return out
	}
	unknown, err := n.book.Unknown(out.Found)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	out.Found = unknown
	return out
}

// sort parts what sitemaps list from what they vouch for: pages that a crawl has, on hosts whose sitemaps have always named what changed.
// These are kept as they are.
func (n *night) sort(ctx context.Context, listed []crawl.Found) (ask []crawl.Found, err error) {
	if !n.again() {
		return listed, nil
	}
	var vouched []crawl.Found
	var known []since.Page
	for _, f := range listed {
		p, err := n.book.Page(cmp.Or(f.Key, f.URL))
		switch {
		case err != nil:
			return nil, err
		case p == nil:
			ask = append(ask, f)
			continue
		}
		f.Chance = n.chance(p)
		if ok, err := n.vouchedFor(f, p); err != nil {
			return nil, err
		} else if ok {
			vouched, known = append(vouched, f), append(known, *p)
			continue
		}
		ask = append(ask, f)
	}
	return ask, n.c.line.Frontier.Keep(ctx, vouched, func(tx jobs.Tx) error { return n.keepDated(tx, known) })
}

// vouchedFor reports whether a sitemap's word on a page counts.
func (n *night) vouchedFor(f crawl.Found, p *since.Page) (bool, error) {
	item := crawl.Item{Found: f}
	if !dated(item, p) || n.isAudited(item) {
		return false, nil
	}
	host, err := n.book.Host(weburl.Host(p.URL))
	return host.Dated(), err
}

// keepDated notes what sitemaps vouch for, once in a crawl.
func (n *night) keepDated(tx jobs.Tx, pages []since.Page) error {
	for _, p := range pages {
		if p.Dated == n.book.Run() {
			continue
		}
		p.Dated, p.Checked = n.book.Run(), n.now()
		if err := n.book.Touch(tx, p); err != nil {
			return err
		}
	}
	return nil
}
