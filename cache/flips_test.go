package cache

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

func init() { helpers["use"] = useDamaged }

const flipEntries = 800

func flipText(n int) string { return noiseText(n, 300) }

// useDamaged does everything with a file whose pages are damaged. It prints the result, and "wrong" for bytes that were never put.
func useDamaged(args []string) int {
	b, err := OpenBolt(args[0], FileOptions{}, Options{})
	if err != nil {
		fmt.Println("refused:", err)
		return 0
	}
	ctx := context.Background()
	keys, err := b.Keys(ctx, "", "", 0)
	errs := []error{err}
	for _, key := range keys {
		vs, err := b.Versions(ctx, key)
		errs = append(errs, err)
		for _, v := range vs {
			var n int
			_, _ = fmt.Sscanf(key, "key%d", &n)
			if value, err := b.Get(ctx, v); err == nil && string(value) != flipText(n) {
				fmt.Println("wrong:", key)
			}
		}
	}
	for i := range 50 {
		errs = append(errs, b.Put(ctx, Entry{Key: fmt.Sprint("key", i*7), Value: make([]byte, 5000)}, nil))
	}
	_, err = b.Forget(ctx, "key1")
	errs = append(errs, b.Flush(ctx), err, b.Compact(ctx), b.Close())
	if err := errors.Join(errs...); err != nil {
		fmt.Println("errors:", err)
	}
	return 0
}

// Bytes in a page change (a bad disk): whatever then happens is an error, or a miss. The process doesn't end, and no reader gets other
// bytes than were put. Pages have no checksum, so this is no proof: the seed is fixed unless the test runs in full.
func TestBolt_changedPagesAreErrorsOrMisses(t *testing.T) {
	seed := uint64(1)
	if os.Getenv("WINNOW_SOAK") == "1" {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	content := flipContent(t)
	path := filePath(t)
	count := map[string]int{}
	times := soak(200)
	if times < 200 {
		times = 8
	}
	for i := range times {
		b := []byte(string(content))
		page := random.IntN(len(b)/4096) * 4096
		for range 1 + random.IntN(8) {
			b[page+random.IntN(64)*random.IntN(64)] = byte(random.Uint32()) // rather in the head of the page
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // against one that never ends
		out, err := helperCommandContext(ctx, t, "use", path).Output()
		cancel()
		if err != nil || strings.Contains(string(out), "wrong") {
			t.Errorf("%d, page %d: %v\n%s", i, page/4096, err, out)
		}
		word, _, _ := strings.Cut(string(out)+"nothing", ":")
		count[word]++
	}
	t.Logf("%v", count)
}

// flipContent is a compacted file of many pages.
func flipContent(t *testing.T) []byte {
	t.Helper()
	path := filePath(t)
	b, err := OpenBolt(path, FileOptions{}, Options{QueueEntries: flipEntries})
	if err != nil {
		t.Fatal(err)
	}
	for i := range flipEntries {
		e := Entry{Key: fmt.Sprint("key", i), Stored: at(i), Value: []byte(flipText(i))}
		if err := b.Put(t.Context(), e, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustClose(t, b)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
