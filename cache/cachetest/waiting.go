package cachetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

func storeQueueFull(t *testing.T, open OpenStore) {
	for name, o := range map[string]cache.Options{"entries": {QueueEntries: 2}, "bytes": {QueueBytes: 4000}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, open, o)
			release := f.hold()
			f.put("a", 1, noise(1, 700))
			f.put("b", 1, noise(2, 700))
			ctx, cancel := context.WithCancel(t.Context())
			waits := make(chan error)
			go func() {
				waits <- f.Put(ctx, cache.Entry{Key: "c", Value: make([]byte, 700)}, func(error) { t.Error("c was written") })
			}()
			select {
			case err := <-waits:
				t.Fatalf("Put didn't wait: %v", err)
			default:
			}
			cancel()
			if err := <-waits; !errors.Is(err, context.Canceled) {
				t.Errorf("Put whose context ended: %v", err)
			}
			f.want("c", "")
			go func() { waits <- f.Put(t.Context(), cache.Entry{Key: "d"}, nil) }()
			release()
			if err := <-waits; err != nil {
				t.Errorf("Put that waited: %v", err)
			}
			f.flush()
			if s := f.stats(); s.Keys != 4 {
				t.Errorf("%+v", s)
			}
		})
	}
}

func storeQueueOversized(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{QueueBytes: 100})
	for i := range 5 {
		f.put(fmt.Sprint(i), i, noise(i, 10_000))
	}
	f.bothWays(func() { f.want("4", noise(4, 10_000)) })
}

func storeClose(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{})
	release := f.hold()
	f.put("k", 1, "v")
	v := f.versions("k")[0]
	written := 0
	if err := f.Put(t.Context(), cache.Entry{Key: "l"}, func(error) { written++ }); err != nil {
		t.Fatal(err)
	}
	release()
	if err := f.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if written != 1 {
		t.Errorf("%d were written by Close, want 1", written)
	}
	for name, err := range calls(t.Context(), f, v) {
		if !errors.Is(err, cache.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func storeCloseEndsWaiting(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{QueueEntries: 1})
	release := f.hold()
	f.put("a", 1, "v")
	waits, closed := make(chan error), make(chan error)
	go func() { waits <- f.Put(t.Context(), cache.Entry{Key: "b"}, nil) }()
	go func() { closed <- f.Close() }()
	if err := <-waits; !errors.Is(err, cache.ErrClosed) { // there is no room before release
		t.Errorf("Put that waited: %v", err)
	}
	release()
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
}

// Each has keys of its own and must see what it put; others forget, prune and list meanwhile.
func storeConcurrent(t *testing.T, open OpenStore) {
	f := newFixture(t, open, cache.Options{QueueEntries: 20, Versions: 3})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var others, work sync.WaitGroup
	for name, call := range map[string]func() error{
		"Forget": func() error { _, err := f.Forget(t.Context(), "trash"); return err },
		"Prune":  func() error { _, err := f.Prune(t.Context()); return err },
		"Flush":  func() error { return f.Flush(t.Context()) },
		"Keys":   func() error { _, err := f.Keys(t.Context(), "", "", 100); return err },
		"Stats":  func() error { _, err := f.Stats(t.Context()); return err },
	} {
		others.Go(func() {
			for ctx.Err() == nil {
				if err := call(); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	for w := range 4 {
		work.Go(func() {
			for i := range soak(200) {
				mine := fmt.Sprintf("w%d/%d", w, i%10)
				f.put(mine, i, fmt.Sprintf("%d-%d", w, i))
				f.put("trash", i, "x")
				v := f.versions(mine)[0]
				if value, err := f.Get(t.Context(), v); err != nil || string(value) != fmt.Sprintf("%d-%d", w, i) {
					t.Errorf("%s: %q, %v", mine, value, err)
				}
				if err := f.Renew(t.Context(), v, at(i), []byte("again")); err != nil {
					t.Errorf("Renew %s: %v", mine, err)
				}
			}
		})
	}
	work.Wait()
	stop()
	others.Wait()
	f.flush()
	f.forget("trash", len(f.versions("trash")))
	if s := f.stats(); s.Keys != 40 || s.Versions != int64(4*min(30, soak(200))) || s.Queued != 0 {
		t.Errorf("%+v", s)
	}
}
