package browser

import (
	"context"
	"log/slog"
	"sync"
)

// Pool hands out isolated pages of one browser that it starts on first use, and replaces when it has crashed, is half dead, has served
// enough or grown old. It is safe for concurrent use.
type Pool struct {
	opts   Options
	log    *slog.Logger
	ctx    context.Context // done at Close
	cancel context.CancelFunc
	work   sync.WaitGroup

	invalid  error         // the error of Validate
	slots    chan struct{} // one token for each open page; waiters are served in order
	browsers *browsers     // of Options.Shared, or its own

	mu     sync.Mutex // never held while browsers asks for anything of a pool
	closed bool
	pages  map[*Page]bool
	ahead  *ahead
}

// NewPool makes a pool. It starts and installs nothing yet. Invalid options are the error of Prepare and Open.
func NewPool(o Options) *Pool {
	invalid := o.Validate()
	o = o.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	p := &Pool{
		opts: o, log: o.Logger, invalid: invalid, ctx: ctx, cancel: cancel, slots: make(chan struct{}, o.MaxPages), pages: map[*Page]bool{},
	}
	if o.Shared != nil {
		p.browsers = o.Shared.browsers
	} else {
		p.browsers = newBrowsers(o)
	}
	p.browsers.use(p)
	return p
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
func (p *Pool) Version() string { return p.browsers.lastStarted().version }

// Sandbox returns what isolates the browser from the machine: "chromium", "bubblewrap" (Chromium's own inside a container), "none", or
// "remote" (of a ConnectURL: not known); "" before the first successful Prepare or Open.
func (p *Pool) Sandbox() string { return string(p.browsers.lastStarted().isolation) }

// Installation returns what Prepare found or installed, nil before.
func (p *Pool) Installation() *Installation { return p.browsers.installation() }

// Pids returns the first process of each running browser: all that its pages send comes from one of their process trees. Empty
// before Prepare, for a ConnectURL, and where the system's processes are not distinguishable.
func (p *Pool) Pids() []int { return p.browsers.pids() }

// generation returns a living generation, starting one if there is none.
func (p *Pool) generation(ctx context.Context) (*generation, error) {
	if p.invalid != nil {
		return nil, p.invalid
	}
	if p.ctx.Err() != nil {
		return nil, ErrClosed
	}
	return p.browsers.generation(ctx, p.ctx.Done())
}

// Close closes every page, and the browsers unless they are shared, and waits until no process, goroutine or temporary file of the pool is
// left. Calls that wait return ErrClosed. It is safe to call twice.
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
	p.browsers.leave(p)
	if p.opts.Shared != nil {
		return nil
	}
	return p.browsers.close()
}
