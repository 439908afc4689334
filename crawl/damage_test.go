package crawl_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// watched is a store that reports panics inside of transactions, which cache turns into errors.
type watched struct {
	store
	t *testing.T
}

func (w watched) watch(f func(crawl.Tx) error) func(crawl.Tx) error {
	return func(tx crawl.Tx) (err error) {
		defer func() {
			if p := recover(); p != nil {
				w.t.Errorf("panic: %v", p)
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return f(tx)
	}
}

func (w watched) View(f func(crawl.Tx) error) error   { return w.store.View(w.watch(f)) }
func (w watched) Update(f func(crawl.Tx) error) error { return w.store.Update(w.watch(f)) }

// Rows that were damaged are errors that say so, whatever is asked for; nothing panics, and the job can be dropped and begun again.
func TestFrontier_damagedRowsAreErrors(t *testing.T) {
	damages := map[string]func([]byte) []byte{
		"a wrong bit": func(row []byte) []byte { row[len(row)/2] ^= 4; return row },
		"cut off":     func(row []byte) []byte { return row[:len(row)/2] },
		"empty":       func([]byte) []byte { return nil },
	}
	for _, bucket := range []string{"jobs", "state", "queue", "later", "reserve", "results", "errors", "denials", "denied", "blocks"} {
		for name, damage := range damages {
			t.Run(bucket+"/"+name, func(t *testing.T) {
				db := watched{store{cache.NewMap()}, t}
				now := time.Now()
				o := crawl.Options{Limit: 5, Now: func() time.Time { return now }}
				f := openJob(t, db, o)
				fillJob(t, f, now)
				alter(t, db, "crawl."+bucket, damage)
				now = now.Add(time.Hour)
				seen := useAll(t, f, db, o)
				if !seen && bucket != "blocks" {
					t.Error("the damage went unnoticed")
				}
				if err := crawl.Drop(t.Context(), db, "job"); err != nil {
					t.Errorf("drop: %v", err)
				}
				if _, err := crawl.Open(db, "job", o); err != nil {
					t.Errorf("open again: %v", err)
				}
			})
		}
	}
}

// Keys that are too short or too long for their bucket aren't taken for others.
func TestFrontier_damagedKeysAreErrors(t *testing.T) {
	for _, bucket := range []string{"queue", "later", "results", "errors", "denied"} {
		t.Run(bucket, func(t *testing.T) {
			db := watched{store{cache.NewMap()}, t}
			f := openJob(t, db, crawl.Options{})
			err := db.Update(func(tx crawl.Tx) error {
				for _, rest := range []string{"", "x", strings.Repeat("\xff", 40)} {
					if err := tx.Put("crawl."+bucket, []byte("\x00\x00\x00\x00\x00\x00\x00\x01"+rest), nil); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			useAll(t, f, db, crawl.Options{})
		})
	}
}

// fillJob puts rows into every bucket.
func fillJob(t *testing.T, f *crawl.Frontier, now time.Time) {
	t.Helper()
	var found []crawl.Found
	for i := range 8 {
		found = append(found, crawl.Found{URL: fmt.Sprintf("http://a.example/%d", i)})
	}
	if _, err := f.Put(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	items := leaseAll(t, f, 4)
	denied := []crawl.Denied{{Reason: "X", URL: "http://x.example/"}}
	for _, err := range []error{
		f.Complete(t.Context(), items[0], crawl.Page{Result: []byte("result"), Denied: denied}),
		f.Complete(t.Context(), items[1], crawl.Page{Failed: true}),
		f.Fail(t.Context(), items[2], now.Add(time.Minute), "reset"),
		f.Block(t.Context(), "b.example", now.Add(10*time.Minute)),
		f.Release(t.Context(), items[3]),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func alter(t *testing.T, db crawl.DB, bucket string, damage func([]byte) []byte) {
	t.Helper()
	rows := map[string][]byte{}
	err := db.Update(func(tx crawl.Tx) error {
		for k, v := range tx.Scan(bucket, nil) {
			rows[string(k)] = bytes.Clone(v)
		}
		for k, v := range rows {
			if err := tx.Put(bucket, []byte(k), damage(v)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows in %s, %v", len(rows), bucket, err)
	}
}

// useAll calls whatever reads rows and reports whether any call complained of damage. No other error is allowed.
func useAll(t *testing.T, f *crawl.Frontier, db crawl.DB, o crawl.Options) (seen bool) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		damaged, ok := errors.AsType[*crawl.DamagedError](err)
		if ok && damaged.Error() == "" || err != nil && !ok {
			t.Errorf("got %v", err)
		}
		seen = seen || ok
	}
	items, _, err := f.Lease(t.Context(), 10, 0)
	check(err)
	for _, item := range items {
		check(f.Complete(t.Context(), item, crawl.Page{Failed: true, Denied: []crawl.Denied{{Reason: "X", URL: "http://y.example/"}}}))
	}
	_, err = f.Stats(t.Context())
	check(err)
	_, err = f.Results(t.Context(), 0, 10)
	check(err)
	_, err = f.Errors(t.Context(), 0, 10)
	check(err)
	_, err = f.DeniedURLs(t.Context(), "X")
	check(err)
	_, err = crawl.Open(db, "job", o)
	check(err)
	return seen
}
