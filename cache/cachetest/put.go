package cachetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
)

func storeRoundTrip(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	for i, e := range []cache.Entry{
		{Key: "text", Meta: []byte("m"), Value: []byte(strings.Repeat("much the same ", 10_000))},
		{Key: "noise", Value: noise},
		{Key: "empty", Meta: []byte{}, Value: []byte{}},
		{Key: "nothing"},
		{Key: "\x00\xff not UTF-8", Meta: bytes.Repeat([]byte{0xff}, cache.MaxMeta), Value: []byte{0}},
		{Key: strings.Repeat("k", cache.MaxKey), Value: []byte("long key")},
	} {
		e.Stored = at(i).Add(123456 * time.Microsecond)
		if err := f.Put(t.Context(), e, nil); err != nil {
			t.Fatal(err)
		}
		f.bothWays(func() {
			vs := f.versions(e.Key)
			if len(vs) != 1 {
				t.Fatalf("%.10q: %d versions", e.Key, len(vs))
			}
			v := vs[0]
			if !v.Stored.Equal(at(i).Add(123*time.Millisecond)) || !bytes.Equal(v.Meta, e.Meta) || v.ID == 0 {
				t.Errorf("%.10q: %+v", e.Key, v)
			}
			f.want(e.Key, string(e.Value))
		})
	}
	if vs := f.versions("none"); len(vs) != 0 {
		t.Errorf("a key that isn't there: %v", vs)
	}
	if _, err := f.Get(t.Context(), cache.Version{Key: "none", ID: 99}); !errors.Is(err, cache.ErrNotFound) {
		t.Errorf("Get of what isn't there: %v", err)
	}
}

func storeSeesQueued(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{Versions: 2})
	release := f.hold()
	f.put("k", 1, "one")
	f.put("k", 2, "two")
	f.want("k", "two one")
	f.put("k", 3, "three") // one is more than are kept
	f.put("other", 3, "x")
	ids := f.versions("k")
	if n := f.stats().Queued; n < 4 {
		t.Errorf("%d queued, want 4", n)
	}
	check := func() {
		t.Helper()
		f.want("k", "three two")
		if got := f.keys("", "", 0); !slices.Equal(got, []string{"held", "k", "other"}) {
			t.Errorf("keys %q", got)
		}
		if now := f.versions("k"); now[0].ID != ids[0].ID || now[1].ID != ids[1].ID {
			t.Errorf("ids were %v, are %v", ids, now)
		}
	}
	check()
	release()
	f.flush()
	check()
	if n := f.stats().Queued; n != 0 {
		t.Errorf("%d queued after Flush", n)
	}
}

func storeOrder(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	f.put("k", 2, "b")
	f.put("k", 3, "d")
	f.put("k", 1, "a")
	f.put("k", 2, "c") // the same time: the one that was put later is newer
	f.put("k", -1_800_000_000, "before1970")
	f.bothWays(func() { f.want("k", "d c b a before1970") })
}

func storeKeepsNewest(t *testing.T, open OpenStore) {
	for _, c := range []struct{ set, want int }{{0, 5}, {-1, 5}, {1, 1}, {7, 7}} {
		f := newFixture(t, open, cache.Options{Versions: c.set})
		f.put("k", 0, "0")
		f.flush()
		first := f.versions("k")[0]
		for i := 1; i < 10; i++ {
			f.put("k", i, fmt.Sprint(i))
		}
		f.bothWays(func() {
			if got := f.texts("k"); got != "9 8 7 6 5 4 3"[:2*c.want-1] {
				t.Errorf("Versions %d: %q", c.set, got)
			}
		})
		if _, err := f.Get(t.Context(), first); !errors.Is(err, cache.ErrNotFound) {
			t.Errorf("a version that is no longer kept: %v", err)
		}
		if n := f.stats().Versions; n != int64(c.want) {
			t.Errorf("Versions %d: %d in Stats", c.set, n)
		}
	}
}

func storeLate(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{Versions: 2})
	f.put("k", 5, "five")
	f.put("k", 6, "six")
	var late error = errors.New("not called")
	err := f.Put(t.Context(), cache.Entry{Key: "k", Stored: at(1), Value: []byte("one")}, func(err error) { late = err })
	if err != nil {
		t.Fatal(err)
	}
	f.bothWays(func() { f.want("k", "six five") })
	if late != nil {
		t.Errorf("committed with %v", late)
	}
	if s := f.stats(); s.Versions != 2 {
		t.Errorf("%+v", s)
	}
}

func storeLimits(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	for name, e := range map[string]cache.Entry{
		"key":   {Key: strings.Repeat("k", cache.MaxKey+1)},
		"meta":  {Key: "k", Meta: make([]byte, cache.MaxMeta+1)},
		"value": {Key: "k", Value: make([]byte, cache.MaxValue+1)},
	} {
		err := f.Put(t.Context(), e, func(error) { t.Errorf("%s: committed was called", name) })
		if !errors.Is(err, cache.ErrTooLarge) {
			t.Errorf("%s too large: %v", name, err)
		}
	}
	if err := f.Put(t.Context(), cache.Entry{}, nil); err == nil {
		t.Error("an empty key: no error")
	}
	f.put("k", 1, "v")
	if err := f.Renew(t.Context(), f.versions("k")[0], at(2), make([]byte, cache.MaxMeta+1)); !errors.Is(err, cache.ErrTooLarge) {
		t.Errorf("Renew with a meta too large: %v", err)
	}
}

func storeCommitted(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	called := make([]int, 200)
	for i := range called {
		e := cache.Entry{Key: fmt.Sprint(i), Stored: at(i), Value: []byte("v")}
		err := f.Put(t.Context(), e, func(err error) {
			if called[i]++; err != nil {
				t.Errorf("%d: %v", i, err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	f.flush() // when it returns, all have been called
	for i, n := range called {
		if n != 1 {
			t.Errorf("%d was called %d times", i, n)
		}
	}
}

func storeNow(t *testing.T, open OpenStore) {
	var now atomic.Int64
	now.Store(7)
	f := newFixture(t, open, cache.Options{Now: func() time.Time { return at(int(now.Load())) }})
	if err := f.Put(t.Context(), cache.Entry{Key: "k"}, nil); err != nil {
		t.Fatal(err)
	}
	v := f.versions("k")[0]
	if !v.Stored.Equal(at(7)) {
		t.Errorf("stored %v, now is %v", v.Stored, at(7))
	}
	now.Store(9)
	if err := f.Renew(t.Context(), v, time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	if v := f.versions("k")[0]; !v.Stored.Equal(at(9)) {
		t.Errorf("renewed %v, now is %v", v.Stored, at(9))
	}
}

func storeSetBack(t *testing.T, open OpenStore) {
	var now atomic.Int64 // the store looks at it while it writes
	now.Store(1_000_000)
	f := newFixture(t, open, cache.Options{Versions: 2, Now: func() time.Time { return at(int(now.Load())) }})
	f.put("k", 1_000_000, "ahead")
	f.put("k", 1_000_001, "further ahead")
	now.Store(1000)
	f.put("k", 1000, "now")
	f.bothWays(func() { f.want("k", "now further ahead") })
	now.Store(2000)
	f.put("k", 2000, "later")
	f.bothWays(func() { f.want("k", "later now") })
	if s := f.stats(); !s.Newest.Equal(at(2000)) || !s.Oldest.Equal(at(1000)) {
		t.Errorf("%+v", s)
	}
}

func storeAges(t *testing.T, open OpenStore) {
	var now, ages atomic.Int64
	clock := func(n *atomic.Int64) func() time.Time { return func() time.Time { return at(int(n.Load())) } }
	o := cache.Options{MaxAge: 50 * time.Second, Now: clock(&now), Ages: clock(&ages)}
	f := newFixture(t, open, o)
	f.put("k", 0, "v")
	now.Store(1_000_000)
	if n, err := f.Prune(t.Context()); n != 0 || err != nil {
		t.Errorf("%d were removed, %v", n, err)
	}
	ages.Store(51)
	if n, err := f.Prune(t.Context()); n != 1 || err != nil {
		t.Errorf("%d were removed, %v", n, err)
	}
}

func storeOwnBytes(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	f.put("k", 1, "text")
	f.bothWays(func() {
		v := f.versions("k")[0]
		value, err := f.Get(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		clear(value)
		clear(v.Meta)
		f.want("k", "text")
		if m := f.versions("k")[0].Meta; string(m) != "meta of text" {
			t.Errorf("meta %q", m)
		}
	})
}
