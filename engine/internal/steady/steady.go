// Package steady judges by a clock that may be set wrong: what goes by its age goes only once a jump ahead has lasted. It sets no clock,
// and dates nothing. Start with [System].
package steady

import (
	"log/slog"
	"sync"
	"time"
)

const (
	// Lasting is how long a jump ahead has to last until it counts.
	Lasting = time.Hour
	// smallest jump ahead that doesn't count at once.
	smallest = time.Minute
)

// Clock is a clock for the ages of what is kept. It follows a wall clock, but where that jumps ahead by more than a minute it goes on as
// if it had not, for [Lasting]: a clock that is set wrong and put right within that time costs nothing. A jump back counts at once. A
// machine that has slept is like one whose clock has jumped. Safe for concurrent use.
type Clock struct {
	wall    func() time.Time
	elapsed func() time.Duration
	log     *slog.Logger

	mu    sync.Mutex
	held  bool          // until Resume: it shows the zero time, by which nothing expires
	last  time.Time     // that counted, of the wall clock
	at    time.Duration // elapsed then
	ahead bool          // the wall clock has jumped
	since time.Duration // elapsed when that was seen
}

// System makes a clock from that of the system. It shows the zero time, by which nothing expires, until Resume is called.
func System(log *slog.Logger) *Clock {
	begun := time.Now()
	c := New(time.Now, func() time.Duration { return time.Since(begun) }, log)
	c.held = true
	return c
}

// New makes a clock from a wall clock and the time that has elapsed since any moment, which doesn't jump. The log gets a line for each
// jump ahead.
func New(wall func() time.Time, elapsed func() time.Duration, log *slog.Logger) *Clock {
	return &Clock{wall: wall, elapsed: elapsed, log: log, last: wall().Round(0), at: elapsed()}
}

// Resume is given a time that counted in an earlier process. From there to now is a jump, though nothing to log; the zero time,
// and one that is still to come, say nothing.
func (c *Clock) Resume(last time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = false
	if last.IsZero() || c.last.Sub(last) <= smallest {
		return
	}
	c.last = last.Round(0)
	c.ahead, c.since = true, c.at
}

// Now is the time that counts.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held {
		return time.Time{}
	}
	wall, at := c.wall().Round(0), c.elapsed() // without the monotonic reading, which jumps don't show in
	expected := c.last.Add(at - c.at)
	jump := wall.Sub(expected)
	switch {
	case jump <= smallest:
		c.ahead = false
	case !c.ahead:
		c.ahead, c.since = true, at
		c.log.Warn("the clock has jumped ahead, or the machine has slept: what would expire by that is kept for an hour", "by", jump.Round(time.Second))
		return expected
	case at-c.since < Lasting:
		return expected
	default:
		c.ahead = false
	}
	c.last, c.at = wall, at
	return wall
}
