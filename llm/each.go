package llm

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls f for every part, at most parallel at once (0: 4), and returns the results in the
// order of the parts. The first error cancels the context of the others and is returned, with the
// results so far; the rest is zero. Each returns after the last f has returned. A panic of f
// cancels the others too, and continues in the caller, with the stack of f in its text.
func Each[T any](
	ctx context.Context, parallel int, parts []string, f func(ctx context.Context, i int, part string) (T, error),
) ([]T, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]T, len(parts))
	var panicked atomic.Pointer[string]
	free := make(chan struct{}, parallelOr(parallel))
	var wg sync.WaitGroup
	for i, part := range parts {
		if !take(ctx, free) {
			break
		}
		wg.Go(func() {
			defer func() { <-free }()
			defer func() {
				if r := recover(); r != nil {
					panicked.CompareAndSwap(nil, new(fmt.Sprintf("%v\n%s", r, debug.Stack())))
					cancel(nil)
				}
			}()
			got, err := f(ctx, i, part)
			if err != nil {
				cancel(err) // only the first counts
				return
			}
			results[i] = got
		})
	}
	wg.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
	return results, context.Cause(ctx)
}

// take takes a slot, unless ctx has ended.
func take(ctx context.Context, places chan struct{}) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

const defaultParallel = 4

func parallelOr(n int) int {
	if n <= 0 {
		return defaultParallel
	}
	return n
}
