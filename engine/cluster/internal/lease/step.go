package lease

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	memberPrefix = "member."
	shardPrefix  = "shard."
)

func memberKey(name string) string { return memberPrefix + name }

func shardKey(shard int) string { return shardPrefix + strconv.Itoa(shard) }

// Shares is what a Step came to.
type Shares struct {
	// Held are the member's shards, in order.
	Held []int
	// Excess are those of Held that are to be released: others have fewer, or they were declined.
	Excess []int
	// Members alive, this one included.
	Members int
}

// Step beats, deletes the keys of dead members, and takes free shards up to the member's share. [ErrEvicted], [ErrSlow]: nothing is held
// any more, and the next Step joins again under another name, or a later one where this happened before; the Steps until then come to
// nothing, without an error. After other errors what was held stays held as long as it is valid.
func (k *Keeper) Step(ctx context.Context) (Shares, error) {
	k.stepping.Lock()
	defer k.stepping.Unlock()
	if k.rests() {
		return Shares{}, nil
	}
	if err := k.arrive(ctx); err != nil {
		return Shares{}, err
	}
	if err := k.beat(ctx); err != nil {
		return Shares{}, err
	}
	entries, err := k.list(ctx)
	if err != nil {
		return Shares{}, err
	}
	alive, err := k.alive(ctx, entries)
	if err != nil {
		return Shares{}, err
	}
	free := k.count(entries, alive)
	name := k.Name()
	target := share(alive, name, k.o.Shards)
	k.acquire(ctx, free, target)
	return k.shares(target, len(alive)), nil
}

// beat writes the member's key: the time, and for how many shards it has room, if not for all. After a conflict it looks whether an
// earlier beat was written whose acknowledgement was lost.
func (k *Keeper) beat(ctx context.Context) error {
	for range 2 {
		k.mu.Lock()
		name, revision := k.name, k.revision
		k.mu.Unlock()
		began := k.o.Now()
		value := began.UTC().Format("2006-01-02T15:04:05.000Z")
		if n := k.room(); n < k.o.Shards {
			value += fmt.Sprint(" ", n)
		}
		next, err := k.o.Store.Put(ctx, memberKey(name), value, revision)
		if err == nil {
			k.mu.Lock()
			k.revision, k.fresh, k.answered = next, began, began
			k.mu.Unlock()
			return nil
		}
		if !errors.Is(err, ErrConflict) {
			return fmt.Errorf("lease: beat: %w", err)
		}
		if err := k.findOwn(ctx, name); err != nil {
			return err
		}
	}
	return fmt.Errorf("lease: beat: %w", ErrConflict)
}

// findOwn reads the revision of the member's key, which it alone writes. Where it is gone, the others took the member for dead.
func (k *Keeper) findOwn(ctx context.Context, name string) error {
	entries, err := k.list(ctx)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range entries {
		if e.Key != memberKey(name) {
			continue
		}
		if k.o.Now().Sub(k.answered) >= patience*k.o.TTL {
			k.begin()
			return ErrSlow
		}
		k.revision = e.Revision
		return nil
	}
	k.begin()
	return ErrEvicted
}

// alive returns the members that are not dead, this one among them, and for how many shards each one has room. The key
// of a dead one is deleted before its shards are free: it must find out when it wakes.
func (k *Keeper) alive(ctx context.Context, entries []Entry) (map[string]int, error) {
	now, own, seen, alive := k.o.Now(), k.Name(), map[string]sight{}, map[string]int{}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Key, memberPrefix)
		if !ok {
			continue
		}
		s := k.seen[name]
		if s.revision != e.Revision {
			s = sight{e.Revision, now}
		}
		if name != own && now.Sub(s.since) >= k.o.TTL {
			err := k.o.Store.Delete(ctx, e.Key, e.Revision)
			if err == nil {
				continue
			}
			if !errors.Is(err, ErrConflict) {
				return nil, err
			}
		}
		seen[name], alive[name] = s, k.roomOf(e.Value)
	}
	k.seen = seen
	if _, ok := alive[own]; !ok { // deleted since the beat
		return nil, k.findOwn(ctx, own)
	}
	return alive, nil
}

// roomOf reads for how many shards a member has room.
func (k *Keeper) roomOf(beat string) int {
	_, digits, _ := strings.Cut(beat, " ")
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return k.o.Shards
}

// count takes over which shards the member holds, and returns the revisions of those that are free.
func (k *Keeper) count(entries []Entry, alive map[string]int) (free map[int]uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	free = map[int]uint64{}
	for s := range k.o.Shards {
		free[s] = 0
	}
	clear(k.held)
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Key, shardPrefix)
		s, err := strconv.Atoi(digits)
		if !ok || err != nil || s < 0 || s >= k.o.Shards {
			continue
		}
		delete(free, s)
		if e.Value == k.name {
			k.held[s] = e.Revision
		} else if _, ok := alive[e.Value]; !ok {
			free[s] = e.Revision
		}
	}
	return free
}

// acquire takes free shards up to the target. What fails is another's, or is seen at the next Step.
func (k *Keeper) acquire(ctx context.Context, free map[int]uint64, target int) {
	name := k.Name()
	for _, s := range order(free, name) {
		k.mu.Lock()
		enough, declined := len(k.held) >= target, !k.declined[s].IsZero()
		k.mu.Unlock()
		if enough || ctx.Err() != nil {
			return
		}
		if declined {
			continue
		}
		revision, err := k.o.Store.Put(ctx, shardKey(s), name, free[s])
		if err != nil {
			continue
		}
		k.mu.Lock()
		if k.name == name {
			k.held[s] = revision
		}
		k.mu.Unlock()
	}
}

func (k *Keeper) shares(target, members int) Shares {
	k.mu.Lock()
	defer k.mu.Unlock()
	held := slices.Sorted(maps.Keys(k.held))
	kept := slices.DeleteFunc(slices.Clone(held), func(s int) bool { return !k.declined[s].IsZero() })
	kept = kept[:min(target, len(kept))]
	excess := slices.DeleteFunc(slices.Clone(held), func(s int) bool { return slices.Contains(kept, s) })
	return Shares{Held: held, Excess: excess, Members: members}
}
