package cachetest

import (
	"testing"

	"github.com/winnow-go/winnow/cache"
)

// TestPersistentStore checks that a Store keeps what was put. open opens the one in the folder, or makes it.
func TestPersistentStore(t *testing.T, open func(t *testing.T, dir string, o cache.Options) cache.Store) {
	t.Run("closingKeepsWhatIsQueued", func(t *testing.T) { persistentClose(t, open) })
	t.Run("randomOperationsAndReopening", func(t *testing.T) {
		dir := t.TempDir()
		storeRandom(t,
			func(t *testing.T, o cache.Options) cache.Store { return open(t, dir, o) },
			func(f *fixture, o cache.Options) {
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
				f.Store = open(t, dir, o)
			})
	})
}

func persistentClose(t *testing.T, open func(t *testing.T, dir string, o cache.Options) cache.Store) {
	dir := t.TempDir()
	f := newFixture(t, func(t *testing.T, o cache.Options) cache.Store { return open(t, dir, o) }, cache.Options{})
	f.put("k", 1, "one")
	f.put("k", 2, "two")
	f.put("gone", 3, "three")
	if err := f.Renew(t.Context(), f.versions("k")[1], at(4), []byte("renewed")); err != nil {
		t.Fatal(err)
	}
	last := f.versions("gone")[0].ID
	before := f.versions("k")
	f.forget("gone", 1)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f.Store = open(t, dir, cache.Options{})
	f.want("k", "one two")
	f.want("gone", "")
	if value, err := f.Get(t.Context(), before[1]); err != nil || string(value) != "two" {
		t.Errorf("by the version of before: %q, %v", value, err)
	}
	f.put("k", 5, "three")
	if v := f.versions("k")[0]; v.ID <= last {
		t.Errorf("id %d was given out again after %d", v.ID, last)
	}
}
