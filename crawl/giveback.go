package crawl

import (
	"context"
	"time"
)

// Fail queues an item again, behind its equals: not before retryAt, at once if that has passed, and an hour from now if it is later than
// that. The next attempt's Item has the cause (256 bytes of it). ErrAttempts: it has been tried as often as Options.Attempts allows; it
// stays leased, complete it as failed. ErrLeaseLost as in Complete.
func (f *Frontier) Fail(ctx context.Context, item Item, retryAt time.Time, cause string) error {
	if item.lease != nil && item.Attempt >= f.o.Attempts {
		return ErrAttempts
	}
	return f.finish(ctx, item, func() error {
		now := f.o.Now()
		return f.update(func(w *work) error {
			e, err := w.take(item)
			if err != nil {
				return err
			}
			e.attempts, e.cause = item.Attempt, cause[:min(len(cause), maxCode)]
			w.sequence++
			if retryAt.After(now) {
				err = w.postpone(e, retryAt)
			} else {
				err = w.enqueue(item.Host, e, w.sequence)
			}
			if err != nil {
				return err
			}
			return w.keepBlock(item.Host)
		})
	})
}

// Release returns an item to the queue as if it had never been leased: it was not begun, or the caller is stopping. ErrLeaseLost as in
// Complete.
func (f *Frontier) Release(ctx context.Context, item Item) error {
	return f.finish(ctx, item, func() error {
		item.lease.over.Store(true) // a concurrent takeNotes skips it
		err := f.update(func(w *work) error {
			e, err := w.take(item)
			if err != nil {
				return err
			}
			e.attempts = item.Attempt - 1
			w.pending++
			return w.tx.Put(bucketQueue, []byte(item.lease.key), e.encode())
		})
		if err != nil {
			item.lease.over.Store(false)
		}
		return err
	})
}
