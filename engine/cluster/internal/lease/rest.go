package lease

import (
	"context"
	"errors"
	"time"
)

// All in TTLs.
const (
	patience  = 2  // that a member beats without answers
	firstRest = 4  // that a shard is declined, the first time
	maxRest   = 16 // that it is, at most
	maxAway   = 8  // that a member takes no part, at most
	forgiven  = 32 // without a failure, until the next one counts as the first
)

// failures are those of one kind that followed each other.
type failures struct {
	count int
	last  time.Time
}

// next notes one, and returns how many there were before it.
func (f *failures) next(now time.Time, ttl time.Duration) int {
	if now.Sub(f.last) >= forgiven*ttl {
		f.count = 0
	}
	f.count, f.last = f.count+1, now
	return f.count - 1
}

// Decline gives up shards as Release does, and takes them no more for some time, which is longer where that happens again and again: the
// caller can't serve them.
func (k *Keeper) Decline(ctx context.Context, shards ...int) (errs error) {
	now := k.o.Now()
	k.mu.Lock()
	rest := min(maxRest, firstRest<<min(k.refused.next(now, k.o.TTL), maxRest))
	for _, s := range shards {
		k.declined[s] = now.Add(time.Duration(rest) * k.o.TTL)
	}
	k.mu.Unlock()
	for _, s := range shards {
		errs = errors.Join(errs, k.Release(ctx, s))
	}
	return errs
}

// room forgets what was declined long enough ago, and returns for how many shards the member has room: where it declines some, for those
// that it holds, and no others.
func (k *Keeper) room() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	for s, until := range k.declined {
		if !k.o.Now().Before(until) {
			delete(k.declined, s)
		}
	}
	if len(k.declined) == 0 {
		return k.o.Shards
	}
	n := 0
	for s := range k.held {
		if k.declined[s].IsZero() {
			n++
		}
	}
	return n
}

// begin has the member begin again, as another one that holds nothing: at once the first time, later after a rest. k.mu is held.
func (k *Keeper) begin() {
	clear(k.held)
	k.name, k.revision = k.o.NewName(), 0
	k.fresh = k.fresh.Add(-k.o.TTL) // not valid
	now := k.o.Now()
	if before := k.begun.next(now, k.o.TTL); before > 0 {
		k.resting = now.Add(time.Duration(min(maxAway, 1<<min(before-1, maxAway))) * k.o.TTL)
	}
}

// rests reports whether the member takes no part now.
func (k *Keeper) rests() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.o.Now().Before(k.resting)
}

// list reads the keys. A member that has no key yet only does that at first. One that could not for long begins again.
func (k *Keeper) list(ctx context.Context) ([]Entry, error) {
	began := k.o.Now()
	entries, err := k.o.Store.Entries(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil {
		k.listed = began
		return entries, nil
	}
	if k.revision > 0 && k.o.Now().Sub(k.listed) >= patience*k.o.TTL {
		k.begin()
		err = errors.Join(ErrSlow, err)
	}
	return nil, err
}

// arrive looks whether a member that has no key yet can read those of others.
func (k *Keeper) arrive(ctx context.Context) error {
	k.mu.Lock()
	there := k.revision > 0
	k.mu.Unlock()
	if there {
		return nil
	}
	_, err := k.list(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.answered = k.listed
	return err
}
