package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
)

// installErrorAge is how long a failed installation is remembered, so that each page of a batch doesn't try all downloads again.
const installErrorAge = time.Minute

// browsers starts the browser that one pool uses, or several share, and another in its place when it dies, is killed or retires.
type browsers struct {
	opts   Options
	log    *slog.Logger
	ctx    context.Context // done at close
	cancel context.CancelFunc
	work   sync.WaitGroup

	wrapperFailed, swept bool // used by the one start at a time

	mu       sync.Mutex
	closed   bool
	inst     *Installation
	current  *generation
	starting *starting
	failed   failure
	last     started
	gens     map[*generation]bool // not yet closed
	users    map[*Pool]bool
	watching bool // the memory
}

// generation is the browser in use until it dies, is killed or retires; the next one then takes its place.
type generation struct {
	*instance.Instance

	// The accounts of browsers, under its lock.
	born    time.Time
	served  int
	open    int
	retired bool
}

// failure is the last installation error, nil after a start, and when it was.
type failure struct {
	err error
	at  time.Time
}

// started is what is known of the last browser that was started.
type started struct {
	version   string
	isolation launch.Isolation
}

// starting is a start under way that several callers wait for.
type starting struct {
	done chan struct{}
	gen  *generation
	err  error
}

// newBrowsers starts none yet. Options are those of a pool, with defaults.
func newBrowsers(o Options) *browsers {
	ctx, cancel := context.WithCancel(context.Background())
	return &browsers{opts: o, log: o.Logger, ctx: ctx, cancel: cancel, gens: map[*generation]bool{}, users: map[*Pool]bool{}}
}

// use makes a pool hear of browsers that retire.
func (b *browsers) use(p *Pool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.users[p] = true
}

// leave ends use.
func (b *browsers) leave(p *Pool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.users, p)
}

// now is the current generation, nil for none.
func (b *browsers) now() *generation {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current
}

func (b *browsers) lastStarted() started {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

func (b *browsers) installation() *Installation {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inst
}

func (b *browsers) pids() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	var pids []int
	for g := range b.gens {
		if pid := g.Folder.BrowserPID(); pid != 0 {
			pids = append(pids, pid)
		}
	}
	return pids
}

// adopt counts a browser that was started elsewhere among those to be closed.
func (b *browsers) adopt(g *generation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gens[g] = true
}

// generation returns a living generation, starting one if there is none. It waits until ctx or the caller ends.
func (b *browsers) generation(ctx context.Context, over <-chan struct{}) (*generation, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	g, s, err := b.usableOrStarting()
	if g != nil || err != nil {
		return g, err
	}
	select {
	case <-s.done:
		return s.gen, s.err
	case <-over:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the browser: %w", context.Cause(ctx))
	}
}

// usableOrStarting returns a living generation, or the start of one.
func (b *browsers) usableOrStarting() (*generation, *starting, error) {
	for {
		if g := b.usable(); g != nil {
			return g, nil, nil
		}
		if s, err := b.startUnlessThere(); s != nil || err != nil {
			return nil, s, err
		}
	}
}

// startUnlessThere returns the start of a browser, nil when one has come meanwhile.
func (b *browsers) startUnlessThere() (*starting, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return nil, ErrClosed
	case b.current != nil:
		return nil, nil
	case b.failed.err != nil && b.opts.seams.now().Sub(b.failed.at) < installErrorAge:
		return nil, b.failed.err
	case b.starting == nil:
		s := &starting{done: make(chan struct{})}
		b.starting = s
		b.work.Go(func() { b.start(s) })
	}
	return b.starting, nil
}

// usable returns the current generation unless it is dead or has served enough; such a one is retired.
func (b *browsers) usable() *generation {
	b.mu.Lock()
	g := b.current
	if g == nil || b.closed {
		b.mu.Unlock()
		return nil
	}
	g.CheckNetwork()
	old := g.served >= b.opts.MaxContexts || b.opts.seams.now().Sub(g.born) >= b.opts.MaxAge
	b.mu.Unlock()
	if !g.IsDead() && !old {
		return g
	}
	b.retire(g)
	return nil
}

// retire makes all use another browser from now on. The pages of the old one go on; it is closed after the last.
func (b *browsers) retire(g *generation) {
	b.mu.Lock()
	if b.current != g {
		b.mu.Unlock()
		return
	}
	b.current, g.retired = nil, true
	users := slices.Collect(maps.Keys(b.users))
	if g.open == 0 {
		b.closeLocked(g)
	}
	b.mu.Unlock()
	for _, p := range users {
		p.retired(g)
	}
}

// closeLocked closes a generation that no page uses any more, in the background; close waits for it.
func (b *browsers) closeLocked(g *generation) {
	if b.closed {
		return // close does it
	}
	b.work.Go(func() {
		if err := g.Close(); err != nil {
			b.log.Warn("closing a browser", "error", err)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.gens, g)
	})
}

// countIn counts a page in; it fails when the generation has been retired in between.
func (b *browsers) countIn(g *generation) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	if g.retired {
		return ErrCrashed
	}
	g.open++
	g.served++
	return nil
}

// countOut counts a page out and closes a retired generation after its last page.
func (b *browsers) countOut(g *generation) {
	b.mu.Lock()
	g.open--
	if g.retired && g.open == 0 && b.gens[g] {
		b.closeLocked(g)
	}
	b.mu.Unlock()
	if g.IsDead() {
		b.retire(g)
	}
}

// serveAgain counts one more page on a tab that is used again; false when its browser is no longer the one in use.
func (b *browsers) serveAgain(g *generation) bool {
	if b.usable() != g {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	g.served++
	return true
}

// inUse reports whether a page of a generation is in use, or being made or closed. Those that were made ahead only wait.
func (b *browsers) inUse(g *generation) bool {
	b.mu.Lock()
	open := g.open
	users := slices.Collect(maps.Keys(b.users))
	b.mu.Unlock()
	for _, p := range users {
		if p.waitsOn(g) {
			open--
		}
	}
	return open > 0
}

// start installs and starts for all waiters of s.
func (b *browsers) start(s *starting) {
	defer close(s.done)
	g, err := b.launch()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.starting = nil
	s.gen, s.err = g, err
	if err != nil {
		if _, install := errors.AsType[*InstallError](err); install {
			b.failed = failure{err, b.opts.seams.now()}
		}
		return
	}
	g.born = b.opts.seams.now()
	b.failed, b.current, b.last = failure{}, g, started{g.Version, g.Isolation}
	b.gens[g] = true
	if !b.watching {
		b.watching = true
		b.work.Go(b.watchMemory)
	}
}

func (b *browsers) launch() (*generation, error) {
	inst, err := Install(b.ctx, b.opts.Install)
	if err != nil {
		return nil, b.closedError(err)
	}
	b.mu.Lock()
	b.inst = inst
	b.mu.Unlock()
	if !b.swept {
		b.swept = true
		process.Sweep(b.log, os.TempDir(), inst.found.Cache)
	}
	args := append(identityArgs(b.opts.Usual, inst.found.Version), b.opts.Args...)
	request := instance.Request{
		Installation: inst.found, Proxy: b.opts.GuardURL, Args: browserArgs(args, b.opts.Pin), Beat: b.opts.seams.beat, Log: b.log,
	}
	if b.opts.ConnectURL != "" {
		request.Connect, request.Isolation = b.opts.ConnectURL, launch.Remote
		g, err := b.startOne(request)
		return g, b.closedError(err)
	}
	g, err := b.sandboxed(request)
	return g, b.closedError(err)
}

// sandboxed starts a browser in the best available sandbox. For root Chromium's own works only inside bubblewrap's container.
func (b *browsers) sandboxed(r instance.Request) (*generation, error) {
	r.Isolation = launch.Own
	if b.opts.NoSandbox {
		r.Isolation = launch.None
	} else if os.Geteuid() == 0 {
		r.Isolation = launch.None
		if !b.wrapperFailed && launch.WrapperWorks(b.ctx) {
			r.Isolation = launch.Wrapped
		}
	}
	g, err := b.startOne(r)
	if err != nil && r.Isolation == launch.Wrapped && b.ctx.Err() == nil {
		b.log.Warn("the browser does not start inside bubblewrap", "error", err)
		b.wrapperFailed = true
		r.Isolation = launch.None
		g, err = b.startOne(r)
	}
	if err == nil && r.Isolation == launch.None && !b.opts.NoSandbox {
		b.log.Warn("running as root: Chromium's sandbox is off; run as another user, or install bubblewrap, to turn it on")
	}
	return g, err
}

// startOne starts a browser, whose heartbeat is checked while its pages are in use.
func (b *browsers) startOne(r instance.Request) (*generation, error) {
	g := &generation{}
	r.InUse = func() bool { return b.inUse(g) }
	i, err := instance.Start(b.ctx, r)
	if err != nil {
		return nil, err
	}
	g.Instance = i
	return g, nil
}

// closedError turns the error of a start that close has stopped into ErrClosed.
func (b *browsers) closedError(err error) error {
	if err != nil && b.ctx.Err() != nil {
		return ErrClosed
	}
	return err
}

// close closes every browser and waits until no process, goroutine or temporary file is left.
func (b *browsers) close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.cancel()
	b.work.Wait()
	b.mu.Lock()
	gens := b.gens
	b.gens, b.current = map[*generation]bool{}, nil
	b.mu.Unlock()
	var errs []error
	for g := range gens {
		errs = append(errs, g.Close())
	}
	return errors.Join(errs...)
}
