package lease_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/crawl/crawltest"
	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
	"github.com/winnow-go/winnow/engine/cluster/internal/lease/leasetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ttl = 9 * time.Second

// group is some members of a cluster on one store and one clock.
type group struct {
	*testing.T
	clock *crawltest.Clock
	store lease.Store
	names int
}

func newGroup(t *testing.T) *group {
	return &group{T: t, clock: crawltest.NewClock(), store: &leasetest.Store{}}
}

func (g *group) join() *lease.Keeper {
	return lease.New(lease.Options{Store: g.store, Shards: 8, TTL: ttl, Now: g.clock.Now, NewName: func() string {
		g.names++
		return fmt.Sprint("m", g.names)
	}})
}

// settle steps all members until nothing moves, a third of the TTL at a time, and returns how many shards each has.
func (g *group) settle(members ...*lease.Keeper) (counts []int) {
	g.Helper()
	for range 8 {
		counts = nil
		for _, k := range members {
			s, err := k.Step(g.Context())
			if err != nil {
				g.Fatal(err)
			}
			for _, shard := range s.Excess {
				if err := k.Release(g.Context(), shard); err != nil {
					g.Fatal(err)
				}
			}
			counts = append(counts, len(s.Held)-len(s.Excess))
		}
		g.clock.Advance(ttl / 3)
	}
	return counts
}

func (g *group) want(counts []int, want ...int) {
	g.Helper()
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		g.Errorf("shares of %v, want %v", counts, want)
	}
}

func TestKeeper_sharesMembersJoinAndLeave(t *testing.T) {
	g := newGroup(t)
	a, b, c := g.join(), g.join(), g.join()
	g.want(g.settle(a), 8)
	g.want(g.settle(a, b), 4, 4)
	g.want(g.settle(a, b, c), 3, 3, 2)
	for shard := range 8 {
		holders := 0
		for _, k := range []*lease.Keeper{a, b, c} {
			if k.Holds(shard) {
				holders++
			}
		}
		if holders != 1 {
			t.Errorf("shard %d has %d holders", shard, holders)
		}
	}
	if err := b.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.want(g.settle(a, c), 4, 4)
}

func TestKeeper_theShardsOfTheDeadAreTaken(t *testing.T) {
	g := newGroup(t)
	a, b := g.join(), g.join()
	g.settle(a, b)
	s, err := a.Step(t.Context())
	if err != nil || len(s.Held) != 4 {
		t.Fatalf("%d shards beside a member that is silent for a third of the TTL, %v", len(s.Held), err)
	}
	g.want(g.settle(a), 8)
	if b.Valid() || b.Holds(0) {
		t.Error("a member that slept past its lease takes itself for valid")
	}
	if _, err := b.Step(t.Context()); !errors.Is(err, lease.ErrEvicted) {
		t.Errorf("it wakes: %v", err)
	}
	if b.Valid() {
		t.Error("an evicted member is valid")
	}
	g.want(g.settle(a, b), 4, 4)
	if b.Name() == "m2" {
		t.Error("it has its old name")
	}
}

// flaky does what it is called for, and reports that it failed.
type flaky struct {
	lease.Store
	fails     int
	deletions []error // of the next ones, which are done only where an error is errNoAnswer
	deleted   int     // calls
}

func (f *flaky) Delete(ctx context.Context, key string, revision uint64) (err error) {
	if f.deleted++; len(f.deletions) > 0 {
		err, f.deletions = f.deletions[0], f.deletions[1:]
	}
	if err == nil || errors.Is(err, errNoAnswer) {
		return errors.Join(f.Store.Delete(ctx, key, revision), err)
	}
	return err
}

var errNoAnswer = errors.New("no answer")

func (f *flaky) Put(ctx context.Context, key, value string, revision uint64) (uint64, error) {
	n, err := f.Store.Put(ctx, key, value, revision)
	if f.fails--; f.fails >= 0 && err == nil {
		return 0, errNoAnswer
	}
	return n, err
}

func TestKeeper_acknowledgementsAreLost(t *testing.T) {
	g := newGroup(t)
	f := &flaky{Store: g.store}
	g.store = f
	a := g.join()
	f.fails = 1
	if _, err := a.Step(t.Context()); !errors.Is(err, errNoAnswer) || a.Valid() {
		t.Errorf("the first beat: %v", err)
	}
	g.want(g.settle(a), 8)
	for range 3 {
		f.fails = 1
		if _, err := a.Step(t.Context()); !errors.Is(err, errNoAnswer) {
			t.Errorf("got %v", err)
		}
		g.want(g.settle(a), 8)
	}
	b := g.join()
	g.settle(a, b)
	_ = b.Leave(t.Context())
	if _, err := a.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.want(g.settle(a), 8)
	if a.Name() != "m1" {
		t.Error("it was evicted")
	}
}

// An answer that comes too late keeps no shard from the others, whether the deletion was done or not.
func TestKeeper_leavesThoughDeletionsFail(t *testing.T) {
	late := context.DeadlineExceeded
	for what, failures := range map[string][]error{
		"once": {late}, "done": {errNoAnswer}, "some": {late, errNoAnswer, late, nil, late, late},
	} {
		g := newGroup(t)
		f := &flaky{Store: g.store, deletions: failures}
		g.store = f
		a := g.join()
		g.want(g.settle(a), 8)
		if err := a.Leave(t.Context()); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if list, err := f.Entries(t.Context()); len(list) != 0 || err != nil {
			t.Errorf("%s: %v are there, %v", what, list, err)
		}
	}
}

// Without answers Leave ends, with their error, when each key was tried and some of them again, or with ctx.
func TestKeeper_leaveEnds(t *testing.T) {
	for _, ended := range []bool{false, true} {
		g := newGroup(t)
		f := &flaky{Store: g.store}
		g.store = f
		a := g.join()
		g.want(g.settle(a), 8)
		for range 100 {
			f.deletions = append(f.deletions, context.DeadlineExceeded)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		want := 8 + 1 + 5
		if ended {
			cancel()
			want = 8 + 1
		}
		if err := a.Leave(ctx); !errors.Is(err, context.DeadlineExceeded) || f.deleted != want {
			t.Errorf("%d deletions, want %d; %v", f.deleted, want, err)
		}
	}
}
