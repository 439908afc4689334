package cachetest

import (
	"context"
	"errors"
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
		"aClockThatIsSetBackHidesNothing":    storeSetBack,
		"agesAreByTheirOwnClock":             storeAges,
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
		"changesAreReported":                 storeReportsChanges,
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

// Some are written, some queued, and there are more than one snapshot reads.
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
