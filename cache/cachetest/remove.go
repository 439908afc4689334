package cachetest

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
)

func (f *fixture) forget(prefix string, want int) {
	f.t.Helper()
	if n, err := f.Forget(f.t.Context(), prefix); err != nil || n != want {
		f.t.Errorf("Forget(%q) = %d, %v, want %d", prefix, n, err, want)
	}
}

func (f *fixture) prune(want int) {
	f.t.Helper()
	if n, err := f.Prune(f.t.Context()); err != nil || n != want {
		f.t.Errorf("Prune = %d, %v, want %d", n, err, want)
	}
}

func storeForget(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	for i := range 200 { // more than one transaction takes
		f.put(fmt.Sprintf("a/%d", i), i, "v")
		f.put(fmt.Sprintf("a/%d", i), i+1, "w")
	}
	f.put("a", 1, "kept")
	f.put("a0", 1, "kept")
	f.put("\xff\xff", 1, "last")
	f.flush()
	gone := f.versions("a/7")[0]

	f.forget("a/7", 2*11)
	f.forget("a/7", 0)
	f.forget("a/", 2*189)
	f.forget("\xff", 1)
	if got := f.keys("", "", 0); !slices.Equal(got, []string{"a", "a0"}) {
		t.Errorf("left: %q", got)
	}
	if _, err := f.Get(t.Context(), gone); err == nil {
		t.Error("a forgotten version can be read")
	}
	f.forget("", 2)
	if s := f.stats(); s != (cache.Stats{}) {
		t.Errorf("after forgetting all: %+v", s)
	}
	f.put("a/7", 1, "again")
	f.bothWays(func() { f.want("a/7", "again") })
	if v := f.versions("a/7")[0]; v.ID <= gone.ID {
		t.Errorf("id %d was given out again after %d", v.ID, gone.ID)
	}
}

func storeForgetQueued(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	release := f.hold()
	f.put("a", 1, "queued")
	f.put("b", 1, "queued")
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.forget("a", 1)
	}()
	release()
	<-done
	f.bothWays(func() {
		f.want("a", "")
		f.want("b", "queued")
	})
}

func storePruneAge(t *testing.T, open OpenStore) {
	var now atomic.Int64
	now.Store(100)
	f := newFixture(t, open, cache.Options{MaxAge: 50 * time.Second, Now: func() time.Time { return at(int(now.Load())) }})
	for i := range 600 { // more than one step takes
		f.put(fmt.Sprintf("many%d", i), 60, "v")
	}
	f.put("k", 49, "tooOld") // goes with the first background step, or with Prune
	f.put("k", 50, "just")
	f.put("k", 70, "young")
	if _, err := f.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.want("k", "young just")
	f.prune(0)
	now.Store(115)
	if n, err := f.Prune(t.Context()); err != nil || n > 601 {
		t.Errorf("Prune = %d, %v", n, err)
	}
	f.want("k", "young")
	if s := f.stats(); s.Keys != 1 || s.Versions != 1 {
		t.Errorf("%+v", s)
	}
}

// The background comes by while the renewal is still queued.
func storePruneRenewed(t *testing.T, open OpenStore) {
	var now atomic.Int64
	f := newFixture(t, open, cache.Options{MaxAge: 50 * time.Second, Now: func() time.Time { return at(int(now.Load())) }})
	f.put("old", 1, "renewed")
	f.put("old", 1, "not renewed")
	f.flush()
	vs := f.versions("old")
	release := f.hold()
	for i := range 120 { // several transactions, with a look at the ages after each
		f.put(fmt.Sprint(i), 90, "v")
	}
	if err := f.Renew(t.Context(), vs[1], at(95), nil); err != nil {
		t.Fatal(err)
	}
	now.Store(100)
	release()
	f.flush()
	f.prune(0)
	f.want("old", "renewed")
}

func storePruneSize(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{MaxBytes: 3000})
	for i := range 30 {
		f.put(fmt.Sprint(i%7), i, noise(i, 400)) // about 430 as stored
	}
	if _, err := f.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := f.stats()
	if s.Bytes > 3000 || s.Bytes < 2000 || !s.Newest.Equal(at(29)) || !s.Oldest.Equal(at(30-int(s.Versions))) {
		t.Errorf("%+v", s) // the newest are left, whatever their key
	}
	f.prune(0)
	f.put("huge", 50, noise(1, 5000))
	if _, err := f.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := f.stats(); s.Bytes != 0 || s.Versions != 0 { // larger than all that may be kept
		t.Errorf("%+v", s)
	}
}

func storePruneInBackground(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{MaxBytes: 10_000})
	for i := range 100 {
		f.put(fmt.Sprint(i), i, noise(i, 1000))
	}
	f.flush()
	f.put("one", 100, "more") // written after the step that follows the last write
	f.flush()
	if s := f.stats(); s.Bytes > 11_000 || s.Versions < 5 {
		t.Errorf("%+v", s)
	}
}

// noise is text that can't be compressed much.
func noise(seed, n int) string {
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
