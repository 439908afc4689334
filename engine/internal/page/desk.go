package page

import (
	"context"
	"sync"
	"time"
)

// Desk bounds how many pages are parsed and rendered at once: a tree takes many times the memory of its page, and more of them than there
// are processors make nothing faster. Safe for concurrent use.
type Desk struct {
	places chan struct{}
	held   time.Duration
}

// heldFor is how long a page keeps its place at most. A slow page must not keep the others away: they share the processors from then on.
const heldFor = 500 * time.Millisecond

// NewDesk makes a desk with so many places.
func NewDesk(places int) *Desk { return &Desk{make(chan struct{}, places), heldFor} }

// Place returns a place that is not taken yet; nil for a nil desk, which has room for all.
func (d *Desk) Place() *Place {
	if d == nil {
		return nil
	}
	return &Place{desk: d}
}

// Place is that of one scrape, for all of its pages. Its methods can be called on nil. It is used by one goroutine.
type Place struct {
	desk  *Desk
	leave func()
}

// Take waits for the place, unless it is taken.
func (p *Place) Take(ctx context.Context) error {
	if p == nil || p.leave != nil {
		return nil
	}
	select {
	case p.desk.places <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	leave := sync.OnceFunc(func() { <-p.desk.places })
	timer := time.AfterFunc(p.desk.held, leave)
	p.leave = func() {
		timer.Stop()
		leave()
	}
	return nil
}

// Leave gives the place up while the page waits for something else, and for good. It can be called more than once.
func (p *Place) Leave() {
	if p != nil && p.leave != nil {
		p.leave()
		p.leave = nil
	}
}
