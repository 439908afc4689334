package tab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/instance"
)

// No call of the driver's library is made bare. Many of them ignore every timeout (evaluate, content and title on a page that spins;
// nearly all when browser or driver is frozen), so each runs in its own goroutine, and Do returns when the call, ctx or the browser
// ends, whichever is first. A call that outlives ctx is freed in steps: close the context, kill the browser, kill the driver.

// Do runs fn, one call of the driver for tab t. When ctx ends first it returns at once with ctx's error and closes the page,
// which frees the call in the background; Tab.Close waits for that.
func Do[T any](ctx context.Context, t *Tab, what string, fn func() (T, error)) (T, error) {
	var zero T
	if err := t.Usable(ctx, what); err != nil {
		return zero, err
	}
	result := Start(t, fn)
	select {
	case r := <-result:
		return r.Value, t.Explain(what, r.Err)
	case <-ctx.Done():
		t.Abort(what)
		return zero, fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case <-t.Browser.Dead():
	case <-t.dead:
	}
	// The library fails the calls of a dead connection, and some of a dead renderer, but its reply may already be on the way.
	select {
	case r := <-result:
		return r.Value, t.Explain(what, r.Err)
	case <-time.After(100 * time.Millisecond):
		return zero, t.Explain(what, ErrGone)
	}
}

// Try is Do for a call that may be left unanswered: after at most limit it returns false, and the call stays pending until it returns
// or the page is closed. Only calls that do no harm when they finish late may be run so.
func Try[T any](ctx context.Context, t *Tab, limit time.Duration, fn func() (T, error)) (value T, err error, answered bool) {
	if err := t.Usable(ctx, "query the page"); err != nil {
		return value, err, true
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-Start(t, fn):
		return r.Value, r.Err, true
	case <-timer.C:
	case <-ctx.Done():
	case <-t.Browser.Dead():
		return value, t.Explain("query the page", ErrGone), true
	case <-t.dead:
		return value, t.Explain("query the page", ErrGone), true
	}
	return value, nil, false
}

// ErrClosed is found in the errors of a tab that its owner has closed, also when an ended context closed it.
var ErrClosed = errors.New("browser page or pool is closed")

// ErrGone stands for the error of a call whose browser died before it was answered.
var ErrGone = errors.New("no answer")

// Outcome is what a call returned.
type Outcome[T any] struct {
	Value T
	Err   error
}

// Start runs fn in a goroutine that the page waits for.
func Start[T any](t *Tab, fn func() (T, error)) <-chan Outcome[T] {
	result := make(chan Outcome[T], 1)
	t.calls.begin()
	started := t.Browser.Spawn(func() {
		defer t.calls.end()
		v, err := fn()
		result <- Outcome[T]{v, err}
	})
	if !started {
		t.calls.end()
		result <- Outcome[T]{Err: ErrGone}
	}
	return result
}

// Run is Do for calls that return nothing but an error.
func Run(ctx context.Context, t *Tab, what string, fn func() error) error {
	_, err := Do(ctx, t, what, func() (struct{}, error) { return struct{}{}, fn() })
	return err
}

// Send runs one command of the browser's own protocol.
func (t *Tab) Send(ctx context.Context, method string, params map[string]any) error {
	return Run(ctx, t, method, func() error {
		_, err := t.CDP.Send(method, params)
		return err
	})
}

// Command is one command of the browser's own protocol.
type Command struct {
	Method string
	Params map[string]any
}

// SendAll runs commands side by side, in no order.
func (t *Tab) SendAll(ctx context.Context, commands ...Command) error {
	steps := make([]func(context.Context) error, len(commands))
	for i, c := range commands {
		steps[i] = func(ctx context.Context) error { return t.Send(ctx, c.Method, c.Params) }
	}
	return Together(ctx, steps...)
}

// Together runs steps that don't depend on each other side by side: of each the time is mostly the way to the browser and back. It waits
// for all of them and returns the error of the first in the list that has one.
func Together(ctx context.Context, steps ...func(context.Context) error) error {
	errs := make([]error, len(steps))
	var wg sync.WaitGroup
	for i, step := range steps {
		wg.Go(func() { errs[i] = step(ctx) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// Pending is how many calls are under way.
func (t *Tab) Pending() int {
	t.calls.mu.Lock()
	defer t.calls.mu.Unlock()
	return t.calls.n
}

// Usable returns why the page can't take a call, nil if it can.
func (t *Tab) Usable(ctx context.Context, what string) error {
	t.Browser.CheckNetwork()
	switch {
	case t.closed.Load():
		return fmt.Errorf("%s: %w", what, ErrClosed)
	case t.crashed.Load() || t.Browser.IsDead():
		return fmt.Errorf("%s: %w", what, instance.ErrCrashed)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	}
	return nil
}

// Explain turns the error of a call into one that names its cause: the owner, a crash, or the page itself.
func (t *Tab) Explain(what string, err error) error {
	if err == nil {
		return nil
	}
	switch {
	case !t.Gone(err):
		return fmt.Errorf("%s: %w", what, err)
	case t.closed.Load():
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
	if errors.Is(err, ErrGone) && t.Browser.IsDead() {
		err = fmt.Errorf("%w: %s", err, t.Browser.Why())
	}
	return fmt.Errorf("%s: %w: %w", what, instance.ErrCrashed, err)
}

// Gone reports whether a call failed because page, browser or driver is gone. A lost connection is reported to the pool at once: the
// driver's end may be noticed a moment later.
func (t *Tab) Gone(err error) bool {
	t.Browser.CheckNetwork()
	message := err.Error()
	for _, sign := range []string{"Connection closed", "could not send message", "could not read protocol", "transport closed"} {
		if strings.Contains(message, sign) {
			t.Browser.MarkDead(message)
		}
	}
	return t.closed.Load() || t.crashed.Load() || t.Browser.IsDead() ||
		errors.Is(err, playwright.ErrTargetClosed) || errors.Is(err, ErrGone) ||
		errors.Is(err, playwright.ErrPlaywright) && strings.Contains(message, "crashed")
}

// callCount counts the calls under way. A WaitGroup won't do: calls may begin while another goroutine waits.
type callCount struct {
	mu   sync.Mutex
	n    int
	zero chan struct{}
}

func (c *callCount) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *callCount) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 && c.zero != nil {
		close(c.zero)
		c.zero = nil
	}
}

// wait returns when no call is under way.
func (c *callCount) wait() {
	c.mu.Lock()
	if c.n == 0 {
		c.mu.Unlock()
		return
	}
	if c.zero == nil {
		c.zero = make(chan struct{})
	}
	zero := c.zero
	c.mu.Unlock()
	<-zero
}
