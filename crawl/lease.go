package crawl

import (
	"context"
	"sync/atomic"
	"time"
)

const (
	defaultLease = 10 * time.Minute
	maxLease     = 1000 // items in one call
)

// Item is a URL to fetch, leased to the caller of Lease.
type Item struct {
	Found
	// ID is the same through all attempts, and in the item's Result.
	ID uint64
	// Host that its requests count under in the Pace.
	Host string
	// Attempt is 1 at first. Above Options.Attempts: it was started as often as allowed and never ended, maybe because it takes the
	// process down; complete it as failed without fetching.
	Attempt int
	// Cause of the last attempt's failure, as passed to Fail.
	Cause string
	// Until is when the lease ends.
	Until time.Time
	// Visit holds the item's slot at its host. End it with the outcome as soon as the fetch is over, before the page is processed;
	// Complete, Fail and Release end it too, without an outcome.
	Visit *Visit

	lease *lease
}

// lease is a leased item. Its row fields are fixed; the rest is guarded by Frontier.mu.
type lease struct {
	f       *Frontier
	key     string // of the row in the queue
	host    string
	attempt int
	visit   *Visit
	until   time.Time
	busy    bool        // being completed: doesn't end meanwhile
	noting  bool        // a transaction is storing its start
	over    atomic.Bool // given back: its start is not to be noted any more
}

// Wait is when to call Lease again.
type Wait struct {
	// Until is when something may be ready without any other call; it may have passed already. The zero time: never.
	Until time.Time
	// Changed is closed when something was put, completed or given back, or a request ended. Wait for whichever comes first.
	Changed <-chan struct{}
	// Done reports that no item is queued or leased: unless something is Put, the crawl is over.
	Done bool

	overdue bool // a retry has fallen due
}

// Lease returns up to n items (1 to 1000) that may be fetched now, for the duration d (0: 10 minutes). Within a host they go by hops, late
// ones last, seeds first, then sitemap URLs by priority and date, then in the order found; leases rotate over the hosts, and a host with
// fewer leased items comes before one with more, so a slow or huge host doesn't hold up others. Hosts that the Pace holds back are skipped.
// No item ready is no error: Wait says when to call again.
//
// An item stays queued in the DB until it is completed, so a process that dies has nothing to give back. A lease that ends goes to another
// worker and counts as an attempt. The start is stored with the next transaction, or at once if none may follow.
func (f *Frontier) Lease(ctx context.Context, n int, d time.Duration) ([]Item, Wait, error) {
	if err := ctx.Err(); err != nil {
		return nil, Wait{}, err
	}
	n, d = min(max(n, 1), maxLease), defaultTo(d, defaultLease)
	items, wait, err := f.lease(n, d)
	if err == nil && len(items) < n && wait.overdue {
		if err = f.moveDue(); err == nil {
			var more []Item
			more, wait, err = f.lease(n-len(items), d)
			items = append(items, more...)
		}
	}
	if err != nil {
		for _, item := range items {
			f.drop(item)
		}
		return nil, Wait{}, err
	}
	return items, wait, nil
}

// lease picks items, and stores at once the starts of those that were begun before, and those for which no other leased item's end would
// store it.
func (f *Frontier) lease(n int, d time.Duration) ([]Item, Wait, error) {
	p, alone, err := f.pick(n, d)
	for _, item := range p.items {
		alone = alone || item.Attempt > 1
	}
	if err == nil && alone && len(p.items) > 0 {
		f.prolong(p.items, true, d)
		err = f.update(func(*work) error { return nil })
		f.prolong(p.items, false, d)
	}
	return p.items, p.wait, err
}

// prolong keeps leases from ending while their starts are being stored, which may wait for the disk, and then has them begin.
func (f *Frontier) prolong(items []Item, busy bool, d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	until := f.o.Now().Add(d)
	for i := range items {
		items[i].Until = until
		items[i].lease.busy, items[i].lease.until = busy, until
	}
}

// pick chooses the items, in one snapshot. It holds the lock meanwhile: a completion takes its lease away only after its
// transaction, so what a snapshot still shows as waiting is still leased here. alone reports that nothing was leased before.
func (f *Frontier) pick(n int, d time.Duration) (p *picker, alone bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.o.Now()
	p = &picker{f: f, n: n, now: now, until: now.Add(d)}
	p.wait.Changed = f.o.Pace.Changed()
	f.expire(now)
	alone = len(f.leases) == 0
	err = f.view(func(w *work) error {
		p.wait.Done = w.pending == 0
		p.w = w
		return p.pick()
	})
	return p, alone, err
}

// expire takes back the leases that have ended.
func (f *Frontier) expire(now time.Time) {
	for _, l := range f.leases {
		if !l.busy && !now.Before(l.until) {
			f.forget(l)
			l.visit.End(Outcome{})
		}
	}
}

// forget takes a lease out of the books.
func (f *Frontier) forget(l *lease) {
	delete(f.leases, l.key)
	f.lineup.unhold(l.host)
}

// enterLease puts a lease into the books.
func (f *Frontier) enterLease(l *lease) {
	f.leases[l.key] = l
	f.lineup.hold(l.host)
}

// drop forgets an item without writing to the DB.
func (f *Frontier) drop(item Item) {
	f.mu.Lock()
	item.lease.over.Store(true)
	if f.leases[item.lease.key] == item.lease {
		f.forget(item.lease)
	}
	f.unnote(item.lease)
	f.mu.Unlock()
	item.Visit.End(Outcome{})
	f.o.Pace.change.send()
}

// takeNotes returns the starts that are to be stored and that no other transaction is storing.
func (f *Frontier) takeNotes() (notes []*lease) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.notes {
		if !l.noting {
			l.noting = true
			notes = append(notes, l)
		}
	}
	return notes
}

// settle takes over the effects of a transaction. Starts that a failed transaction was to store are kept for the next. The lineup learns
// its hosts in any case: the rows may be there although writing them was reported to have failed.
func (f *Frontier) settle(notes []*lease, made effects, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range notes {
		if l.noting = false; err == nil {
			f.unnote(l)
		}
	}
	for _, host := range made.touched {
		f.lineup.touch(host)
	}
	if err == nil {
		f.recent.add(made.certain)
	}
}

// unnote: the start needs no note any more.
func (f *Frontier) unnote(l *lease) {
	if f.notes[l.key] == l {
		delete(f.notes, l.key)
	}
}

// note stores starts in the rows that are still there.
func (w *work) note(notes []*lease) error {
	for _, l := range notes {
		row := w.tx.Get(bucketQueue, []byte(l.key))
		if row == nil || l.over.Load() {
			continue
		}
		e, err := decodeEntry(row)
		if err != nil {
			return &DamagedError{bucketQueue}
		}
		e.attempts = max(e.attempts, l.attempt)
		if err := w.tx.Put(bucketQueue, []byte(l.key), e.encode()); err != nil {
			return err
		}
	}
	return nil
}
