package node

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
)

var errNotHere = errors.New("not on this machine")

// pair is a simulation in which nothing fails, with two members that have half of the shards each.
func pair(t *testing.T) (s *simulation, a, b *member) {
	t.Helper()
	s, a = alone()
	s.join()
	b = s.members[1]
	for range 6 {
		for _, m := range s.members {
			openAll(t, m)
		}
		s.clock.Advance(simTTL / 5)
	}
	if len(a.node.Open()) == 0 || len(b.node.Open()) == 0 {
		t.Fatalf("%v and %v of %d are open", a.node.Open(), b.node.Open(), s.shards)
	}
	return s, a, b
}

// goOnFor has all members do what they can, as long as so many TTLs last, and reports whether one of them has opened all shards meanwhile.
func (s *simulation) goOnFor(ttls int, m *member) (all bool) {
	for range ttls * 5 {
		s.clock.Advance(simTTL / 5)
		for _, m := range s.members {
			s.guard(m, func() { m.all(context.Background()) })
		}
		all = all || len(m.node.Open()) == s.shards
	}
	return all
}

// A member that can't open shards keeps them from the others for a while, and no longer.
func TestBalance_shardsThatCannotBeOpened(t *testing.T) {
	s, a, b := pair(t)
	before := b.node.o.Open
	b.node.o.Open = func(context.Context, int) (DB, error) { return nil, errNotHere }
	if err := b.node.closeAll(); err != nil {
		t.Fatal(err)
	}
	if !s.goOnFor(5, a) {
		t.Errorf("after five TTLs %v are open of %d", a.node.Open(), s.shards)
	}
	b.node.o.Open = before
	if s.goOnFor(20, a); len(b.node.Open()) == 0 {
		t.Error("one that can open shards again has none")
	}
}

// blocked is an inbox that can't be read.
type blocked struct{ links.Log }

func (blocked) Read(context.Context, uint64, int) ([]links.Message, error) { return nil, errNotHere }

func TestBalance_inboxesThatCannotBeRead(t *testing.T) {
	s, a, b := pair(t)
	before := b.node.o.Inbox
	b.node.o.Inbox = func(shard int) links.Log { return blocked{before(shard)} }
	if !s.goOnFor(5, a) {
		t.Errorf("after five TTLs %v are open of %d", a.node.Open(), s.shards)
	}
	b.node.o.Inbox = before
	if s.goOnFor(20, a); len(b.node.Open()) == 0 {
		t.Error("one that can read inboxes again has none")
	}
}

// What fails while the server is away keeps its owner.
func TestBalance_theServerIsAway(t *testing.T) {
	s, a, b := pair(t)
	for _, m := range s.members {
		m.node.health.fails(s.clock.Now(), m.node.Open()...)
	}
	s.clock.Advance(5 * simTTL)
	if list := a.node.health.hopeless(a.node.Open(), a.node.o.Keeper.Lapsed()); len(list) > 0 {
		t.Errorf("it declines %v", list)
	}
	if list := b.node.health.hopeless(b.node.Open(), false); len(list) != len(b.node.Open()) {
		t.Errorf("one that was not silent declines %v of %v", list, b.node.Open())
	}
}

// Opening a shard has its time, and more of it at each try; those that wait for their turn don't wait any longer.
func TestOpenNext_takesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, b := pair(t)
		tries := 0
		b.node.o.Open = func(ctx context.Context, _ int) (DB, error) {
			until, _ := ctx.Deadline()
			<-ctx.Done()
			tries++
			s.clock.Advance(failingFor * simTTL)
			if until.IsZero() {
				t.Error("it may take as long as it likes")
			}
			return nil, ctx.Err()
		}
		lost := b.node.Open()
		if err := b.node.closeAll(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			b.node.want(lost)
			_, _ = b.node.OpenNext(t.Context())
		}
		if tries == 0 || b.node.health.tries[lost[0]] != tries {
			t.Errorf("%d tries, and %d are noted", tries, b.node.health.tries[lost[0]])
		}
		if list := b.node.health.hopeless(lost, false); len(list) != len(lost) {
			t.Errorf("it declines %v of %v", list, lost)
		}
	})
}

// A member that is taken for dead while it opens a shard ceases to do so: it would take it from its next owner.
func TestOpenNext_theLeaseEnds(t *testing.T) {
	s, a, b := pair(t)
	opened := false
	b.node.o.Open = func(ctx context.Context, _ int) (DB, error) {
		opened = true
		for range 8 {
			s.clock.Advance(simTTL / 5)
			if _, err := a.node.Balance(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if _, err := b.node.Balance(t.Context()); !errors.Is(err, lease.ErrEvicted) || ctx.Err() == nil {
			t.Errorf("it goes on: %v, %v", err, ctx.Err())
		}
		return nil, ctx.Err()
	}
	lost := b.node.Open()
	if err := b.node.closeAll(); err != nil {
		t.Fatal(err)
	}
	b.node.want(lost)
	if _, err := b.node.OpenNext(t.Context()); err == nil || !opened {
		t.Errorf("opened: %t, %v", opened, err)
	}
}
