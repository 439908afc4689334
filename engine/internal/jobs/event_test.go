package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestAppend_eventsAreNumberedWithoutGaps(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		other := create(t, j, New{})
		r := create(t, j, New{})
		last := create(t, j, New{})
		for i := range 10 {
			for _, id := range []string{r.ID, other.ID, last.ID} {
				seq, err := j.Append(t.Context(), id, Event{Type: EventPage, Ref: uint64(i), Data: json.RawMessage(`{"n":1}`)})
				if err != nil || seq != uint64(i)+2 {
					t.Fatalf("got %d, %v; want %d", seq, err, i+2)
				}
			}
		}
		finish(t, j, r.ID, Completed)
		events := readAll(t, j, r.ID, 0)
		if len(events) != 12 {
			t.Fatalf("got %d events, want 12", len(events))
		}
		for i, e := range events {
			if e.Seq != uint64(i)+1 {
				t.Errorf("event %d has number %d", i, e.Seq)
			}
		}
		if e := events[3]; e.Type != EventPage || e.Ref != 2 || string(e.Data) != `{"n":1}` || e.At.IsZero() {
			t.Errorf("got %+v", e)
		}
	})
}

func TestAppend_namesWhatItCantHonour(t *testing.T) {
	j := open(t, memory(), Options{})
	r := create(t, j, New{})
	for _, c := range []struct {
		field string
		event Event
	}{
		{"event.type", Event{}},
		{"event.type", Event{Type: "Page"}},
		{"event.type", Event{Type: strings.Repeat("p", 33)}},
		{"event.type", Event{Type: EventStarted}},
		{"event.type", Event{Type: EventCompleted}},
		{"event.type", Event{Type: EventFailed}},
		{"event.type", Event{Type: EventCancelled}},
		{"event.data", Event{Type: EventPage, Data: json.RawMessage(`{`)}},
		{"event.data", Event{Type: EventPage, Data: json.RawMessage(`"` + strings.Repeat("d", 1<<20) + `"`)}},
	} {
		_, err := j.Append(t.Context(), r.ID, c.event)
		if e, ok := errors.AsType[*FieldError](err); !ok || e.Field != c.field {
			t.Errorf("%+v: got %v, want an error about %s", c.event.Type, err, c.field)
		}
	}
	finish(t, j, r.ID, Cancelled)
	if _, err := j.Append(t.Context(), r.ID, Event{Type: EventPage}); err != ErrFinished {
		t.Errorf("after the end: %v", err)
	}
}

// A page's result, its event and its credits are written in one transaction of the
// result's keeper; one that is refused leaves nothing of the page behind.
func TestAppendIn_sharesTheCallersTransaction(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		r := create(t, j, New{})
		complete := func(page string) error {
			err := db.Update(func(tx Tx) error {
				_, err := j.AppendIn(tx, r.ID, Event{Type: EventPage})
				return errors.Join(tx.Put("results", []byte(page), []byte("text")), j.AddIn(tx, r.ID, 2), err)
			})
			j.Wake(r.ID)
			return err
		}
		follower := make(chan int)
		go func() {
			n := 0
			for _, err := range j.Events(t.Context(), r.ID, 0) {
				if err != nil {
					t.Error(err)
				}
				n++
			}
			follower <- n
		}()
		if err := complete("a"); err != nil {
			t.Fatal(err)
		}
		finish(t, j, r.ID, Cancelled)
		if err := complete("b"); !errors.Is(err, ErrFinished) {
			t.Errorf("after the end: %v", err)
		}
		if n := <-follower; n != 3 {
			t.Errorf("%d events, want 3", n)
		}
		err := db.View(func(tx Tx) error {
			if tx.Get("results", []byte("a")) == nil || tx.Get("results", []byte("b")) != nil {
				t.Error("the results are not as the events")
			}
			return nil
		})
		if got, getErr := j.Get(t.Context(), r.ID); got.Credits != 2 || errors.Join(err, getErr) != nil {
			t.Errorf("credits %d, %v, %v", got.Credits, err, getErr)
		}
	})
}

func TestEvents_fromEveryNumber(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		r := create(t, j, New{})
		pages(t, j, r.ID, 9)
		finish(t, j, r.ID, Failed)
		for since := range uint64(14) {
			next := since + 1
			for e, err := range j.Events(t.Context(), r.ID, since) {
				if err != nil || e.Seq != next {
					t.Fatalf("since %d: got %d, %v; want %d", since, e.Seq, err, next)
				}
				next++
			}
			if want := max(since+1, 12); next != want {
				t.Errorf("since %d: ended before %d, want %d", since, next, want)
			}
		}
		for e, err := range j.Events(t.Context(), r.ID, 1<<64-1) {
			t.Errorf("after the last number: %+v, %v", e, err)
		}
	})
}

// Readers that come early, late, again and again, and slow ones, all see every event
// once and in order, while several workers write; and no one waits for them.
func TestEvents_concurrentReadersMissNothing(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		r := create(t, j, New{})
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		workers, each := 4, soak(200)
		var readers, writers sync.WaitGroup
		for i := range 8 {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			readers.Go(func() { follow(t, j, r.ID, random, workers*each+2) })
		}
		for range workers {
			writers.Go(func() { pages(t, j, r.ID, each) })
		}
		writers.Wait()
		readers.Go(func() { follow(t, j, r.ID, rand.New(rand.NewPCG(seed, 99)), workers*each+2) })
		finish(t, j, r.ID, Completed)
		readers.Wait()
		if len(j.notifier.topics) != 0 {
			t.Errorf("%d topics are left", len(j.notifier.topics))
		}
	})
}

// follow reads all events, breaking off at times to go on from where it was.
func follow(t *testing.T, j *Jobs, id string, random *rand.Rand, want int) {
	var since uint64
	for {
		broke := false
		for e, err := range j.Events(t.Context(), id, since) {
			if err != nil || e.Seq != since+1 {
				t.Errorf("got %d, %v; want %d", e.Seq, err, since+1)
				return
			}
			since = e.Seq
			if broke = random.IntN(50) == 0; broke {
				break
			}
		}
		if !broke {
			break
		}
	}
	if since != uint64(want) {
		t.Errorf("ended after %d, want %d", since, want)
	}
}

func TestEvents_aReaderWhoStandsStillHoldsNobodyUp(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		r := create(t, j, New{})
		n := 0
		for e, err := range j.Events(t.Context(), r.ID, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Seq == 1 { // everything else happens while it looks at the first
				bulk(t, j, r.ID, 600)
				finish(t, j, r.ID, Completed)
				if _, err := j.Wait(t.Context(), r.ID); err != nil {
					t.Fatal(err)
				}
			}
			n++
		}
		if n != 602 {
			t.Errorf("got %d events, want 602", n)
		}
	})
}

func TestEvents_endWithContextCloseAndExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := open(t, memory(), Options{})
		r := create(t, j, New{})
		last := func(ctx context.Context, id string) chan error {
			done := make(chan error, 1)
			go func() {
				var err error
				for _, err = range j.Events(ctx, id, 0) {
				}
				done <- err
			}()
			synctest.Wait()
			return done
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := last(ctx, r.ID)
		cancel()
		if err := <-cancelled; err != context.Canceled {
			t.Errorf("context: %v", err)
		}

		short := create(t, j, New{})
		finish(t, j, short.ID, Completed)
		var err error
		for _, err = range j.Events(t.Context(), short.ID, 0) { // reads on after a day
			time.Sleep(25 * time.Hour)
		}
		if err != ErrNotFound {
			t.Errorf("expiry: %v", err)
		}

		closed := last(t.Context(), r.ID)
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if err := <-closed; err != ErrClosed {
			t.Errorf("close: %v", err)
		}
	})
}

func TestEvents_goOnAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	db := openFile(t, path)
	j := open(t, db, Options{})
	r := create(t, j, New{})
	pages(t, j, r.ID, 3)
	if err := errors.Join(j.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	db = openFile(t, path)
	defer db.Close()
	j = open(t, db, Options{})
	pages(t, j, r.ID, 2)
	finish(t, j, r.ID, Completed)
	var got []string
	for e, err := range j.Events(t.Context(), r.ID, 2) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %s %d", e.Seq, e.Type, e.Ref))
	}
	if want := "[3 page 2 4 page 3 5 page 1 6 page 2 7 completed 0]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

// Of many who end a job at once, while others append, one wins; its event is the last.
func TestFinish_oneOfManyWins(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		for range 20 {
			r := create(t, j, New{})
			var mu sync.Mutex
			var winner State
			var all sync.WaitGroup
			for _, s := range []State{Completed, Failed, Cancelled} {
				all.Go(func() {
					_, err := j.Finish(t.Context(), r.ID, s, "", "")
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err == nil && winner == "":
						winner = s
					case err != ErrFinished:
						t.Errorf("%s: %v, after %s", s, err, winner)
					}
				})
				all.Go(func() {
					if _, err := j.Append(t.Context(), r.ID, Event{Type: EventPage}); err != nil && err != ErrFinished {
						t.Error(err)
					}
				})
			}
			all.Wait()
			events := readAll(t, j, r.ID, 0)
			got, err := j.Get(t.Context(), r.ID)
			if last := events[len(events)-1]; err != nil || got.State != winner || last.Type != string(winner) {
				t.Errorf("winner %s, state %s, last event %s, %v", winner, got.State, last.Type, err)
			}
		}
	})
}

func TestEvents_aReaderTakesLittleAlong(t *testing.T) {
	j := open(t, memory(), Options{})
	r := create(t, j, New{})
	data := json.RawMessage(`"` + strings.Repeat("d", maxData-2) + `"`)
	for range 5 {
		if _, err := j.Append(t.Context(), r.ID, Event{Type: EventPage, Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	if events, _, err := j.events(t.Context(), r.ID, 0); len(events) != 2 || err != nil {
		t.Errorf("%d events at a time, want 2; %v", len(events), err)
	}
	if events := readAll(t, j, r.ID, 0); len(events) != 6 {
		t.Errorf("%d events, want 6", len(events))
	}
}
