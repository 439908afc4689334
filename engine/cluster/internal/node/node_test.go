package node

import (
	"errors"
	"slices"
	"testing"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/ending"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// calm is a simulation in which nothing fails, with a job whose first page is in its shard's queue, and its home.
func calm(t *testing.T) (*simulation, *member, *home) { return calmOf(t, newSimulation(1)) }

func calmOf(t *testing.T, s *simulation) (*simulation, *member, *home) {
	t.Helper()
	s.calm, s.members = true, nil
	s.join()
	m := s.members[0]
	if _, err := m.node.Balance(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := 0; n >= 0; {
		var err error
		if n, err = m.node.OpenNext(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.node.Start(t.Context(), "job0", Spec{Limit: 10}, []crawl.Found{s.found(0)}); err != nil {
		t.Fatal(err)
	}
	sh, err := m.node.shard(shards.Home("job0", s.shards))
	if err != nil {
		t.Fatal(err)
	}
	h := &home{s: sh, job: "job0"}
	for range 2 { // the second finds the page
		if err := h.tend(t.Context()); err != nil {
			t.Fatal(err)
		}
		for n := range s.shards {
			if _, err := m.node.TakeIn(t.Context(), n); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s, m, h
}

// One that has lost the home can't say that there is no such job: it may have been started since.
func TestServe_onlyTheOwnerSaysThatAJobIsUnknown(t *testing.T) {
	s, m, h := calm(t)
	ask := Request{Kind: askJob, Job: "another"}
	if _, err := m.node.Serve(t.Context(), h.s.number, ask); !errors.Is(err, ErrUnknown) {
		t.Errorf("the owner: %v", err)
	}
	other := &member{s: s}
	if _, err := other.open(t.Context(), h.s.number); err != nil {
		t.Fatal(err)
	}
	if _, err := m.node.Serve(t.Context(), h.s.number, ask); !errors.Is(err, errGone) || errors.Is(err, ErrUnknown) {
		t.Errorf("the one before: %v", err)
	}
	if _, err := m.node.Serve(t.Context(), h.s.number, ask); !errors.Is(err, ErrNotOwner) {
		t.Errorf("it has the shard still: %v", err)
	}
}

// A job doesn't end before its home has what the shards' outboxes had at the second round, nor where a shard came to it since.
func TestHome_endsWithAllEntries(t *testing.T) {
	s, _, h := calm(t)
	list, err := h.spread()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	rounds := ending.Rounds{Shards: list, Second: map[int]ending.Report{list[0]: {Outbox: 1}}}
	if over, err := h.end(t.Context(), rounds); over || err != nil {
		t.Errorf("an entry is missing: %t, %v", over, err)
	}
	rounds.Second[list[0]] = ending.Report{}
	rounds.Shards = []int{list[0], (list[0] + 1) % s.shards}
	if over, err := h.end(t.Context(), rounds); over || err != nil {
		t.Errorf("another set of shards: %t, %v", over, err)
	}
	rounds.Shards = list
	if over, err := h.end(t.Context(), rounds); !over || err != nil {
		t.Errorf("all is there: %t, %v", over, err)
	}
}

// The pages of a job that was sealed are completed no more, also by one that leased them before.
func TestComplete_ofASealedJob(t *testing.T) {
	_, m, h := calm(t)
	w, _, err := m.node.Lease(t.Context())
	if err != nil || w == nil {
		t.Fatal(w, err)
	}
	if err := w.part.seal(); err != nil {
		t.Fatal(err)
	}
	w.part.over.Store(false) // it had looked at that before
	if err := m.node.Complete(t.Context(), w, crawl.Page{}); !errors.Is(err, ErrOver) {
		t.Errorf("got %v", err)
	}
	if _, err := m.node.Serve(t.Context(), w.Shard, Request{Kind: askReport, Job: h.job}); !errors.Is(err, ErrOver) {
		t.Errorf("its report: %v", err)
	}
}

func TestComplete_boundsEntries(t *testing.T) {
	_, m, _ := calm(t)
	w, _, err := m.node.Lease(t.Context())
	if err != nil || w == nil {
		t.Fatal(w, err)
	}
	if err := m.node.Complete(t.Context(), w, crawl.Page{}, make([]byte, MaxEntry+1)); err == nil {
		t.Error("an entry of any size is taken")
	}
	if err := m.node.Complete(t.Context(), w, crawl.Page{}, make([]byte, MaxEntry)); err != nil {
		t.Error(err)
	}
}

func TestStart_refusesWhatItCannotDo(t *testing.T) {
	_, m, _ := calm(t)
	for _, id := range []string{"", "a\x00b", string(make([]byte, 201))} {
		if err := m.node.Start(t.Context(), id, Spec{Limit: 1}, nil); err == nil {
			t.Errorf("%q is a name", id)
		}
	}
	if err := m.node.Start(t.Context(), "x", Spec{}, nil); err == nil {
		t.Error("a limit of 0 is taken")
	}
}

// What was claimed since a shard looked isn't given back.
func TestPart_givesBackOnlyWhatIsFree(t *testing.T) {
	_, m, h := calm(t)
	w, _, err := m.node.Lease(t.Context())
	if err != nil || w == nil {
		t.Fatal(w, err)
	}
	p := w.part
	version, held := p.version, p.held
	if err := p.hold(t.Context(), version+1, 0); !errors.Is(err, errInUse) || p.held != held || p.version != version {
		t.Errorf("%v; it holds %d at %d, want %d at %d", err, p.held, p.version, held, version)
	}
	if err := m.node.Complete(t.Context(), w, crawl.Page{Failed: true}); err != nil {
		t.Fatal(err)
	}
	if err := h.tend(t.Context()); err != nil || p.held != 0 {
		t.Errorf("it holds %d when its page has failed, want 0; %v", p.held, err)
	}
}

// One that slept past its lease answers nothing until it knows what it still has: its events would be old ones.
func TestServe_notPastTheLease(t *testing.T) {
	s, m, h := calm(t)
	ask := Request{Kind: askJob, Job: "job0"}
	if reply, err := m.node.Serve(t.Context(), h.s.number, ask); err != nil || reply.State != Running {
		t.Errorf("got %+v, %v", reply, err)
	}
	s.clock.Advance(simTTL)
	if _, err := m.node.Serve(t.Context(), h.s.number, ask); !errors.Is(err, ErrNotOwner) {
		t.Errorf("past its lease: %v", err)
	}
	if _, err := m.node.Balance(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.node.Serve(t.Context(), h.s.number, ask); err != nil {
		t.Errorf("with its lease again: %v", err)
	}
}

// A job that is one item begins on a shard that is open where it was started.
func TestHere_isOnAShardThatIsOpen(t *testing.T) {
	_, m, _ := calm(t)
	open := m.node.Open()
	if at := shards.Of(m.node.Here(), m.node.o.Shards); !slices.Contains(open, at) {
		t.Errorf("got shard %d of %v", at, open)
	}
	for _, shard := range open[1:] {
		if err := m.node.close(shard); err != nil {
			t.Fatal(err)
		}
	}
	if at := shards.Of(m.node.Here(), m.node.o.Shards); at != open[0] {
		t.Errorf("got shard %d, want %d, the only one", at, open[0])
	}
	if err := m.node.close(open[0]); err != nil {
		t.Fatal(err)
	}
	if url := m.node.Here(); shards.Of(url, m.node.o.Shards) < 0 {
		t.Errorf("%q of one that has no shard belongs to none", url)
	}
}
