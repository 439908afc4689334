package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// everything calls all that reads rows, and returns what was wrong with them.
func everything(t *testing.T, j *Jobs, id string) (errs []error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	note := func(err error) { errs = append(errs, err) }
	_, err := j.Get(ctx, id)
	note(err)
	_, _, err = j.List(ctx, Query{})
	note(err)
	_, _, err = j.List(ctx, Query{State: Scraping})
	note(err)
	_, err = j.Unfinished(ctx)
	note(err)
	_, _, err = j.events(ctx, id, 0)
	note(err)
	_, err = j.Deliveries(ctx, id)
	note(err)
	note(j.Add(ctx, id, 1))
	_, err = j.Append(ctx, id, Event{Type: EventPage})
	note(err)
	_, _, err = j.Create(ctx, New{Kind: "crawl", IdempotencyKey: "k", Webhook: &Webhook{URL: "https://h.example"}})
	note(err)
	_, err = j.Finish(ctx, id, Completed, "", "")
	note(err)
	r := round{now: j.now(), busy: map[uint64]sender{}}
	if err := j.db.View(r.look); err == nil {
		for _, s := range r.start {
			note(j.turn(s.job, s.place))
		}
	}
	return errs
}

// sample is a store with rows in every bucket, and the id of a job in it that runs, or
// one that has ended.
func sample(t testing.TB, running bool) (store, *clock, string) {
	t.Helper()
	db, c := memory(), newClock()
	o := c.options()
	o.Send = (&hooks{answer: func(string, payload) (int, error) { return 500, nil }}).post
	j := open(t, db, o)
	r := create(t, j, New{Owner: "o", Params: json.RawMessage(`{"a":1}`), IdempotencyKey: "k", Webhook: &Webhook{URL: "https://h.example"}})
	pages(t, j, r.ID, 1)
	if err := j.Add(t.Context(), r.ID, 1); err != nil {
		t.Fatal(err)
	}
	for i, d := range []time.Duration{0, time.Minute, 5 * time.Minute, 15 * time.Minute} {
		c.Advance(d)
		until(t, "the attempt", func() bool {
			got, err := j.Deliveries(t.Context(), r.ID)
			return err == nil && (got.GivenUp == 1 || got.Next.Attempts == i+1)
		})
	}
	if !running {
		finish(t, j, r.ID, Completed)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return db, c, r.ID
}

// quiet opens Jobs whose goroutines don't run, so that what a test calls is all there is.
func quiet(db DB, c *clock) *Jobs {
	o := c.options()
	o.Send = func(context.Context, string, http.Header, []byte) (int, error) { return 200, nil }
	j := &Jobs{db: db, o: withDefaults(o), pruning: make(chan struct{}, 1)}
	j.notifier.topics = map[string]*topic{}
	j.dispatcher = dispatcher{kick: make(chan struct{}, 1), busy: map[uint64]sender{}}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	return j
}

// spoil changes one row.
func spoil(t testing.TB, db DB, bucket string, k []byte, change func([]byte) []byte) {
	t.Helper()
	err := db.Update(func(tx Tx) error { return tx.Put(bucket, k, change(bytes.Clone(tx.Get(bucket, k)))) })
	if err != nil {
		t.Fatal(err)
	}
}

// known reports whether an error is one that damage may lead to.
func known(err error) bool {
	_, damaged := errors.AsType[*DamagedError](err)
	return err == nil || damaged || errors.Is(err, ErrNotFound) || errors.Is(err, ErrFinished) || errors.Is(err, ErrIdempotencyReuse)
}

func TestDamage_everyRowInEveryWayIsAnErrorAndPrunedInTheEnd(t *testing.T) {
	changes := map[string]func([]byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"short":     func(b []byte) []byte { return b[:len(b)/2] },
		"bit":       func(b []byte) []byte { b = append(b, 0); b[(len(b)-1)*2/3] ^= 4; return b[:len(b)-1] },
		"format":    func(b []byte) []byte { b = append(b, 0); b[0]++; return b },
		"no JSON":   func([]byte) []byte { return seal([]byte(`{`)) },
		"null":      func([]byte) []byte { return seal([]byte(`null`)) },
		"other":     func([]byte) []byte { return seal([]byte(`[1,2]`)) },
		"empty one": func([]byte) []byte { return seal(nil) },
	}
	for _, running := range []bool{true, false} {
		base, c, id := sample(t, running)
		for name, change := range changes {
			for _, bucket := range buckets {
				db := copyOf(t, base)
				if spoilAll(t, db, bucket, change) {
					clock := newClock()
					clock.now = c.now
					checkDamage(t, db, clock, id, bucket+", "+name)
				}
			}
		}
	}
}

func copyOf(t testing.TB, db store) store {
	t.Helper()
	to := memory()
	err := db.View(func(from Tx) error {
		return to.Update(func(to Tx) error {
			for _, b := range buckets {
				for k, v := range from.Scan(b, nil) {
					if err := to.Put(b, k, v); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func spoilAll(t *testing.T, db store, bucket string, change func([]byte) []byte) (any bool) {
	t.Helper()
	var keys [][]byte
	err := db.View(func(tx Tx) error {
		for k := range tx.Scan(bucket, nil) {
			keys = append(keys, bytes.Clone(k))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		spoil(t, db, bucket, k, change)
	}
	return len(keys) > 0
}

func checkDamage(t *testing.T, db store, c *clock, id, name string) {
	t.Helper()
	j := quiet(db, c)
	c.Advance(time.Hour) // the next attempt is due
	for _, err := range everything(t, j, id) {
		if !known(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.Advance(48 * time.Hour)
	if _, err := j.Prune(t.Context()); !known(err) {
		t.Errorf("%s: prune: %v", name, err)
	}
	if _, err := j.Prune(t.Context()); err != nil {
		t.Errorf("%s: second prune: %v", name, err)
	}
}

// Each bit of a row counts.
func TestRow_everyChangedBitIsSeen(t *testing.T) {
	row := seal([]byte(`{"state":"scraping"}`))
	if content, err := unseal("b", row); err != nil || string(content) != `{"state":"scraping"}` {
		t.Errorf("got %s, %v", content, err)
	}
	for i := range 8 * len(row) {
		row[i/8] ^= 1 << (i % 8)
		if _, err := unseal("b", row); err == nil {
			t.Errorf("bit %d changed unseen", i)
		}
		row[i/8] ^= 1 << (i % 8)
	}
	for n := range len(row) {
		if _, err := unseal("b", row[:n]); err == nil {
			t.Errorf("%d bytes are accepted", n)
		}
	}
}

// A job whose webhook can't be read goes on; others are unaffected.
func TestDamage_aHookCostsItsJobNothing(t *testing.T) {
	for _, bucket := range []string{bucketHooks, bucketPosts} {
		db, c, id := sample(t, true)
		spoil(t, db, bucket, key(1), func([]byte) []byte { return []byte("damaged") })
		j := quiet(db, c)
		if _, err := j.Append(t.Context(), id, Event{Type: EventPage}); err != nil {
			t.Errorf("%s: append: %v", bucket, err)
		}
		c.Advance(time.Hour) // the next attempt is due
		other := create(t, j, New{Webhook: &Webhook{URL: "https://h.example"}})
		r := round{now: j.now(), busy: map[uint64]sender{}}
		if err := db.View(r.look); err != nil || len(r.start) != 2 {
			t.Errorf("%s: %d turns, %v", bucket, len(r.start), err)
		}
		for _, s := range r.start {
			if err := j.turn(s.job, s.place); err != nil && s.job != 1 {
				t.Error(err)
			}
		}
		if d, err := j.Deliveries(t.Context(), other.ID); err != nil || d.Delivered != 1 {
			t.Errorf("%s: %+v, %v", bucket, d, err)
		}
	}
}

// An event that can't be read is passed over.
func TestDamage_deliveryGoesOnBehindAnEvent(t *testing.T) {
	db, c, id := sample(t, true)
	spoil(t, db, bucketEvents, key(1, 2), func([]byte) []byte { return []byte("damaged") })
	h := &hooks{}
	o := c.options()
	o.Send = h.post
	c.Advance(time.Hour) // the next attempt is due
	j := open(t, db, o)
	finish(t, j, id, Completed)
	until(t, "the end is told", func() bool { return len(h.all()) == 1 })
	if got := types(h.all()); got != "crawl.completed" {
		t.Errorf("got %s", got)
	}
}

// Rows that no hook has put into the line leave it, and don't keep the others.
func TestDamage_theLineHealsItself(t *testing.T) {
	db, c, id := sample(t, false)
	for _, k := range [][]byte{key(1<<63, 1), key(5, 99), key(5, 1), key(0, 0), key(0, 2)} {
		spoil(t, db, bucketDue, k, func([]byte) []byte { return []byte("https://h.example") })
	}
	idle := quiet(db, c) // job 2 has nothing to deliver
	create(t, idle, New{Webhook: &Webhook{URL: "https://h.example", Events: []string{"failed"}}})
	counted := &limited{store: db}
	counted.left.Store(100_000)
	h := &hooks{}
	o := c.options()
	o.Send = h.post
	c.Advance(time.Hour) // the next attempt is due
	j := open(t, counted, o)
	until(t, "all is told", func() bool {
		d, err := j.Deliveries(t.Context(), id)
		return err == nil && d.Next == nil && d.Delivered == 2 && rows(t, db)[bucketDue] == 0
	})
	if got := types(h.all()); got != "crawl.page crawl.completed" {
		t.Errorf("got %s", got)
	}
}

// An event with the very last number would make the hook start again.
func TestDamage_theLastNumberIsNoEvent(t *testing.T) {
	db, c, id := sample(t, false)
	spoil(t, db, bucketEvents, key(1, 1<<64-1), func([]byte) []byte { return seal([]byte(`{"type":"page"}`)) })
	j := quiet(db, c)
	c.Advance(time.Hour) // the next attempt is due
	for range 10 {
		r := round{now: j.now(), busy: map[uint64]sender{}}
		if err := db.View(r.look); err != nil {
			t.Fatal(err)
		}
		for _, s := range r.start {
			if err := j.turn(s.job, s.place); err != nil {
				t.Fatal(err)
			}
		}
	}
	if d, err := j.Deliveries(t.Context(), id); err != nil || d.Delivered != 2 || d.Next != nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// List and Unfinished give the jobs that can be read.
func TestDamage_oneJobDoesntHideTheOthers(t *testing.T) {
	db, c := memory(), newClock()
	j := quiet(db, c)
	for range 5 {
		create(t, j, New{})
	}
	spoil(t, db, bucketHeads, key(2), func(b []byte) []byte { return b[:9] })
	spoil(t, db, bucketHeads, key(4), func(b []byte) []byte { return nil })
	records, err := j.Unfinished(t.Context())
	if _, ok := errors.AsType[*DamagedError](err); !ok || len(records) != 3 {
		t.Errorf("unfinished: %d, %v", len(records), err)
	}
	var all, damaged int
	for q := (Query{Limit: 1}); ; {
		records, next, err := j.List(t.Context(), q)
		if _, ok := errors.AsType[*DamagedError](err); ok {
			damaged++
		} else if err != nil {
			t.Fatal(err)
		}
		all += len(records)
		if q.Before = next; next == "" {
			break
		}
	}
	if all != 3 || damaged == 0 {
		t.Errorf("list: %d jobs, %d damaged pages", all, damaged)
	}
}

// limited panics when there are more transactions than any call has a use for.
type limited struct {
	store
	left atomic.Int64
}

func (l *limited) count() {
	if l.left.Add(-1) < 0 {
		panic("a loop without an end")
	}
}

func (l *limited) View(f func(Tx) error) error   { l.count(); return l.store.View(f) }
func (l *limited) Update(f func(Tx) error) error { l.count(); return l.store.Update(f) }

// Whatever lies in a bucket, nothing panics and nothing spins.
func FuzzRows(f *testing.F) {
	f.Add(uint8(0), []byte{}, []byte{}, false)
	f.Add(uint8(2), key(1), []byte(`{"state":"scraping","hook":true}`), true)
	f.Add(uint8(5), key(1), key(7), true)
	f.Add(uint8(7), key(5, 1), []byte("id"), true)
	f.Add(uint8(8), key(1, 1<<64-1), []byte(`{"type":"page"}`), true)
	f.Add(uint8(8), append(key(1, 3), 1), []byte(`{"type":"page"}`), true)
	f.Add(uint8(8), key(1, 9), []byte(`{"type":"page"}`), true)
	f.Add(uint8(9), key(1), []byte(`{"next":18446744073709551615,"due":"2026-11-21T12:00:00Z"}`), true)
	f.Add(uint8(10), key(1<<63, 1), []byte("https://h.example"), false)
	base, c, id := sample(f, true)
	c.Advance(time.Hour) // the next attempt is due
	f.Fuzz(func(t *testing.T, bucket uint8, k, row []byte, sealed bool) {
		if len(k) == 0 {
			return
		}
		if len(k)+len(row) > 200 { // making it smaller takes Go the square of its length
			t.Skip("fuzzed input: over 200 bytes")
		}
		db := copyOf(t, base)
		if sealed {
			row = seal(row)
		}
		spoil(t, db, buckets[int(bucket)%len(buckets)], k, func([]byte) []byte { return row })
		counted := &limited{store: db}
		counted.left.Store(1000)
		j := quiet(counted, c)
		everything(t, j, id)
		j.cancel()
		j.work.Wait()
	})
}

// Foreign JSON never panics, and what is accepted comes back as it was.
func FuzzWebhook(f *testing.F) {
	f.Add([]byte(`"https://h.example"`))
	f.Add([]byte(`{"url":"https://h.example","headers":{"A":"b"},"metadata":{"c":"d"},"events":["crawl.page"],"secret":"s"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var w Webhook
		if json.Unmarshal(data, &w) != nil || w.Validate() != nil {
			return
		}
		text, err := json.Marshal(StoredHook(w))
		if err != nil {
			t.Fatal(err)
		}
		var back Webhook
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(StoredHook(back))
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("%s came back as %s, %v", text, again, err)
		}
		if err := back.Validate(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		w.header(nil)
		w.origin()
		redact(errors.New(w.URL), &w)
	})
}
