package node

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Both in TTLs of the lease.
const (
	failingFor = 3  // that a shard can't be opened, or its inbox not be read, until the member declines it
	openingFor = 10 // that opening a shard may take, at first: twice that at each further try
)

// maxTries bounds how often what opening may take is doubled.
const maxTries = 10

// health is which of the shards that a member holds it can't serve.
type health struct {
	now func() time.Time
	ttl time.Duration

	mu      sync.Mutex        // guards what follows
	failing map[int]time.Time // since when
	tries   map[int]int       // that opening a shard took too long
	opening int               // the shard that is being opened
	stop    func()            // which stops that; nil: none is being opened
}

func newHealth(now func() time.Time, ttl time.Duration) *health {
	return &health{now: now, ttl: ttl, failing: map[int]time.Time{}, tries: map[int]int{}}
}

// fails notes that shards can't be served since a time, unless that is noted.
func (h *health) fails(since time.Time, numbers ...int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range numbers {
		if h.failing[s].IsZero() {
			h.failing[s] = since
		}
	}
}

// works notes that a shard can be served.
func (h *health) works(number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.failing, number)
}

// hopeless are those of the shards that could not be served for too long. What failed while the member was silent itself, as where the
// server was away, is none of the shards' faults: they have their time once more.
func (h *health) hopeless(held []int, lapsed bool) (list []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s, since := range h.failing {
		switch long := h.now().Sub(since) >= failingFor*h.ttl; {
		case lapsed || !slices.Contains(held, s):
			delete(h.failing, s)
		case long:
			delete(h.failing, s)
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return list
}

// begin bounds the opening of a shard, until done is called.
func (h *health) begin(ctx context.Context, number int) (opening context.Context, done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ctx, end := context.WithTimeout(ctx, openingFor*h.ttl<<min(h.tries[number], maxTries))
	h.opening, h.stop = number, end
	return ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.stop = nil
		end()
	}
}

// end notes what opening a shard came to, since a time: what took too long is a failure, also of those that wait for their turn.
func (h *health) end(ctx context.Context, err error, since time.Time, number int, waiting []int) {
	switch reason := ctx.Err(); {
	case err == nil:
		h.tried(number, 0)
		h.works(number)
	case reason == nil:
		h.fails(since, number)
	case errors.Is(reason, context.DeadlineExceeded):
		h.tried(number, 1)
		h.fails(since, append(waiting, number)...)
	}
}

// tried counts the tries to open a shard. 0: that it was opened.
func (h *health) tried(number, more int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tries[number] += more; more == 0 {
		delete(h.tries, number)
	}
}

// stopBut stops the opening of a shard that isn't held any more: it would take it from its next owner.
func (h *health) stopBut(held []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stop != nil && !slices.Contains(held, h.opening) {
		h.stop()
	}
}
