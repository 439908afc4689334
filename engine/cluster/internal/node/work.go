package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
)

// Work is a page to fetch.
type Work struct {
	Job   string
	Spec  Spec
	Shard int
	Item  crawl.Item

	part *part
}

// Wait is when to call Lease again: at Until, if it isn't zero, and when Changed is closed.
type Wait struct {
	Until   time.Time
	Changed <-chan struct{}
}

func (w *Wait) at(t time.Time) {
	if !t.IsZero() && (w.Until.IsZero() || t.Before(w.Until)) {
		w.Until = t
	}
}

// Lease returns a page of one of the jobs on the open shards, which take turns; nil: none may be fetched now. A member whose lease may have
// ended gets none: another one may be at the pages' hosts.
func (n *Node) Lease(ctx context.Context) (*Work, Wait, error) {
	parts, wait := n.parts()
	for _, p := range parts {
		if !n.o.Keeper.Holds(p.s.number) {
			continue
		}
		if at := p.s.opened.Add(p.spec.Delay); n.o.Now().Before(at) { // of the last request by another owner
			wait.at(at)
			continue
		}
		w, again, err := p.lease(ctx)
		if err != nil {
			return nil, wait, n.note(p.s, err)
		}
		if w != nil {
			return w, wait, nil
		}
		wait.at(again)
	}
	return nil, wait, nil
}

// parts are those with something to do, each time from another one on.
func (n *Node) parts() (list []*part, wait Wait) {
	n.mu.Lock()
	defer n.mu.Unlock()
	wait.Changed = n.changed
	for _, number := range slices.Sorted(maps.Keys(n.shards)) {
		list = append(list, n.shards[number].busy()...)
	}
	if len(list) == 0 {
		return nil, wait
	}
	n.turn++
	at := n.turn % len(list)
	return append(list[at:], list[:at]...), wait
}

func (s *shard) busy() (list []*part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, job := range slices.Sorted(maps.Keys(s.parts)) {
		if p := s.parts[job]; !p.over.Load() && !p.idle.Load() {
			list = append(list, p)
		}
	}
	return list
}

func (p *part) lease(ctx context.Context) (*Work, time.Time, error) {
	if full := p.entered.wait(); p.s.n.o.Now().Before(full) {
		return nil, full, nil
	}
	if item, ok := p.takeSpare(); ok {
		return p.give(ctx, item)
	}
	p.idle.Store(true) // first: whatever queues something sets it to false after that
	items, wait, err := p.f.Lease(ctx, 1, p.leaseTime())
	if err != nil || !wait.Done {
		p.idle.Store(false)
	}
	if err != nil || len(items) == 0 {
		return nil, wait.Until, err
	}
	return p.give(ctx, items[0])
}

// forEver is the time that a whole job may take: its lease ends with the one that has it.
const forEver = 100 * 365 * 24 * time.Hour

func (p *part) leaseTime() time.Duration {
	if p.spec.Whole {
		return forEver
	}
	return 0 // the frontier's
}

// give hands out an item, unless the member's lease may have ended while it was got, or the job has no slot for it: then it is kept for
// later.
func (p *part) give(ctx context.Context, item crawl.Item) (*Work, time.Time, error) {
	if !p.enter(ctx, item) {
		return nil, p.entered.wait(), p.keep(ctx, item)
	}
	if !p.s.n.o.Keeper.Holds(p.s.number) {
		p.entered.add(item.ID, -1)
		return nil, time.Time{}, p.keep(ctx, item)
	}
	return &Work{Job: p.job, Spec: p.spec, Shard: p.s.number, Item: item, part: p}, time.Time{}, nil
}

// leaseLeft is what an item that waits has left of its lease at least: it is to be enough for the page.
const leaseLeft = 5 * time.Minute

// keep keeps an item for later. One whose lease will soon end goes back instead, since the end of a lease counts as an attempt.
func (p *part) keep(ctx context.Context, item crawl.Item) error {
	if p.s.n.o.Now().Add(leaseLeft).Before(item.Until) {
		p.s.mu.Lock()
		defer p.s.mu.Unlock()
		p.spares = append(p.spares, item)
		return nil
	}
	err := p.f.Release(ctx, item)
	p.idle.Store(false)
	if errors.Is(err, crawl.ErrLeaseLost) {
		return nil
	}
	return err
}

func (p *part) takeSpare() (item crawl.Item, ok bool) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if len(p.spares) == 0 {
		return item, false
	}
	item, p.spares = p.spares[0], p.spares[1:]
	return item, true
}

// Claim claims the address that a page was led to, so that the job has what is there once; key is what it is known by among those of its
// host. It reports whether the address is the page's now; false: another page of the job has or had it. The claim stays with the page
// through all its attempts. Its error is like that of Complete.
func (n *Node) Claim(ctx context.Context, w *Work, url, key string) (own bool, err error) {
	own, err = w.part.claim(ctx, w.Item, url, key)
	return own, n.note(w.part.s, err)
}

// MaxEntry bounds an entry for the home, in bytes: documents don't belong there.
const MaxEntry = 256 << 10

// Complete ends a page: its links go to their shards' inboxes, then its result, the links of its own shard and the entries for the job's
// home are written in one transaction. Where its error is none of a shard that is gone, of [ErrOver] and [crawl.ErrLeaseLost], it can be
// called again.
func (n *Node) Complete(ctx context.Context, w *Work, page crawl.Page, entries ...[]byte) error {
	return n.note(w.part.s, w.part.complete(ctx, w.Item, page, entries))
}

func (p *part) complete(ctx context.Context, item crawl.Item, page crawl.Page, entries [][]byte) error {
	if p.over.Load() {
		return ErrOver
	}
	for _, data := range entries {
		if len(data) > MaxEntry {
			return fmt.Errorf("node: an entry of %d bytes: want at most %d", len(data), MaxEntry)
		}
	}
	own, err := p.send(ctx, page.Found)
	if err != nil {
		return err
	}
	page.Found = own
	done, err := p.reserve(ctx, len(page.Found))
	if err != nil {
		return err
	}
	defer done()
	page.InTx = p.inTx(page.InTx, entries)
	err = p.f.Complete(ctx, item, page)
	p.idle.Store(false)
	p.s.n.wake()
	return err
}

// inTx adds a page's entries to what else is in its transaction.
func (p *part) inTx(before func(crawl.Tx, uint64) error, entries [][]byte) func(crawl.Tx, uint64) error {
	return func(tx crawl.Tx, sequence uint64) error {
		if tx.Get(bucketOver, []byte(p.job)) != nil {
			return ErrOver
		}
		if before != nil {
			if err := before(tx, sequence); err != nil {
				return err
			}
		}
		for _, data := range entries {
			if _, err := outbox.Append(tx, p.job, data); err != nil {
				return err
			}
		}
		return p.trim(tx)
	}
}

// Fail queues a page again; see [crawl.Frontier.Fail].
func (n *Node) Fail(ctx context.Context, w *Work, retryAt time.Time, cause string) error {
	err := w.part.f.Fail(ctx, w.Item, retryAt, cause)
	w.part.idle.Store(false)
	n.wake()
	return n.note(w.part.s, err)
}

// Release gives a page back that was not begun.
func (n *Node) Release(ctx context.Context, w *Work) error {
	err := w.part.f.Release(ctx, w.Item)
	w.part.idle.Store(false)
	n.wake()
	return n.note(w.part.s, err)
}

// Done gives back what a page had beside its lease. It is to be called for each Work, when nothing is done about it any more.
func (n *Node) Done(ctx context.Context, w *Work) error {
	return w.part.leave(ctx, w.Item)
}
