package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// A browser is replaced after so many contexts, or when it is so old: driver and browser both grow slowly.
const (
	recycleContexts = 1000
	recycleAge      = 30 * time.Minute
	// installErrorAge is how long a failed installation is remembered, so that each page of a batch doesn't try all downloads again.
	installErrorAge = time.Minute
)

// Options of a pool. The zero value works.
type Options struct {
	// Install says where driver and browser come from.
	Install InstallOptions
	// NoSandbox switches Chromium's own sandbox off. Root has it only where bubblewrap is installed and works; elsewhere it is off for root,
	// with a warning in the log.
	NoSandbox bool
	// Args are further switches of the browser. Those that would weaken proxy, resolver, certificates or sandbox are refused: Prepare
	// and Open return an *ArgError.
	Args []string
	// Logger is silent by default.
	Logger *slog.Logger
	// GuardURL is the proxy of the browser itself and of pages that have none of their own, "http://127.0.0.1:port".
	// Empty: a dead address, so that nothing leaves the browser un-proxied.
	GuardURL string

	seams poolSeams
}

// poolSeams replace clock and limits in tests.
type poolSeams struct {
	now      func() time.Time
	contexts int
	age      time.Duration
}

// Pool lends isolated pages of one browser that it starts when first asked, and replaces when it has crashed, served enough or grown
// old. It is safe for concurrent use.
type Pool struct {
	opts Options
	log  *slog.Logger
	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	wrapperFailed bool // used by the one start at a time

	mu       sync.Mutex
	closed   bool
	inst     *Installation
	current  *generation
	starting *starting
	failed   error // the last installation error
	failedAt time.Time
	version  string
	sandbox  sandbox
	gens     map[*generation]bool // not yet closed
	pages    map[*Page]bool
}

// starting is a start under way that several callers wait for.
type starting struct {
	done chan struct{}
	gen  *generation
	err  error
}

// NewPool makes a pool. It starts and installs nothing yet.
func NewPool(o Options) *Pool {
	if o.seams.now == nil {
		o.seams.now = time.Now
	}
	if o.seams.contexts == 0 {
		o.seams.contexts = recycleContexts
	}
	if o.seams.age == 0 {
		o.seams.age = recycleAge
	}
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if o.Install.Logger == nil {
		o.Install.Logger = log
	}
	life, end := context.WithCancel(context.Background())
	return &Pool{opts: o, log: log, life: life, end: end, gens: map[*generation]bool{}, pages: map[*Page]bool{}}
}

// Prepare installs what is missing and starts the browser, once for all callers that wait; each gives up with its own ctx while the
// work goes on for the others and for later callers, until Close. An *InstallError is remembered for a minute, any other error
// is forgotten at once.
func (p *Pool) Prepare(ctx context.Context) error {
	_, err := p.generation(ctx)
	return err
}

// Version returns the browser's full version, for example "148.0.7778.96"; "" before the first successful Prepare or Open.
func (p *Pool) Version() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.version
}

// Sandbox says what keeps the browser from the machine: "chromium", "bubblewrap" (Chromium's own inside a container) or "none"; "" before the
// first successful Prepare or Open.
func (p *Pool) Sandbox() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.sandbox)
}

// Installation returns what Prepare found or installed, nil before.
func (p *Pool) Installation() *Installation {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inst
}

// generation returns a living generation, starting one if there is none.
func (p *Pool) generation(ctx context.Context) (*generation, error) {
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
	if p.failed != nil && p.opts.seams.now().Sub(p.failedAt) < installErrorAge {
		defer p.mu.Unlock()
		return nil, p.failed
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
	old := g.served >= p.opts.seams.contexts || p.opts.seams.now().Sub(g.born) >= p.opts.seams.age
	if !g.isDead() && !old {
		return g
	}
	p.current = nil
	g.retired = true
	if g.open == 0 {
		p.closeLocked(g)
	}
	return nil
}

// closeLocked closes a generation that no page uses any more, in the background; Close waits for it.
func (p *Pool) closeLocked(g *generation) {
	if p.closed {
		return // Close does it
	}
	p.work.Go(func() {
		if err := g.close(); err != nil {
			p.log.Warn("closing a browser", "error", err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.gens, g)
	})
}

// start installs and starts for everyone who waits on s.
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
			p.failed, p.failedAt = err, p.opts.seams.now()
		}
		return
	}
	g.born = p.opts.seams.now()
	p.failed, p.current, p.version, p.sandbox = nil, g, g.version, g.sandbox
	p.gens[g] = true
}

func (p *Pool) launch() (*generation, error) {
	if err := checkArgs(p.opts.Args); err != nil {
		return nil, err
	}
	inst, err := Install(p.life, p.opts.Install)
	if err != nil {
		return nil, p.closedError(err)
	}
	p.mu.Lock()
	p.inst = inst
	p.mu.Unlock()
	config := launchConfig{inst: inst, proxy: p.opts.GuardURL, args: p.opts.Args, cache: inst.cache, log: p.log}
	g, err := p.sandboxed(config)
	return g, p.closedError(err)
}

// sandboxed starts a browser in the best sandbox that there is. Root can have Chromium's own only inside bubblewrap's container.
func (p *Pool) sandboxed(c launchConfig) (*generation, error) {
	c.sandbox = sandboxOwn
	if p.opts.NoSandbox {
		c.sandbox = sandboxNone
	} else if os.Geteuid() == 0 {
		c.sandbox = sandboxNone
		if !p.wrapperFailed && wrapperWorks(p.life) {
			c.sandbox = sandboxWrapped
		}
	}
	g, err := startGeneration(p.life, c)
	if err != nil && c.sandbox == sandboxWrapped && p.life.Err() == nil {
		p.log.Warn("the browser can't start inside bubblewrap", "error", err)
		p.wrapperFailed = true
		c.sandbox = sandboxNone
		g, err = startGeneration(p.life, c)
	}
	if err == nil && c.sandbox == sandboxNone && !p.opts.NoSandbox {
		p.log.Warn("running as root: Chromium's sandbox is off; run as another user, or install bubblewrap, to have it on")
	}
	return g, err
}

// closedError turns the error of a start that Close has stopped into ErrClosed.
func (p *Pool) closedError(err error) error {
	if err != nil && p.life.Err() != nil {
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
	p.end()
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
		errs = append(errs, g.close())
	}
	return errors.Join(errs...)
}

// lend counts a page in; it fails when the generation has been retired in between.
func (p *Pool) lend(page *Page) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	if page.gen.retired {
		return ErrCrashed
	}
	page.gen.open++
	page.gen.served++
	p.pages[page] = true
	return nil
}

// giveBack counts a page out and closes a retired generation after its last page.
func (p *Pool) giveBack(page *Page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.pages[page] {
		return
	}
	delete(p.pages, page)
	g := page.gen
	g.open--
	if g.isDead() && p.current == g {
		p.current, g.retired = nil, true
	}
	if g.retired && g.open == 0 && p.gens[g] {
		p.closeLocked(g)
	}
}
