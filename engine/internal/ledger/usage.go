package ledger

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// Usage is what an owner has used, in all and by day, oldest first.
type Usage struct {
	Credits, Tokens int64
	Days            []Day
}

// Day is what was used on one day.
type Day struct {
	Day     string // in UTC, as 2006-01-02
	Credits int64
	Tokens  int64
}

// Usage reads what an owner has used, what isn't written yet included.
func (l *Ledger) Usage(owner string) (Usage, error) {
	l.turn.Lock()
	defer l.turn.Unlock()
	if err := l.write(); err != nil && !errors.Is(err, cache.ErrUnwritable) { // which keeps it from no one: what waits is counted below
		return Usage{}, err
	}
	var u Usage
	days := map[string]*Day{}
	err := l.o.DB.View(func(tx cache.Tx) error {
		clear(days)
		u.Credits = countDays(tx, creditBucket, owner, days, func(d *Day) *int64 { return &d.Credits })
		u.Tokens = countDays(tx, tokenBucket, owner, days, func(d *Day) *int64 { return &d.Tokens })
		return nil
	})
	for _, day := range slices.Sorted(maps.Keys(days)) {
		u.Days = append(u.Days, *days[day])
	}
	u.Credits += l.unwritten(owner)
	return u, err
}

// unwritten are an owner's credits that are in no file yet.
func (l *Ledger) unwritten(owner string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := l.booking[owner]
	for r, n := range l.pending {
		if of, _, _ := strings.Cut(r.key, "\x00"); r.bucket == creditBucket && of == owner {
			sum += int64(n)
		}
	}
	return sum
}

// countDays adds an owner's counts of a bucket to the days, and returns their sum.
func countDays(tx cache.Tx, bucket, owner string, days map[string]*Day, count func(*Day) *int64) (sum int64) {
	prefix := dayKey(owner, time.Time{})[:len(owner)+1]
	for key, value := range tx.Scan(bucket, []byte(prefix)) {
		day, ok := strings.CutPrefix(string(key), prefix)
		if !ok {
			break
		}
		if days[day] == nil {
			days[day] = &Day{Day: day}
		}
		n := int64(readCount(value))
		*count(days[day]) += n
		sum += n
	}
	return sum
}
