package engine

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/stores"
)

// sickDB writes as instructed.
type sickDB struct {
	cache.DB
	update func() error
	writes atomic.Int64
}

func (d *sickDB) Update(func(cache.Tx) error) error {
	d.writes.Add(1)
	return d.update()
}

func TestReady_anOpenEngineIs(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		e := newTestEngine(t, Options{Dir: dir, Render: RenderNever})
		for range 3 {
			if err := e.Ready(t.Context()); err != nil {
				t.Errorf("in %q: %v", dir, err)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		un, ok := errors.AsType[*UnreadyError](e.Ready(t.Context()))
		if !ok || !errors.Is(un, ErrClosed) || !slices.Equal(un.Reasons, []string{reasonClosed}) {
			t.Errorf("closed: %v", un)
		}
	}
}

func TestReady_namesTheStoreThatFails(t *testing.T) {
	e := newTestEngine(t, Options{Render: RenderNever})
	full := errors.New("disk full")
	fails := func() error { return full }
	whole := e.stores.State
	for _, c := range []struct {
		state, pages cache.DB
		want         []string
	}{
		{&sickDB{update: fails}, nil, []string{stores.ReasonState}},
		{whole, &sickDB{update: fails}, []string{stores.ReasonPages}},
		{&sickDB{update: fails}, &sickDB{update: fails}, []string{stores.ReasonState, stores.ReasonPages}},
	} {
		un, ok := errors.AsType[*UnreadyError]((&Engine{stores: &stores.Stores{State: c.state, PageFile: c.pages}, now: e.now}).probeStores())
		if !ok || !errors.Is(un, full) || !slices.Equal(un.Reasons, c.want) {
			t.Errorf("want %q, got %v", c.want, un)
		}
	}
}

func TestReady_asksTheDiskOnceASecond(t *testing.T) {
	c := newClock()
	e := newTestEngine(t, Options{Render: RenderNever, Now: c.now})
	sick := errors.New("sick")
	db := &sickDB{DB: e.stores.State, update: func() error { return sick }}
	e.stores.State = db
	t.Cleanup(func() { e.stores.State = db.DB })
	for want := range int64(3) {
		for range 50 {
			if err := e.Ready(t.Context()); !errors.Is(err, sick) {
				t.Fatal(err)
			}
		}
		if n := db.writes.Load(); n != want+1 {
			t.Errorf("%d writes, want %d", n, want+1)
		}
		c.pass(time.Second)
	}
}

func TestReady_aDiskThatHangsIsNotWaitedFor(t *testing.T) {
	e := newTestEngine(t, Options{Render: RenderNever})
	let := make(chan struct{})
	db := &sickDB{DB: e.stores.State, update: func() error { <-let; return nil }}
	e.stores.State = db
	t.Cleanup(func() { e.stores.State = db.DB })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	for range 2 { // the second finds the trial of the first
		un, ok := errors.AsType[*UnreadyError](e.Ready(ctx))
		if !ok || !errors.Is(un, context.DeadlineExceeded) || !slices.Equal(un.Reasons, []string{stores.ReasonState}) {
			t.Errorf("got %v", un)
		}
	}
	close(let)
	if err := e.Ready(t.Context()); err != nil || db.writes.Load() != 1 {
		t.Errorf("%d writes, %v", db.writes.Load(), err)
	}
}
