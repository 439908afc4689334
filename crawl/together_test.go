package crawl_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// gathering is a DB whose Updates wait until so many of them have come.
type gathering struct {
	crawl.DB
	gate *sync.WaitGroup
}

func (g *gathering) Update(f func(crawl.Tx) error) error {
	if g.gate != nil {
		g.gate.Done()
		g.gate.Wait()
	}
	return g.DB.Update(f)
}

// Completions at the same time must all be on their way to the store before the first is written, or they can't share its transaction. If
// the frontier let them in one by one, this test would be a deadlock, which synctest reports.
func TestFrontier_completionsAtOnceReachTheStoreTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 8
		db := &gathering{DB: store{cache.NewMap()}}
		f := openJob(t, db, crawl.Options{})
		putNumbered(t, f, 2*n)
		items := leaseAll(t, f, n)
		db.gate = new(sync.WaitGroup)
		db.gate.Add(n + 1)
		var work sync.WaitGroup
		for _, item := range items {
			work.Go(func() {
				if err := f.Complete(t.Context(), item, crawl.Page{}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait() // all are at the store's door
		// Meanwhile nothing else waits.
		if more := leaseAll(t, f, 4); len(more) != 4 {
			t.Errorf("leased %d", len(more))
		}
		if s, err := f.Stats(t.Context()); err != nil || s.Leased != n+4 || s.Done != 0 {
			t.Errorf("%+v, %v", s, err)
		}
		if r, err := f.Results(t.Context(), 0, 1); err != nil || len(r) != 0 {
			t.Errorf("%v, %v", r, err)
		}
		work.Go(func() {
			if err := f.Deny(t.Context(), crawl.Denied{Reason: "X"}); err != nil {
				t.Error(err)
			}
		})
		work.Wait()
		if s, err := f.Stats(t.Context()); err != nil || s.Done != n {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

// failing is a DB whose Updates fail.
type failing struct {
	crawl.DB
	err  error
	when string // "before" they are run, "undone" after it, or when they were "written" nevertheless
}

func (d *failing) Update(f func(crawl.Tx) error) error {
	switch {
	case d.err == nil:
		return d.DB.Update(f)
	case d.when == "undone":
		return d.DB.Update(func(tx crawl.Tx) error { return errors.Join(f(tx), d.err) })
	case d.when == "written":
		return errors.Join(d.DB.Update(f), d.err)
	}
	return d.err
}

// A store that fails loses nothing: what failed can be done again, also where it had been written after all.
func TestFrontier_goesOnAfterAFailureOfTheStore(t *testing.T) {
	for _, when := range []string{"before", "undone", "written"} {
		t.Run(when, func(t *testing.T) {
			broken := errors.New("disk full")
			db := &failing{DB: store{cache.NewMap()}, when: when}
			f := openJob(t, db, crawl.Options{})
			putNumbered(t, f, 1)
			item := leaseAll(t, f, 1)[0]
			db.err = broken
			other := []crawl.Found{{URL: "http://other.example/"}}
			if err := f.Complete(t.Context(), item, crawl.Page{Found: other}); !errors.Is(err, broken) {
				t.Fatalf("got %v", err)
			}
			if _, err := f.Put(t.Context(), []crawl.Found{{URL: "http://third.example/"}}); !errors.Is(err, broken) {
				t.Fatalf("got %v", err)
			}
			db.err = nil
			if err := f.Complete(t.Context(), item, crawl.Page{Found: other}); (when == "written") != errors.Is(err, crawl.ErrLeaseLost) {
				t.Errorf("got %v", err)
			}
			if _, err := f.Put(t.Context(), []crawl.Found{{URL: "http://third.example/"}}); err != nil {
				t.Fatal(err)
			}
			if left := leaseAll(t, f, 5); len(left) != 2 {
				t.Errorf("%d are left, want 2", len(left))
			}
			if s, err := f.Stats(t.Context()); err != nil || s.Done != 1 || s.Known != 3 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

// A lease whose note can't be written is not given.
func TestFrontier_aLeaseThatCannotBeNotedIsGivenBack(t *testing.T) {
	broken := errors.New("disk full")
	db := &failing{DB: store{cache.NewMap()}}
	f := openJob(t, db, crawl.Options{})
	putNumbered(t, f, 1)
	db.err = broken
	if items, _, err := f.Lease(t.Context(), 1, 0); !errors.Is(err, broken) || len(items) != 0 {
		t.Fatalf("got %v, %v", items, err)
	}
	db.err = nil
	if got := leaseAll(t, f, 1); len(got) != 1 || got[0].Attempt != 1 {
		t.Errorf("got %+v", got)
	}
}

// holding is a DB that holds Updates back at its door while it is closed.
type holding struct {
	crawl.DB
	closed bool
	door   chan struct{}
}

func (d *holding) Update(f func(crawl.Tx) error) error {
	if d.closed {
		<-d.door
	}
	return d.DB.Update(f)
}

// hold begins an Update that waits at the door, and gives what lets it in and waits for its end.
func (d *holding) hold(t *testing.T, do func() error) (letIn func()) {
	t.Helper()
	d.closed, d.door = true, make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		if err := do(); err != nil {
			t.Error(err)
		}
	})
	synctest.Wait()
	d.closed = false
	return func() {
		close(d.door)
		work.Wait()
	}
}

// An item whose completion is on its way doesn't go to another, however long it takes.
func TestFrontier_doesNotTakeBackWhatIsBeingCompleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &holding{DB: store{cache.NewMap()}}
		f := openJob(t, db, crawl.Options{})
		putNumbered(t, f, 1)
		item := leaseAll(t, f, 1)[0]
		letIn := db.hold(t, func() error { return f.Complete(t.Context(), item, crawl.Page{}) })
		time.Sleep(time.Hour) // of the bubble's clock
		if got := leaseAll(t, f, 1); len(got) != 0 {
			t.Errorf("leased %v", got)
		}
		if err := f.Complete(t.Context(), item, crawl.Page{}); !errors.Is(err, crawl.ErrLeaseLost) {
			t.Errorf("got %v for a second completion at the same time", err)
		}
		letIn()
		if s, err := f.Stats(t.Context()); err != nil || s.Done != 1 {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

// The start of an item that was given back isn't written down by a transaction that meant to do so before.
func TestFrontier_aReleaseTakesItsStartBackFromOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &holding{DB: store{cache.NewMap()}}
		f := openJob(t, db, crawl.Options{})
		putNumbered(t, f, 3)
		leaseAll(t, f, 1) // is noted at once
		items := leaseAll(t, f, 2)
		letIn := db.hold(t, func() error { return f.Complete(t.Context(), items[0], crawl.Page{}) })
		if err := f.Release(t.Context(), items[1]); err != nil {
			t.Fatal(err)
		}
		letIn()
		if got := leaseAll(t, f, 1); len(got) != 1 || got[0].URL != items[1].URL || got[0].Attempt != 1 {
			t.Errorf("got %+v", got)
		}
	})
}

// looking is a DB in whose Views something happens.
type looking struct {
	crawl.DB
	during func()
}

func (d *looking) View(f func(crawl.Tx) error) error {
	return d.DB.View(func(tx crawl.Tx) error {
		defer d.during()
		return f(tx)
	})
}

// A change that comes between the look and the wait wakes waiters nevertheless.
func TestWait_missesNoChange(t *testing.T) {
	db := &looking{store{cache.NewMap()}, func() {}}
	f := openJob(t, db, crawl.Options{Pace: crawl.NewPace(crawl.PaceOptions{Concurrency: 1})})
	putNumbered(t, f, 4) // on three hosts
	items := leaseAll(t, f, 3)
	db.during = func() { items[0].Visit.End(crawl.Outcome{}) }
	got, wait, err := f.Lease(t.Context(), 1, 0)
	if err != nil || len(got) != 0 {
		t.Fatal(got, err)
	}
	select {
	case <-wait.Changed:
	default:
		t.Error("the end of the visit was missed")
	}
}

func openJob(t testing.TB, db crawl.DB, o crawl.Options) *crawl.Frontier {
	t.Helper()
	f, err := crawl.Open(db, "job", o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func putNumbered(t testing.TB, f *crawl.Frontier, n int) {
	t.Helper()
	var found []crawl.Found
	for i := range n {
		found = append(found, crawl.Found{URL: fmt.Sprintf("http://h%d.example/%d", i%3, i)})
	}
	if got, err := f.Put(t.Context(), found); err != nil || got != n {
		t.Fatalf("accepted %d, %v", got, err)
	}
}

func leaseAll(t testing.TB, f *crawl.Frontier, n int) []crawl.Item {
	t.Helper()
	items, _, err := f.Lease(t.Context(), n, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return items
}
