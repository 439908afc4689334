//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"
)

// remembered is how many pages bbolt knows of which transaction took them.
func remembered(d *File) int {
	return reflect.ValueOf(d.bolt).Elem().FieldByName("freelist").Elem().Elem().FieldByName("allocs").Len()
}

// refill writes n rows, which are there before, one in a transaction.
func refill(t *testing.T, d *File, n int) {
	t.Helper()
	for i := range n {
		if err := d.Update(func(tx Tx) error {
			key := binary.BigEndian.AppendUint64(nil, uint64(i))
			return tx.Put("rows", key, make([]byte, 3000))
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// What bbolt remembers of its pages doesn't grow with the file.
func TestFile_forgetsWhichTransactionTookAPage(t *testing.T) {
	d := mustOpenFile(t, filePath(t), FileOptions{})
	defer mustClose(t, d)
	d.refreshed.bytes = 1 << 40
	for range 2 {
		refill(t, d, 300)
	}
	if n := remembered(d); n < 100 { // else this test shows nothing
		t.Fatalf("%d pages are remembered of a file that isn't opened again", n)
	}
	Often(d)
	refill(t, d, 300)
	if n := remembered(d); n > 30 {
		t.Errorf("%d pages are remembered", n)
	}
}

// A file that is opened again under those who use it stays locked, and has all that was written.
func TestFile_isOpenedAgainWhileItIsUsed(t *testing.T) {
	path := filePath(t)
	d := Often(mustOpenFile(t, path, FileOptions{}))
	first := d.bolt
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 100 {
				key, value := fmt.Appendf(nil, "%d-%d", w, i), make([]byte, 5000)
				if err := d.Update(func(tx Tx) error { return tx.Put("rows", key, value) }); err != nil {
					t.Error(err)
				}
				if err := d.View(func(tx Tx) error {
					if got := tx.Get("rows", key); len(got) != len(value) {
						t.Errorf("%s: %d bytes", key, len(got))
					}
					return nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	refill(t, d, 100)
	if d.bolt == first {
		t.Error("it was not opened again")
	}
	if _, err := OpenFile(path, FileOptions{Kind: "test", LockWait: time.Millisecond}); !errors.Is(err, ErrLocked) {
		t.Errorf("while it is open: %v, want ErrLocked", err)
	}
	mustClose(t, d)
	d = mustOpenFile(t, path, FileOptions{})
	defer mustClose(t, d)
	rows := 0
	if err := d.View(func(tx Tx) error {
		for range tx.Scan("rows", nil) {
			rows++
		}
		return nil
	}); err != nil || rows != 500 {
		t.Errorf("%d rows, %v, want 500", rows, err)
	}
}
