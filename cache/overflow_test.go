package cache

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// put sets values of a size under the numbers.
func put(t *testing.T, m *Map, size int, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		err := m.Update(func(tx Tx) error {
			return tx.Put("b", fmt.Append(nil, n), bytes.Repeat([]byte{byte(n)}, size))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func overflowing(t *testing.T, limit int64) *Map {
	t.Helper()
	m := NewOverflowing(limit, t.TempDir())
	t.Cleanup(func() { m.Close() })
	return m
}

func TestNewOverflowing_whatIsMoreGoesToTheFile(t *testing.T) {
	m := overflowing(t, 10_000)
	put(t, m, 4000, 1, 2, 3, 4, 5)
	put(t, m, 100, 6) // small ones stay
	if held, want := m.InMemory(), int64(2*4000+100+6); held != want {
		t.Errorf("%d bytes in memory, want %d", held, want)
	}
	if total, _, err := m.Size(); err != nil || total != m.InMemory()+3*4096 {
		t.Errorf("%d bytes: %v", total, err)
	}
	err := m.View(func(tx Tx) error {
		n := 0
		for k, v := range tx.Scan("b", nil) {
			if n++; len(v) != 4000 && n < 6 || v[0] != byte(n) || !bytes.Equal(v, tx.Get("b", k)) {
				t.Errorf("%s: %d bytes of %d", k, len(v), v[0])
			}
		}
		if n != 6 {
			t.Errorf("%d values", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Values that were written over or deleted make room, once no snapshot has them.
func TestNewOverflowing_roomIsUsedAgain(t *testing.T) {
	m := overflowing(t, 0)
	put(t, m, 5000, 1, 2, 3, 4)
	end := m.over.end
	err := m.View(func(tx Tx) error {
		put(t, m, 6000, 1, 2) // beside an open snapshot
		collected(t, m, 0)
		if v := tx.Get("b", []byte("1")); len(v) != 5000 || v[4999] != 1 {
			t.Errorf("the snapshot has %d bytes", len(v))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	collected(t, m, 2*5120)
	if m.over.end != end+2*6144 {
		t.Errorf("the file ends at %d, want %d", m.over.end, end+2*6144)
	}
	put(t, m, 10_000, 5) // where two neighbours were
	if m.over.end != end+2*6144 {
		t.Errorf("the file has grown to %d", m.over.end)
	}
}

// collected waits until the file has so many bytes of gaps.
func collected(t *testing.T, m *Map, want int64) {
	t.Helper()
	for {
		runtime.GC()
		if _, free, err := m.Size(); free >= want || err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestNewOverflowing_leavesNoFile(t *testing.T) {
	dir := t.TempDir()
	m := NewOverflowing(0, dir)
	put(t, m, 5000, 1)
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 && runtime.GOOS != "windows" {
		t.Errorf("the file has a name: %v", left)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestNewOverflowing_aFolderThatIsMissingIsTheErrorOfTheUpdate(t *testing.T) {
	m := NewOverflowing(0, filepath.Join(t.TempDir(), "missing"))
	put(t, m, 100, 1)
	err := m.Update(func(tx Tx) error { return tx.Put("b", []byte("2"), make([]byte, 5000)) })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	put(t, m, 100, 3)
}

func TestNewOverflowing_aReadThatFailsIsTheErrorOfTheView(t *testing.T) {
	m := overflowing(t, 0)
	put(t, m, 5000, 1)
	if err := m.over.file.Truncate(10); err != nil {
		t.Fatal(err)
	}
	var got []byte
	err := m.View(func(tx Tx) error {
		got = tx.Get("b", []byte("1"))
		return nil
	})
	if err == nil || got != nil {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

// Gaps never meet, never touch, and never are what is taken.
func TestGaps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	g, taken, end := newGaps(), map[extent]bool{}, int64(0)
	for range 20_000 {
		if random.IntN(2) == 0 {
			size := int64(1 + random.IntN(9))
			at, found := g.take(size)
			if !found {
				at, end = end, end+size
			}
			taken[extent{at, size}] = true
			continue
		}
		for e := range taken {
			delete(taken, e)
			g.give(e)
			break
		}
	}
	owned := make([]int, end)
	for e := range taken {
		for i := e.offset; i < e.offset+e.size; i++ {
			owned[i]++
		}
	}
	last := int64(-1)
	g.byOffset.Scan(func(offset, size int64) bool {
		if offset <= last {
			t.Fatalf("the gap at %d touches the one before, which ends at %d", offset, last)
		}
		for last = offset; last < offset+size; last++ {
			owned[last]++
		}
		return true
	})
	for i, n := range owned {
		if n != 1 {
			t.Fatalf("byte %d belongs to %d", i, n)
		}
	}
	if got := g.bytes + together(taken); got != end {
		t.Errorf("%d bytes are known, of %d", got, end)
	}
	if g.bySize.Len() != g.byOffset.Len() {
		t.Errorf("%d gaps by size, %d by offset", g.bySize.Len(), g.byOffset.Len())
	}
}

func together(of map[extent]bool) (bytes int64) {
	for e := range of {
		bytes += e.size
	}
	return bytes
}
