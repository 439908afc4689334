package node

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// bounded is calm with a job that has so many pages at once, and two of them, on two shards of which none is its home.
func bounded(t *testing.T, active int) (s *simulation, m *member, h *home) {
	t.Helper()
	seed := uint64(1)
	for s = newSimulation(seed); s.shards < 3; s = newSimulation(seed) {
		seed++
	}
	s, m, h = calmOf(t, s)
	if err := m.node.Cancel(t.Context(), h.job); err != nil {
		t.Fatal(err)
	}
	var seeds []crawl.Found
	used := map[int]bool{shards.Home("bounded", s.shards): true}
	for i := 0; len(seeds) < 2; i++ {
		url := fmt.Sprintf("https://bounded%d.example/", i)
		if at := shards.Of(url, s.shards); !used[at] {
			used[at], seeds = true, append(seeds, crawl.Found{URL: url})
		}
	}
	if err := m.node.Start(t.Context(), "bounded", Spec{Limit: 10, Active: active}, seeds); err != nil {
		t.Fatal(err)
	}
	sh, err := m.node.shard(shards.Home("bounded", s.shards))
	if err != nil {
		t.Fatal(err)
	}
	tendAll(t, s, m)
	tendAll(t, s, m) // the other job has ended
	return s, m, &home{s: sh, job: "bounded"}
}

func tendAll(t *testing.T, s *simulation, m *member) {
	t.Helper()
	for n := range s.shards {
		if _, err := m.node.Tend(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	for n := range s.shards {
		if _, err := m.node.TakeIn(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
}

// leased returns a page, after the time in which the home isn't called again for a slot; nil: there is none.
func leased(t *testing.T, s *simulation, m *member) *Work {
	t.Helper()
	s.clock.Advance(slotEvery)
	for range s.shards { // the parts take turns
		w, _, err := m.node.Lease(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if w != nil {
			return w
		}
	}
	return nil
}

// complete completes a page that has no links.
func complete(t *testing.T, m *member, w *Work) {
	t.Helper()
	if w == nil {
		t.Fatal("there is no page")
	}
	if err := m.node.Complete(t.Context(), w, crawl.Page{}); err != nil {
		t.Fatal(err)
	}
}

// lose has the requests of a kind lost.
func (m *member) lose(kind string) {
	m.node.o.Call = func(ctx context.Context, shard int, r Request) (Reply, error) {
		if r.Kind == kind {
			return Reply{}, errNoAnswer
		}
		return m.call(ctx, shard, r)
	}
}

// A job whose home never heard of a page's end stood still for ever.
func TestSlots_oneThatIsNotGivenBackIsFreeAtTheNextLook(t *testing.T) {
	s, m, h := bounded(t, 1)
	w := leased(t, s, m)
	complete(t, m, w)
	m.lose(askLeave)
	if err := m.node.Done(t.Context(), w); err == nil {
		t.Fatal("the request was to be lost")
	}
	if other := leased(t, s, m); other != nil {
		t.Fatalf("%s has a slot while the home has the other's", other.Item.URL)
	}
	if err := h.tend(t.Context()); err != nil {
		t.Fatal(err)
	}
	complete(t, m, leased(t, s, m))
}

// The owner of a shard died between a page's end and its request, and the next one has nothing to do there.
func TestSlots_theNextOwnerOfAShardSaysThatThePageHasEnded(t *testing.T) {
	s, m, h := bounded(t, 1)
	w := leased(t, s, m)
	complete(t, m, w)
	if err := m.node.close(w.Shard); err != nil {
		t.Fatal(err)
	}
	if err := h.tend(t.Context()); err == nil {
		t.Fatal("a shard without an owner has said something")
	}
	if other := leased(t, s, m); other != nil {
		t.Fatalf("%s has a slot while the other page may be fetched", other.Item.URL)
	}
	if _, err := m.node.Balance(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := m.node.OpenNext(t.Context()); n != w.Shard || err != nil {
		t.Fatal(n, err)
	}
	if err := h.tend(t.Context()); err != nil {
		t.Fatal(err)
	}
	complete(t, m, leased(t, s, m))
}

// A shard that has no owner keeps its own slots in use alone.
func TestSlots_othersAreFreeWhileAShardHasNoOwner(t *testing.T) {
	s, m, h := bounded(t, 2)
	first, second := leased(t, s, m), leased(t, s, m)
	m.lose(askLeave)
	for _, w := range []*Work{first, second} {
		complete(t, m, w)
		_ = m.node.Done(t.Context(), w)
	}
	if err := m.node.close(min(first.Shard, second.Shard)); err != nil {
		t.Fatal(err)
	}
	if err := h.tend(t.Context()); err == nil {
		t.Error("a shard without an owner has said something")
	}
	if n := h.s.slots[h.job].count(); n != 1 {
		t.Errorf("%d slots are in use, want 1", n)
	}
}

// A request for a slot that comes when its page has ended gets none.
func TestSlots_aLateRequestTakesNone(t *testing.T) {
	s, m, h := bounded(t, 1)
	var late []Request
	m.node.o.Call = func(ctx context.Context, shard int, r Request) (Reply, error) {
		if r.Kind == askEnter {
			late = append(late, r)
		}
		return m.call(ctx, shard, r)
	}
	w := leased(t, s, m)
	complete(t, m, w)
	if err := m.node.Done(t.Context(), w); err != nil || len(late) == 0 {
		t.Fatal(len(late), err)
	}
	for _, r := range late {
		if reply, err := m.node.Serve(t.Context(), h.s.number, r); err != nil || reply.Own {
			t.Errorf("%+v, %v", reply, err)
		}
	}
	complete(t, m, leased(t, s, m))
}

// Requests that overtake each other get their slots all the same, and none of an earlier owner of the shard does.
func TestSlots_enter(t *testing.T) {
	of := slots{}
	ask := func(epoch, version, item uint64, items ...uint64) bool {
		return of.enter(Request{Shard: 1, Epoch: epoch, Version: version, Item: item, Items: items}, 2)
	}
	if !ask(1, 2, 8, 7, 8) || !ask(1, 1, 7, 7) || of.count() != 2 {
		t.Errorf("overtaken: %d slots, want 2", of.count())
	}
	if ask(1, 3, 9, 7, 8, 9) {
		t.Error("a third has one")
	}
	if !ask(1, 5, 9, 8, 9) || of.count() != 2 {
		t.Errorf("where 7 has ended: %d slots, want 2", of.count())
	}
	if ask(1, 4, 7, 7, 8) || ask(0, 9, 9, 9) {
		t.Error("one that isn't wanted any more has a slot")
	}
	if !ask(2, 1, 8, 8) || of.count() != 1 || ask(1, 9, 8, 8) {
		t.Errorf("with another owner: %d slots, want 1", of.count())
	}
}

// The next owner of a shard may have a clock that is behind.
func TestSlots_epochsGrowWhateverTheClock(t *testing.T) {
	s, m, h := bounded(t, 1)
	w := leased(t, s, m)
	before := w.part.entered.statement()
	s.clock.Advance(-time.Hour)
	again := &part{s: w.part.s, job: h.job, spec: w.Spec}
	if err := again.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := again.entered.statement(); !now.later(before) {
		t.Errorf("got %+v after %+v", now, before)
	}
}

// A page that waits longer for a slot than its lease lasts is neither given out with a lease that is over nor tried once more.
func TestSlots_longWaits(t *testing.T) {
	s, m, _ := bounded(t, 1)
	m.lose(askEnter)
	for range 60 {
		s.clock.Advance(time.Minute)
		if _, err := m.node.Balance(t.Context()); err != nil {
			t.Fatal(err)
		}
		if w := leased(t, s, m); w != nil {
			t.Fatalf("%s has a slot", w.Item.URL)
		}
	}
	m.lose("")
	w := leased(t, s, m)
	complete(t, m, w)
	if left := w.Item.Until.Sub(s.clock.Now()); left < leaseLeft || w.Item.Attempt != 1 {
		t.Errorf("attempt %d, %s of the lease are left", w.Item.Attempt, left)
	}
}
