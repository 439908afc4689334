package cachetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

func storeRenew(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	f.put("k", 1, "old")
	f.put("k", 2, "new")
	old := f.versions("k")[1]
	if err := f.Renew(t.Context(), old, at(3), []byte("renewed")); err != nil {
		t.Fatal(err)
	}
	f.bothWays(func() {
		f.want("k", "old new")
		v := f.versions("k")[0]
		if v.ID != old.ID || !v.Stored.Equal(at(3)) || string(v.Meta) != "renewed" || v.Size != 3 {
			t.Errorf("%+v", v)
		}
	})
	if value, err := f.Get(t.Context(), old); err != nil || string(value) != "old" {
		t.Errorf("by the version of before: %q, %v", value, err)
	}
	if s := f.stats(); s.Versions != 2 || s.Keys != 1 || !s.Oldest.Equal(at(2)) || !s.Newest.Equal(at(3)) {
		t.Errorf("%+v", s)
	}
	if err := f.Renew(t.Context(), old, at(0), nil); err != nil { // written before: the other way round
		t.Fatal(err)
	}
	f.bothWays(func() { f.want("k", "new old") })
}

func storeRenewGone(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{Versions: 1})
	f.put("k", 1, "old")
	old := f.versions("k")[0]
	f.put("k", 2, "new")
	f.bothWays(func() {
		if err := f.Renew(t.Context(), old, at(3), nil); !errors.Is(err, cache.ErrNotFound) {
			t.Errorf("a version that is no longer kept: %v", err)
		}
	})
	if err := f.Renew(t.Context(), cache.Version{Key: "none", ID: 1}, at(3), nil); !errors.Is(err, cache.ErrNotFound) {
		t.Errorf("a key that isn't there: %v", err)
	}
	f.want("k", "new")
}

func storeKeys(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	for i, k := range []string{"a/2", "b", "a/1", "a", "a/3", "a/\xff", "a0", "\xff\xff"} {
		f.put(k, i, "v")
		f.put(k, i+10, "w")
	}
	f.bothWays(func() {
		for _, c := range []struct {
			prefix, after string
			limit         int
			want          string
		}{
			{"", "", 0, "a a/1 a/2 a/3 a/\xff a0 b \xff\xff"},
			{"a/", "", 0, "a/1 a/2 a/3 a/\xff"},
			{"a/", "", 2, "a/1 a/2"},
			{"a/", "a/2", 2, "a/3 a/\xff"},
			{"a/", "a/2", -1, "a/3 a/\xff"},
			{"a/", "a/11", 1, "a/2"},
			{"a/", "a", 1, "a/1"},
			{"a/", "b", 1, ""},
			{"a/", "a/\xff", 9, ""},
			{"\xff", "", 9, "\xff\xff"},
			{"none", "", 9, ""},
		} {
			if got := strings.Join(f.keys(c.prefix, c.after, c.limit), " "); got != c.want {
				t.Errorf("Keys(%q, %q, %d) = %q, want %q", c.prefix, c.after, c.limit, got, c.want)
			}
		}
	})
}

func storeManyKeys(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{QueueEntries: 2000})
	const n = 2500
	var want []string
	for i := range n {
		want = append(want, fmt.Sprintf("k%04d", i))
	}
	for i := 0; i < n; i += 2 {
		f.put(want[i], i, "v")
	}
	f.flush()
	f.hold()
	for i := 1; i < n; i += 2 {
		f.put(want[i], i, "v")
	}
	if got := f.keys("k", "", 0); !slices.Equal(got, want) {
		t.Errorf("%d keys, want %d", len(got), n)
	}
	if got := f.keys("k", want[10], 1500); !slices.Equal(got, want[11:1511]) {
		t.Errorf("%d keys, want 1500", len(got))
	}
}

func storeStats(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	if s := f.stats(); s != (cache.Stats{}) {
		t.Errorf("empty: %+v", s)
	}
	f.put("a", 3, "v")
	f.put("a", 1, "v")
	f.put("b", 2, "v")
	f.flush()
	s := f.stats()
	if s.Keys != 2 || s.Versions != 3 || s.Queued != 0 || !s.Oldest.Equal(at(1)) || !s.Newest.Equal(at(3)) {
		t.Errorf("%+v", s)
	}
	if minBytes := int64(3 * len("vameta of v")); s.Bytes < minBytes || s.Bytes > minBytes+100 {
		t.Errorf("%d bytes, want %d and little more", s.Bytes, minBytes)
	}
}
