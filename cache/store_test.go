package cache

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// failingDB is a DB whose writes fail when it is set to fail.
type failingDB struct {
	*Map
	fail atomic.Pointer[error]
}

func (d *failingDB) Update(f func(Tx) error) error {
	if err := d.fail.Load(); err != nil {
		return *err
	}
	return d.Map.Update(f)
}

// What fails to be written is lost, is said to be, and ends nothing else.
func TestStore_failedWritesAreReported(t *testing.T) {
	log, logged := newLog()
	db := &failingDB{Map: NewMap()}
	s, err := New(db, "s", Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	db.fail.Store(&full)
	var reported error
	if err := s.Put(t.Context(), Entry{Key: secretKey, Value: []byte("v")}, func(err error) { reported = err }); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(t.Context()); !errors.Is(err, full) || !errors.Is(reported, full) {
		t.Errorf("Flush: %v, committed: %v", err, reported)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Errorf("second Flush: %v", err)
	}
	if vs, err := s.Versions(t.Context(), secretKey); len(vs) != 0 || err != nil {
		t.Errorf("it is still seen: %v, %v", vs, err)
	}
	if l := logged.String(); !strings.Contains(l, "disk full") || !strings.Contains(l, "entries=1") || strings.Contains(l, secretKey) {
		t.Errorf("log: %s", l)
	}
	if _, err := s.Forget(t.Context(), ""); err != nil {
		t.Errorf("forgetting nothing: %v", err)
	}
	db.fail.Store(nil)
	if err := s.Put(t.Context(), Entry{Key: "k", Value: []byte("v")}, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	db.fail.Store(&full)
	if _, err := s.Forget(t.Context(), ""); !errors.Is(err, full) {
		t.Errorf("Forget: %v", err)
	}
	if err := s.Put(t.Context(), Entry{Key: "l"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, full) {
		t.Errorf("Close: %v", err)
	}
}

func TestNew_refusesANameThatIsTaken(t *testing.T) {
	for name, db := range map[string]DB{"map": NewMap(), "file": mustOpenFile(t, filePath(t), FileOptions{})} {
		for _, bad := range []string{"", "\x00"} {
			if _, err := New(db, bad, Options{}); err == nil {
				t.Errorf("%s: %q: no error", name, bad)
			}
		}
		first, err := New(db, "a", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(db, "a", Options{}); err == nil {
			t.Errorf("%s: the same name twice: no error", name)
		}
		mustClose(t, first)
		again, err := New(db, "a", Options{})
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, again)
		if err := db.View(func(Tx) error { return nil }); err != nil {
			t.Errorf("%s: Close of a Store closed its DB: %v", name, err)
		}
		mustClose(t, db)
		if _, err := New(db, "a", Options{}); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: in a DB that is closed: %v", name, err)
		}
	}
}

// The background looks at ages by itself.
func TestMemory_oldVersionsGoByThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(Options{MaxAge: time.Hour})
		for i := range 1000 { // more than one step takes
			if err := m.Put(t.Context(), Entry{Key: string(rune('a' + i))}, nil); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Hour - time.Second)
		if st, _ := m.Stats(t.Context()); st.Versions != 1000 {
			t.Errorf("a second too early: %+v", st)
		}
		time.Sleep(time.Minute + 2*time.Second)
		synctest.Wait()
		if st, _ := m.Stats(t.Context()); st.Versions != 0 || st.Keys != 0 || st.Bytes != 0 {
			t.Errorf("after the hour: %+v", st)
		}
		mustClose(t, m)
	})
}

func TestMemory_isBoundedByDefault(t *testing.T) {
	m := NewMemory(Options{})
	if m.o.MaxBytes != 256<<20 {
		t.Errorf("%d", m.o.MaxBytes)
	}
	mustClose(t, m)
}

// Close doesn't let one wait who was waiting for room.
func TestMemory_closeEndsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(Options{QueueEntries: 1})
		free, waits, closed := make(chan struct{}), make(chan error), make(chan error)
		put := func(committed func(error)) error { return m.Put(t.Context(), Entry{Key: "k"}, committed) }
		if err := put(func(error) { <-free }); err != nil { // the writer waits, so room doesn't come
			t.Fatal(err)
		}
		synctest.Wait()
		if err := put(nil); err != nil {
			t.Fatal(err)
		}
		go func() { waits <- put(nil) }()
		synctest.Wait()
		go func() { closed <- m.Close() }()
		if err := <-waits; !errors.Is(err, ErrClosed) {
			t.Errorf("Put that waited: %v", err)
		}
		close(free)
		if err := <-closed; err != nil {
			t.Error(err)
		}
	})
}

// Prune and Forget find nothing left to remove where the background was faster, but they wait until that was reported.
func TestMemory_whatTheBackgroundRemovesIsReported(t *testing.T) {
	for name, remove := range map[string]func(context.Context, *Memory) (int, error){
		"Prune":  func(ctx context.Context, m *Memory) (int, error) { return m.Prune(ctx) },
		"Forget": func(ctx context.Context, m *Memory) (int, error) { return m.Forget(ctx, "old") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { removesWhileReported(t, remove) })
		})
	}
}

func removesWhileReported(t *testing.T, remove func(context.Context, *Memory) (int, error)) {
	var m *Memory
	times, reported, removed := 0, make(chan struct{}), make(chan error, 1)
	m = NewMemory(Options{MaxBytes: 10, Changed: func(keys []string) {
		if !slices.Contains(keys, "old") {
			return
		}
		if times++; times == 1 {
			return // the Put
		}
		go func() {
			_, err := remove(t.Context(), m)
			removed <- err
		}()
		synctest.Wait()
		if len(removed) > 0 {
			t.Error("returned while the change was still being reported")
		}
		close(reported)
	}})
	for _, key := range []string{"old", "new"} {
		if err := m.Put(t.Context(), Entry{Key: key, Value: []byte("value")}, nil); err != nil {
			t.Fatal(err)
		}
	}
	<-reported
	if err := <-removed; err != nil {
		t.Error(err)
	}
	mustClose(t, m)
}
