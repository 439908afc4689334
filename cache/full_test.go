//go:build linux || darwin

package cache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

func init() { helpers["full"] = fillDisk }

// The limits of the process for the size of a file, in place of a disk that is full. The signal that comes with that is the runtime's to
// ignore.
const (
	fullSize  = 32 << 20
	fullPuts  = 400
	fullQueue = 4 << 20
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
	b         *Bolt
	next      int
	queued    []int // accepted by Put
	committed chan int
	acked     []int
	tries     atomic.Int64 // of what waits to be written
	log       *logBuffer
}

// fillDisk puts until there is no room, checks what it has, makes room, and does so again; the second time it closes instead of making room.
// It prints "put n" for what was acknowledged.
func fillDisk(args []string) int {
	h := &fullHelper{committed: make(chan int, fullPuts), log: &logBuffer{}}
	for _, step := range []func() error{
		func() error { return h.open(args[0]) }, h.fill, h.stuck, h.makeRoom, h.fillAgain, h.stuck, h.close,
	} {
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

func (h *fullHelper) open(path string) (err error) {
	if err := setFileLimit(fullSize); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(h.log, nil))
	soon := func(time.Duration) <-chan time.Time {
		h.tries.Add(1)
		return time.After(10 * time.Millisecond)
	}
	h.b, err = OpenBolt(path, FileOptions{Disk: NewDisk(DiskOptions{Logger: log, After: soon})}, Options{QueueBytes: fullQueue, Logger: log})
	return err
}

func (h *fullHelper) put() error {
	n := h.next
	err := h.b.Put(context.Background(), Entry{Key: fmt.Sprint(n), Value: []byte(fullText(n))}, func(err error) {
		if err == nil {
			h.committed <- n
		}
	})
	if err == nil {
		h.next++
		h.queued = append(h.queued, n)
	}
	return err
}

// fill puts until the queue is full and nothing can be written.
func (h *fullHelper) fill() error {
	for h.next < fullPuts {
		switch err := h.put(); {
		case errors.Is(err, ErrUnwritable) && !h.lasts():
		case errors.Is(err, ErrUnwritable):
			fmt.Println("error:", err)
			return nil
		case err != nil:
			return err
		}
	}
	return errors.New("the disk was never full")
}

// lasts reports whether an outage is more than a moment at the edge, which ends by the pages that a reader leaves.
func (h *fullHelper) lasts() bool {
	for before := h.tries.Load(); h.tries.Load() < before+3; time.Sleep(time.Millisecond) {
		if h.b.file.o.Disk.Err() == nil {
			return false
		}
	}
	return true
}

// stuck checks what there is in an outage.
func (h *fullHelper) stuck() error {
	h.collect(0)
	if waiting := len(h.queued) - len(h.acked); waiting < 2 {
		return fmt.Errorf("%d entries wait: not what the test is for", waiting)
	}
	if err := h.b.file.o.Disk.Err(); !errors.Is(err, ErrUnwritable) || !strings.Contains(err.Error(), h.b.file.path) || !strings.Contains(err.Error(), "file too large") {
		return fmt.Errorf("the error is %v", err)
	}
	_, forget := h.b.Forget(context.Background(), "0")
	for _, err := range []error{h.b.Flush(context.Background()), h.b.Compact(context.Background()), forget} {
		if !errors.Is(err, ErrUnwritable) {
			return fmt.Errorf("got %v, want ErrUnwritable", err)
		}
	}
	return fullReadable(h.b, h.queued)
}

// makeRoom ends the outage: all that was queued is written.
func (h *fullHelper) makeRoom() error {
	if err := setFileLimit(2 * fullSize); err != nil {
		return err
	}
	h.collect(len(h.queued))
	if err := errors.Join(h.b.Flush(context.Background()), h.b.file.o.Disk.Err()); err != nil {
		return err
	}
	return fullReadable(h.b, h.acked)
}

func (h *fullHelper) fillAgain() error {
	before := len(h.acked)
	if err := h.fill(); err != nil {
		return err
	}
	if h.collect(0); len(h.acked) == before {
		return errors.New("nothing more was written")
	}
	return nil
}

// collect notes what was acknowledged, and waits for so many.
func (h *fullHelper) collect(want int) {
	for len(h.acked) < want || len(h.committed) > 0 {
		h.acked = append(h.acked, <-h.committed)
	}
}

// close loses what can't be written, and says how much that is.
func (h *fullHelper) close() error {
	err := h.b.Close()
	h.collect(0)
	lost := fmt.Sprintf("%d entries were not written", len(h.queued)-len(h.acked))
	if !errors.Is(err, ErrUnwritable) || !strings.Contains(err.Error(), lost) {
		return fmt.Errorf("close: %v, want %s", err, lost)
	}
	return alternates(h.log.String())
}

// alternates checks that a log has nothing but the beginnings and ends of outages, at least two of them. At the edge there may be more:
// a write that failed finds room among pages that a reader has left meanwhile, or the last, smaller one of all does.
func alternates(log string) error {
	n := 0
	for line := range strings.Lines(log) {
		want := "cache: a file can't be written; what is to be stored waits"
		if n%2 == 1 {
			want = "cache: files can be written again"
		}
		if n++; !strings.Contains(line, want) {
			return fmt.Errorf("line %d is %q, want %q", n, line, want)
		}
	}
	if n < 3 {
		return fmt.Errorf("%d lines, want 3 or more:\n%s", n, log)
	}
	return nil
}

func fullReadable(b *Bolt, puts []int) error {
	for _, n := range puts {
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

// Where the disk is full what is put waits, as far as the queue goes, and then is refused.
func TestBolt_fullDiskLosesNothing(t *testing.T) {
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
	t.Logf("%d were acknowledged", len(acked))
	if len(acked) < 20 {
		t.Errorf("%d were acknowledged: not what the test is for", len(acked))
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

// What an operator or time may put right is told from what they can't, also where bbolt has made text of it.
func TestUnwritten_saysWhatMayPass(t *testing.T) {
	for cause, want := range map[error]bool{
		syscall.ENOSPC: true, syscall.EDQUOT: true, syscall.EFBIG: true, syscall.EROFS: true,
		syscall.EIO: false, syscall.EACCES: false, os.ErrClosed: false,
	} {
		for _, err := range []error{&os.PathError{Op: "write", Path: "state.db", Err: cause}, fmt.Errorf("file resize error: %s", cause)} {
			got := unwritten("write", "cache.db", err)
			if errors.Is(got, ErrUnwritable) != want || !strings.Contains(got.Error(), "cache.db") || !strings.Contains(got.Error(), cause.Error()) {
				t.Errorf("%v: got %v", err, got)
			}
		}
	}
}
