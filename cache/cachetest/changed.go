package cachetest

import (
	"slices"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

// notified collects the keys passed to Options.Changed.
type notified struct {
	mu   sync.Mutex
	keys []string
}

func (c *notified) add(keys []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys = append(c.keys, keys...)
}

// take returns the keys passed since the last call, each once, in order.
func (c *notified) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := c.keys
	c.keys = nil
	slices.Sort(keys)
	return slices.Compact(keys)
}

func storeReportsChanges(t *testing.T, open OpenStore) {
	var c notified
	f := newFixture(t, open, cache.Options{MaxBytes: 3000, Changed: c.add})
	want := func(what string, keys ...string) {
		t.Helper()
		if got := c.take(); !slices.Equal(got, keys) {
			t.Errorf("%s: notified %q, want %q", what, got, keys)
		}
	}
	f.put("a", 1, "v")
	f.put("b", 2, "v")
	f.flush()
	want("put", "a", "b")
	if err := f.Renew(t.Context(), f.versions("a")[0], at(3), nil); err != nil {
		t.Fatal(err)
	}
	f.flush()
	want("renewed", "a")
	f.forget("b", 1)
	want("forgotten", "b")
	f.forget("nothing", 0)
	want("nothing forgotten")
	f.put("large", 4, noise(1, 2900))
	f.flush()
	if _, err := f.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("pruned by size", "a", "large")
}
