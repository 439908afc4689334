package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/node"
)

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
	out := m.visit(w)
	for m.ctx.Err() == nil {
		err := m.settle(w, out)
		if err == nil || gone(err) || errors.Is(err, node.ErrOver) || errors.Is(err, crawl.ErrLeaseLost) {
			return // else another has the page, or it is of no use any more
		}
		m.say("complete a page", err)
		_ = pause(m.ctx, retryWork)
	}
}

func (m *Member) settle(w *node.Work, out Outcome) error {
	if !out.RetryAt.IsZero() {
		if err := m.node.Fail(m.ctx, w, out.RetryAt, out.Cause); !errors.Is(err, crawl.ErrAttempts) {
			return err
		}
		out.Page.Failed, out.Page.Code = true, out.Cause
	}
	if out.Moved.URL != "" && !out.Page.Silent && !out.Page.Failed {
		own, err := m.node.Claim(m.ctx, w, out.Moved.URL, cmp.Or(out.Moved.Key, out.Moved.URL))
		if err != nil {
			return err
		}
		if !own {
			return m.node.Complete(m.ctx, w, crawl.Page{Silent: true, Denied: out.Page.Denied})
		}
	}
	return m.node.Complete(m.ctx, w, out.Page, out.Events...)
}

// visit calls the caller's function.
func (m *Member) visit(w *node.Work) (out Outcome) {
	if w.Item.Attempt > node.Attempts {
		return Outcome{Page: crawl.Page{Failed: true, Code: "attempts"}}
	}
	defer func() {
		if p := recover(); p != nil {
			m.o.Logger.Error("cluster: panic over a page", "job", w.Job, "panic", p, "stack", string(debug.Stack()))
			out = Outcome{Page: crawl.Page{Failed: true, Code: "panic", Result: []byte(fmt.Sprint(p))}}
		}
	}()
	return m.o.Visit(m.ctx, jobOf(w.Job, w.Spec), w.Item)
}
