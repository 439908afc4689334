package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/node"
	"github.com/winnow-go/winnow/engine/internal/spread"
)

// outcome of a page, as a member settles it.
type outcome struct {
	spread.Outcome
	moved crawl.Found
}

// worker fetches pages, one after the other.
func (m *Member) worker() {
	for m.ctx.Err() == nil {
		w, wait, err := m.node.Lease(m.ctx)
		switch {
		case err != nil:
			if !gone(err) {
				m.say("lease a page", err)
			}
			_ = pause(m.ctx, retryWork)
		case w != nil && w.Spec.Whole:
			m.work.Go(func() { m.handle(w) }) // which may take long, and leaves pages their workers
		case w != nil:
			m.handle(w)
		default:
			m.await(wait)
		}
	}
}

// await waits until there may be a page.
func (m *Member) await(wait node.Wait) {
	d := maxIdle
	if !wait.Until.IsZero() {
		d = min(d, max(time.Until(wait.Until), time.Millisecond))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-m.ctx.Done():
	case <-timer.C:
	case <-wait.Changed:
	}
}

// handle fetches a page, and writes what it came to, as often as it needs.
func (m *Member) handle(w *node.Work) {
	defer m.done(w)
	out := m.visit(w)
	for m.ctx.Err() == nil {
		ended, err := m.settle(w, out)
		if ended && out.Ended != nil {
			out.Ended()
		}
		if err == nil || isOver(err) {
			return // else another has the page, or it is of no use any more
		}
		m.say("complete a page", err)
		_ = pause(m.ctx, retryWork)
	}
}

func isOver(err error) bool {
	return gone(err) || errors.Is(err, node.ErrOver) || errors.Is(err, crawl.ErrLeaseLost)
}

// done gives back the page's slot, of a job that bounds them.
func (m *Member) done(w *node.Work) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.ctx), m.o.Wait)
	defer cancel()
	m.say("give back a slot", m.node.Done(ctx, w))
}

// settle writes what a page came to, and reports whether it has ended by that.
func (m *Member) settle(w *node.Work, out outcome) (ended bool, err error) {
	if out.Back {
		return false, m.node.Release(m.ctx, w)
	}
	if !out.RetryAt.IsZero() {
		if err := m.node.Fail(m.ctx, w, out.RetryAt, out.Cause); !errors.Is(err, crawl.ErrAttempts) {
			return false, err
		}
		out.Page.Failed, out.Page.Code = true, out.Cause
	}
	if out.moved.URL != "" && !out.Page.Silent && !out.Page.Failed {
		own, err := m.node.Claim(m.ctx, w, out.moved.URL, cmp.Or(out.moved.Key, out.moved.URL))
		if err != nil {
			return false, err
		}
		if !own {
			out.Page, out.Entries = crawl.Page{Silent: true, Denied: out.Page.Denied}, nil
		}
	}
	err = m.node.Complete(m.ctx, w, out.Page, out.Entries...)
	return err == nil, err
}

// visit calls the caller's function.
func (m *Member) visit(w *node.Work) (out outcome) {
	if m.engine == nil && w.Item.Attempt > node.Attempts {
		return failed("attempts", nil)
	}
	defer func() {
		if p := recover(); p != nil {
			m.o.Logger.Error("cluster: panic over a page", "job", w.Job, "panic", p, "stack", string(debug.Stack()))
			out = failed("panic", fmt.Append(nil, p))
		}
	}()
	if m.engine != nil {
		return outcome{Outcome: m.engine.Visit(m.ctx, m.part(w.Place()), w.Item)}
	}
	o := m.o.Visit(m.ctx, jobOf(w.Job, w.Spec), w.Item)
	return outcome{spread.Outcome{Page: o.Page, Entries: o.Events, RetryAt: o.RetryAt, Cause: o.Cause}, o.Moved}
}

func failed(code string, result []byte) outcome {
	return outcome{Outcome: spread.Outcome{Page: crawl.Page{Failed: true, Code: code, Result: result}}}
}
