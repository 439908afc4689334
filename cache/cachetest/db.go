package cachetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

// TestDB checks that a DB keeps its contract. open returns an empty one, which the test closes.
func TestDB(t *testing.T, open func(t *testing.T) cache.DB) {
	for name, test := range map[string]func(*testing.T, cache.DB){
		"whatIsPutIsThere":             dbPut,
		"limitsAreErrors":              dbLimits,
		"viewsDontWrite":               dbViewsDontWrite,
		"scansAreInOrder":              dbScans,
		"scansPassWhatWasJustDeleted":  dbScansDeleted,
		"numbersGrowPerBucket":         dbNumbers,
		"aSnapshotDoesNotChange":       dbSnapshot,
		"anErrorUndoesItsFunction":     dbErrorUndoes,
		"aPanicUndoesItsFunction":      dbPanicUndoes,
		"updatesAtTheSameTimeAllCount": dbConcurrentUpdates,
		"readersSeeWholeTransactions":  dbConcurrentReaders,
		"compactingKeepsAll":           dbCompact,
		"sizeGrows":                    dbSize,
		"closedIsAnError":              dbClosed,
		"randomOperations":             dbRandom,
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			test(t, db)
			if err := db.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

// TestPersistentDB checks that a DB keeps what was written. open opens the one in the folder, or makes it.
func TestPersistentDB(t *testing.T, open func(t *testing.T, dir string) cache.DB) {
	dir := t.TempDir()
	db := open(t, dir)
	put(t, db, "a", "k", "v")
	if n := next(t, db, "a"); n != 1 {
		t.Errorf("Next = %d, want 1", n)
	}
	closeDB(t, db)

	db = open(t, dir)
	if got := get(t, db, "a", "k"); got != "v" {
		t.Errorf("after reopening: %q", got)
	}
	if n := next(t, db, "a"); n != 2 {
		t.Errorf("Next after reopening = %d, want 2", n)
	}
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, db, "a", "l", "w")
	closeDB(t, db)

	db = open(t, dir)
	if got := get(t, db, "a", "k") + get(t, db, "a", "l"); got != "vw" {
		t.Errorf("after compacting and reopening: %q", got)
	}
	if n := next(t, db, "a"); n != 3 {
		t.Errorf("Next after compacting = %d, want 3", n)
	}
	closeDB(t, db)
}

func closeDB(t *testing.T, db cache.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func update(t *testing.T, db cache.DB, f func(cache.Tx) error) {
	t.Helper()
	if err := db.Update(f); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

func view(t *testing.T, db cache.DB, f func(cache.Tx)) {
	t.Helper()
	err := db.View(func(tx cache.Tx) error {
		f(tx)
		return nil
	})
	if err != nil {
		t.Fatalf("View: %v", err)
	}
}

func put(t *testing.T, db cache.DB, bucket, key, value string) {
	t.Helper()
	update(t, db, func(tx cache.Tx) error { return tx.Put(bucket, []byte(key), []byte(value)) })
}

// get returns "-" for a key that is missing.
func get(t *testing.T, db cache.DB, bucket, key string) (value string) {
	t.Helper()
	view(t, db, func(tx cache.Tx) {
		value = "-"
		if b := tx.Get(bucket, []byte(key)); b != nil {
			value = string(b)
		}
	})
	return value
}

func next(t *testing.T, db cache.DB, bucket string) (n uint64) {
	t.Helper()
	update(t, db, func(tx cache.Tx) (err error) {
		n, err = tx.Next(bucket)
		return err
	})
	return n
}

func dbPut(t *testing.T, db cache.DB) {
	if got := get(t, db, "none", "k"); got != "-" {
		t.Errorf("in a bucket that isn't there: %q", got)
	}
	key := []byte("k")
	update(t, db, func(tx cache.Tx) error {
		if err := tx.Put("a", key, []byte("1")); err != nil {
			return err
		}
		if got := tx.Get("a", []byte("k")); string(got) != "1" {
			t.Errorf("in the same transaction: %q", got)
		}
		key[0] = 'x' // the key was copied
		if got := tx.Get("a", []byte("k")); string(got) != "1" {
			t.Errorf("after the key's slice changed: %q", got)
		}
		return errors.Join(tx.Put("a", []byte("empty"), []byte{}), tx.Put("a", []byte("nil"), nil))
	})
	put(t, db, "b", "k", "2")
	put(t, db, "a", "\x00\xff", "3")
	for _, c := range []struct{ bucket, key, want string }{
		{"a", "k", "1"}, {"a", "empty", ""}, {"a", "nil", ""}, {"b", "k", "2"}, {"a", "\x00\xff", "3"}, {"b", "empty", "-"},
	} {
		if got := get(t, db, c.bucket, c.key); got != c.want {
			t.Errorf("%s %q = %q, want %q", c.bucket, c.key, got, c.want)
		}
	}
	update(t, db, func(tx cache.Tx) error {
		return errors.Join(tx.Delete("a", []byte("k")), tx.Delete("a", []byte("k")), tx.Delete("none", []byte("k")))
	})
	if got := get(t, db, "a", "k"); got != "-" {
		t.Errorf("deleted: %q", got)
	}
}

func dbLimits(t *testing.T, db cache.DB) {
	long := bytes.Repeat([]byte{'k'}, 32768)
	update(t, db, func(tx cache.Tx) error { return tx.Put("a", long, []byte("v")) })
	if got := get(t, db, "a", string(long)); got != "v" {
		t.Errorf("longest key: %q", got)
	}
	for name, put := range map[string]func(cache.Tx) error{
		"empty bucket":    func(tx cache.Tx) error { return tx.Put("", []byte("k"), nil) },
		"zero bucket":     func(tx cache.Tx) error { return tx.Put("\x00file", []byte("k"), nil) },
		"zero bucket seq": func(tx cache.Tx) error { _, err := tx.Next("\x00file"); return err },
		"empty key":       func(tx cache.Tx) error { return tx.Put("a", nil, []byte("v")) },
	} {
		if err := db.Update(put); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	err := db.Update(func(tx cache.Tx) error { return tx.Put("a", append(long, 'k'), nil) })
	if !errors.Is(err, cache.ErrTooLarge) {
		t.Errorf("key too long: %v", err)
	}
}

func dbViewsDontWrite(t *testing.T, db cache.DB) {
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

func dbScans(t *testing.T, db cache.DB) {
	update(t, db, func(tx cache.Tx) error {
		for _, k := range []string{"d", "b", "ba", "\xff", "\x00"} {
			if err := tx.Put("s", []byte(k), []byte("v"+k)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct {
		back bool
		from string
		want string // keys
	}{
		{false, "", "\x00 b ba d \xff"}, {false, "b", "b ba d \xff"}, {false, "c", "d \xff"}, {false, "\xff\x00", ""},
		{true, "", "\xff d ba b \x00"}, {true, "ba", "b \x00"}, {true, "bb", "ba b \x00"}, {true, "\x00", ""}, {true, "\xff\xff", "\xff d ba b \x00"},
	} {
		view(t, db, func(tx cache.Tx) {
			if got := scan(t, tx, c.back, c.from); got != c.want {
				t.Errorf("back %v from %q: %q, want %q", c.back, c.from, got, c.want)
			}
		})
	}
	view(t, db, func(tx cache.Tx) {
		for range tx.Scan("none", nil) {
			t.Error("a bucket that isn't there has a key")
		}
		for range tx.ScanBack("none", nil) {
			t.Error("a bucket that isn't there has a key")
		}
		for k := range tx.Scan("s", nil) { // can be left
			if string(k) == "b" {
				break
			}
		}
	})
	update(t, db, func(tx cache.Tx) error { // sees what the transaction did
		err := errors.Join(tx.Put("s", []byte("c"), []byte("vc")), tx.Delete("s", []byte("ba")))
		if got := scan(t, tx, false, "b"); got != "b c d \xff" {
			t.Errorf("in the transaction: %q", got)
		}
		return err
	})
}

// Whole pages of keys are deleted in the transaction that then scans.
func dbScansDeleted(t *testing.T, db cache.DB) {
	const n = 3000
	key := func(i int) string { return fmt.Sprintf("%04d", i) }
	update(t, db, func(tx cache.Tx) error {
		for i := range n {
			if err := tx.Put("s", []byte(key(i)), []byte("v"+key(i))); err != nil {
				return err
			}
		}
		return nil
	})
	for _, left := range [][]int{{0, 1, 2998, 2999}, {0}, {2999}, {1500}, {}} {
		mine := errors.New("mine")
		err := db.Update(func(tx cache.Tx) error {
			up, down := "", ""
			for _, i := range left {
				up, down = up+" "+key(i), key(i)+" "+down
			}
			for i := range n {
				if slices.Contains(left, i) {
					continue
				}
				if err := tx.Delete("s", []byte(key(i))); err != nil {
					return err
				}
			}
			for _, from := range []string{"", "0", "0000"} {
				if got := scan(t, tx, false, from); got != strings.TrimSpace(up) {
					t.Errorf("from %q: %q, want %q", from, got, up)
				}
			}
			for _, below := range []string{"", "3", "2999a"} {
				if got := scan(t, tx, true, below); got != strings.TrimSpace(down) {
					t.Errorf("below %q: %q, want %q", below, got, down)
				}
			}
			return mine
		})
		if !errors.Is(err, mine) {
			t.Fatal(err)
		}
	}
}

func scan(t *testing.T, tx cache.Tx, back bool, from string) string {
	t.Helper()
	var keys []string
	var seq iter.Seq2[[]byte, []byte]
	if seq = tx.Scan("s", []byte(from)); back {
		seq = tx.ScanBack("s", []byte(from))
	}
	for k, v := range seq {
		if string(v) != "v"+string(k) {
			t.Errorf("%q has value %q", k, v)
		}
		keys = append(keys, string(k))
	}
	return strings.Join(keys, " ")
}

func dbNumbers(t *testing.T, db cache.DB) {
	var got []uint64
	for _, b := range []string{"a", "a", "b", "a"} {
		got = append(got, next(t, db, b))
	}
	if want := []uint64{1, 2, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("Next = %v, want %v", got, want)
	}
}

func dbSnapshot(t *testing.T, db cache.DB) {
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

func dbErrorUndoes(t *testing.T, db cache.DB) {
	put(t, db, "a", "k", "old")
	size, _, _ := db.Size()
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
	if now, _, _ := db.Size(); now != size {
		t.Errorf("size was %d, is %d", size, now)
	}
}

func dbPanicUndoes(t *testing.T, db cache.DB) {
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

// Each adds to one number; every third fails. If two shared a transaction wrongly, or the error of one undid another, the sum is off.
func dbConcurrentUpdates(t *testing.T, db cache.DB) {
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

func dbConcurrentReaders(t *testing.T, db cache.DB) {
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for ctx.Err() == nil {
				view(t, db, func(tx cache.Tx) {
					if a, b := tx.Get("a", []byte("k")), tx.Get("b", []byte("k")); !bytes.Equal(a, b) {
						t.Errorf("half a transaction: %q and %q", a, b)
					}
				})
			}
		})
	}
	for i := range 100 {
		update(t, db, func(tx cache.Tx) error {
			v := fmt.Append(nil, i)
			return errors.Join(tx.Put("a", []byte("k"), v), tx.Put("b", []byte("k"), v))
		})
	}
	stop()
	work.Wait()
}

func dbCompact(t *testing.T, db cache.DB) {
	value := strings.Repeat("v", 10_000)
	for i := range 30 {
		put(t, db, "a", fmt.Sprintf("k%02d", i), value)
	}
	for i := range 30 {
		update(t, db, func(tx cache.Tx) error {
			if i%3 == 0 {
				return nil
			}
			return tx.Delete("a", fmt.Appendf(nil, "k%02d", i))
		})
	}
	before, _, _ := db.Size()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Compact(done); !errors.Is(err, context.Canceled) {
		t.Errorf("Compact with a context that is done: %v", err)
	}
	if err := db.Compact(t.Context()); err != nil {
		t.Fatalf("Compact: %v", err)
	}
	if after, _, err := db.Size(); err != nil || after > before {
		t.Errorf("size was %d, is %d, %v", before, after, err)
	}
	for i := range 30 {
		want := map[bool]string{true: value, false: "-"}[i%3 == 0]
		if got := get(t, db, "a", fmt.Sprintf("k%02d", i)); got != want {
			t.Errorf("k%02d after compacting: %d bytes, want %d", i, len(got), len(want))
		}
	}
	put(t, db, "a", "l", "works")
}

func dbSize(t *testing.T, db cache.DB) {
	value := strings.Repeat("v", 1<<20)
	for i := range 20 {
		put(t, db, "a", fmt.Sprint(i), value)
	}
	total, free, err := db.Size()
	if err != nil || total-free < 20<<20 || free < 0 {
		t.Errorf("Size = %d, %d, %v with 20 MiB in it", total, free, err)
	}
}

func dbClosed(t *testing.T, db cache.DB) {
	closeDB(t, db)
	_, _, err := db.Size()
	for i, err := range []error{
		db.View(func(cache.Tx) error { return nil }), db.Update(func(cache.Tx) error { return nil }), db.Compact(t.Context()), err,
	} {
		if !errors.Is(err, cache.ErrClosed) {
			t.Errorf("call %d after Close: %v", i, err)
		}
	}
}
