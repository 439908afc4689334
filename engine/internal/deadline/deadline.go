// Package deadline has a timeout that can be paused: installing a browser does not count as time of a scrape.
package deadline

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// TimeoutError is the cause of a context that ended because its timeout ran out.
type TimeoutError struct{ After time.Duration }

func (e *TimeoutError) Error() string { return fmt.Sprintf("timeout of %s ran out", e.After) }

// Unwrap makes it a context.DeadlineExceeded too.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// Clock ends a context when its time has run out, and can be paused. Safe for concurrent use.
type Clock struct {
	cancel context.CancelCauseFunc
	total  time.Duration
	outer  *Clock // is paused with this one; nil for none

	mu    sync.Mutex
	left  time.Duration
	since time.Time   // when the clock was started last
	timer *time.Timer // nil while it stands still
}

// With starts the clock. Stop must be called to free it.
func With(parent context.Context, total time.Duration) (context.Context, *Clock) {
	ctx, cancel := context.WithCancelCause(parent)
	d := &Clock{cancel: cancel, total: total, left: total}
	d.Resume()
	return timed{ctx, d}, d
}

// Within pauses outer together with the clock; nil is none. It is called before the clock is shared.
func (d *Clock) Within(outer *Clock) { d.outer = outer }

// timed is a context that says when its clock will run out, for those who plan
// with that. While the clock stands still it is as if it had just been started.
type timed struct {
	context.Context
	clock *Clock
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

func (d *Clock) end() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil {
		return time.Now().Add(d.left)
	}
	return d.since.Add(d.left)
}

// Remaining is the time until the clock runs out.
func (d *Clock) Remaining() time.Duration { return max(0, time.Until(d.end())) }

// maxReserve is the most that Reserve keeps back: a busy machine needs more than a second for it.
const maxReserve = 2 * time.Second

// Reserve gives a context that ends when five sixths of the clock's time are over, or all but two seconds: the rest is for
// making a document of what is there. Its cause is the clock's own.
func (d *Clock) Reserve(ctx context.Context) (context.Context, context.CancelFunc) {
	kept := min(d.total/6, maxReserve)
	return context.WithTimeoutCause(ctx, max(0, d.Remaining()-kept), &TimeoutError{d.total})
}

// Pause stops the clock until resume.
func (d *Clock) Pause() {
	if d.outer != nil {
		d.outer.Pause()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil || !d.timer.Stop() {
		return
	}
	d.timer = nil
	d.left -= time.Since(d.since)
}

// Resume lets the clock go on.
func (d *Clock) Resume() {
	if d.outer != nil {
		d.outer.Resume()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		return
	}
	d.since = time.Now()
	d.timer = time.AfterFunc(max(d.left, 0), func() { d.cancel(&TimeoutError{d.total}) })
}

// Stop ends the context for good.
func (d *Clock) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	d.cancel(context.Canceled)
}
