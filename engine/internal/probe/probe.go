// Package probe tries something at most once in a while, for all callers at the same time.
package probe

import (
	"sync"
	"time"
)

// Probe keeps the outcome of the last trial. Safe for concurrent use.
type Probe struct {
	every time.Duration
	now   func() time.Time

	mu      sync.Mutex
	last    time.Time // when a trial ended last; zero: never
	err     error
	running chan struct{} // closed when the trial under way has ended; nil: there is none
}

// New makes a probe whose outcomes are good for so long.
func New(every time.Duration, now func() time.Time) *Probe { return &Probe{every: every, now: now} }

// Begin returns what is closed when the trial under way has ended; where the last outcome is too old and none is under way,
// it starts one, in a goroutine. done is called once: when that has ended, or at once where none is started.
func (p *Probe) Begin(try func() error, done func()) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running != nil {
		done()
		return p.running
	}
	ended := make(chan struct{})
	if now := p.now(); !p.last.IsZero() && now.Sub(p.last) < p.every && !now.Before(p.last) {
		done()
		close(ended)
		return ended
	}
	p.running = ended
	go func() {
		defer done()
		p.finish(try())
	}()
	return ended
}

func (p *Probe) finish(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.err = p.now(), err
	close(p.running)
	p.running = nil
}

// Err is the outcome of the last trial.
func (p *Probe) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}
