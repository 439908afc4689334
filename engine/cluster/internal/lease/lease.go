// Package lease shares the shards of a cluster between its members. Each member has a key in a key-value store that it writes at every
// beat, and each shard that is held has one with the name of its holder. A member whose key has not changed for a time, by the clock of
// the one that looks, is dead: its key is deleted, on the condition that it is unchanged, and then its shards are free. One that only
// slept finds its key gone, and begins again under another name with no shard.
//
// A member that is there and can't do its work must not keep others from it. So its first beat comes when it has read the keys, and one
// that beats and can't read them any more, or gets no acknowledgement, begins again under another name. It waits longer each time that
// this happens, or that it was taken for dead. A shard that it can't serve is declined: for some time it takes neither that nor any other,
// and says so in its key, so that others have larger shares.
//
//   - lease.go — [Keeper], [Options], [Store]
//   - step.go — [Keeper.Step]: the beat, who is alive, and which shards are taken or given up
//   - share.go — the balanced share
//   - rest.go — [Keeper.Decline], and how long a member takes part no more after failures
package lease

import (
	"context"
	"errors"
	"sync"
	"time"
)

var (
	// ErrConflict: the key has another revision than the one that was named.
	ErrConflict = errors.New("lease: the key has another revision")
	// ErrEvicted: the others took this member for dead. It holds nothing, and has another name from now on.
	ErrEvicted = errors.New("lease: the other members took this one for dead")
	// ErrSlow: this member beats, and gets answers so seldom that it gives up. It holds nothing, and has another name from now on.
	ErrSlow = errors.New("lease: the store of the leases answers too seldom")
)

// Entry is a key of the store.
type Entry struct {
	Key, Value string
	Revision   uint64 // above 0, and another after each change
}

// Store is the key-value store.
type Store interface {
	// Entries returns all keys that are there.
	Entries(ctx context.Context) ([]Entry, error)
	// Put writes a key that has the revision, 0: that isn't there, and returns its new one. [ErrConflict]: it has another. After any other
	// error it may be written.
	Put(ctx context.Context, key, value string, revision uint64) (uint64, error)
	// Delete deletes a key that has the revision. [ErrConflict]: it has another, or isn't there.
	Delete(ctx context.Context, key string, revision uint64) error
}

// Options of a Keeper, all required.
type Options struct {
	Store Store
	// Shards of the cluster.
	Shards int
	// TTL is how long a member may be silent. It beats three times as often, or more.
	TTL time.Duration
	// Now is the clock of this member; it is compared with no other one.
	Now func() time.Time
	// NewName returns a name that no other member has or had.
	NewName func() string
}

// Keeper holds the leases of one member. It is safe for concurrent use and has no goroutine: call Step often enough.
type Keeper struct {
	o Options

	stepping sync.Mutex // one Step at a time

	mu       sync.Mutex
	name     string
	revision uint64 // of the member's key; 0: there is none yet
	fresh    time.Time
	listed   time.Time // when the keys were last read
	answered time.Time // when a beat was last acknowledged, or the keys were read before the first one
	seen     map[string]sight
	held     map[int]uint64    // the revisions of their keys
	declined map[int]time.Time // until when

	resting        time.Time // it takes part again
	begun, refused failures  // again, under another name; shards
}

// sight is when a member's key was first seen with a revision.
type sight struct {
	revision uint64
	since    time.Time
}

// New returns a Keeper that holds nothing.
func New(o Options) *Keeper {
	return &Keeper{o: o, name: o.NewName(), seen: map[string]sight{}, held: map[int]uint64{}, declined: map[int]time.Time{}}
}

// Name is the member's, until it is evicted.
func (k *Keeper) Name() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.name
}

// Valid reports whether no other member can have taken this one for dead. It gives up a quarter early: clocks don't run alike.
func (k *Keeper) Valid() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.fresh.IsZero() && k.o.Now().Sub(k.fresh) < k.o.TTL*3/4
}

// Lapsed reports whether the member was not valid for so long that what it knew then counts for nothing now.
func (k *Keeper) Lapsed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.o.Now().Sub(k.fresh) >= patience*k.o.TTL
}

// TTL is that of Options.
func (k *Keeper) TTL() time.Duration { return k.o.TTL }

// Holds reports whether the member holds a shard, as far as it knows, and is valid.
func (k *Keeper) Holds(shard int) bool {
	valid := k.Valid()
	k.mu.Lock()
	defer k.mu.Unlock()
	_, held := k.held[shard]
	return held && valid
}

// Release gives up a shard; the caller has ceased to use it.
func (k *Keeper) Release(ctx context.Context, shard int) error {
	k.mu.Lock()
	revision, held := k.held[shard]
	delete(k.held, shard)
	k.mu.Unlock()
	if !held {
		return nil
	}
	if err := k.o.Store.Delete(ctx, shardKey(shard), revision); err != nil && !errors.Is(err, ErrConflict) {
		return err // the next Step finds the key, and the shard is held again
	}
	return nil
}

// leaveRepeats is how often Leave repeats deletions that failed, all keys together.
const leaveRepeats = 5

// Leave gives up all shards and the member's name; the caller has ceased to use them, and calls Step no more. What it can't delete goes
// when the lease ends.
func (k *Keeper) Leave(ctx context.Context) error {
	k.stepping.Lock()
	defer k.stepping.Unlock()
	k.mu.Lock()
	shards, name, revision := k.held, k.name, k.revision
	k.held, k.revision, k.fresh = map[int]uint64{}, 0, time.Time{}
	k.mu.Unlock()
	errs, repeats := error(nil), leaveRepeats
	for shard, at := range shards {
		errs = errors.Join(errs, k.remove(ctx, shardKey(shard), at, &repeats))
	}
	return errors.Join(errs, k.remove(ctx, memberKey(name), revision, &repeats))
}

// remove deletes a key, and repeats that where it fails: if the first one was done all the same, the next one is a conflict.
func (k *Keeper) remove(ctx context.Context, key string, revision uint64, repeats *int) error {
	for {
		err := k.o.Store.Delete(ctx, key, revision)
		if err == nil || errors.Is(err, ErrConflict) {
			return nil
		}
		if *repeats == 0 || ctx.Err() != nil {
			return err
		}
		*repeats--
	}
}
