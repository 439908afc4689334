package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/internal/tab"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// Session is a browser of its own with one main tab, driven by code, a model or a person. Driver and browser run together in one sandbox:
// whatever is requested of the driver, through Endpoint, or of the browser, through CDP, it reads and writes no file of the machine, and
// reaches only what the proxy behind SessionOptions.Egress lets through. A session isn't restarted: when its browser or driver dies, Done
// is closed. It is safe for concurrent use, but its page is driven by one goroutine at a time.
type Session struct {
	opts     SessionOptions
	plan     *launch.Session
	pool     *Pool // the accounts of its pages: it starts no browser
	gen      *generation
	log      *slog.Logger
	endpoint string
	cdp      string
	work     sync.WaitGroup
	shut     sync.Once
	shutErr  error

	mu     sync.Mutex
	closed bool
	cause  error // why it was killed from here
	page   *Page
	key    string // of its context; see readiness

	arrivals arrivals
	turn     chan struct{} // held while the page changes
	tabs     chan struct{} // one token when the tabs are to be counted
}

// sessionWatch is how often a session's use of the machine is looked at.
const sessionWatch = 250 * time.Millisecond

// sessionBeat is how often a session's heart beats. It does so also while the session is idle; its user can call Check.
const sessionBeat = 5 * time.Second

// StartSession installs what is missing, starts a driver and a browser, and opens a tab. The session must be closed; ctx is for its
// start alone. Errors: a *sandbox.UnavailableError where there is no sandbox and Unsandboxed isn't set, *OptionError, *ArgError,
// *InstallError, ctx's, and what driver or browser reported.
func StartSession(ctx context.Context, o SessionOptions) (*Session, error) {
	plan, err := o.plan()
	if err != nil {
		return nil, err
	}
	s := &Session{opts: o, plan: plan, turn: make(chan struct{}, 1), tabs: make(chan struct{}, 1)}
	s.pool = NewPool(Options{
		Install: o.Install, Headless: o.Headless, Args: o.Args, Pin: o.Pin, Logger: o.Logger, NoSandbox: os.Geteuid() == 0,
	})
	s.log = s.pool.log
	if s.pool.invalid != nil {
		return nil, s.pool.invalid
	}
	if s.opts.Page, err = o.Page.resolve(); err != nil {
		return nil, err
	}
	if plan.Sandboxed {
		if err := sandbox.Available(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.start(ctx); err != nil {
		_ = s.Close()
		return nil, fmt.Errorf("start a session: %w", err)
	}
	return s, nil
}

func (s *Session) start(ctx context.Context) error {
	inst, err := Install(ctx, s.pool.opts.Install)
	if err != nil {
		return err
	}
	process.Sweep(s.log, os.TempDir(), inst.found.Cache)
	if err := s.launch(ctx, inst); err != nil {
		return err
	}
	s.work.Go(s.watch)
	s.work.Go(s.tendTabs)
	if err := s.openSockets(ctx); err != nil {
		return err
	}
	return s.firstPage(ctx)
}

// launch starts driver and browser.
func (s *Session) launch(ctx context.Context, inst *Installation) error {
	args := append(identityArgs(s.opts.Page, inst.found.Version), s.opts.Args...)
	args = browserArgs(append(args, "--remote-debugging-port="+strconv.Itoa(s.plan.Debug)), s.opts.Pin)
	request := instance.Request{
		Installation: inst.found, Proxy: s.plan.Proxy(), Args: args, Isolation: launch.Own, Session: s.plan, Beat: sessionBeat, Log: s.log,
	}
	if !s.plan.Sandboxed && os.Geteuid() == 0 {
		request.Isolation = launch.None
	}
	started, err := instance.Start(ctx, request)
	if err != nil {
		return err
	}
	g := &generation{Instance: started}
	s.gen = g
	s.pool.browsers.adopt(g)
	return nil
}

// openSockets makes driver and browser reachable. Nothing hostile has run yet.
func (s *Session) openSockets(ctx context.Context) error {
	type bound struct {
		b   *playwright.Bind
		err error
	}
	done := make(chan bound, 1)
	s.gen.Spawn(func() {
		b, err := s.gen.Browser.Bind("session")
		done <- bound{b, err}
	})
	var b bound
	select {
	case b = <-done:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.gen.Dead():
		return ErrCrashed
	}
	if b.err != nil {
		return b.err
	}
	var err1, err2 error
	s.endpoint, err1 = s.gen.Folder.TakeSocket(filepath.Join("browser", filepath.Base(b.b.Endpoint)), "endpoint.sock")
	s.cdp, err2 = s.gen.Folder.TakeSocket("cdp.sock", "cdp.sock")
	return errors.Join(err1, err2)
}

// watch ends the session when its browser or driver has died, or it takes too much of the machine.
func (s *Session) watch() {
	tick := time.NewTicker(sessionWatch)
	defer tick.Stop()
	for {
		select {
		case <-s.gen.Dead():
			s.blame(s.gen.Folder.Group.Exceeds())
			s.gen.KillInside()
			return
		case <-tick.C:
		}
		if err := s.gen.Exceeds(s.plan.Limits); err != nil {
			s.kill(err)
		}
	}
}

// kill ends the session; Close still has to be called.
func (s *Session) kill(cause error) {
	s.blame(cause)
	s.log.Warn("killing a session's browser", "why", cause)
	s.gen.MarkDead(cause.Error())
	s.gen.KillInside()
}

// blame notes why the session ended; the first cause stands.
func (s *Session) blame(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cause = cmp.Or(s.cause, cause)
}

// Endpoint is the path of the Unix socket at which the driver, version 1.60.0, takes clients: playwright-core's
// chromium.connect(path). They share the session's context, and can make others. It is for programs in a sandbox of their own into
// which it is bound: a client can do all that the driver can, inside the session's sandbox. Its folder is private, and it is gone
// after Close.
func (s *Session) Endpoint() string { return s.endpoint }

// CDP is the path of a Unix socket that leads to the browser's DevTools port, for tools that speak nothing else. All of the
// session's tabs are seen there. It is for programs in a sandbox, as Endpoint is.
func (s *Session) CDP() string { return s.cdp }

// Version is the browser's full version.
func (s *Session) Version() string { return s.gen.Version }

// Sandboxed reports whether driver and browser are in a sandbox of the session's own.
func (s *Session) Sandboxed() bool { return s.plan.Sandboxed }

// Done is closed when the session is unusable: its browser or driver has died, or it was killed or closed. Err returns which.
func (s *Session) Done() <-chan struct{} { return s.gen.Dead() }

// Err is nil until Done is closed. Then it is ErrClosed after Close, else an error in which ErrCrashed is found, and a
// *sandbox.LimitError when the session has taken more than its Limits.
func (s *Session) Err() error {
	if !s.gen.IsDead() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.cause != nil:
		return fmt.Errorf("%w: %w", ErrCrashed, s.cause)
	case s.closed && s.gen.Why() == instance.WhyClosed:
		return ErrClosed
	case s.gen.Condemned():
		return fmt.Errorf("%w: %w: %s", ErrCrashed, errFrozen, s.gen.Why())
	}
	return fmt.Errorf("%w: %s", ErrCrashed, s.gen.Why())
}

// Check sends the browser a small request, which a working browser answers whatever its pages do, and kills the session when the answer
// takes longer than patience, of some seconds. Even without Check, a session ends whose browser is half dead: a process of it is stopped,
// or it owes an answer for long though nothing keeps it from working.
func (s *Session) Check(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errFrozen)
	defer cancel()
	page, err := s.Page(ctx)
	if err != nil {
		return err
	}
	err = tab.Run(ctx, page.tab, "query the browser", func() error {
		_, err := page.tab.Context().Cookies("https://session.invalid/")
		return err
	})
	if err != nil && s.Err() == nil && errors.Is(context.Cause(ctx), errFrozen) {
		s.kill(errFrozen)
	}
	return err
}

// errFrozen is why a session is killed that doesn't answer.
var errFrozen = errors.New("it doesn't answer any more")

// Close kills everything that runs in the session and waits until no process, file, socket or goroutine of it is left. Calls that are
// under way return ErrClosed. It is safe to call twice, from any goroutine.
func (s *Session) Close() error {
	s.shut.Do(func() {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		if s.gen != nil {
			s.gen.MarkDead(instance.WhyClosed)
			s.gen.KillInside()
		}
		s.shutErr = s.pool.Close()
		s.work.Wait()
	})
	return s.shutErr
}
