package engine

import (
	"context"
	"encoding/binary"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/cache"
)

const ledgerBucket = "ledger"

// mostNoted bounds what waits while nothing can be written.
const mostNoted = 10_000

// ledger counts credits by owner and day, and notes what was asked for. What is added
// is written behind the answer, all of a moment together. Safe for concurrent use.
type ledger struct {
	db  cache.DB
	log *slog.Logger
	now func() time.Time

	used atomic.Int64 // by all owners, since it was opened

	turn    sync.Mutex // one write at a time, so that who has written misses nothing of another's
	mu      sync.Mutex
	pending map[string]uint64
	noted   []Activity
	wake    chan struct{} // holds one: there is something to write
	done    chan struct{} // closed by close
	writer  sync.WaitGroup
}

func openLedger(db cache.DB, o Options) *ledger {
	l := &ledger{db: db, log: o.Logger, now: o.Now, pending: map[string]uint64{}, wake: make(chan struct{}, 1), done: make(chan struct{})}
	l.writer.Go(l.run)
	return l
}

// ledgerKey is an owner's day, in UTC.
func ledgerKey(owner string, day time.Time) string {
	return owner + "\x00" + day.UTC().Format(time.DateOnly)
}

func (l *ledger) add(owner string, at time.Time, credits int) {
	if credits == 0 {
		return
	}
	l.used.Add(int64(credits))
	l.mu.Lock()
	l.pending[ledgerKey(owner, at)] += uint64(credits)
	l.mu.Unlock()
	l.due()
}

// note keeps a request for Engine.Activity.
func (l *ledger) note(a Activity) {
	l.mu.Lock()
	l.noted = append(l.noted, a)
	l.mu.Unlock()
	l.due()
}

func (l *ledger) due() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *ledger) run() {
	for {
		select {
		case <-l.wake:
			l.write()
		case <-l.done:
			l.write()
			return
		}
	}
}

// write moves what is pending into the store; what can't be written stays pending.
func (l *ledger) write() {
	l.turn.Lock()
	defer l.turn.Unlock()
	l.mu.Lock()
	batch, noted := l.pending, l.noted
	l.pending, l.noted = map[string]uint64{}, nil
	l.mu.Unlock()
	if len(batch)+len(noted) == 0 {
		return
	}
	err := l.db.Update(func(tx cache.Tx) error {
		if err := putActivity(tx, noted, l.now()); err != nil {
			return err
		}
		for key, n := range batch {
			sum := readCount(tx.Get(ledgerBucket, []byte(key))) + n
			if err := tx.Put(ledgerBucket, []byte(key), binary.BigEndian.AppendUint64(nil, sum)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		return
	}
	l.log.Warn("credits can't be written", "error", err)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.noted) < mostNoted {
		l.noted = append(noted, l.noted...)
	}
	for key, n := range batch {
		l.pending[key] += n
	}
}

func readCount(value []byte) uint64 {
	if len(value) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// usage reads what an owner has used, oldest day first, what isn't written yet included.
func (l *ledger) usage(owner string) (Usage, error) {
	l.write()
	var u Usage
	prefix := ledgerKey(owner, time.Time{})[:len(owner)+1]
	err := l.db.View(func(tx cache.Tx) error {
		u = Usage{}
		for key, value := range tx.Scan(ledgerBucket, []byte(prefix)) {
			day, ok := strings.CutPrefix(string(key), prefix)
			if !ok {
				break
			}
			n := int64(readCount(value))
			u.Days = append(u.Days, DayUsage{Day: day, Credits: n})
			u.Credits += n
		}
		return nil
	})
	return u, err
}

func (l *ledger) close() {
	close(l.done)
	l.writer.Wait()
}

// Usage is what an owner has used.
type Usage struct {
	// Credits in all.
	Credits int64
	// Days on which credits were used, oldest first.
	Days []DayUsage
}

// DayUsage is what was used on one day.
type DayUsage struct {
	// Day in UTC, as 2006-01-02.
	Day     string
	Credits int64
}

// Usage tells the credits that an owner has used: "" for scrapes without one. Every
// scrape counts, also those under lockdown and zero data retention, of which nothing
// else is kept.
func (e *Engine) Usage(ctx context.Context, owner string) (Usage, error) {
	_, done, err := e.begin(ctx)
	if err != nil {
		return Usage{}, failure(context.Background(), "usage", "", err)
	}
	defer done()
	u, err := e.stores.ledger.usage(owner)
	if err != nil {
		return Usage{}, failure(ctx, "usage", "", err)
	}
	return u, nil
}
