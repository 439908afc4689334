package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
)

// installErrorAge is how long a failed installation is remembered, so that each page of a batch doesn't try all downloads again.
const installErrorAge = time.Minute

// Pool hands out isolated pages of one browser that it starts on first use, and replaces when it has crashed, is half dead, has served
// enough or grown old. It is safe for concurrent use.
type Pool struct {
	opts   Options
	log    *slog.Logger
	ctx    context.Context // done at Close
	cancel context.CancelFunc
	work   sync.WaitGroup

	invalid error         // the error of Validate
	slots   chan struct{} // one token for each open page; waiters are served in order

	wrapperFailed, swept bool // used by the one start at a time

	mu       sync.Mutex
	closed   bool
	inst     *Installation
	current  *generation
	starting *starting
	failed   failure
	last     started
	gens     map[*generation]bool // not yet closed
	pages    map[*Page]bool
	watching bool // the memory
	ahead    *ahead
}

// generation is the browser that a pool uses until it dies, is killed or retires; the next one then takes its place.
type generation struct {
	*instance.Instance

	// The pool's accounts, under its lock.
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

// NewPool makes a pool. It starts and installs nothing yet. Invalid options are the error of Prepare and Open.
func NewPool(o Options) *Pool {
	invalid := o.Validate()
	o = o.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	return &Pool{
		opts: o, log: o.Logger, invalid: invalid, ctx: ctx, cancel: cancel, slots: make(chan struct{}, o.MaxPages),
		gens: map[*generation]bool{}, pages: map[*Page]bool{},
	}
}

// Prepare installs what is missing and starts the browser, once for all callers that wait; each gives up with its own ctx while the
// work goes on for the others and for later callers, until Close. An *InstallError is remembered for a minute, any other error
// is forgotten at once.
func (p *Pool) Prepare(ctx context.Context) error {
	_, err := p.generation(ctx)
	if err == nil {
		p.lookAhead()
	}
	return err
}

// Version returns the browser's full version, for example "148.0.7778.96"; "" before the first successful Prepare or Open.
func (p *Pool) Version() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last.version
}

// Sandbox returns what isolates the browser from the machine: "chromium", "bubblewrap" (Chromium's own inside a container), "none", or
// "remote" (of a ConnectURL: not known); "" before the first successful Prepare or Open.
func (p *Pool) Sandbox() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.last.isolation)
}

// Installation returns what Prepare found or installed, nil before.
func (p *Pool) Installation() *Installation {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inst
}

// generation returns a living generation, starting one if there is none.
func (p *Pool) generation(ctx context.Context) (*generation, error) {
	if p.invalid != nil {
		return nil, p.invalid
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	if g := p.usableLocked(); g != nil {
		p.mu.Unlock()
		return g, nil
	}
	if p.failed.err != nil && p.opts.seams.now().Sub(p.failed.at) < installErrorAge {
		defer p.mu.Unlock()
		return nil, p.failed.err
	}
	s := p.starting
	if s == nil {
		s = &starting{done: make(chan struct{})}
		p.starting = s
		p.work.Go(func() { p.start(s) })
	}
	p.mu.Unlock()
	select {
	case <-s.done:
		return s.gen, s.err
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the browser: %w", context.Cause(ctx))
	}
}

// usableLocked returns the current generation unless it is dead or has served enough; such a one is retired.
func (p *Pool) usableLocked() *generation {
	g := p.current
	if g == nil {
		return nil
	}
	g.CheckNetwork()
	old := g.served >= p.opts.MaxContexts || p.opts.seams.now().Sub(g.born) >= p.opts.MaxAge
	if !g.IsDead() && !old {
		return g
	}
	p.retireLocked(g)
	return nil
}

// retire makes the pool use another browser from now on. The pages of the old one go on; it is closed after the last.
func (p *Pool) retire(g *generation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == g {
		p.retireLocked(g)
	}
}

func (p *Pool) retireLocked(g *generation) {
	p.current = nil
	g.retired = true
	if p.ahead != nil && p.ahead.gen == g {
		p.discardLocked(p.ahead)
		p.ahead = nil
	}
	if g.open == 0 {
		p.closeLocked(g)
	}
}

// closeLocked closes a generation that no page uses any more, in the background; Close waits for it.
func (p *Pool) closeLocked(g *generation) {
	if p.closed {
		return // Close does it
	}
	p.work.Go(func() {
		if err := g.Close(); err != nil {
			p.log.Warn("closing a browser", "error", err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.gens, g)
	})
}

// start installs and starts for all waiters of s.
func (p *Pool) start(s *starting) {
	defer close(s.done)
	g, err := p.launch()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starting = nil
	s.gen, s.err = g, err
	if err != nil {
		var install *InstallError
		if errors.As(err, &install) {
			p.failed = failure{err, p.opts.seams.now()}
		}
		return
	}
	g.born = p.opts.seams.now()
	p.failed, p.current, p.last = failure{}, g, started{g.Version, g.Isolation}
	p.gens[g] = true
	if !p.watching {
		p.watching = true
		p.work.Go(p.watchMemory)
	}
}

func (p *Pool) launch() (*generation, error) {
	inst, err := Install(p.ctx, p.opts.Install)
	if err != nil {
		return nil, p.closedError(err)
	}
	p.mu.Lock()
	p.inst = inst
	p.mu.Unlock()
	if !p.swept {
		p.swept = true
		process.Sweep(p.log, os.TempDir(), inst.found.Cache)
	}
	request := instance.Request{
		Installation: inst.found, Proxy: p.opts.GuardURL, Args: browserArgs(p.opts.Args, p.opts.Pin), Beat: p.opts.seams.beat, Log: p.log,
	}
	if p.opts.ConnectURL != "" {
		request.Connect, request.Isolation = p.opts.ConnectURL, launch.Remote
		g, err := p.startOne(request)
		return g, p.closedError(err)
	}
	g, err := p.sandboxed(request)
	return g, p.closedError(err)
}

// sandboxed starts a browser in the best available sandbox. For root Chromium's own works only inside bubblewrap's container.
func (p *Pool) sandboxed(r instance.Request) (*generation, error) {
	r.Isolation = launch.Own
	if p.opts.NoSandbox {
		r.Isolation = launch.None
	} else if os.Geteuid() == 0 {
		r.Isolation = launch.None
		if !p.wrapperFailed && launch.WrapperWorks(p.ctx) {
			r.Isolation = launch.Wrapped
		}
	}
	g, err := p.startOne(r)
	if err != nil && r.Isolation == launch.Wrapped && p.ctx.Err() == nil {
		p.log.Warn("the browser does not start inside bubblewrap", "error", err)
		p.wrapperFailed = true
		r.Isolation = launch.None
		g, err = p.startOne(r)
	}
	if err == nil && r.Isolation == launch.None && !p.opts.NoSandbox {
		p.log.Warn("running as root: Chromium's sandbox is off; run as another user, or install bubblewrap, to turn it on")
	}
	return g, err
}

// startOne starts a browser, whose heartbeat is checked while its pages are in use.
func (p *Pool) startOne(r instance.Request) (*generation, error) {
	g := &generation{}
	r.InUse = func() bool { return p.inUse(g) }
	b, err := instance.Start(p.ctx, r)
	if err != nil {
		return nil, err
	}
	g.Instance = b
	return g, nil
}

// closedError turns the error of a start that Close has stopped into ErrClosed.
func (p *Pool) closedError(err error) error {
	if err != nil && p.ctx.Err() != nil {
		return ErrClosed
	}
	return err
}

// Close closes every page and browser and waits until no process, goroutine or temporary file is left. Calls that wait return
// ErrClosed. It is safe to call twice.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	pages := make([]*Page, 0, len(p.pages))
	for page := range p.pages {
		pages = append(pages, page)
	}
	p.mu.Unlock()
	p.cancel()
	p.work.Wait()
	for _, page := range pages {
		_ = page.Close()
	}
	p.mu.Lock()
	gens := p.gens
	p.gens = map[*generation]bool{}
	p.current = nil
	p.mu.Unlock()
	var errs []error
	for g := range gens {
		errs = append(errs, g.Close())
	}
	return errors.Join(errs...)
}
