package cachetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

func dbViewsDontWrite(t *testing.T, db Transactions) {
	put(t, db, "a", "k", "v")
	view(t, db, func(tx cache.Tx) {
		_, err := tx.Next("a")
		for i, err := range []error{tx.Put("a", []byte("k"), nil), tx.Put("new", []byte("k"), nil), tx.Delete("a", []byte("k")), err} {
			if err == nil {
				t.Errorf("write %d in a View: no error", i)
			}
		}
	})
	if got := get(t, db, "a", "k"); got != "v" {
		t.Errorf("after all: %q", got)
	}
	want := errors.New("mine")
	if err := db.View(func(cache.Tx) error { return want }); !errors.Is(err, want) {
		t.Errorf("View returned %v", err)
	}
}

func dbSnapshot(t *testing.T, db Transactions) {
	put(t, db, "a", "k", "old")
	var work sync.WaitGroup
	view(t, db, func(tx cache.Tx) {
		work.Go(func() { put(t, db, "a", "k", "new"); put(t, db, "b", "k", "new") })
		work.Wait()
		if got := tx.Get("a", []byte("k")); string(got) != "old" {
			t.Errorf("in a snapshot of before: %q", got)
		}
		if got := tx.Get("b", []byte("k")); got != nil {
			t.Errorf("a bucket that was made later: %q", got)
		}
	})
	if got := get(t, db, "a", "k"); got != "new" {
		t.Errorf("in a new one: %q", got)
	}
}

func dbErrorUndoes(t *testing.T, db Transactions) {
	put(t, db, "a", "k", "old")
	mine := errors.New("mine")
	err := db.Update(func(tx cache.Tx) error {
		return errors.Join(tx.Put("a", []byte("k"), []byte("new")), tx.Put("b", []byte("k"), nil), tx.Delete("a", []byte("k")), mine)
	})
	if !errors.Is(err, mine) {
		t.Errorf("Update returned %v", err)
	}
	if got := get(t, db, "a", "k") + get(t, db, "b", "k"); got != "old-" {
		t.Errorf("after an error: %q", got)
	}
}

func dbPanicUndoes(t *testing.T, db Transactions) {
	put(t, db, "a", "k", "old")
	err := db.Update(func(tx cache.Tx) error {
		_ = tx.Put("a", []byte("k"), []byte("new"))
		panic("mine")
	})
	if err == nil || !strings.Contains(err.Error(), "mine") || errors.As(err, new(*cache.DamagedError)) {
		t.Errorf("Update returned %v", err)
	}
	if err := db.View(func(cache.Tx) error { panic("mine") }); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("View returned %v", err)
	}
	put(t, db, "a", "l", "works")
	if got := get(t, db, "a", "k") + get(t, db, "a", "l"); got != "oldworks" {
		t.Errorf("after a panic: %q", got)
	}
}

func dbConcurrentUpdates(t *testing.T, db Transactions) {
	const workers, rounds = 8, 20
	mine := errors.New("mine")
	var work sync.WaitGroup
	for w := range workers {
		work.Go(func() {
			for i := range rounds {
				fail := (w+i)%3 == 0
				err := db.Update(func(tx cache.Tx) error {
					sum := append(tx.Get("a", []byte("sum")), 'x')
					if err := tx.Put("a", []byte("sum"), slices.Clone(sum)); err != nil {
						return err
					}
					if fail {
						return mine
					}
					return tx.Put("done", fmt.Appendf(nil, "%d-%d", w, i), nil)
				})
				if fail != errors.Is(err, mine) || !fail && err != nil {
					t.Errorf("%d-%d: %v", w, i, err)
				}
				if want := map[bool]string{true: "-", false: ""}[fail]; get(t, db, "done", fmt.Sprintf("%d-%d", w, i)) != want {
					t.Errorf("%d-%d isn't seen as it should be when Update returned", w, i)
				}
			}
		})
	}
	work.Wait()
	done := 0
	view(t, db, func(tx cache.Tx) {
		for range tx.Scan("done", nil) {
			done++
		}
	})
	if sum := len(get(t, db, "a", "sum")); sum != done {
		t.Errorf("sum %d, but %d are done", sum, done)
	}
}

func dbConcurrentReaders(t *testing.T, db Transactions) {
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			for ctx.Err() == nil { // which takes all processors: the writes are few
				view(t, db, func(tx cache.Tx) {
					if a, b := tx.Get("a", []byte("k")), tx.Get("b", []byte("k")); !bytes.Equal(a, b) {
						t.Errorf("half a transaction: %q and %q", a, b)
					}
				})
			}
		})
	}
	for i := range soak(200) {
		update(t, db, func(tx cache.Tx) error {
			v := fmt.Append(nil, i)
			return errors.Join(tx.Put("a", []byte("k"), v), tx.Put("b", []byte("k"), v))
		})
	}
	stop()
	work.Wait()
}
