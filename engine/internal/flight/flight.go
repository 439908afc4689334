// Package flight lets several callers that want the same thing at the same time
// share one execution. It keeps no results: what is done is forgotten as soon as
// those who waited for it have it. It is not a cache and not a limit, and it starts
// no goroutine: the work is always done by one of the callers.
//
//   - flight.go — [Group] and [Group.Do], all there is
package flight

import (
	"context"
	"sync"
)

// Group holds the executions under way, by key. The zero value is ready. Safe for
// concurrent use; not to be copied after the first use.
type Group[V any] struct {
	mu    sync.Mutex
	calls map[string]*call[V] // made at the first use
}

// call is one execution. All but done is written before done is closed and only
// read afterwards.
type call[V any] struct {
	done  chan struct{}
	value V
	err   error
	void  bool // the result is of use only to the caller that did the work
}

// Do gives the result of work for key. Of the callers at the same time one does the
// work, in its own goroutine and with its own ctx; the others wait for it, each as
// long as its own ctx, and get the same value or failure, with shared true. A caller
// that changes a shared value changes it for all.
//
// No caller fails because another ended: where work fails and the ctx of the worker has
// ended, or where work panics, the failure or panic is that caller's alone, and one of
// those waiting repeats the work.
//
// A caller whose ctx ends while it waits, or has ended before, gets [context.Cause]
// of it. The wait has no other bound, and there is none on the number of callers. A
// work that asks for its own key waits for itself until its ctx ends.
func (g *Group[V]) Do(ctx context.Context, key string, work func(context.Context) (V, error)) (v V, shared bool, err error) {
	for ctx.Err() == nil {
		c, mine := g.join(key)
		if mine {
			v, err = g.lead(ctx, key, c, work)
			return v, false, err
		}
		select {
		case <-ctx.Done():
		case <-c.done:
			if !c.void {
				return c.value, true, c.err
			}
		}
	}
	return v, false, context.Cause(ctx)
}

// join gives the execution under way for key, or a new one, which is then the
// caller's to lead.
func (g *Group[V]) join(key string) (c *call[V], mine bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c, ok := g.calls[key]; ok {
		return c, false
	}
	if g.calls == nil {
		g.calls = map[string]*call[V]{}
	}
	c = &call[V]{done: make(chan struct{})}
	g.calls[key] = c
	return c, true
}

// lead does the work and ends c, also where work panics or ends its goroutine.
func (g *Group[V]) lead(ctx context.Context, key string, c *call[V], work func(context.Context) (V, error)) (V, error) {
	c.void = true // until work has come back
	defer g.end(key, c)
	v, err := work(ctx)
	c.value, c.err, c.void = v, err, err != nil && ctx.Err() != nil
	return v, err
}

// end first forgets c, so that those it wakes find a free key or a new leader.
func (g *Group[V]) end(key string, c *call[V]) {
	g.mu.Lock()
	delete(g.calls, key)
	g.mu.Unlock()
	close(c.done)
}
