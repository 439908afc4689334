package cachetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

// Transactions are what every DB has, also one that is no cache.DB: its transactions are the same.
type Transactions interface {
	View(f func(cache.Tx) error) error
	Update(f func(cache.Tx) error) error
	Close() error
}

// TestTransactions checks that transactions keep the contract of cache.DB. open returns an empty DB, which the test closes.
func TestTransactions(t *testing.T, open func(t *testing.T) Transactions) {
	for name, test := range map[string]func(*testing.T, Transactions){
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
		"randomOperations":             dbRandom,
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			test(t, db)
			closeDB(t, db)
		})
	}
}

// TestDB checks that a DB keeps its contract. open returns an empty one, which the test closes.
func TestDB(t *testing.T, open func(t *testing.T) cache.DB) {
	TestTransactions(t, func(t *testing.T) Transactions { return open(t) })
	for name, test := range map[string]func(*testing.T, cache.DB){
		"anErrorTakesNoRoom": dbErrorTakesNoRoom,
		"compactingKeepsAll": dbCompact,
		"sizeGrows":          dbSize,
		"closedIsAnError":    dbClosed,
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

func closeDB(t *testing.T, db Transactions) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func update(t *testing.T, db Transactions, f func(cache.Tx) error) {
	t.Helper()
	if err := db.Update(f); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

func view(t *testing.T, db Transactions, f func(cache.Tx)) {
	t.Helper()
	err := db.View(func(tx cache.Tx) error {
		f(tx)
		return nil
	})
	if err != nil {
		t.Fatalf("View: %v", err)
	}
}

func put(t *testing.T, db Transactions, bucket, key, value string) {
	t.Helper()
	update(t, db, func(tx cache.Tx) error { return tx.Put(bucket, []byte(key), []byte(value)) })
}

// get returns "-" for a key that is missing.
func get(t *testing.T, db Transactions, bucket, key string) (value string) {
	t.Helper()
	view(t, db, func(tx cache.Tx) {
		value = "-"
		if b := tx.Get(bucket, []byte(key)); b != nil {
			value = string(b)
		}
	})
	return value
}

func next(t *testing.T, db Transactions, bucket string) (n uint64) {
	t.Helper()
	update(t, db, func(tx cache.Tx) (err error) {
		n, err = tx.Next(bucket)
		return err
	})
	return n
}

func dbPut(t *testing.T, db Transactions) {
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

func dbLimits(t *testing.T, db Transactions) {
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

// Whole pages of keys are deleted in the transaction that then scans.
func dbNumbers(t *testing.T, db Transactions) {
	var got []uint64
	for _, b := range []string{"a", "a", "b", "a"} {
		got = append(got, next(t, db, b))
	}
	if want := []uint64{1, 2, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("Next = %v, want %v", got, want)
	}
}

// Each adds to one number; every third fails. If two shared a transaction wrongly, or the error of one undid another, the sum is off.
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

func dbErrorTakesNoRoom(t *testing.T, db cache.DB) {
	put(t, db, "a", "k", "old")
	size, _, _ := db.Size()
	mine := errors.New("mine")
	if err := db.Update(func(tx cache.Tx) error { return errors.Join(tx.Put("b", []byte("k"), nil), mine) }); !errors.Is(err, mine) {
		t.Errorf("Update returned %v", err)
	}
	if now, _, _ := db.Size(); now != size {
		t.Errorf("size was %d, is %d", size, now)
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
