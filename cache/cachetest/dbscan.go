package cachetest

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

func dbScans(t *testing.T, db Transactions) {
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

func dbScansDeleted(t *testing.T, db Transactions) {
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
