package flight

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ExampleGroup_Do() {
	var pages Group[string]
	page, shared, err := pages.Do(context.Background(), "https://example.com/", func(context.Context) (string, error) {
		return "<h1>Example</h1>", nil
	})
	fmt.Println(page, shared, err)
	// Output: <h1>Example</h1> false <nil>
}

// idle fails the test when g still holds an execution.
func idle[V any](t *testing.T, g *Group[V]) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.calls) != 0 {
		t.Errorf("%d executions are left in the group", len(g.calls))
	}
}

func TestDo_hundredCallersShareOneExecution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[int]
		var runs, shares atomic.Int64
		var callers sync.WaitGroup
		for range 100 {
			callers.Go(func() {
				v, shared, err := g.Do(t.Context(), "k", func(context.Context) (int, error) {
					time.Sleep(time.Second)
					return int(runs.Add(1)), nil
				})
				if v != 1 || err != nil {
					t.Errorf("got %d, %v; want 1, nil", v, err)
				}
				if shared {
					shares.Add(1)
				}
			})
		}
		callers.Wait()
		if runs.Load() != 1 || shares.Load() != 99 {
			t.Errorf("got %d runs and %d shared results, want 1 and 99", runs.Load(), shares.Load())
		}
		idle(t, &g)
	})
}

func TestDo_afterTheEndWorkIsDoneAnew(t *testing.T) {
	var g Group[int]
	runs := 0
	for want := 1; want <= 3; want++ {
		v, shared, err := g.Do(t.Context(), "k", func(context.Context) (int, error) { runs++; return runs, nil })
		if v != want || shared || err != nil {
			t.Errorf("got %d, %v, %v; want %d, false, nil", v, shared, err, want)
		}
	}
}

func TestDo_keysAreIndependent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[string]
		var callers sync.WaitGroup
		start := time.Now()
		for i := range 10 {
			key := fmt.Sprint(i)
			callers.Go(func() {
				v, shared, err := g.Do(t.Context(), key, func(context.Context) (string, error) {
					time.Sleep(time.Second)
					return key, nil
				})
				if v != key || shared || err != nil {
					t.Errorf("got %q, %v, %v; want %q, false, nil", v, shared, err, key)
				}
			})
		}
		callers.Wait()
		if took := time.Since(start); took != time.Second {
			t.Errorf("ten keys took %v of the bubble's clock, want 1s", took)
		}
	})
}

func TestDo_aFailureThatIsNotOfTheContextIsEverybodys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[int]
		failure := errors.New("no such host")
		var runs, shares atomic.Int64
		var callers sync.WaitGroup
		for range 10 {
			callers.Go(func() {
				_, shared, err := g.Do(t.Context(), "k", func(context.Context) (int, error) {
					time.Sleep(time.Second)
					runs.Add(1)
					return 0, failure
				})
				if err != failure {
					t.Errorf("got %v, want %v", err, failure)
				}
				if shared {
					shares.Add(1)
				}
			})
		}
		callers.Wait()
		if runs.Load() != 1 || shares.Load() != 9 {
			t.Errorf("got %d runs and %d shared failures, want 1 and 9", runs.Load(), shares.Load())
		}
		idle(t, &g)
	})
}

// A failure that only looks like one of the context, while the worker's own is alive
// (a client's own timeout, say), is everybody's too.
func TestDo_anotherContextsErrorIsNotHandedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[int]
		var runs atomic.Int64
		var callers sync.WaitGroup
		for range 3 {
			callers.Go(func() {
				_, _, err := g.Do(t.Context(), "k", func(context.Context) (int, error) {
					time.Sleep(time.Second)
					runs.Add(1)
					return 0, context.DeadlineExceeded
				})
				if err != context.DeadlineExceeded {
					t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
				}
			})
		}
		callers.Wait()
		if runs.Load() != 1 {
			t.Errorf("got %d runs, want 1", runs.Load())
		}
	})
}

func TestDo_aCancelledLeaderHandsOverExactlyOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[int]
		var runs, shares atomic.Int64
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var callers sync.WaitGroup
		work := func(ctx context.Context) (int, error) {
			run := int(runs.Add(1))
			select {
			case <-time.After(10 * time.Second):
				return run, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		callers.Go(func() {
			if _, shared, err := g.Do(ctx, "k", work); err != context.DeadlineExceeded || shared {
				t.Errorf("leader got %v, shared %v; want its own deadline", err, shared)
			}
		})
		synctest.Wait()
		for range 20 {
			callers.Go(func() {
				v, shared, err := g.Do(t.Context(), "k", work)
				if v != 2 || err != nil {
					t.Errorf("got %d, %v; want the second run's value", v, err)
				}
				if shared {
					shares.Add(1)
				}
			})
		}
		callers.Wait()
		if runs.Load() != 2 || shares.Load() != 19 {
			t.Errorf("got %d runs and %d shared results, want 2 and 19", runs.Load(), shares.Load())
		}
		idle(t, &g)
	})
}

// A leader that has its result although its context has ended doesn't waste it.
func TestDo_aSuccessAfterTheContextsEndIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[int]
		ctx, cancel := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		callers.Go(func() {
			v, _, err := g.Do(ctx, "k", func(context.Context) (int, error) {
				time.Sleep(time.Second)
				cancel()
				return 7, nil
			})
			if v != 7 || err != nil {
				t.Errorf("leader got %d, %v; want 7, nil", v, err)
			}
		})
		synctest.Wait()
		v, shared, err := g.Do(t.Context(), "k", func(context.Context) (int, error) {
			t.Error("the work was done again")
			return 0, nil
		})
		if v != 7 || !shared || err != nil {
			t.Errorf("got %d, %v, %v; want 7, true, nil", v, shared, err)
		}
		callers.Wait()
	})
}

func TestDo_aWaiterLeavesWithItsOwnCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[int]
		var callers sync.WaitGroup
		callers.Go(func() {
			v, shared, err := g.Do(t.Context(), "k", func(context.Context) (int, error) {
				time.Sleep(time.Minute)
				return 1, nil
			})
			if v != 1 || shared || err != nil {
				t.Errorf("leader got %d, %v, %v; want 1, false, nil", v, shared, err)
			}
		})
		synctest.Wait()
		cause := errors.New("the caller went home")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, cause)
		defer cancel()
		start := time.Now()
		_, shared, err := g.Do(ctx, "k", nil)
		if err != cause || shared || time.Since(start) != time.Second {
			t.Errorf("got %v, shared %v after %v; want %v after 1s", err, shared, time.Since(start), cause)
		}
		callers.Wait()
		idle(t, &g)
	})
}

func TestDo_anEndedContextDoesNothing(t *testing.T) {
	var g Group[int]
	cause := errors.New("over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	_, shared, err := g.Do(ctx, "k", func(context.Context) (int, error) {
		t.Error("the work was done")
		return 0, nil
	})
	if err != cause || shared {
		t.Errorf("got %v, %v; want %v, false", err, shared, cause)
	}
}

// fleeing calls Do with a work that panics, or ends its goroutine, after a second.
func fleeing(g *Group[int], flee func()) (recovered any) {
	defer func() { recovered = recover() }()
	g.Do(context.Background(), "k", func(context.Context) (int, error) {
		time.Sleep(time.Second)
		flee()
		return 0, nil
	})
	return nil
}

func TestDo_whereWorkDoesNotComeBackTheNextDoesIt(t *testing.T) {
	for name, flee := range map[string]func(){
		"panic":  func() { panic("boom") },
		"goexit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var g Group[int]
				var runs atomic.Int64
				var callers sync.WaitGroup
				callers.Go(func() {
					if got := fleeing(&g, flee); got != "boom" {
						t.Errorf("leader recovered %v, want boom", got)
					}
				})
				synctest.Wait()
				for range 5 {
					callers.Go(func() {
						v, _, err := g.Do(t.Context(), "k", func(context.Context) (int, error) {
							time.Sleep(time.Second)
							runs.Add(1)
							return 5, nil
						})
						if v != 5 || err != nil {
							t.Errorf("got %d, %v; want 5, nil", v, err)
						}
					})
				}
				callers.Wait()
				if runs.Load() != 1 {
					t.Errorf("got %d runs after it, want 1", runs.Load())
				}
				idle(t, &g)
			})
		})
	}
}

func TestDo_startsNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Group[int]
		before := goroutines()
		var callers sync.WaitGroup
		for range 2 {
			callers.Go(func() {
				g.Do(t.Context(), "k", func(context.Context) (int, error) {
					time.Sleep(time.Second)
					return 0, nil
				})
			})
		}
		synctest.Wait() // one at work, one waiting
		if got := goroutines() - before; got != 2 {
			t.Errorf("two callers are %d goroutines", got)
		}
		callers.Wait()
	})
}

// bubble is how a stack trace names the bubble of a goroutine.
var bubble = regexp.MustCompile(`synctest bubble \d+\]`)

// goroutines counts those of the bubble alone: one of a test before may be about to end.
func goroutines() int {
	stacks := make([]byte, 1<<20)
	own := bubble.FindString(string(stacks[:runtime.Stack(stacks, false)]))
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), own)
}

// Callers with random patience and random work on few keys, for the race detector:
// a caller without a deadline gets a value.
func TestDo_randomCallersWithoutAnEndGetAValue(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	synctest.Test(t, func(t *testing.T) {
		var g Group[string]
		var callers sync.WaitGroup
		for i := range 2000 {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			callers.Go(func() { randomCaller(t, &g, random) })
		}
		callers.Wait()
		idle(t, &g)
	})
}

func randomCaller(t *testing.T, g *Group[string], random *rand.Rand) {
	ctx, cancel := t.Context(), context.CancelFunc(func() {})
	if random.IntN(2) == 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(50))*time.Millisecond)
	}
	defer cancel()
	time.Sleep(time.Duration(random.IntN(1000)) * time.Millisecond)
	key, pause := fmt.Sprint(random.IntN(5)), time.Duration(random.IntN(50))*time.Millisecond
	v, _, err := g.Do(ctx, key, func(ctx context.Context) (string, error) {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-time.After(pause):
			return key, nil
		}
	})
	if err == nil && v != key || err != nil && ctx.Err() == nil {
		t.Errorf("got %q, %v; want %q", v, err, key)
	}
}
