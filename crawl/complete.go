package crawl

import (
	"context"
	"errors"
)

// maxResult bounds a Page's Result, in bytes.
const maxResult = 256 << 20

// Page is the outcome of an item.
type Page struct {
	// Result is stored as it is, at most 256 MiB; only the caller interprets it.
	Result []byte
	// Found are the URLs that the page leads to, and that may be fetched.
	Found []Found
	// Denied are the URLs that may not be fetched.
	Denied []Denied
	// Failed puts the page among the errors (Errors) instead of the results, and frees its slot in the limit.
	Failed bool
	// Code is stored with the result; a failed page's gives the reason. At most 256 bytes are stored.
	Code string
	// More are further results of the item, which follow on Result.
	More [][]byte
	// Silent ends the item as if it had never been accepted: without a result or an error, and with its slot in the limit freed. For
	// a page that turned out to be another, or one that may not be fetched.
	Silent bool
	// Kept ends the item as one that is as it was before: without a result or an error, and with its slot in the limit used.
	Kept bool
	// InTx, if set, is run in the same transaction, with the sequence number of Result (among the errors, if Failed; 0 if Silent or
	// Kept). It may be run more than once; its error undoes the whole, and the item stays leased.
	InTx func(tx Tx, sequence uint64) error
}

// results are all that is kept of the page.
func (p Page) results() [][]byte {
	if p.Silent || p.Kept {
		return nil
	}
	return append([][]byte{p.Result}, p.More...)
}

// Complete ends an item: in one transaction the result is appended, found URLs are claimed, denied ones are counted and the item is done.
// Only more than 1000 found URLs go ahead in transactions of their own; a crash between them loses nothing. ErrLeaseLost: another worker
// has the item or has completed it; nothing was changed (but URLs that went ahead stay). ErrTooLarge: the Result is too large. After any
// other error the lease is still held.
func (f *Frontier) Complete(ctx context.Context, item Item, page Page) error {
	for _, result := range page.results() {
		if len(result) > maxResult {
			return ErrTooLarge
		}
	}
	return f.finish(ctx, item, func() error {
		found, err := f.putOver(ctx, page.Found)
		if err != nil {
			return err
		}
		return f.update(func(w *work) error { return w.complete(item, page, found) })
	})
}

// finish does what ends a lease, if the item's is one. The Visit ends first: the host is free while the transaction is under way.
func (f *Frontier) finish(ctx context.Context, item Item, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !f.hold(item.lease) {
		return ErrLeaseLost
	}
	item.Visit.End(Outcome{})
	err := do()
	f.mu.Lock()
	item.lease.busy = false
	if err == nil || errors.Is(err, ErrLeaseLost) || errors.Is(err, ErrDropped) {
		f.forget(item.lease)
		f.unnote(item.lease)
	}
	f.mu.Unlock()
	f.o.Pace.change.send()
	return err
}

// hold keeps a lease from ending. A lease that has ended and that no other worker took over is resumed.
func (f *Frontier) hold(l *lease) bool {
	if l == nil || l.f != f {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	holder := f.leases[l.key]
	if holder != nil && holder != l || l.busy || l.over.Load() { // busy: another call is completing the same item
		return false
	}
	if holder == nil {
		f.enterLease(l)
	}
	l.busy = true
	return true
}

// take takes an item's row out of the queue.
func (w *work) take(item Item) (entry, error) {
	key := []byte(item.lease.key)
	row := w.tx.Get(bucketQueue, key)
	if row == nil {
		return entry{}, ErrLeaseLost
	}
	e, err := decodeEntry(row)
	if err != nil {
		return entry{}, &DamagedError{bucketQueue}
	}
	w.pending--
	return e, w.tx.Delete(bucketQueue, key)
}

// appendAll keeps the results and lets the caller add to the transaction.
func (w *work) appendAll(e entry, attempts int, page Page) error {
	var sequence uint64
	switch {
	case page.Kept:
		w.kept++
	case page.Silent:
		w.known--
		w.silent++
	}
	for i, result := range page.results() {
		at, err := w.append(e, attempts, page, result)
		if err != nil {
			return err
		}
		if i == 0 {
			sequence = at
		} else {
			w.known++ // Known = Queued + Leased + Done + Failed
		}
	}
	if page.InTx == nil {
		return nil
	}
	return page.InTx(w.tx, sequence)
}

func (w *work) complete(item Item, page Page, found []Found) error {
	e, err := w.take(item)
	if err != nil {
		return err
	}
	if err := w.appendAll(e, item.Attempt, page); err != nil {
		return err
	}
	if err := w.claimAll(found); err != nil {
		return err
	}
	if err := w.moveUp(); err != nil {
		return err
	}
	if err := w.denyAll(page.Denied); err != nil {
		return err
	}
	return w.keepBlock(item.Host)
}

func (w *work) replaceAll(first uint64, page Page, found []Found) error {
	for i, result := range page.results() {
		if err := w.replace(first+uint64(i), page.Code, result); err != nil {
			return err
		}
	}
	if err := w.claimAll(found); err != nil {
		return err
	}
	if err := w.denyAll(page.Denied); err != nil {
		return err
	}
	if page.InTx == nil {
		return nil
	}
	return page.InTx(w.tx, first)
}

// moveUp accepts what was over the limit, as far as there is room again.
func (w *work) moveUp() error {
	own := w.key()
	for w.reserve > 0 && w.room() {
		key, row := first(w.tx, bucketReserve, own, own)
		e, err := decodeEntry(row)
		if err != nil {
			return &DamagedError{bucketReserve}
		}
		if err := w.tx.Delete(bucketReserve, key); err != nil {
			return err
		}
		w.reserve--
		w.known++
		if err := w.enqueue(e.host(), e, e.id); err != nil {
			return err
		}
	}
	return nil
}

// Taken reports whether another item has or had a key. Unlike Claim it changes nothing.
func (f *Frontier) Taken(ctx context.Context, item Item, key string) (taken bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	err = f.view(func(w *work) error {
		holder := w.tx.Get(bucketSeen, w.key(digest(key)))
		taken = holder != nil && string(holder) != string(be64(item.ID))
		return nil
	})
	return taken, err
}

// Claim claims a further Key for an item, so that the page isn't fetched again under that key: the address it was redirected to. It reports
// whether the key is now the item's; false: another item has or had it. The claim stays with the item through all its attempts.
func (f *Frontier) Claim(ctx context.Context, item Item, key string) (own bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return f.claimFor(key, be64(item.ID))
}

func (f *Frontier) claimFor(key string, by []byte) (own bool, err error) {
	if len(key) > maxURL {
		return false, ErrTooLarge
	}
	err = f.update(func(w *work) error {
		seen := w.key(digest(key))
		holder := w.tx.Get(bucketSeen, seen)
		if own = holder == nil || string(holder) == string(by); holder != nil {
			return nil
		}
		return w.tx.Put(bucketSeen, seen, by)
	})
	return own, err
}
