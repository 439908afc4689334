package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

// txid returns the number of committed transactions.
func txid(t *testing.T, f *File) (id int) {
	t.Helper()
	if err := f.bolt.View(func(tx *bolt.Tx) error { id = tx.ID(); return nil }); err != nil {
		t.Fatal(err)
	}
	return id
}

// waitForCalls waits until n Updates are queued.
func waitForCalls(f *File, n int) {
	for {
		f.calls.mu.Lock()
		have := len(f.calls.waiting)
		f.calls.mu.Unlock()
		if have == n {
			return
		}
		runtime.Gosched()
	}
}

func TestUpdate_callsAtTheSameTimeShareATransaction(t *testing.T) {
	f := mustOpenFile(t, filePath(t), FileOptions{})
	before := txid(t, f)
	const n = 40
	started, release := make(chan struct{}), make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		err := f.Update(func(Tx) error { close(started); <-release; return nil })
		if err != nil {
			t.Error(err)
		}
	})
	<-started
	for i := range n {
		work.Go(func() { mustPut(t, f, fmt.Sprint(i), "v") })
	}
	waitForCalls(f, n)
	close(release)
	work.Wait()
	if got := txid(t, f) - before; got != 2 {
		t.Errorf("%d transactions for 1 and %d Updates, want 2", got, n)
	}
	for i := range n {
		if got := value(t, f, fmt.Sprint(i)); got != "v" {
			t.Errorf("%d: %q", i, got)
		}
	}
	mustClose(t, f)
}

// One of a group ends its goroutine's world: the others must not wait for ever.
func TestUpdate_goexitOfOneEndsAll(t *testing.T) {
	f := mustOpenFile(t, filePath(t), FileOptions{})
	started, release := make(chan struct{}), make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() { _ = f.Update(func(Tx) error { close(started); <-release; return nil }) })
	<-started
	for range 2 {
		work.Go(func() { _ = f.Update(func(Tx) error { runtime.Goexit(); return nil }) })
	}
	work.Go(func() {
		if err := f.Update(func(tx Tx) error { return tx.Put("b", []byte("k"), nil) }); err != nil && !errors.Is(err, errAborted) {
			t.Error(err)
		}
	})
	waitForCalls(f, 3)
	close(release)
	work.Wait()
	mustPut(t, f, "l", "works")
	mustClose(t, f)
}

// bbolt panics when pages are not what they should be. Afterwards nothing more is written, what can be read is, and the lock is let go of.
func TestUpdate_panicOfBoltEndsWriting(t *testing.T) {
	log, said := newLog()
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{Logger: log})
	mustPut(t, f, "k", "old")
	err := f.Update(func(tx Tx) error {
		_ = tx.Put("b", []byte("k"), []byte("new"))
		tx.(*fileTx).inBolt = true
		panic("as bbolt would")
	})
	if d, ok := errors.AsType[*DamagedError](err); !ok || d.File != path || !strings.Contains(err.Error(), "as bbolt would") {
		t.Errorf("Update: %v", err)
	}
	if err := f.Update(func(Tx) error { return nil }); !errors.As(err, new(*DamagedError)) {
		t.Errorf("the next Update: %v", err)
	}
	if err := f.Compact(t.Context()); !errors.As(err, new(*DamagedError)) {
		t.Errorf("Compact: %v", err)
	}
	if got := value(t, f, "k"); got != "old" {
		t.Errorf("reading: %q", got)
	}
	mustClose(t, f)
	if !strings.Contains(said.String(), "damaged") {
		t.Errorf("log: %s", said)
	}
	f = mustOpenFile(t, path, FileOptions{})
	if got := value(t, f, "k"); got != "old" {
		t.Errorf("after reopening: %q", got)
	}
	mustClose(t, f)
}

func TestView_panicOfBoltIsAnError(t *testing.T) {
	f := mustOpenFile(t, filePath(t), FileOptions{})
	err := f.View(func(tx Tx) error {
		tx.(*fileTx).inBolt = true
		panic("as bbolt would")
	})
	if !errors.As(err, new(*DamagedError)) {
		t.Errorf("View: %v", err)
	}
	mustPut(t, f, "k", "works")
	mustClose(t, f)
}

// A panic while a snapshot begins leaves bbolt's locks held: nothing may hang afterwards.
func TestView_panicAtTheBeginEndsAll(t *testing.T) {
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{})
	mustPut(t, f, "k", "v")
	if err := os.Truncate(path, 0); err != nil { // the pages in memory are gone with it
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for range 3 {
				if err := f.View(func(Tx) error { return nil }); !errors.As(err, new(*DamagedError)) {
					t.Errorf("View: %v", err)
				}
			}
		})
	}
	work.Wait()
	if _, _, err := f.Size(); !errors.As(err, new(*DamagedError)) {
		t.Errorf("Size: %v", err)
	}
	if err := f.Update(func(Tx) error { return nil }); !errors.As(err, new(*DamagedError)) {
		t.Errorf("Update: %v", err)
	}
	mustClose(t, f)
}

// The file is cut off under an open one.
func TestFile_truncatedWhileOpen(t *testing.T) {
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{})
	for i := range 100 {
		mustPut(t, f, fmt.Sprintf("%03d", i), strings.Repeat("v", 10_000))
	}
	if err := os.Truncate(path, 3*int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	read := func(tx Tx) error {
		for _, v := range tx.Scan("b", nil) {
			_ = strings.Clone(string(v))
		}
		return nil
	}
	if err := f.View(read); err == nil {
		t.Error("View: no error")
	}
	if err := f.Compact(t.Context()); err == nil {
		t.Error("Compact: no error")
	}
	if err := f.Update(func(tx Tx) error { return tx.Put("b", []byte("k"), nil) }); !errors.As(err, new(*DamagedError)) {
		t.Errorf("Update: %v", err)
	}
	mustClose(t, f)
	if _, err := OpenFile(path, FileOptions{Kind: "test"}); !errors.As(err, new(*DamagedError)) {
		t.Errorf("opening it again: %v", err)
	}
}

// While a file is compacted no other process can open it, and readers and writers only wait.
func TestCompact_keepsTheLock(t *testing.T) {
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{})
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		for ctx.Err() == nil {
			if second, err := OpenFile(path, FileOptions{Kind: "test", LockWait: 1}); !errors.Is(err, ErrLocked) {
				t.Errorf("a second one: %v", err)
				if err == nil {
					_ = second.Close()
				}
			}
		}
	})
	work.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			mustPut(t, f, fmt.Sprint(i), fmt.Sprint(i))
			if got := value(t, f, fmt.Sprint(i)); got != fmt.Sprint(i) {
				t.Errorf("%d: %q", i, got)
			}
		}
	})
	for range 20 {
		if err := f.Compact(t.Context()); err != nil {
			t.Error(err)
		}
	}
	stop()
	work.Wait()
	checkPages(t, f)
	mustClose(t, f)
}

// One that waits for the lock of a file that is then replaced gets the new file.
func TestCompact_whoWaitsGetsTheNewFile(t *testing.T) {
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{})
	opened := make(chan *File)
	go func() {
		second, err := OpenFile(path, FileOptions{Kind: "test", LockWait: time.Minute})
		if err != nil {
			t.Errorf("one that waits: %v", err)
		}
		opened <- second
	}()
	for i := range 100 { // some come while it waits
		if err := f.Compact(t.Context()); err != nil {
			t.Error(err)
		}
		mustPut(t, f, "k", fmt.Sprint(i))
	}
	mustClose(t, f)
	second := <-opened
	if got := value(t, second, "k"); got != "99" {
		t.Errorf("it reads %q", got)
	}
	mustClose(t, second)
}

func TestCompact_givesSpaceBack(t *testing.T) {
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{})
	for i := range 40 {
		mustPut(t, f, fmt.Sprint(i), strings.Repeat("v", 1<<20))
	}
	for i := range 39 {
		if err := f.Update(func(tx Tx) error { return tx.Delete("b", fmt.Append(nil, i)) }); err != nil {
			t.Fatal(err)
		}
	}
	total, free, err := f.Size()
	if err != nil || total < 40<<20 || free < 38<<20 {
		t.Errorf("before: %d, %d free, %v", total, free, err)
	}
	if err := f.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	total, free, err = f.Size()
	if err != nil || total > 2<<20 || free > 64<<10 {
		t.Errorf("after: %d, %d free, %v", total, free, err)
	}
	checkPages(t, f)
	mustClose(t, f)
}
