// Package queue bounds how many scrapes run at once. Those that exceed the bound wait in the order in which they came.
package queue

import (
	"bufio"
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Queue has a number of slots. Safe for concurrent use.
type Queue struct {
	slots   *semaphore.Weighted
	now     func() time.Time
	waiting atomic.Int64
	active  atomic.Int64
}

// New makes a queue with so many slots. now is the clock that waiting is measured with.
func New(slots int, now func() time.Time) *Queue {
	return &Queue{slots: semaphore.NewWeighted(int64(slots)), now: now}
}

// Enter waits for a slot and returns how long that took; zero when one was free. Each successful Enter needs one Leave.
func (q *Queue) Enter(ctx context.Context) (waited time.Duration, err error) {
	if q.slots.TryAcquire(1) {
		q.active.Add(1)
		return 0, nil
	}
	q.waiting.Add(1)
	defer q.waiting.Add(-1)
	start := q.now()
	if err = q.slots.Acquire(ctx, 1); err == nil {
		q.active.Add(1)
	}
	return max(q.now().Sub(start), 1), err
}

// Waiting is how many wait for a slot.
func (q *Queue) Waiting() int64 { return q.waiting.Load() }

// Active is how many hold a slot.
func (q *Queue) Active() int64 { return q.active.Load() }

// Leave frees a slot.
func (q *Queue) Leave() {
	q.active.Add(-1)
	q.slots.Release(1)
}

// slotMemory is what a rendered page may take beside its browser.
const slotMemory = 150 << 20

// DefaultSlots is twice the number of processors, fewer where free memory does not suffice for as many rendered pages, and
// at least one.
func DefaultSlots() int {
	slots := 2 * runtime.GOMAXPROCS(0)
	if free, ok := freeMemory(); ok {
		slots = min(slots, int(free/slotMemory))
	}
	return max(slots, 1)
}

// freeMemory reads how much memory Linux has available without swapping; other systems do not say.
func freeMemory() (bytes int64, ok bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		value, found := strings.CutPrefix(lines.Text(), "MemAvailable:")
		if !found {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
		return kib << 10, err == nil
	}
	return 0, false
}
