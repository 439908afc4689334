package engine

import (
	"context"
	"encoding/binary"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/llm"
)

// Buckets: owner, day → count.
const (
	ledgerBucket = "ledger" // of credits
	tokenBucket  = "ledger/tokens"
)

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
	pending map[ledgerRow]uint64
	booking map[string]int64 // by owner, what jobs are just writing to their own accounts
	noted   []Activity
	wake    chan struct{} // holds one: there is something to write
	done    chan struct{} // closed by close
	writer  sync.WaitGroup
}

func openLedger(db cache.DB, o Options) *ledger {
	l := &ledger{db: db, log: o.Logger, now: o.Now, pending: map[ledgerRow]uint64{}, booking: map[string]int64{}, wake: make(chan struct{}, 1), done: make(chan struct{})}
	l.writer.Go(l.run)
	return l
}

// ledgerKey is an owner's day, in UTC.
func ledgerKey(owner string, day time.Time) string {
	return owner + "\x00" + day.UTC().Format(time.DateOnly)
}

// ledgerRow is one count of the ledger.
type ledgerRow struct{ bucket, key string }

func (l *ledger) add(owner string, at time.Time, credits int) {
	l.used.Add(int64(credits))
	l.count(ledgerRow{ledgerBucket, ledgerKey(owner, at)}, credits)
}

// book counts credits that write brings into a job's account: a reader who sees them there sees them in usage too, and once.
func (l *ledger) book(owner string, at time.Time, credits int, write func() error) error {
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
		l.pending[ledgerRow{ledgerBucket, ledgerKey(owner, at)}] += uint64(credits)
		l.due()
	}
	return err
}

// unwritten are an owner's credits that are in no file yet.
func (l *ledger) unwritten(owner string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := l.booking[owner]
	for row, n := range l.pending {
		if of, _, _ := strings.Cut(row.key, "\x00"); row.bucket == ledgerBucket && of == owner {
			sum += int64(n)
		}
	}
	return sum
}

// tokens counts what models read and wrote.
func (l *ledger) tokens(owner string, at time.Time, u llm.Usage) {
	l.count(ledgerRow{tokenBucket, ledgerKey(owner, at)}, u.Tokens())
}

func (l *ledger) count(e ledgerRow, n int) {
	if n <= 0 {
		return
	}
	l.mu.Lock()
	l.pending[e] += uint64(n)
	l.mu.Unlock()
	l.due()
}

// note keeps a request for Engine.Activity.
func (l *ledger) note(a Activity) {
	a.Target = publicTarget(a.Target)
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
	l.flush()
}

// flush is write for who has the turn.
func (l *ledger) flush() {
	l.mu.Lock()
	batch, noted := l.pending, l.noted
	l.pending, l.noted = map[ledgerRow]uint64{}, nil
	l.mu.Unlock()
	if len(batch)+len(noted) == 0 {
		return
	}
	err := l.db.Update(func(tx cache.Tx) error {
		if err := putActivity(tx, noted, l.now()); err != nil {
			return err
		}
		for e, n := range batch {
			sum := readCount(tx.Get(e.bucket, []byte(e.key))) + n
			if err := tx.Put(e.bucket, []byte(e.key), binary.BigEndian.AppendUint64(nil, sum)); err != nil {
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
	for e, n := range batch {
		l.pending[e] += n
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
	l.turn.Lock()
	defer l.turn.Unlock()
	l.flush()
	var u Usage
	days := map[string]*DayUsage{}
	err := l.db.View(func(tx cache.Tx) error {
		clear(days)
		u.Credits = countDays(tx, ledgerBucket, owner, days, func(d *DayUsage) *int64 { return &d.Credits })
		u.Tokens = countDays(tx, tokenBucket, owner, days, func(d *DayUsage) *int64 { return &d.Tokens })
		return nil
	})
	for _, day := range slices.Sorted(maps.Keys(days)) {
		u.Days = append(u.Days, *days[day])
	}
	u.Credits += l.unwritten(owner)
	return u, err
}

// countDays adds an owner's counts of a bucket to the days, and gives their sum.
func countDays(tx cache.Tx, bucket, owner string, days map[string]*DayUsage, of func(*DayUsage) *int64) (sum int64) {
	prefix := ledgerKey(owner, time.Time{})[:len(owner)+1]
	for key, value := range tx.Scan(bucket, []byte(prefix)) {
		day, ok := strings.CutPrefix(string(key), prefix)
		if !ok {
			break
		}
		if days[day] == nil {
			days[day] = &DayUsage{Day: day}
		}
		n := int64(readCount(value))
		*of(days[day]) += n
		sum += n
	}
	return sum
}

func (l *ledger) close() {
	close(l.done)
	l.writer.Wait()
}

// Usage is what an owner has used.
type Usage struct {
	// Credits in all.
	Credits int64
	// Tokens of language models in all, read and written.
	Tokens int64
	// Days on which something was used, oldest first.
	Days []DayUsage
}

// DayUsage is what was used on one day.
type DayUsage struct {
	// Day in UTC, as 2006-01-02.
	Day     string
	Credits int64
	Tokens  int64
}

// Usage tells the credits and tokens that an owner has used: "" for scrapes without one. Every
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
