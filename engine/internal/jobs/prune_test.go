package jobs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// counting returns the largest number of writes in one transaction.
type counting struct {
	DB
	mu   sync.Mutex
	most int
	read int // the largest number of rows that a View went over
	left int // transactions until all fail; 0: they don't
}

func (c *counting) View(f func(Tx) error) error {
	return c.DB.View(func(tx Tx) error {
		w := &countingTx{Tx: tx}
		err := f(w)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.read = max(c.read, w.reads)
		return err
	})
}

func (c *counting) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.most, c.read = 0, 0
}

var errBroken = errors.New("the store broke")

func (c *counting) Update(f func(Tx) error) error {
	c.mu.Lock()
	if c.left > 0 {
		if c.left--; c.left == 0 {
			c.left = -1
		}
	}
	broken := c.left < 0
	c.mu.Unlock()
	if broken {
		return errBroken
	}
	return c.DB.Update(func(tx Tx) error {
		w := &countingTx{Tx: tx}
		err := f(w)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.most = max(c.most, w.writes)
		return err
	})
}

type countingTx struct {
	Tx
	writes, reads int
}

func (c *countingTx) Scan(b string, from []byte) iter.Seq2[[]byte, []byte] {
	return c.count(c.Tx.Scan(b, from))
}

func (c *countingTx) ScanBack(b string, below []byte) iter.Seq2[[]byte, []byte] {
	return c.count(c.Tx.ScanBack(b, below))
}

func (c *countingTx) count(rows iter.Seq2[[]byte, []byte]) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		for k, v := range rows {
			if c.reads++; !yield(k, v) {
				return
			}
		}
	}
}

func (c *countingTx) Put(b string, k, v []byte) error { c.writes++; return c.Tx.Put(b, k, v) }
func (c *countingTx) Delete(b string, k []byte) error { c.writes++; return c.Tx.Delete(b, k) }

func TestPrune_nothingIsLeft(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		c := newClock()
		dropped := []string{}
		o := c.options()
		o.Send = (&hooks{answer: func(string, payload) (int, error) { return 500, nil }}).post
		o.Drop = func(_ context.Context, id string) error { dropped = append(dropped, id); return nil }
		counted := &counting{DB: db}
		j := open(t, counted, o)
		var want []string
		count := 5
		if _, ok := db.DB.(*cache.Map); ok { // no sync for each
			count = pruneJobs + 10
		}
		for i := range count {
			r := create(t, j, New{Owner: "o", Params: []byte(`{}`), IdempotencyKey: fmt.Sprint(i), Webhook: &Webhook{URL: "https://h.example"}})
			if err := j.Add(t.Context(), r.ID, 1); err != nil {
				t.Fatal(err)
			}
			want = append(want, r.ID)
			if i == 0 {
				bulk(t, j, r.ID, 2*pruneRows+1)
			}
			finish(t, j, r.ID, Completed)
		}
		// The first delivery is given up: there are rows of all buckets.
		for _, d := range []time.Duration{0, time.Minute, 5 * time.Minute, 15 * time.Minute} {
			c.Advance(d)
			attempts := 4
			if d < 15*time.Minute {
				attempts = map[time.Duration]int{0: 1, time.Minute: 2, 5 * time.Minute: 3}[d]
			}
			until(t, "the attempt", func() bool {
				got, err := j.Deliveries(t.Context(), want[0])
				return err == nil && got.Next != nil && (got.Next.Attempts == attempts || got.GivenUp == 1)
			})
		}
		create(t, j, New{}) // runs
		for _, b := range buckets {
			if rows(t, db)[b] == 0 {
				t.Fatalf("no rows in %s", b)
			}
		}
		counted.reset()
		c.Advance(24*time.Hour - 22*time.Minute)
		if n, err := j.Prune(t.Context()); n != 0 || err != nil {
			t.Errorf("too early: %d, %v", n, err)
		}
		c.Advance(22 * time.Minute)
		total := 0
		until(t, "all pruned", func() bool { // the background may have its part in it
			n, err := j.Prune(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			total += n
			return rows(t, db)[bucketExpiry] == 0
		})
		if err := j.Close(); err != nil { // no turn is under way any more
			t.Error(err)
		}
		left := rows(t, db)
		one := map[string]int{bucketIDs: 1, bucketHeads: 1, bucketRunning: 1, bucketEvents: 1}
		if fmt.Sprint(left) != fmt.Sprint(one) {
			t.Errorf("left %v, want those of the running job: %v", left, one)
		}
		slices.Sort(dropped)
		if slices.Sort(want); !slices.Equal(slices.Compact(dropped), want) {
			t.Errorf("dropped %d, want %d", len(dropped), len(want))
		}
		if counted.most > pruneRows {
			t.Errorf("%d writes in one transaction, at most %d", counted.most, pruneRows)
		}
	})
}

// Wherever the store breaks in the middle of pruning, the next process ends it.
func TestPrune_brokenOffAnywhereItIsEndedLater(t *testing.T) {
	for after := 1; after < 8; after++ {
		c := newClock()
		db := memory()
		j := open(t, db, c.options())
		for range 2 {
			r := create(t, j, New{IdempotencyKey: fmt.Sprint(after)})
			bulk(t, j, r.ID, pruneRows+5)
			finish(t, j, r.ID, Failed)
			c.Advance(24 * time.Hour)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		broken := open(t, &counting{DB: db, left: after}, c.options()) // the background prunes too
		until(t, "broken off, or done", func() bool {
			_, err := broken.Prune(t.Context())
			return errors.Is(err, errBroken) || len(rows(t, db)) == 0
		})
		if err := broken.Close(); err != nil {
			t.Error(err)
		}
		j = open(t, db, c.options())
		until(t, "all pruned", func() bool {
			_, err := j.Prune(t.Context())
			return err == nil && len(rows(t, db)) == 0
		})
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPrune_theBackgroundDoesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memory()
		j := open(t, db, Options{Keep: time.Hour})
		r := create(t, j, New{})
		finish(t, j, r.ID, Completed)
		time.Sleep(time.Hour + pruneEvery)
		synctest.Wait()
		if left := rows(t, db); len(left) != 0 {
			t.Errorf("left %v", left)
		}
	})
}

// A job whose other belongings can't be dropped stays, and doesn't keep the others.
func TestPrune_aFailedDropIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memory()
		var stuck string
		var mu sync.Mutex
		fail := errors.New("busy")
		j := open(t, db, Options{Drop: func(_ context.Context, id string) error {
			mu.Lock()
			defer mu.Unlock()
			if id == stuck {
				if fail == nil {
					return nil
				}
				return fail
			}
			if fail != nil && stuck == "" {
				panic("boom")
			}
			return nil
		}})
		a, b := create(t, j, New{}), create(t, j, New{})
		mu.Lock()
		stuck = a.ID
		mu.Unlock()
		finish(t, j, a.ID, Completed)
		finish(t, j, b.ID, Completed)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if left := rows(t, db)[bucketIDs]; left != 1 {
			t.Errorf("%d jobs are left, want the one that is stuck", left)
		}
		if n, err := j.Prune(t.Context()); n != 0 || !errors.Is(err, fail) {
			t.Errorf("got %d, %v", n, err)
		}
		mu.Lock()
		fail = nil
		mu.Unlock()
		if n, err := j.Prune(t.Context()); n != 1 || err != nil || len(rows(t, db)) != 0 {
			t.Errorf("got %d, %v, left %v", n, err, rows(t, db))
		}
	})
}

// Deliveries of a job that expires meanwhile leave nothing behind.
func TestPrune_whileADeliveryIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := memory()
		gate := make(chan int)
		j := open(t, db, Options{Keep: 3 * time.Second, Send: (&hooks{answer: func(string, payload) (int, error) { return <-gate, nil }}).post})
		r := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
		finish(t, j, r.ID, Completed)
		time.Sleep(5 * time.Second)
		if n, err := j.Prune(t.Context()); n != 1 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
		gate <- 200
		synctest.Wait()
		if left := rows(t, db); len(left) != 0 {
			t.Errorf("left %v", left)
		}
	})
}

// Whatever there is much of, no transaction goes over more than some of it.
func TestJobs_noTransactionIsLong(t *testing.T) {
	const bound = lookAt + 1
	c := newClock()
	db := &counting{DB: memory()}
	j := quiet(db, c)
	long := create(t, j, New{Webhook: &Webhook{URL: "https://h.example", Events: []string{"completed"}}})
	bulk(t, j, long.ID, 3*lookEvents)
	finish(t, j, long.ID, Completed)
	for range 2 * lookAt {
		finish(t, j, create(t, j, New{Owner: "others"}).ID, Failed)
	}
	db.reset()
	owner := "nobody"
	for name, call := range map[string]func() error{
		"list":   func() error { _, _, err := j.List(t.Context(), Query{Owner: &owner}); return err },
		"events": func() error { readAll(t, j, long.ID, 0); return nil },
		"turn": func() error {
			r := round{now: j.now(), busy: map[uint64]sender{}}
			if err := db.View(r.look); err != nil || len(r.start) != 1 {
				return fmt.Errorf("%d turns, %w", len(r.start), err)
			}
			return j.turn(r.start[0].job, r.start[0].place)
		},
	} {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if db.read > bound {
			t.Errorf("%s: %d rows in one transaction, at most %d", name, db.read, bound)
		}
		db.reset()
	}
	if d, err := j.Deliveries(t.Context(), long.ID); err != nil || d.Delivered != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	c.Advance(24 * time.Hour)
	db.reset()
	n, err := j.Prune(t.Context())
	if err != nil || n != 2*lookAt+1 || db.read > pruneJobs+1 || db.most > pruneRows {
		t.Errorf("pruned %d, %v; %d rows read and %d written in one transaction", n, err, db.read, db.most)
	}
}
