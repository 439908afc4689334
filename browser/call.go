package browser

import (
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
// nearly all when browser or driver is frozen), so each runs in its own goroutine, and do returns when the call, ctx or the browser
// ends, whichever is first. A call that outlives ctx is freed in steps: close the context, kill the browser, kill the driver.

// do runs fn, one call of the driver for page p. When ctx ends first it returns at once with ctx's error and closes the page,
// which frees the call in the background; Page.Close waits for that.
func do[T any](ctx context.Context, p *Page, what string, fn func() (T, error)) (T, error) {
	var zero T
	if err := p.usable(ctx, what); err != nil {
		return zero, err
	}
	result := start(p, fn)
	select {
	case r := <-result:
		return r.value, p.explain(what, r.err)
	case <-ctx.Done():
		p.abort(what)
		return zero, fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case <-p.gen.Dead():
	case <-p.dead:
	}
	// The library fails the calls of a dead connection, and some of a dead renderer, but its reply may already be on the way.
	select {
	case r := <-result:
		return r.value, p.explain(what, r.err)
	case <-time.After(100 * time.Millisecond):
		return zero, p.explain(what, errGone)
	}
}

// try is do for a call that may be left unanswered: after at most limit it returns false, and the call stays pending until it returns
// or the page is closed. Only calls that do no harm when they finish late may be run so.
func try[T any](ctx context.Context, p *Page, limit time.Duration, fn func() (T, error)) (value T, err error, answered bool) {
	if err := p.usable(ctx, "query the page"); err != nil {
		return value, err, true
	}
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case r := <-start(p, fn):
		return r.value, r.err, true
	case <-t.C:
	case <-ctx.Done():
	case <-p.gen.Dead():
		return value, p.explain("query the page", errGone), true
	case <-p.dead:
		return value, p.explain("query the page", errGone), true
	}
	return value, nil, false
}

// errGone stands for the error of a call whose browser died before it was answered.
var errGone = errors.New("no answer")

type outcome[T any] struct {
	value T
	err   error
}

// start runs fn in a goroutine that the page waits for.
func start[T any](p *Page, fn func() (T, error)) <-chan outcome[T] {
	result := make(chan outcome[T], 1)
	p.calls.begin()
	started := p.gen.Spawn(func() {
		defer p.calls.end()
		v, err := fn()
		result <- outcome[T]{v, err}
	})
	if !started {
		p.calls.end()
		result <- outcome[T]{err: errGone}
	}
	return result
}

// run is do for calls that return nothing but an error.
func run(ctx context.Context, p *Page, what string, fn func() error) error {
	_, err := do(ctx, p, what, func() (struct{}, error) { return struct{}{}, fn() })
	return err
}

// usable returns why the page can't take a call, nil if it can.
func (p *Page) usable(ctx context.Context, what string) error {
	p.gen.CheckNetwork()
	switch {
	case p.closed.Load():
		return fmt.Errorf("%s: %w", what, ErrClosed)
	case p.crashed.Load() || p.gen.IsDead():
		return fmt.Errorf("%s: %w", what, ErrCrashed)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	}
	return nil
}

// explain turns the error of a call into one that names its cause: the owner, a crash, or the page itself.
func (p *Page) explain(what string, err error) error {
	if err == nil {
		return nil
	}
	switch {
	case !p.lost(err):
		return fmt.Errorf("%s: %w", what, err)
	case p.closed.Load():
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
	return fmt.Errorf("%s: %w: %w", what, ErrCrashed, err)
}

// lost reports whether a call failed because page, browser or driver is gone. A lost connection is reported to the pool at once: the
// driver's end may be noticed a moment later.
func (p *Page) lost(err error) bool {
	p.gen.CheckNetwork()
	message := err.Error()
	for _, sign := range []string{"Connection closed", "could not send message", "could not read protocol", "transport closed"} {
		if strings.Contains(message, sign) {
			p.gen.MarkDead(message)
		}
	}
	return p.closed.Load() || p.crashed.Load() || p.gen.IsDead() || errors.Is(err, playwright.ErrTargetClosed) || errors.Is(err, errGone) ||
		errors.Is(err, playwright.ErrPlaywright) && strings.Contains(message, "crashed")
}

// crash notes that the renderer has died: its calls may stay unanswered.
func (p *Page) crash() {
	if p.crashed.CompareAndSwap(false, true) {
		close(p.dead)
	}
}

// abort closes the page because a call outlived its context, and makes sure that the call returns.
func (p *Page) abort(what string) { p.abandon("no answer to: " + what) }

// abandon closes the page in the background.
func (p *Page) abandon(why string) {
	p.closed.Store(true)
	p.freeOnce.Do(func() {
		free := func() {
			defer close(p.freed)
			p.free(why)
		}
		if !p.gen.Spawn(free) {
			free() // nothing is left that it could wait for
		}
	})
}

// free closes the context and, step by step harder, makes every pending call return.
func (p *Page) free(why string) {
	p.stop()
	done := make(chan struct{})
	started := p.gen.Spawn(func() {
		defer close(done)
		p.closeContext()
		p.calls.wait()
	})
	if started && !p.gen.closes(done) {
		p.gen.Crash(why, done)
		if !p.gen.HangsUp() { // see settle
			<-done
		}
	}
	p.returnProxy()
	p.release()
}

// How long closing a page's context may take, and how many times that while the browser waits for a processor.
const (
	closeContextWait = 2 * time.Second
	slowCloses       = 5
)

// closes waits for the end of a page, which takes longer on a machine that has no time for the browser.
func (g *generation) closes(done <-chan struct{}) bool {
	for range slowCloses {
		if instance.WaitClosed(done, closeContextWait) {
			return true
		}
		if !g.Waiting() {
			return false
		}
	}
	return false
}

// closeContext closes the page's context, and of a session, whose context is to stay, the tab.
func (p *Page) closeContext() {
	p.mu.Lock()
	c := p.context
	p.mu.Unlock()
	if p.of != nil {
		if p.page != nil {
			_ = p.page.Close()
		}
		return
	}
	if c != nil {
		_ = c.Close()
	}
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
