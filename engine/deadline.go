package engine

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// timeoutError is the cause of a context that ended because a scrape's timeout ran out.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("timeout of %s ran out", e.after) }

// Unwrap makes it a context.DeadlineExceeded too.
func (e *timeoutError) Unwrap() error { return context.DeadlineExceeded }

// deadline ends a context when its time has run out, and can stand still
// meanwhile: installing a browser doesn't count. Safe for concurrent use.
type deadline struct {
	cancel context.CancelCauseFunc
	total  time.Duration
	outer  *deadline // stands still with this one; nil for none

	mu    sync.Mutex
	left  time.Duration
	since time.Time   // when the clock was started last
	timer *time.Timer // nil while it stands still
}

// withDeadline starts the clock. stop must be called to free it.
func withDeadline(parent context.Context, total time.Duration) (context.Context, *deadline) {
	ctx, cancel := context.WithCancelCause(parent)
	d := &deadline{cancel: cancel, total: total, left: total}
	d.resume()
	return timed{ctx, d}, d
}

// timed is a context that tells when its clock will run out, for those who plan
// with that. While the clock stands still it is as if it had just been started.
type timed struct {
	context.Context
	clock *deadline
}

// slack keeps those who set timers of their own by Deadline from being faster
// than the clock, whose cause is the better error.
const slack = 100 * time.Millisecond

// Deadline is when the clock runs out, or the parent's deadline where that is earlier.
func (t timed) Deadline() (time.Time, bool) {
	end := t.clock.end().Add(slack)
	if parent, ok := t.Context.Deadline(); ok && parent.Before(end) {
		return parent, true
	}
	return end, true
}

func (d *deadline) end() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil {
		return time.Now().Add(d.left)
	}
	return d.since.Add(d.left)
}

// remaining is the time until the clock runs out.
func (d *deadline) remaining() time.Duration { return max(0, time.Until(d.end())) }

// mostReserve is the most that reserve keeps back.
const mostReserve = time.Second

// reserve gives a context that ends when nine tenths of the clock's time are over, or all but a second: the rest is for
// making a document of what is there. Its cause is the clock's own.
func (d *deadline) reserve(ctx context.Context) (context.Context, context.CancelFunc) {
	kept := min(d.total/10, mostReserve)
	return context.WithTimeoutCause(ctx, max(0, d.remaining()-kept), &timeoutError{d.total})
}

// pause stops the clock until resume.
func (d *deadline) pause() {
	if d.outer != nil {
		d.outer.pause()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil || !d.timer.Stop() {
		return
	}
	d.timer = nil
	d.left -= time.Since(d.since)
}

// resume lets the clock go on.
func (d *deadline) resume() {
	if d.outer != nil {
		d.outer.resume()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		return
	}
	d.since = time.Now()
	d.timer = time.AfterFunc(max(d.left, 0), func() { d.cancel(&timeoutError{d.total}) })
}

// stop ends the context for good.
func (d *deadline) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	d.cancel(context.Canceled)
}
