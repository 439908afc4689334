package engine

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

// queue bounds the scrapes at work at once. Who has to wait stands in line, first
// come first served. Safe for concurrent use.
type queue struct {
	places *semaphore.Weighted
	now    func() time.Time
	inLine atomic.Int64
	atWork atomic.Int64
}

func newQueue(places int, now func() time.Time) *queue {
	return &queue{places: semaphore.NewWeighted(int64(places)), now: now}
}

// enter waits for a place and tells how long that took; zero when there was one.
// Each successful enter wants one leave.
func (q *queue) enter(ctx context.Context) (waited time.Duration, err error) {
	if q.places.TryAcquire(1) {
		q.atWork.Add(1)
		return 0, nil
	}
	q.inLine.Add(1)
	defer q.inLine.Add(-1)
	start := q.now()
	if err = q.places.Acquire(ctx, 1); err == nil {
		q.atWork.Add(1)
	}
	return max(q.now().Sub(start), 1), err
}

// waiting is how many stand in line.
func (q *queue) waiting() int64 { return q.inLine.Load() }

func (q *queue) leave() {
	q.atWork.Add(-1)
	q.places.Release(1)
}

// pageMemory is what a rendered page may take beside its browser.
const pageMemory = 150 << 20

// defaultPages is twice the processors, less where free memory doesn't carry
// that many rendered pages, and never less than one.
func defaultPages() int {
	pages := 2 * runtime.GOMAXPROCS(0)
	if free, ok := freeMemory(); ok {
		pages = min(pages, int(free/pageMemory))
	}
	return max(pages, 1)
}

// freeMemory reads what Linux says can be had without swapping; other systems
// don't tell.
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
