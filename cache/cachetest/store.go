package cachetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// OpenStore opens an empty Store, which the test closes.
type OpenStore func(t *testing.T, o cache.Options) cache.Store

// TestStore checks that a Store keeps its contract.
func TestStore(t *testing.T, open OpenStore) {
	for name, test := range map[string]func(*testing.T, OpenStore){
		"anEntryComesBackAsItWas":            storeRoundTrip,
		"whatIsOnlyQueuedIsSeen":             storeSeesQueued,
		"versionsAreNewestFirst":             storeOrder,
		"onlySoManyVersionsAreKept":          storeKeepsNewest,
		"limitsAreErrors":                    storeLimits,
		"committedIsCalledOnce":              storeCommitted,
		"noTimeIsNow":                        storeNow,
		"renewingKeepsTheValue":              storeRenew,
		"renewingWhatIsGoneIsNotFound":       storeRenewGone,
		"keysAreInOrder":                     storeKeys,
		"allKeysAreListed":                   storeManyKeys,
		"forgettingRemovesByPrefix":          storeForget,
		"forgettingReachesWhatIsQueued":      storeForgetQueued,
		"pruningRemovesWhatIsTooOld":         storePruneAge,
		"pruningSparesWhatIsBeingRenewed":    storePruneRenewed,
		"pruningRemovesTheOldestAboveSize":   storePruneSize,
		"theBackgroundPrunesAboveSize":       storePruneInBackground,
		"aFullQueueMakesPutWait":             storeQueueFull,
		"anEntryLargerThanTheQueueIsLetIn":   storeQueueOversized,
		"closingWritesAndThenRefuses":        storeClose,
		"closingEndsWaiting":                 storeCloseEndsWaiting,
		"aContextThatIsDoneIsAnError":        storeContext,
		"manyAtOnce":                         storeConcurrent,
		"randomOperations":                   func(t *testing.T, open OpenStore) { storeRandom(t, open, nil) },
		"statsCountWhatIsKept":               storeStats,
		"whatOneGetsIsOnesOwn":               storeOwnBytes,
		"aLateEntryIsDroppedWhenAllAreNewer": storeLate,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// fixture is a Store with helpers that fail the test.
type fixture struct {
	cache.Store
	t *testing.T
}

func newFixture(t *testing.T, open OpenStore, o cache.Options) *fixture {
	t.Helper()
	f := &fixture{open(t, o), t}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return f
}

// at is a time of the tests: second n.
func at(n int) time.Time { return time.Unix(1_700_000_000+int64(n), 0).UTC() }

// put stores the text under the key, at second n.
func (f *fixture) put(key string, n int, text string) {
	f.t.Helper()
	e := cache.Entry{Key: key, Stored: at(n), Meta: []byte("meta of " + text), Value: []byte(text)}
	if err := f.Put(f.t.Context(), e, nil); err != nil {
		f.t.Fatalf("Put(%.20q): %v", key, err)
	}
}

func (f *fixture) flush() {
	f.t.Helper()
	if err := f.Flush(f.t.Context()); err != nil {
		f.t.Fatalf("Flush: %v", err)
	}
}

func (f *fixture) versions(key string) []cache.Version {
	f.t.Helper()
	vs, err := f.Versions(f.t.Context(), key)
	if err != nil {
		f.t.Fatalf("Versions(%.20q): %v", key, err)
	}
	return vs
}

// texts returns the values of all versions of a key, newest first, and checks what they say of themselves.
func (f *fixture) texts(key string) string {
	f.t.Helper()
	var list []string
	for _, v := range f.versions(key) {
		value, err := f.Get(f.t.Context(), v)
		if err != nil {
			f.t.Fatalf("Get(%.20q): %v", key, err)
		}
		if v.Key != key || v.Size != int64(len(value)) {
			f.t.Errorf("version %+v of %d bytes under %.20q", v, len(value), key)
		}
		list = append(list, string(value))
	}
	return strings.Join(list, " ")
}

func (f *fixture) keys(prefix, after string, limit int) []string {
	f.t.Helper()
	keys, err := f.Keys(f.t.Context(), prefix, after, limit)
	if err != nil {
		f.t.Fatalf("Keys: %v", err)
	}
	return keys
}

func (f *fixture) stats() cache.Stats {
	f.t.Helper()
	s, err := f.Stats(f.t.Context())
	if err != nil {
		f.t.Fatalf("Stats: %v", err)
	}
	return s
}

func (f *fixture) want(key, texts string) {
	f.t.Helper()
	if got := f.texts(key); got != texts {
		f.t.Errorf("%.20q holds %.80q, want %.80q", key, got, texts)
	}
}

// bothWays runs the check while all is still queued, and again when all is written.
func (f *fixture) bothWays(check func()) {
	f.t.Helper()
	check()
	f.flush()
	check()
}

// hold keeps the writer busy until release is called: what is put meanwhile stays queued.
func (f *fixture) hold() (release func()) {
	f.t.Helper()
	held, free := make(chan struct{}), make(chan struct{})
	err := f.Put(f.t.Context(), cache.Entry{Key: "held", Stored: at(0)}, func(error) { close(held); <-free })
	if err != nil {
		f.t.Fatal(err)
	}
	<-held
	release = sync.OnceFunc(func() { close(free) })
	f.t.Cleanup(release)
	return release
}

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
	now := at(7)
	f := newFixture(t, open, cache.Options{Now: func() time.Time { return now }})
	if err := f.Put(t.Context(), cache.Entry{Key: "k"}, nil); err != nil {
		t.Fatal(err)
	}
	v := f.versions("k")[0]
	if !v.Stored.Equal(now) {
		t.Errorf("stored %v, now is %v", v.Stored, now)
	}
	now = at(9)
	if err := f.Renew(t.Context(), v, time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	if v := f.versions("k")[0]; !v.Stored.Equal(now) {
		t.Errorf("renewed %v, now is %v", v.Stored, now)
	}
}

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

// Some are written, some queued, and there are more than one snapshot reads.
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
	if least := int64(3 * len("vameta of v")); s.Bytes < least || s.Bytes > least+100 {
		t.Errorf("%d bytes, want %d and little more", s.Bytes, least)
	}
}

func storeContext(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	f.put("k", 1, "v")
	v := f.versions("k")[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range calls(ctx, f, v) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.want("k", "v")
}

// calls calls everything that takes a context.
func calls(ctx context.Context, s cache.Store, v cache.Version) map[string]error {
	errs := map[string]error{}
	errs["Put"] = s.Put(ctx, cache.Entry{Key: "k"}, nil)
	_, errs["Versions"] = s.Versions(ctx, "k")
	_, errs["Get"] = s.Get(ctx, v)
	errs["Renew"] = s.Renew(ctx, v, at(1), nil)
	_, errs["Keys"] = s.Keys(ctx, "", "", 0)
	_, errs["Forget"] = s.Forget(ctx, "")
	_, errs["Prune"] = s.Prune(ctx)
	errs["Flush"] = s.Flush(ctx)
	_, errs["Stats"] = s.Stats(ctx)
	return errs
}
