package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// How long each step of starting, closing and killing may take before the next, harder one.
const (
	startWait        = 60 * time.Second
	closeContextWait = 2 * time.Second
	slowCloses       = 5 // as many times closeContextWait, while the browser waits for a processor
	closeBrowserWait = 5 * time.Second
	killWait         = 2 * time.Second
)

// launchConfig is what one start of a browser needs.
type launchConfig struct {
	inst       *install.Installation
	proxy      string   // of the browser itself
	args       []string // all of them
	sandbox    keeping
	executable string       // what is started: the launcher; set by startGeneration
	connect    string       // where the browser is, instead of all these
	session    *sessionPlan // of a browser that a session has for itself
	cache      string       // second choice for the run folder
	beat       time.Duration
	inUse      func(*generation) bool // it is in use, so that it is watched; nil: always
	log        *slog.Logger
}

// generation is one driver process and the one browser that it started. It is used until it dies, is killed or retires; the pool then
// starts the next one. It is never repaired.
type generation struct {
	log     *slog.Logger
	folder  *runFolder
	pw      *playwright.Playwright
	browser playwright.Browser
	version string
	sandbox keeping
	socket  bool // the browser is a Playwright server's: see ConnectURL

	heart    playwright.CDPSession // of the browser itself; see watchPulse
	launched atomic.Bool           // browser, version and heart are known
	pillars  atomic.Pointer[pillars]

	inside     *sandbox.Inside // driver and browser of a session, together in one sandbox; else nil
	driver     *os.Process     // a handle, which can't hit another process after the pid was used again
	driverGone chan struct{}   // closed when the driver has ended and was reaped
	dead       chan struct{}   // closed when nothing more can be done with this generation
	deadWhy    string          // set before that
	condemned  atomic.Bool     // it is dead because it was half dead
	deadOnce   sync.Once
	closeOnce  sync.Once
	closeErr   error
	gate       sync.Mutex
	sealed     bool           // no goroutine may be added: close waits for the last ones
	work       sync.WaitGroup // every goroutine of the generation and its pages

	// The pool's accounts, under its lock.
	born    time.Time
	served  int
	open    int
	retired bool
}

// startGeneration starts driver and browser. Ending ctx stops the start, which then leaves nothing behind.
func startGeneration(ctx context.Context, c launchConfig) (*generation, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startWait, fmt.Errorf("no answer within %s", startWait))
	defer cancel()
	folder, err := newRunFolder(ctx, c)
	if err != nil {
		return nil, err
	}
	g := &generation{log: c.log, sandbox: c.sandbox, socket: c.socket(), folder: folder, driverGone: make(chan struct{}), dead: make(chan struct{})}
	c.executable = folder.browser
	if c.session.wrapped() {
		g.inside = sandbox.NewInside()
	}
	if err := g.startDriver(ctx); err != nil {
		g.work.Wait()
		_ = folder.remove()
		return nil, fmt.Errorf("start the browser driver: %w", err)
	}
	g.spawn(func() { g.watchPulse(cmp.Or(c.beat, beatEvery), c.watched) })
	if err := g.launch(ctx, c); err != nil {
		err = g.withLog(err)
		_ = g.close()
		return nil, fmt.Errorf("start %s: %w", c.name(), err)
	}
	return g, nil
}

// startDriver runs the driver from a thread that lives as long as the driver: the kernel's death signal goes by the thread that started
// a process, not by its program.
func (g *generation) startDriver(ctx context.Context) error {
	ready := make(chan error, 1)
	g.work.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: g.folder.driver, SkipInstallBrowsers: true})
		if err == nil {
			g.pw = pw
			g.driver, err = os.FindProcess(pw.Pid())
			g.meetInside()
		}
		ready <- err
		if err == nil {
			g.watchDriver()
		}
	})
	select {
	case err := <-ready:
		if err != nil {
			g.killStarting()
			return g.withLog(err)
		}
		return nil
	case <-ctx.Done():
	}
	// The library's start knows no deadline: end the process that it waits for.
	g.killStarting()
	if err := <-ready; err == nil {
		g.killDriver()
	}
	return context.Cause(ctx)
}

// spawn runs fn in a goroutine that close waits for. It returns false, without running fn, when the generation is being closed.
func (g *generation) spawn(fn func()) bool {
	g.gate.Lock()
	defer g.gate.Unlock()
	if g.sealed {
		return false
	}
	g.work.Go(fn)
	return true
}

func (g *generation) seal() {
	g.gate.Lock()
	defer g.gate.Unlock()
	g.sealed = true
}

// watchDriver waits for the driver's end. Nothing else reports it: the library only fails the calls that follow.
func (g *generation) watchDriver() {
	_, _ = g.driver.Wait()
	g.markDead("the driver ended")
	close(g.driverGone)
}

func (g *generation) launch(ctx context.Context, c launchConfig) error {
	type launched struct {
		browser playwright.Browser
		heart   playwright.CDPSession
		err     error
	}
	done := make(chan launched, 1)
	g.spawn(func() {
		b, err := c.open(g.pw.Chromium)
		if err != nil {
			done <- launched{err: err}
			return
		}
		heart, err := b.NewBrowserCDPSession()
		done <- launched{b, heart, err}
	})
	select {
	case l := <-done:
		if l.err != nil {
			return l.err
		}
		g.browser, g.version, g.heart = l.browser, l.browser.Version(), l.heart
		l.browser.OnDisconnected(func(playwright.Browser) { g.markDead("the browser ended") })
		g.learnPillars()
		g.launched.Store(true)
		return nil
	case <-g.dead:
		return fmt.Errorf("%w: %s", ErrCrashed, g.deadWhy)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// watched reports whether a generation is in use.
func (c launchConfig) watched(g *generation) bool { return c.inUse == nil || c.inUse(g) }

// withLog adds what the driver wrote before it failed.
func (g *generation) withLog(err error) error {
	if tail := g.folder.logTail(); tail != "" {
		return fmt.Errorf("%w (driver: %s)", err, tail)
	}
	return err
}

// markDead marks the generation as unusable, once.
func (g *generation) markDead(why string) {
	g.deadOnce.Do(func() {
		g.log.Debug("browser generation ended", "why", why, "folder", g.folder.dir)
		g.deadWhy = why
		close(g.dead)
	})
}

// isDead reports whether calls are useless by now.
func (g *generation) isDead() bool { return isClosed(g.dead) }

// crash kills the browser, and the driver after it when pending, the calls that hang, don't return for it. Any goroutine may call it.
func (g *generation) crash(why string, pending <-chan struct{}) {
	g.log.Warn("killing the browser", "why", why)
	g.markDead(why)
	if g.socket {
		g.spawn(func() { _ = g.browser.Close() }) // only hangs up, which frees the calls
	}
	if g.inside == nil {
		g.killBrowser()
		if waitClosed(pending, killWait) {
			return
		}
	}
	g.log.Warn("killing the browser driver", "why", why)
	g.killDriver()
	if g.socket {
		waitClosed(pending, killWait)
	}
}

// killBrowser kills the browser's process group.
func (g *generation) killBrowser() { g.folder.killNotedGroup(g.folder.browserPid()) }

// killDriver kills the driver and waits until it is reaped. All calls that were under way then return.
func (g *generation) killDriver() {
	if g.inside != nil {
		g.killInside()
		waitClosed(g.driverGone, killWait) // bubblewrap ends by itself, and reaps what is left
	}
	_ = g.driver.Kill()
	<-g.driverGone
}

// close ends browser and driver, gently first, and waits for every process and goroutine. It is safe to call twice.
func (g *generation) close() error {
	g.closeOnce.Do(func() { g.closeErr = g.shutdown() })
	return g.closeErr
}

func (g *generation) shutdown() error {
	if g.launched.Load() && !g.isDead() && g.inside == nil && !slices.ContainsFunc(g.family(), process.Process.Stopped) {
		closed := make(chan struct{})
		g.spawn(func() {
			defer close(closed)
			_ = g.browser.Close()
		})
		waitClosed(closed, closeBrowserWait)
	}
	g.markDead("closed")
	g.seal()
	pid := readPid(g.folder.browserPid())
	// The driver is killed, not stopped by a call: the library's Stop closes a channel twice when the driver ends in the same moment.
	g.killDriver()
	if process.GroupAlive(pid) {
		g.killBrowser()
	}
	for range 80 {
		if !process.GroupAlive(pid) {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	g.awaitInside()
	if err := g.settle(); err != nil {
		return errors.Join(err, g.folder.remove())
	}
	return g.folder.remove()
}

// settle waits for the last goroutine. Calls to a Playwright server whose driver has died can't be freed; these alone are left.
func (g *generation) settle() error {
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		g.work.Wait()
	}()
	if !g.socket {
		<-settled
		return nil
	}
	if !waitClosed(settled, closeBrowserWait) {
		return errors.New("the driver died with calls to the Playwright server under way; their goroutines are left")
	}
	return nil
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// waitClosed waits until c is closed, at most d.
func waitClosed(c <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}

// meetInside learns what runs in a session's sandbox. The driver has answered, so bubblewrap has said it all.
func (g *generation) meetInside() {
	if g.inside == nil {
		return
	}
	info, err := os.Open(g.folder.info())
	if err != nil {
		return
	}
	defer info.Close()
	g.inside.Meet(info)
}

// killStarting kills a driver of which no more is known than what its launcher has noted, and with it its sandbox.
func (g *generation) killStarting() {
	if g.inside != nil {
		g.folder.killNotedGroup(g.folder.driverPid())
	}
	g.folder.killNoted(g.folder.driverPid())
	if g.inside != nil {
		g.folder.killNotedGroup(g.folder.driverPid()) // which may have been made meanwhile
	}
}

func (g *generation) killInside() {
	if g.inside != nil {
		g.inside.Kill()
	}
}

// awaitInside waits until nothing is left in a session's sandbox.
func (g *generation) awaitInside() {
	if g.inside != nil {
		g.inside.Kill()
		g.inside.Wait()
	}
}
