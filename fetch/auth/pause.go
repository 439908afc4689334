package auth

import (
	"sync"
	"time"
)

const (
	maxRefusals = 2               // in a row, before credentials are held back: directories lock accounts
	pauseTime   = 5 * time.Minute // how long they are then
)

// pause holds credentials back that have been refused.
type pause struct {
	now      func() time.Time
	mu       sync.Mutex
	refusals int
	last     time.Time
}

// on reports whether credentials are held back. After its time they are tried once.
func (p *pause) on() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refusals < maxRefusals {
		return false
	}
	if since := p.now().Sub(p.last); since >= 0 && since < pauseTime {
		return true
	}
	p.last = p.now()
	return false
}

func (p *pause) refused() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusals, p.last = p.refusals+1, p.now()
}

func (p *pause) accepted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusals = 0
}
