package tab

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/instance"
)

// Tab is one tab of a browser. Page is set by Make, Open or Hold, CDP by its owner, before the tab is shared, and not changed afterwards.
// Its methods are safe for concurrent use.
type Tab struct {
	Browser *instance.Instance
	Page    playwright.Page
	CDP     playwright.CDPSession

	keepContext bool
	end         func()

	mu      sync.Mutex
	context playwright.BrowserContext // nil until made

	intercepted atomic.Pointer[interception] // nil: nothing is held

	calls    callCount
	closed   atomic.Bool   // by its owner, or because a ctx ended
	crashed  atomic.Bool   // the renderer died
	dead     chan struct{} // closed when it did
	freeOnce sync.Once
	freed    chan struct{} // closed when nothing of the tab is left
	quitOnce sync.Once
	quit     chan struct{} // closed when the tab is being closed
}

// New makes a tab that isn't in the browser yet. Its end closes its context; then end is called, once.
func New(b *instance.Instance, end func()) *Tab {
	return &Tab{
		Browser: b, end: end, dead: make(chan struct{}), freed: make(chan struct{}), quit: make(chan struct{}),
	}
}

// KeepContext makes the tab's end leave its context open. It is for tabs that aren't shared yet.
func (t *Tab) KeepContext() { t.keepContext = true }

// Adopt keeps a context as soon as it exists; when the tab was given up meanwhile, the context is closed at once.
func (t *Tab) Adopt(c playwright.BrowserContext) {
	t.Enter(c)
	if t.closed.Load() {
		_ = c.Close()
	}
}

// Enter makes the tab one of a context that exists.
func (t *Tab) Enter(c playwright.BrowserContext) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.context = c
}

// Context is the tab's context, nil until made.
func (t *Tab) Context() playwright.BrowserContext {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.context
}

// A renderer that dies while its tab is made leaves the call without an answer, and no event reports it. So a tab that isn't there after
// makeWait is given up as crashed, after slowMakes times that on a machine that has no time for the browser.
const (
	makeWait  = 5 * time.Second
	slowMakes = 6
)

// Make makes the tab in a context.
func (t *Tab) Make(ctx context.Context, c playwright.BrowserContext) error {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	made := make(chan struct{})
	defer close(made)
	t.Browser.Spawn(func() {
		if !t.Browser.Await(made, makeWait, slowMakes) {
			giveUp(instance.ErrCrashed)
		}
	})
	return t.Open(ctx, c.NewPage)
}

// Open takes the page that a call of the driver makes or has. When the tab was given up meanwhile, that page is closed at once.
func (t *Tab) Open(ctx context.Context, page func() (playwright.Page, error)) error {
	return Run(ctx, t, "make a tab", func() error {
		p, err := page()
		if err != nil {
			return err
		}
		t.Hold(p)
		if t.closed.Load() {
			_ = p.Close()
		}
		return nil
	})
}

// Hold makes the tab that of a page that is open.
func (t *Tab) Hold(p playwright.Page) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Page = p
}

// Crash notes that the renderer has died: its calls may stay unanswered.
func (t *Tab) Crash() {
	if t.crashed.CompareAndSwap(false, true) {
		close(t.dead)
	}
}

// Crashed reports whether the renderer has died.
func (t *Tab) Crashed() bool { return t.crashed.Load() }

// Closed reports whether the tab is being closed.
func (t *Tab) Closed() bool { return t.closed.Load() }

// Dead is closed when the renderer has died.
func (t *Tab) Dead() <-chan struct{} { return t.dead }

// Quit is closed when the tab is being closed.
func (t *Tab) Quit() <-chan struct{} { return t.quit }

// Freed is closed when nothing of the tab is left.
func (t *Tab) Freed() <-chan struct{} { return t.freed }

// Wait waits for d, or until ctx, the tab or the browser ends.
func (t *Tab) Wait(ctx context.Context, d time.Duration) error {
	if err := t.Usable(ctx, "wait"); err != nil {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", context.Cause(ctx))
	case <-t.quit:
		return fmt.Errorf("wait: %w", ErrClosed)
	case <-t.Browser.Dead():
		return fmt.Errorf("wait: %w", instance.ErrCrashed)
	case <-t.dead:
		return fmt.Errorf("wait: %w", instance.ErrCrashed)
	}
}

// Close closes the tab and its context and waits until nothing of it is left. Calls that are under way return ErrClosed. It is safe to
// call twice.
func (t *Tab) Close() {
	t.closed.Store(true)
	t.freeOnce.Do(func() {
		t.free("closing the page")
		close(t.freed)
	})
	<-t.freed
}

// Abandon is Close without the wait: the tab ends in the background, and the end of its browser waits for it.
func (t *Tab) Abandon() { t.abandon("closing the page") }

// Abort closes the tab because a call outlived its context, and makes sure that the call returns.
func (t *Tab) Abort(what string) { t.abandon("no answer to: " + what) }

// LetGo is Close for a tab that others go on using: it stays open.
func (t *Tab) LetGo() {
	t.closed.Store(true)
	t.freeOnce.Do(func() {
		defer close(t.freed)
		t.stop()
		t.end()
	})
}

// abandon closes the tab in the background.
func (t *Tab) abandon(why string) {
	t.closed.Store(true)
	t.freeOnce.Do(func() {
		free := func() {
			defer close(t.freed)
			t.free(why)
		}
		if !t.Browser.Spawn(free) {
			free() // nothing is left that it could wait for
		}
	})
}

// free closes the context and, step by step harder, makes every pending call return.
func (t *Tab) free(why string) {
	t.stop()
	done := make(chan struct{})
	started := t.Browser.Spawn(func() {
		defer close(done)
		t.closeContext()
		t.calls.wait()
	})
	if started && !t.Browser.Await(done, closeContextWait, slowCloses) {
		t.Browser.Crash(why, done)
		if !t.Browser.HangsUp() {
			<-done
		}
	}
	t.end()
}

// stop ends the tab's helpers.
func (t *Tab) stop() { t.quitOnce.Do(func() { close(t.quit) }) }

// How long closing a tab's context may take, and how many times that while the browser waits for a processor.
const (
	closeContextWait = 2 * time.Second
	slowCloses       = 5
)

// closeContext closes the tab's context, or the tab alone where that is to stay.
func (t *Tab) closeContext() {
	t.mu.Lock()
	c, page := t.context, t.Page
	t.mu.Unlock()
	switch {
	case t.keepContext && page != nil:
		_ = page.Close()
	case !t.keepContext && c != nil:
		_ = c.Close()
	}
}
