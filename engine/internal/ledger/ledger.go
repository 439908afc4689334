// Package ledger counts what owners use, credits and tokens of models by day, and lists the requests of the last day.
//
//	ledger.go   Ledger: counting, and writing behind the answer
//	usage.go    what an owner has used
//	jobs.go     Jobs: the ledger of those who work on jobs
//	activity.go Activity: the requests, and reading them page by page
package ledger

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// Buckets: owner, day → count.
const (
	creditBucket = "ledger"
	tokenBucket  = "ledger/tokens"
)

// maxNoted bounds the requests that wait while nothing can be written; later ones are left out, which is logged.
const maxNoted = 10_000

// Options of a ledger. All but Disk must be set.
type Options struct {
	DB      cache.DB    // is not closed
	Disk    *cache.Disk // of DB; nil: it has no outages
	KeepFor time.Duration
	Log     *slog.Logger
	Ages    func() time.Time // the clock by which requests expire
}

// Ledger counts by owner and day, and notes what was asked for. What is added is written behind the answer, all of a
// moment together. Safe for concurrent use.
type Ledger struct {
	o    Options
	used atomic.Int64 // credits of all owners, since it was opened

	turn    sync.Mutex // one write at a time, so that a reader who has written misses nothing of another's
	mu      sync.Mutex
	pending map[row]uint64
	booking map[string]int64 // by owner, what jobs are just writing to their own accounts
	noted   []Activity
	missed  int           // requests that were too many to wait
	wake    chan struct{} // holds one: there is something to write
	ctx     context.Context
	cancel  context.CancelFunc // by Close
	writer  sync.WaitGroup
}

// row is one count of the ledger.
type row struct{ bucket, key string }

// Open starts the ledger; Close ends it.
func Open(o Options) *Ledger {
	l := &Ledger{
		o: o, pending: map[row]uint64{}, booking: map[string]int64{}, wake: make(chan struct{}, 1),
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.writer.Go(l.run)
	return l
}

// dayKey is an owner's day, in UTC.
func dayKey(owner string, day time.Time) string {
	return owner + "\x00" + day.UTC().Format(time.DateOnly)
}

// Add counts credits.
func (l *Ledger) Add(owner string, at time.Time, credits int) {
	l.used.Add(int64(credits))
	l.count(row{creditBucket, dayKey(owner, at)}, credits)
}

// Tokens counts what models read and wrote.
func (l *Ledger) Tokens(owner string, at time.Time, tokens int) {
	l.count(row{tokenBucket, dayKey(owner, at)}, tokens)
}

// Used is how many credits all owners have used since the ledger was opened.
func (l *Ledger) Used() int64 { return l.used.Load() }

// Book counts credits that write adds to a job's account: a reader who sees them there sees them in Usage too, and once.
func (l *Ledger) Book(owner string, at time.Time, credits int, write func() error) error {
	l.mu.Lock()
	l.booking[owner] += int64(credits)
	l.mu.Unlock()
	err := write()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.booking[owner] -= int64(credits); l.booking[owner] == 0 {
		delete(l.booking, owner)
	}
	if err == nil && credits > 0 {
		l.used.Add(int64(credits))
		l.pending[row{creditBucket, dayKey(owner, at)}] += uint64(credits)
		l.due()
	}
	return err
}

func (l *Ledger) count(r row, n int) {
	if n <= 0 {
		return
	}
	l.mu.Lock()
	l.pending[r] += uint64(n)
	l.mu.Unlock()
	l.due()
}

func (l *Ledger) due() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run writes what is pending, and again while the disk can't be written.
func (l *Ledger) run() {
	for {
		select {
		case <-l.wake:
			if err := l.o.Disk.Write(l.ctx, l.Flush); err != nil && l.ctx.Err() == nil {
				l.o.Log.Warn("credits can't be written", "error", err)
			}
		case <-l.ctx.Done():
			return
		}
	}
}

// Flush writes what is pending; what can't be written stays pending.
func (l *Ledger) Flush() error {
	l.turn.Lock()
	defer l.turn.Unlock()
	return l.write()
}

// write is Flush for the holder of the turn.
func (l *Ledger) write() error {
	l.mu.Lock()
	batch, noted, missed := l.pending, l.noted, l.missed
	l.pending, l.noted, l.missed = map[row]uint64{}, nil, 0
	l.mu.Unlock()
	if len(batch)+len(noted) == 0 {
		return nil
	}
	err := l.o.DB.Update(func(tx cache.Tx) error {
		if err := putActivity(tx, noted, l.o.Ages().Add(-l.o.KeepFor)); err != nil {
			return err
		}
		return putCounts(tx, batch)
	})
	if err != nil {
		l.restore(batch, noted, missed)
		return fmt.Errorf("write credits: %w", err)
	}
	if missed > 0 {
		l.o.Log.Warn("requests are missing from the activity: too many waited to be written", "requests", missed, "bound", maxNoted)
	}
	return nil
}

func putCounts(tx cache.Tx, batch map[row]uint64) error {
	for r, n := range batch {
		sum := readCount(tx.Get(r.bucket, []byte(r.key))) + n
		if err := tx.Put(r.bucket, []byte(r.key), binary.BigEndian.AppendUint64(nil, sum)); err != nil {
			return err
		}
	}
	return nil
}

// restore makes pending again what was not written.
func (l *Ledger) restore(batch map[row]uint64, noted []Activity, missed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noted = append(noted, l.noted...)
	over := max(len(l.noted)-maxNoted, 0)
	l.noted = l.noted[:len(l.noted)-over]
	l.missed += missed + over
	for r, n := range batch {
		l.pending[r] += n
	}
}

func readCount(value []byte) uint64 {
	if len(value) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// Close writes what is pending; the error says what was lost. Nothing may be added afterwards.
func (l *Ledger) Close() error {
	l.cancel()
	l.writer.Wait()
	err := l.Flush()
	l.mu.Lock()
	defer l.mu.Unlock()
	if lost := len(l.noted) + l.missed; err != nil {
		return fmt.Errorf("%d requests and the credits of %d days and owners are lost: %w", lost, len(l.pending), err)
	}
	return nil
}
