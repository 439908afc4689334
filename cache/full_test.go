//go:build unix

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

func noiseText(seed, n int) string {
	b := make([]byte, n)
	x := uint32(seed)*2654435761 + 1
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return string(b)
}

// fillDisk puts until there is no room, and checks what it has; then there is room again. It prints "put n" for what was acknowledged.
func fillDisk(args []string) int {
	signal.Ignore(syscall.SIGXFSZ) // or exceeding the limit would end the process, as a full disk doesn't
	fail := func(what string, err any) int {
		fmt.Fprintln(os.Stderr, what, err)
		return 1
	}
	if err := setFileLimit(fullSize); err != nil {
		return fail("limit", err)
	}
	ctx := context.Background()
	b, err := OpenBolt(args[0], FileOptions{}, Options{})
	if err != nil {
		return fail("open", err)
	}
	var acked []int
	var full error
	for n := range fullPuts {
		e := Entry{Key: fmt.Sprint(n), Value: []byte(fullText(n))}
		committed := func(err error) {
			if err == nil {
				acked = append(acked, n)
			} else {
				full = err
			}
		}
		if err := b.Put(ctx, e, committed); err != nil {
			return fail("put", err)
		}
		if n%10 == 0 { // smaller transactions, so that some fail and some don't
			_ = b.Flush(ctx)
		}
	}
	_ = b.Flush(ctx)
	if full == nil || !strings.Contains(full.Error(), args[0]) || !strings.Contains(full.Error(), "file too large") {
		return fail("the error", full)
	}
	fmt.Println("error:", full)
	if err := b.Flush(ctx); err != nil {
		return fail("the error was told twice", err)
	}
	if err := fullReadable(b, acked); err != nil {
		return fail("while it is full", err)
	}
	if err := b.Compact(ctx); err != nil {
		fmt.Println("compact:", err)
	}
	if err := setFileLimit(1 << 30); err != nil {
		return fail("limit", err)
	}
	n := fullPuts
	if err := b.Put(ctx, Entry{Key: fmt.Sprint(n), Value: []byte(fullText(n))}, nil); err != nil {
		return fail("put when there is room again", err)
	}
	if err := b.Flush(ctx); err != nil {
		return fail("flush when there is room again", err)
	}
	acked = append(acked, n)
	if err := fullReadable(b, acked); err != nil {
		return fail("when there is room again", err)
	}
	for _, n := range acked {
		fmt.Println("put", n)
	}
	if err := b.Close(); err != nil {
		return fail("close", err)
	}
	return 0
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
