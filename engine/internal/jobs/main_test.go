package jobs

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/cache"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		child(path)
		return
	}
	// A server that closes a connection of which it hasn't read all waits half a second, and goleak for less.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return max(full/10, 1)
}

// store is a cache.DB as the jobs want it.
type store struct{ cache.DB }

func (s store) View(f func(Tx) error) error {
	return s.DB.View(func(tx cache.Tx) error { return f(tx) })
}

func (s store) Update(f func(Tx) error) error {
	return s.DB.Update(func(tx cache.Tx) error { return f(tx) })
}

func memory() store { return store{cache.NewMap()} }

func openFile(t testing.TB, path string) store {
	t.Helper()
	file, err := cache.OpenFile(path, cache.FileOptions{Kind: "jobs test"})
	if err != nil {
		t.Fatal(err)
	}
	return store{file}
}

// stores are the two that jobs are tested on.
func stores(t *testing.T, test func(t *testing.T, db store)) {
	t.Run("memory", func(t *testing.T) { test(t, memory()) })
	t.Run("file", func(t *testing.T) {
		t.Parallel() // most of it waits for the disk
		db := openFile(t, filepath.Join(t.TempDir(), "state.db"))
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		test(t, db)
	})
}

func open(t testing.TB, db DB, o Options) *Jobs {
	t.Helper()
	j, err := Open(db, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func create(t testing.TB, j *Jobs, n New) Record {
	t.Helper()
	if n.Kind == "" {
		n.Kind = "crawl"
	}
	r, existed, err := j.Create(t.Context(), n)
	if err != nil || existed {
		t.Fatalf("create: existed %v, %v", existed, err)
	}
	return r
}

func finish(t testing.TB, j *Jobs, id string, s State) {
	t.Helper()
	if _, err := j.Finish(t.Context(), id, s, "", ""); err != nil {
		t.Fatal(err)
	}
}

func pages(t testing.TB, j *Jobs, id string, n int) {
	t.Helper()
	for i := range n {
		if _, err := j.Append(t.Context(), id, Event{Type: EventPage, Ref: uint64(i + 1)}); err != nil {
			t.Fatal(err)
		}
	}
}

// bulk appends pages in one transaction.
func bulk(t testing.TB, j *Jobs, id string, n int) {
	t.Helper()
	err := j.db.Update(func(tx Tx) error {
		for i := range n {
			if _, err := j.AppendIn(tx, id, Event{Type: EventPage, Ref: uint64(i + 1)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	j.Wake(id)
}

// clock is a fake one whose timers fire when it is advanced over them.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	timers []timer
}

type timer struct {
	at time.Time
	c  chan time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timers = append(c.timers, timer{c.now.Add(d), make(chan time.Time, 1)})
	ch := c.timers[len(c.timers)-1].c
	c.fire()
	return ch
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.fire()
}

func (c *clock) fire() {
	var left []timer
	for _, t := range c.timers {
		if t.at.After(c.now) {
			left = append(left, t)
		} else {
			t.c <- c.now
		}
	}
	c.timers = left
}

func (c *clock) options() Options { return Options{Now: c.Now, After: c.After} }

// rows counts what is left in the store, by bucket.
func rows(t testing.TB, db DB) map[string]int {
	t.Helper()
	count := map[string]int{}
	err := db.View(func(tx Tx) error {
		for _, b := range buckets {
			for range tx.Scan(b, nil) {
				count[b]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// until waits for something that another goroutine does, on a busy machine for minutes.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// sent is what a fake Post was given.
type sent struct {
	URL    string
	Header http.Header
	Body   payload
	At     time.Time
}

// hooks is a receiver of webhooks. The zero value answers 200.
type hooks struct {
	answer func(url string, p payload) (int, error) // nil: 200
	now    func() time.Time

	mu  sync.Mutex
	got []sent
}

func (h *hooks) post(ctx context.Context, url string, header http.Header, body []byte) (int, error) {
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return 0, err
	}
	now := time.Now
	if h.now != nil {
		now = h.now
	}
	h.mu.Lock()
	h.got = append(h.got, sent{url, header, p, now()})
	h.mu.Unlock()
	if h.answer == nil {
		return http.StatusOK, nil
	}
	return h.answer(url, p)
}

func (h *hooks) all() []sent {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]sent(nil), h.got...)
}
