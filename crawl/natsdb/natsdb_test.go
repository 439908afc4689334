package natsdb

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache/cachetest"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/crawltest"
)

func put(t *testing.T, db crawl.DB, key, value string) {
	t.Helper()
	if err := db.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte(key), []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

// rows are all rows of the bucket b, with its number.
func rows(t *testing.T, db crawl.DB) (text string) {
	t.Helper()
	err := db.View(func(tx crawl.Tx) error {
		text = ""
		for k, v := range tx.Scan("b", nil) {
			text += fmt.Sprintf("%s=%.20s ", k, v)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

func TestDB_keepsTheContractOfTransactions(t *testing.T) {
	h, n := newHost(t, 0), 0
	cachetest.TestTransactions(t, func(t *testing.T) cachetest.Transactions {
		n++
		return h.machine(t, fmt.Sprint("tx-", n), t.TempDir())
	})
}

// A frontier lives on the DB. Each reopening is another machine or the same one, and now and then the one before dies between the stream
// and its own store, is killed without a word, or stays alive and goes on writing.
func TestDB_carriesAFrontier(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	h, n := newHost(t, 0), 0
	crawltest.TestFrontier(t, func(t *testing.T) crawl.DB {
		n++
		return h.machine(t, fmt.Sprint("crawl-", n), t.TempDir(), func(o *Options) { o.SnapshotBytes = 200_000 })
	}, func(t *testing.T, db crawl.DB) crawl.DB {
		before := db.(*machine)
		dir := before.dir
		if random.IntN(2) == 0 {
			dir = t.TempDir()
		}
		if random.IntN(2) == 0 {
			_ = before.Close()
		} else if dir == before.dir {
			before.local.dead.Store(true)
			_ = before.Close()
		}
		return h.machine(t, before.o.Name, dir, func(o *Options) { o.SnapshotBytes = 200_000 })
	})
}

func TestOpen_anotherMachineHasAll(t *testing.T) {
	h := newHost(t, 0)
	first := h.machine(t, "s", t.TempDir())
	put(t, first, "a", "1")
	put(t, first, "b", "2")
	err := first.Update(func(tx crawl.Tx) error {
		n, err := tx.Next("b")
		return errors.Join(err, tx.Delete("b", []byte("a")), tx.Put("b", fmt.Appendf(nil, "n%d", n), nil))
	})
	if err != nil {
		t.Fatal(err)
	}
	second := h.machine(t, "s", t.TempDir())
	if got := rows(t, second); got != "b=2 n1=" {
		t.Errorf("got %s", got)
	}
	if err := second.Update(func(tx crawl.Tx) error {
		if n, err := tx.Next("b"); n != 2 || err != nil {
			t.Errorf("Next = %d, %v", n, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := first.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte("late"), nil) }); !errors.Is(err, ErrLost) {
		t.Errorf("the owner before writes: %v", err)
	}
	if err := first.Update(func(tx crawl.Tx) error { return nil }); !errors.Is(err, ErrLost) {
		t.Errorf("and once more: %v", err)
	}
	if got := rows(t, first); got != "b=2 n1=" {
		t.Errorf("what was refused is in its store: %s", got)
	}
}

// The machine dies when the stream has a transaction and its own store has not.
func TestOpen_whatWasAppendedIsAppliedAfterDeath(t *testing.T) {
	h, dir := newHost(t, 0), t.TempDir()
	first := h.machine(t, "s", dir)
	put(t, first, "a", "1")
	first.local.dieNext.Store(true)
	ended := make(chan error)
	go func() {
		ended <- first.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte("c"), []byte("3")) })
	}()
	for !first.local.dead.Load() {
		time.Sleep(time.Millisecond)
	}
	_ = first.Close()
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	if got := rows(t, h.machine(t, "s", dir)); got != "a=1 c=3" {
		t.Errorf("got %s", got)
	}
}

// A store that can't be written to for a while gets what the stream has when it can.
func TestUpdate_waitsForItsStore(t *testing.T) {
	h := newHost(t, 0)
	m := h.machine(t, "s", t.TempDir())
	m.local.dieNext.Store(true)
	ended := make(chan error)
	go func() { ended <- m.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte("c"), []byte("3")) }) }()
	for !m.local.dead.Load() {
		time.Sleep(time.Millisecond)
	}
	m.local.fails.Store(3)
	m.local.dead.Store(false)
	if err := <-ended; err != nil || rows(t, m) != "c=3" {
		t.Errorf("%v, %s", err, rows(t, m))
	}
}

func TestUpdate_waitsForTheServer(t *testing.T) {
	h := newHost(t, 0)
	m := h.machine(t, "s", t.TempDir())
	put(t, m, "a", "1")
	h.stop()
	ended := make(chan error)
	go func() { ended <- m.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte("c"), []byte("3")) }) }()
	if got := rows(t, m); got != "a=1" {
		t.Errorf("without a server: %s", got)
	}
	h.start()
	if err := <-ended; err != nil || rows(t, m) != "a=1 c=3" {
		t.Errorf("%v, %s", err, rows(t, m))
	}
	h.stop()
	go func() { ended <- m.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte("d"), nil) }) }()
	m.end()
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v of a DB that is closed while it waits", err)
	}
	h.start()
}

func TestDB_largeTransactionsAreObjects(t *testing.T) {
	h := newHost(t, 64<<10)
	first := h.machine(t, "s", t.TempDir())
	noise := make([]byte, 300_000)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(noise)
	put(t, first, "large", string(noise))
	put(t, first, "small", "1")
	check := func(db crawl.DB) {
		t.Helper()
		err := db.View(func(tx crawl.Tx) error {
			if got := tx.Get("b", []byte("large")); string(got) != string(noise) {
				t.Errorf("%d bytes", len(got))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	second := h.machine(t, "s", t.TempDir())
	check(second)
	if err := second.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := second.objects.List(t.Context())
	if err != nil || len(list) != 1 || !strings.HasPrefix(list[0].Name, objectOfSnapshot) {
		t.Errorf("%d objects, want the snapshot alone; %v", len(list), err)
	}
	check(h.machine(t, "s", t.TempDir()))
}

func TestSnapshot_cutsTheStream(t *testing.T) {
	h, dir := newHost(t, 0), t.TempDir()
	first := h.machine(t, "s", dir)
	for i := range 50 {
		put(t, first, fmt.Sprintf("k%02d", i%7), fmt.Sprint(i))
	}
	if err := first.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, first, "last", "1")
	want := rows(t, first)
	info, err := first.stream.Info(t.Context())
	if err != nil || info.State.Msgs != 1 {
		t.Errorf("%d messages, %v", info.State.Msgs, err)
	}
	second := h.machine(t, "s", t.TempDir())
	if got := rows(t, second); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	put(t, second, "more", "2")
	if err := second.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	_ = first.Close()
	if got, want := rows(t, h.machine(t, "s", dir)), want+" more=2"; got != want { // its store is behind what is left of the stream
		t.Errorf("got %s, want %s", got, want)
	}
}

// The owner before makes a snapshot, and goes on, while the stream is read by the next one.
func TestOpen_theStreamIsCutWhileItIsRead(t *testing.T) {
	h := newHost(t, 0)
	first := h.machine(t, "s", t.TempDir())
	for i := range 3 * batch {
		put(t, first, fmt.Sprintf("k%04d", i), "1")
	}
	cut := func() {
		if err := first.Snapshot(t.Context()); err != nil {
			t.Error(err)
		}
		put(t, first, "last", "1")
	}
	second := &machine{local: local(t, t.TempDir())}
	t.Cleanup(func() { _ = second.local.Close() })
	if err := second.local.DB.Update(func(crawl.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	applied := 0
	var count func()
	count = func() { // when the first messages are applied, after the place was written
		if applied++; applied == 5 {
			cut()
			return
		}
		second.local.updated.Store(&count)
	}
	second.local.updated.Store(&count)
	db, err := Open(t.Context(), Options{JetStream: h.dial(), Name: "s", Local: second.local, Wait: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got, want := rows(t, db), rows(t, first); got != want {
		t.Errorf("%d bytes of rows, want %d", len(got), len(want))
	}
}

func TestOpen_refusesWhatItCannotDo(t *testing.T) {
	h := newHost(t, 0)
	first := h.machine(t, "one", t.TempDir())
	put(t, first, "a", "1")
	other := h.machine(t, "other", t.TempDir())
	put(t, other, "a", "1")
	_ = other.DB.Close()
	js := h.dial()
	for name, c := range map[string]struct {
		o    Options
		want error
		text string
	}{
		"another stream's store": {Options{JetStream: js, Name: "one", Local: other.local}, ErrDiverged, ""},
		"no connection":          {Options{Name: "one", Local: other.local}, nil, "JetStream"},
		"no store":               {Options{JetStream: js, Name: "one"}, nil, "Local"},
		"a name":                 {Options{JetStream: js, Name: "a.b", Local: other.local}, nil, "Name"},
		"replicas":               {Options{JetStream: js, Name: "one", Local: other.local, Replicas: 9}, nil, "Replicas"},
		"a wait":                 {Options{JetStream: js, Name: "one", Local: other.local, Wait: -1}, nil, "Wait"},
	} {
		db, err := Open(t.Context(), c.o)
		if db != nil || err == nil || !strings.Contains(err.Error(), c.text) || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := first.o.JetStream.DeleteStream(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if err := first.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte("x"), nil) }); !errors.Is(err, ErrLost) {
		t.Errorf("got %v of a stream that is gone", err)
	}
}

func TestUpdate_refusesReservedBuckets(t *testing.T) {
	m := newHost(t, 0).machine(t, "s", t.TempDir())
	err := m.Update(func(tx crawl.Tx) error {
		_, err := tx.Next(bucketMeta)
		for i, err := range []error{err, tx.Put(bucketMeta, rowStream, nil), tx.Delete(bucketNames, []byte("b"))} {
			if !errors.Is(err, errReserved) {
				t.Errorf("%d: %v", i, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadWrites_ofALaterVersion(t *testing.T) {
	if _, err := readWrites([]byte{formZstd + 1}); !errors.Is(err, ErrVersion) {
		t.Errorf("got %v", err)
	}
}

func FuzzReadWrites(f *testing.F) {
	w := &writes{}
	w.add(write{bucket: "b", key: "k", value: []byte("v")})
	w.add(write{bucket: "b", key: "l", deletes: true})
	data, err := w.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte{formZstd, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := readWrites(data)
		if err != nil {
			return
		}
		again, err := w.encode()
		if err != nil {
			t.Fatal(err)
		}
		if w2, err := readWrites(again); err != nil || len(w2.list) != len(w.list) {
			t.Fatalf("%d writes, then %v", len(w.list), err)
		}
	})
}

// A store that catches up takes many messages in one transaction, which waits for the disk once.
func TestOpen_catchesUpInFewTransactions(t *testing.T) {
	h := newHost(t, 0)
	first := h.machine(t, "s", t.TempDir())
	for i := range 300 {
		put(t, first, fmt.Sprint(i), "1")
	}
	second := h.machine(t, "s", t.TempDir())
	if got, want := rows(t, second), rows(t, first); got != want {
		t.Errorf("it has %.100s, want %.100s", got, want)
	}
	if n := second.local.updates.Load(); n > 30 {
		t.Errorf("it took %d transactions for 300 messages", n)
	}
}

// Messages are applied together up to a number of bytes, and none of them twice.
func TestPile_isApplied(t *testing.T) {
	l := local(t, t.TempDir())
	defer l.Close()
	w := func(n int) *writes {
		one := &writes{}
		one.add(write{bucket: "b", key: fmt.Sprint(n), value: make([]byte, pileBytes/2)})
		return one
	}
	p := pile{local: l, next: 7}
	for n := range 3 {
		if err := p.add(w(n)); err != nil {
			t.Fatal(err)
		}
	}
	if n := l.updates.Load(); n != 1 || len(p.list) != 1 {
		t.Errorf("%d transactions, and %d messages wait", n, len(p.list))
	}
	if err := p.apply(); err != nil {
		t.Fatal(err)
	}
	if err := apply(l, 10, w(1), w(3)); err != nil { // the first of them is there: it is not applied again
		t.Fatal(err)
	}
	err := l.View(func(tx crawl.Tx) error {
		if at := placeOf(tx).sequence; at != 10 {
			t.Errorf("it is at %d", at)
		}
		return nil
	})
	if got := strings.Count(rows(t, l), "="); err != nil || got != 4 {
		t.Errorf("%d rows, %v", got, err)
	}
}
