package quota

import (
	"sync"
	"time"
)

// Rates counts requests by key and endpoint: as many counters as there are of both. It is safe for concurrent use.
type Rates struct {
	mu     sync.Mutex
	counts map[Counter]*count
}

// Counter is what requests are counted by.
type Counter struct {
	Key      [32]byte // the hash of a key; zero: anonymous
	Endpoint string
}

type count struct {
	ends time.Time
	n    int
}

// NewRates returns one that has counted nothing.
func NewRates() *Rates { return &Rates{counts: map[Counter]*count{}} }

// Take counts a request. Where there have been that many in the window already, it returns how long to wait. No requests
// is no limit; no window is a minute.
func (r *Rates) Take(of Counter, requests int, window time.Duration, now time.Time) (wait time.Duration) {
	if requests <= 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.counts[of]
	if c == nil || !now.Before(c.ends) {
		if window <= 0 {
			window = time.Minute
		}
		c = &count{ends: now.Add(window)}
		r.counts[of] = c
	}
	if c.n >= requests {
		return c.ends.Sub(now)
	}
	c.n++
	return 0
}
