//go:build linux || darwin

package cache

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() { helpers["full"] = fillDisk }

// The limits of the process for the size of a file, in place of a disk that is full.
const (
	fullSize = 32 << 20
	fullPuts = 200
)

func setFileLimit(bytes uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = bytes
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

func fullText(n int) string { return fmt.Sprint(n) + noiseText(n, 200_000) }

// fullHelper is the process whose disk is full.
type fullHelper struct {
	b     *Bolt
	acked []int
	full  error // of the last put that was lost
}

// fillDisk puts until there is no room, and checks what it has; then there is room again. It prints "put n" for what was acknowledged.
func fillDisk(args []string) int {
	signal.Ignore(syscall.SIGXFSZ) // or exceeding the limit would end the process, as a full disk doesn't
	if err := setFileLimit(fullSize); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	b, err := OpenBolt(args[0], FileOptions{}, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	h := &fullHelper{b: b}
	for _, step := range []func() error{h.fill, h.checkError, h.readable, h.compact, h.goOn, h.readable, b.Close} {
		if err := step(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	for _, n := range h.acked {
		fmt.Println("put", n)
	}
	return 0
}

func (h *fullHelper) put(n int) error {
	return h.b.Put(context.Background(), Entry{Key: fmt.Sprint(n), Value: []byte(fullText(n))}, func(err error) {
		if err == nil {
			h.acked = append(h.acked, n)
		} else {
			h.full = err
		}
	})
}

func (h *fullHelper) fill() error {
	for n := range fullPuts {
		if err := h.put(n); err != nil {
			return err
		}
		if n%10 == 0 { // smaller transactions, so that some fail and some don't
			_ = h.b.Flush(context.Background())
		}
	}
	_ = h.b.Flush(context.Background())
	return nil
}

func (h *fullHelper) checkError() error {
	if h.full == nil || !strings.Contains(h.full.Error(), h.b.file.path) || !strings.Contains(h.full.Error(), "file too large") {
		return fmt.Errorf("the error is %v", h.full)
	}
	fmt.Println("error:", h.full)
	return h.b.Flush(context.Background()) // it has the error
}

func (h *fullHelper) readable() error { return fullReadable(h.b, h.acked) }

// compact may fail, as it needs room: then all is as before.
func (h *fullHelper) compact() error {
	fmt.Println("compact:", h.b.Compact(context.Background()))
	return h.readable()
}

// goOn puts when there is room again.
func (h *fullHelper) goOn() error {
	if err := setFileLimit(1 << 30); err != nil {
		return err
	}
	if err := h.put(fullPuts); err != nil {
		return err
	}
	return h.b.Flush(context.Background())
}

func fullReadable(b *Bolt, acked []int) error {
	for _, n := range acked {
		vs, err := b.Versions(context.Background(), fmt.Sprint(n))
		if err != nil || len(vs) != 1 {
			return fmt.Errorf("%d: %v, %v", n, vs, err)
		}
		if value, err := b.Get(context.Background(), vs[0]); err != nil || string(value) != fullText(n) {
			return fmt.Errorf("%d: %d bytes, %v", n, len(value), err)
		}
	}
	return nil
}

// Where the disk is full, an entry is lost with a clear error, and nothing else.
func TestBolt_fullDiskLosesNothingAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache.db")
	out, err := helperCommand(t, "full", path).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var acked []int
	for line := range strings.Lines(string(out)) {
		var n int
		if _, err := fmt.Sscanf(line, "put %d", &n); err == nil {
			acked = append(acked, n)
		} else {
			t.Log(strings.TrimSpace(line))
		}
	}
	t.Logf("%d of %d were acknowledged", len(acked), fullPuts+1)
	if len(acked) < 20 || len(acked) > fullPuts*9/10 {
		t.Errorf("%d of %d were acknowledged: not what the test is for", len(acked), fullPuts)
	}
	b, err := OpenBolt(path, FileOptions{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := fullReadable(b, acked); err != nil {
		t.Error(err)
	}
	checkPages(t, b.file)
	checkTotals(t, b.store)
	mustClose(t, b)
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}
