package lease_test

import (
	"context"
	"errors"
	"testing"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
)

// slow is a store as one member reaches it, whose answers may come too late.
type slow struct {
	lease.Store
	unread, unacknowledged bool
}

func (s *slow) Entries(ctx context.Context) ([]lease.Entry, error) {
	if s.unread {
		return nil, errNoAnswer
	}
	return s.Store.Entries(ctx)
}

func (s *slow) Put(ctx context.Context, key, value string, revision uint64) (uint64, error) {
	n, err := s.Store.Put(ctx, key, value, revision)
	if s.unacknowledged && err == nil {
		return 0, errNoAnswer
	}
	return n, err
}

// joinSlow is join over a slow store.
func (g *group) joinSlow() (*lease.Keeper, *slow) {
	before := g.store
	defer func() { g.store = before }()
	s := &slow{Store: before}
	g.store = s
	return g.join(), s
}

// together steps a member that works and one that may not, some times, a third of the TTL apart, and returns how many shards the first one
// has at the end, and an error of the other one, ErrSlow if there was one.
func (g *group) together(n int, a, b *lease.Keeper) (has int, last error) {
	g.Helper()
	for range n {
		if _, err := b.Step(g.Context()); err != nil && !errors.Is(last, lease.ErrSlow) {
			last = err
		}
		has = g.settleOnce(a)
	}
	return has, last
}

func (g *group) settleOnce(k *lease.Keeper) int {
	g.Helper()
	s, err := k.Step(g.Context())
	if err != nil {
		g.Fatal(err)
	}
	for _, shard := range s.Excess {
		if err := k.Release(g.Context(), shard); err != nil {
			g.Fatal(err)
		}
	}
	g.clock.Advance(ttl / 3)
	return len(s.Held) - len(s.Excess)
}

// A member whose beats come through, and that can't read the keys, gives up; and it takes no share before it can.
func TestKeeper_theKeysCannotBeRead(t *testing.T) {
	g := newGroup(t)
	a := g.join()
	b, line := g.joinSlow()
	g.want(g.settle(a, b), 4, 4)
	line.unread = true
	if has, err := g.together(12, a, b); has != 8 || !errors.Is(err, lease.ErrSlow) {
		t.Errorf("the other one has %d shards of 8 after four TTLs; %v", has, err)
	}
	if has, _ := g.together(30, a, b); has != 8 {
		t.Errorf("the other one has %d shards of 8 later", has)
	}
	line.unread = false
	g.want(g.settle(a, b), 4, 4)
}

// A member whose beats are written, and that never learns of it in time, gives up, too.
func TestKeeper_noBeatIsAcknowledged(t *testing.T) {
	g := newGroup(t)
	a := g.join()
	b, line := g.joinSlow()
	g.want(g.settle(a, b), 4, 4)
	line.unacknowledged = true
	if _, err := g.together(12, a, b); !errors.Is(err, lease.ErrSlow) {
		t.Errorf("after four TTLs: %v", err)
	}
	rest := 0
	for range 60 {
		if has, _ := g.together(1, a, b); has == 8 {
			rest++
		}
	}
	if rest < 30 {
		t.Errorf("the other one has all shards for %d of 60 steps", rest)
	}
	line.unacknowledged = false
	for range 8 {
		g.settle(a, b)
	}
	g.want(g.settle(a, b), 4, 4)
}

func heldBy(k *lease.Keeper) (list []int) {
	for shard := range 8 {
		if k.Holds(shard) {
			list = append(list, shard)
		}
	}
	return list
}

// Shards that a member declines go to the others, as many as they are; it has others, or the same ones, after a rest.
func TestKeeper_declines(t *testing.T) {
	g := newGroup(t)
	a, b, c := g.join(), g.join(), g.join()
	g.want(g.settle(a, b, c), 3, 3, 2)
	if err := c.Decline(t.Context(), heldBy(c)...); err != nil {
		t.Fatal(err)
	}
	g.want(g.settle(a, b, c), 4, 4, 0)
	g.settle(a, b, c)
	g.want(g.settle(a, b, c), 3, 3, 2)
	if err := c.Decline(t.Context(), heldBy(c)[0]); err != nil {
		t.Fatal(err)
	}
	g.want(g.settle(a, b, c), 4, 3, 1)
	for range 2 { // it rests longer
		g.want(g.settle(a, b, c), 4, 3, 1)
	}
	g.settle(a, b, c)
	g.want(g.settle(a, b, c), 3, 3, 2)
}

// Where all decline something, each one takes what the others declined.
func TestKeeper_allDecline(t *testing.T) {
	g := newGroup(t)
	a, b := g.join(), g.join()
	g.want(g.settle(a, b), 4, 4)
	for _, k := range []*lease.Keeper{a, b} {
		if err := k.Decline(t.Context(), heldBy(k)...); err != nil {
			t.Fatal(err)
		}
	}
	g.want(g.settle(a, b), 4, 4)
}

// A member that the others take for dead again and again is away for longer each time.
func TestKeeper_restsWhereItIsEvictedOften(t *testing.T) {
	g := newGroup(t)
	a, b := g.join(), g.join()
	away := func() (steps int) {
		g.settle(a, b)
		g.settle(a)
		for has := 8; has == 8; steps++ {
			has, _ = g.together(1, a, b)
		}
		return steps
	}
	first, second, third := away(), away(), away()
	if first > 3 || second <= first || third <= second {
		t.Errorf("away for %d, %d and %d steps", first, second, third)
	}
}
