package instance

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
	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// How long each step of starting, closing and killing may take before the next, harder one.
const (
	startWait        = 60 * time.Second
	closeBrowserWait = 5 * time.Second
	killWait         = 2 * time.Second
)

// ErrCrashed is found in the error of a start during which browser or driver died.
var ErrCrashed = errors.New("browser crashed")

// Request is what one start of a browser needs.
type Request struct {
	Installation *install.Installation
	Proxy        string           // of the browser itself
	Args         []string         // all of them
	Isolation    launch.Isolation // from the rest of the machine
	Connect      string           // where the browser is, instead of all these
	Session      *launch.Session  // of a browser that a session has for itself; nil for others
	Beat         time.Duration    // of the heartbeat; 0: half a second
	InUse        func() bool      // reports whether it is in use, so that its heartbeat is checked; nil: always
	Log          *slog.Logger

	executable string // what is started: the launcher
}

// Instance is one driver process and the one browser that it started. It is used until it dies, is killed or closed, and never repaired.
// Its exported fields are not changed after Start. It is safe for concurrent use.
type Instance struct {
	Folder    *launch.Folder
	Browser   playwright.Browser
	Version   string
	Windows   *Windows
	Isolation launch.Isolation

	log               *slog.Logger
	pw                *playwright.Playwright
	elsewhere, socket bool // the browser is connected to; it is a Playwright server's: see Request.Connect

	heart    playwright.CDPSession // of the browser itself; see watchPulse
	launched atomic.Bool           // browser, version and heart are known
	pillars  atomic.Pointer[pillars]

	inside     *sandbox.Inside // driver and browser of a session, together in one sandbox; else nil
	driver     *os.Process     // a handle, which can't hit another process after the pid was used again
	driverGone chan struct{}   // closed when the driver has ended and was reaped
	death      death
	closeOnce  sync.Once
	closeErr   error
	goroutines goroutines
}

// death is the end of an instance.
type death struct {
	once      sync.Once
	dead      chan struct{} // closed when nothing more can be done with the instance
	why       string        // set before that
	condemned atomic.Bool   // it is dead because it was half dead
}

// goroutines are the goroutines of an instance and its pages.
type goroutines struct {
	gate   sync.Mutex
	sealed bool // no goroutine may be added: Close waits for the last ones
	work   sync.WaitGroup
}

// Start starts driver and browser. Ending ctx stops the start, which then leaves nothing behind. A browser that a signal ends before it
// has answered is started once more.
func Start(ctx context.Context, r Request) (*Instance, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startWait, fmt.Errorf("no answer within %s", startWait))
	defer cancel()
	i, err := start(ctx, r)
	if err != nil && ctx.Err() == nil && endedBySignal(err) {
		r.Log.Warn("the browser crashed at its start, and is started once more", "error", err)
		return start(ctx, r)
	}
	return i, err
}

func start(ctx context.Context, r Request) (*Instance, error) {
	folder, err := launch.NewFolder(ctx, launch.Request{Installation: r.Installation, Isolation: r.Isolation, Session: r.Session})
	if err != nil {
		return nil, err
	}
	i := newInstance(r, folder)
	r.executable = folder.Browser
	if err := i.startDriver(ctx); err != nil {
		i.goroutines.work.Wait()
		_ = folder.Remove()
		return nil, fmt.Errorf("start the browser driver: %w", err)
	}
	i.Spawn(func() { i.watchPulse(cmp.Or(r.Beat, beatEvery), r.watched) })
	if err := i.launch(ctx, r); err != nil {
		err = i.withLog(err)
		_ = i.Close()
		return nil, fmt.Errorf("start %s: %w", r.name(), err)
	}
	return i, nil
}

func newInstance(r Request, folder *launch.Folder) *Instance {
	i := &Instance{
		Folder: folder, Isolation: r.Isolation, log: r.Log, elsewhere: r.Connect != "", socket: r.socket(), driverGone: make(chan struct{}),
		death: death{dead: make(chan struct{})},
	}
	i.Windows = &Windows{of: i}
	if r.Session.Wrapped() {
		i.inside = sandbox.NewInside()
	}
	return i
}

// startDriver runs the driver from a thread that lives as long as the driver: the kernel's death signal goes by the thread that started
// a process, not by its program.
func (i *Instance) startDriver(ctx context.Context) error {
	ready := make(chan error, 1)
	i.goroutines.work.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		pw, err := playwright.Run(&playwright.RunOptions{DriverDirectory: i.Folder.Driver, SkipInstallBrowsers: true})
		if err == nil {
			i.pw = pw
			i.driver, err = os.FindProcess(pw.Pid())
			i.meetInside()
		}
		ready <- err
		if err == nil {
			i.watchDriver()
		}
	})
	select {
	case err := <-ready:
		if err != nil {
			i.killStarting()
			return i.withLog(err)
		}
		return nil
	case <-ctx.Done():
	}
	// The library's start knows no deadline: end the process that it waits for.
	i.killStarting()
	if err := <-ready; err == nil {
		i.killDriver()
	}
	return context.Cause(ctx)
}

// Spawn runs fn in a goroutine that Close waits for. It returns false, without running fn, when the instance is being closed.
func (i *Instance) Spawn(fn func()) bool {
	c := &i.goroutines
	c.gate.Lock()
	defer c.gate.Unlock()
	if c.sealed {
		return false
	}
	c.work.Go(fn)
	return true
}

func (c *goroutines) seal() {
	c.gate.Lock()
	defer c.gate.Unlock()
	c.sealed = true
}

// watchDriver waits for the driver's end. Nothing else reports it: the library only fails the calls that follow.
func (i *Instance) watchDriver() {
	_, _ = i.driver.Wait()
	i.MarkDead("the driver ended")
	close(i.driverGone)
}

func (i *Instance) launch(ctx context.Context, r Request) error {
	type launched struct {
		browser playwright.Browser
		heart   playwright.CDPSession
		err     error
	}
	done := make(chan launched, 1)
	i.Spawn(func() {
		b, err := r.open(i.Chromium())
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
		i.Browser, i.Version, i.heart = l.browser, l.browser.Version(), l.heart
		l.browser.OnDisconnected(func(playwright.Browser) { i.MarkDead("the browser ended") })
		i.LearnPillars()
		i.launched.Store(true)
		return nil
	case <-i.death.dead:
		return fmt.Errorf("%w: %s", ErrCrashed, i.death.why)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// watched reports whether the instance is in use.
func (r Request) watched() bool { return r.InUse == nil || r.InUse() }

// withLog adds what the driver wrote before it failed.
func (i *Instance) withLog(err error) error {
	if tail := i.Folder.LogTail(); tail != "" {
		return fmt.Errorf("%w (driver: %s)", err, tail)
	}
	return err
}

// MarkDead marks the instance as unusable, once.
func (i *Instance) MarkDead(why string) {
	i.death.once.Do(func() {
		i.log.Debug("browser generation ended", "why", why, "folder", i.Folder.Dir)
		i.death.why = why
		close(i.death.dead)
	})
}

// Dead is closed when nothing more can be done with the instance.
func (i *Instance) Dead() <-chan struct{} { return i.death.dead }

// Why is the reason of the death, once Dead is closed.
func (i *Instance) Why() string { return i.death.why }

// Condemned reports that the instance is dead because it was half dead.
func (i *Instance) Condemned() bool { return i.death.condemned.Load() }

// HangsUp reports that the browser is a Playwright server's: closing it only ends the connection, and calls that are under way when the
// driver dies can't be freed.
func (i *Instance) HangsUp() bool { return i.socket }

// Apart reports whether the browser's files are its own: driver and browser are together in a sandbox, or the browser runs elsewhere.
func (i *Instance) Apart() bool { return i.inside != nil || i.elsewhere }

// DriverPID is the driver's first process.
func (i *Instance) DriverPID() int { return i.driver.Pid }

// Chromium is the driver's library.
func (i *Instance) Chromium() playwright.BrowserType { return i.pw.Chromium }

// IsDead reports whether calls are useless by now.
func (i *Instance) IsDead() bool { return IsClosed(i.death.dead) }

// Crash kills the browser, and the driver after it when pending, the calls that hang, don't return for it. Any goroutine may call it.
func (i *Instance) Crash(why string, pending <-chan struct{}) {
	i.log.Warn("killing the browser", "why", why)
	i.MarkDead(why)
	if i.socket {
		i.Spawn(func() { _ = i.Browser.Close() }) // only hangs up, which frees the calls
	}
	if i.inside == nil {
		i.killBrowser()
		if WaitClosed(pending, killWait) {
			return
		}
	}
	i.log.Warn("killing the browser driver", "why", why)
	i.killDriver()
	if i.socket {
		WaitClosed(pending, killWait)
	}
}

// killBrowser kills the browser's process group.
func (i *Instance) killBrowser() { i.Folder.KillBrowser() }

// killDriver kills the driver and waits until it is reaped. All calls that were under way then return.
func (i *Instance) killDriver() {
	if i.inside != nil {
		i.KillInside()
		WaitClosed(i.driverGone, killWait) // bubblewrap ends by itself, and reaps what is left
	}
	_ = i.driver.Kill()
	<-i.driverGone
}

// WhyClosed is why an instance is dead that its owner has closed.
const WhyClosed = "closed"

// Close ends browser and driver, gently first, and waits for every process and goroutine. It is safe to call twice.
func (i *Instance) Close() error {
	i.closeOnce.Do(func() { i.closeErr = i.shutdown() })
	return i.closeErr
}

func (i *Instance) shutdown() error {
	if i.launched.Load() && !i.IsDead() && i.inside == nil && !slices.ContainsFunc(i.Family(), process.Process.Stopped) {
		closed := make(chan struct{})
		i.Spawn(func() {
			defer close(closed)
			_ = i.Browser.Close()
		})
		WaitClosed(closed, closeBrowserWait)
	}
	i.MarkDead(WhyClosed)
	i.goroutines.seal()
	pid := i.Folder.BrowserPID()
	// The driver is killed, not stopped by a call: the library's Stop closes a channel twice when the driver ends in the same moment.
	i.killDriver()
	if process.GroupAlive(pid) {
		i.killBrowser()
	}
	for range 80 {
		if !process.GroupAlive(pid) {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	i.awaitInside()
	if err := i.settle(); err != nil {
		return errors.Join(err, i.Folder.Remove())
	}
	return i.Folder.Remove()
}

// settle waits for the last goroutine. Calls to a Playwright server whose driver has died can't be freed; these alone are left.
func (i *Instance) settle() error {
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		i.goroutines.work.Wait()
	}()
	if !i.socket {
		<-settled
		return nil
	}
	if !WaitClosed(settled, closeBrowserWait) {
		return errors.New("the driver died with calls to the Playwright server under way; their goroutines are left")
	}
	return nil
}

// IsClosed reports whether c is closed.
func IsClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// WaitClosed waits until c is closed, at most d.
func WaitClosed(c <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}
