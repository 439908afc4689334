package browser

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Page is one tab in a context of its own, isolated from other pages. One goroutine at a time may drive it; Close may be
// called from any. When the ctx of a call ends before its answer, the page is closed.
type Page struct {
	pool *Pool
	gen  *generation
	opts PageOptions
	of   *Session // the session whose tab it shows; nil on a page of a pool
	page playwright.Page
	cdp  playwright.CDPSession

	mu      sync.Mutex
	context playwright.BrowserContext // nil until made

	calls    callCount
	closed   atomic.Bool   // by its owner, or because a ctx ended
	crashed  atomic.Bool   // the renderer died
	dead     chan struct{} // closed when it did
	freeOnce sync.Once
	freed    chan struct{} // closed when nothing of the page is left
	quitOnce sync.Once
	quit     chan struct{} // closed when the page is being closed: its helper goroutine ends
	lease    ProxyLease    // its proxy, from Options.AcquireProxy
	site     string        // the only one that may be loaded; "" on all but warm tabs
	slot     bool          // it counts against Options.MaxPages; under the pool's lock

	download  atomic.Bool
	documents documents
	domReady  atomic.Bool   // the document of the main frame is complete
	committed chan struct{} // one token when the main frame gets a document
	broken    chan struct{} // one token when the main frame's document breaks off
	popups    chan playwright.Page
	popped    atomic.Bool                       // there has been a popup
	besides   atomic.Pointer[[]playwright.Page] // the tabs that a session's page had beside it when it became alone; nil: it isn't
	popup     atomic.Pointer[string]            // its address; see Popup
	hinted    atomic.Bool                       // the main frame has named client hints that it wants from now on
	headers   headerRules
	traffic   trafficLog
	handled   handledList
	rules     func() string // replaces the pool's consentRules in tests
	slack     time.Duration // more time for frames, in tests that aren't about slow ones
	frames    frameTree
	readyKey  string
	shown     shown         // by the last snapshot
	inputs    chan struct{} // held while an input is under way; so are the next two by theirs
	steering  chan struct{}
	titles    chan struct{}
	tabScript string // what puts sessionStorage back, by its identifier, until the first document is there
}

// setUp makes context and tab.
func (p *Page) setUp(ctx context.Context) error {
	identity := identify(p.opts, p.gen.Version)
	options := p.contextOptions(identity)
	c, err := do(ctx, p, "make a context", func() (playwright.BrowserContext, error) {
		c, err := p.gen.Browser.NewContext(options)
		if err == nil {
			p.adopt(c)
		}
		return c, err
	})
	if err != nil {
		return err
	}
	if err := p.prepareContext(ctx, c); err != nil {
		return err
	}
	p.page, err = p.makeTab(ctx, c)
	if err != nil && strings.Contains(err.Error(), "Invalid timezone ID") {
		return &OptionError{"Timezone", p.opts.Timezone, "an IANA name such as Europe/Berlin"}
	}
	if err != nil {
		return err
	}
	p.watch()
	p.watchContext()
	p.record()
	return p.prepareTab(ctx, identity)
}

// adopt keeps a context as soon as it exists; when the page was given up meanwhile, the context is closed at once.
func (p *Page) adopt(c playwright.BrowserContext) {
	p.mu.Lock()
	p.context = c
	p.mu.Unlock()
	if p.closed.Load() {
		_ = c.Close()
	}
}

func (p *Page) contextOptions(id identity) playwright.BrowserNewContextOptions {
	o := playwright.BrowserNewContextOptions{
		AcceptDownloads:   new(false),
		ServiceWorkers:    playwright.ServiceWorkerPolicyBlock,
		IgnoreHttpsErrors: new(p.opts.SkipTLSVerify),
		UserAgent:         &id.userAgent,
		Locale:            &p.opts.Locale,
		Viewport:          &playwright.Size{Width: p.opts.Viewport.Width, Height: p.opts.Viewport.Height},
		// Frames of other sites have processes of their own, which only hear of one language otherwise.
		ExtraHttpHeaders: map[string]string{"Accept-Language": id.acceptLanguage()},
		Screen:           &playwright.Size{Width: id.screen.Width, Height: id.screen.Height},
	}
	if p.opts.Proxy != "" {
		o.Proxy = &playwright.Proxy{Server: p.opts.Proxy}
	}
	if p.opts.Timezone != "" {
		o.TimezoneId = &p.opts.Timezone
	}
	if g := p.opts.Geolocation; g != nil {
		o.Geolocation = &playwright.Geolocation{Latitude: g.Latitude, Longitude: g.Longitude}
		o.Permissions = []string{"geolocation"}
	}
	if p.opts.Mobile {
		o.IsMobile, o.HasTouch, o.DeviceScaleFactor = new(true), new(true), new(float64(mobileScale))
	}
	return o
}

// prepareContext puts the script of the smart wait into every document.
func (p *Page) prepareContext(ctx context.Context, c playwright.BrowserContext) error {
	p.readyKey = newKey()
	source := readyScript(p.readyKey)
	return run(ctx, p, "prepare a context", func() error { return c.AddInitScript(playwright.Script{Content: &source}) })
}

// watch registers the handlers. They run on the goroutine that all pages' replies go through, so they only set flags and fill channels.
func (p *Page) watch() {
	main := p.page.MainFrame()
	p.page.OnCrash(func(playwright.Page) { p.crash() })
	p.page.OnDownload(func(playwright.Download) { p.download.Store(true) })
	p.page.OnLoad(func(playwright.Page) { p.documents.loaded() })
	p.page.OnDOMContentLoaded(func(playwright.Page) { p.domReady.Store(true) })
	p.page.OnFrameNavigated(func(f playwright.Frame) {
		if f == main && p.documents.navigated(f.URL()) {
			p.domReady.Store(false)
			select {
			case p.committed <- struct{}{}:
			default:
			}
		}
	})
	p.page.OnRequest(func(r playwright.Request) {
		if r.IsNavigationRequest() && r.Frame() == main {
			p.documents.requested(r)
		}
	})
	p.page.OnResponse(func(r playwright.Response) {
		if r.Request().IsNavigationRequest() && r.Frame() == main {
			p.documents.answered(r)
			if r.Headers()["accept-ch"] != "" {
				p.hinted.Store(true)
			}
		}
	})
	p.page.OnRequestFailed(func(r playwright.Request) {
		if !r.IsNavigationRequest() || r.Frame() != main {
			return
		}
		p.documents.failed(r)
		if !aborted(r) {
			select {
			case p.broken <- struct{}{}:
			default:
			}
		}
	})
	p.page.OnFrameAttached(p.frames.attached)
	p.page.OnFrameDetached(p.frames.detached)
	p.gen.Spawn(p.serve)
}

// watchContext subscribes to the context's other tabs, once for each context: a session handles those itself.
func (p *Page) watchContext() {
	p.page.Context().OnPage(func(popup playwright.Page) {
		if p.of != nil {
			p.of.opened(p)
			return
		}
		p.popped.Store(true)
		select {
		case p.popups <- popup:
		default: // closed with the context
		}
	})
}

// serve closes popups and answers intercepted requests until the page is closed.
func (p *Page) serve() {
	for {
		select {
		case <-p.quit:
			return
		case <-p.gen.Dead():
			return
		case popup := <-p.popups:
			start(p, func() (struct{}, error) { return struct{}{}, popup.Close() })
		case <-p.headers.wake:
			p.continueRequests()
		}
	}
}

// prepareTab makes agent, client hints and languages agree.
func (p *Page) prepareTab(ctx context.Context, id identity) error {
	var err error
	p.cdp, err = do(ctx, p, "open a debugging session", func() (playwright.CDPSession, error) {
		return p.page.Context().NewCDPSession(p.page)
	})
	if err != nil {
		return err
	}
	if err := p.send(ctx, "Emulation.setUserAgentOverride", id.override()); err != nil {
		return err
	}
	if p.opts.Mobile {
		touch := map[string]any{"enabled": true, "maxTouchPoints": mobileTouches}
		if err := p.send(ctx, "Emulation.setTouchEmulationEnabled", touch); err != nil {
			return err
		}
	}
	return nil
}

// furnish completes a page made ahead once it is taken.
func (p *Page) furnish(ctx context.Context) error {
	if err := p.keepAway(ctx); err != nil {
		return err
	}
	if err := p.restore(ctx); err != nil {
		return err
	}
	return p.interceptHeaders(ctx)
}

// send runs one command of the browser's own protocol.
func (p *Page) send(ctx context.Context, method string, params map[string]any) error {
	return run(ctx, p, method, func() error {
		_, err := p.cdp.Send(method, params)
		return err
	})
}

// URL returns the address of the document that the page shows now, also after redirects by script.
func (p *Page) URL() string {
	if p.page == nil {
		return ""
	}
	return p.page.URL()
}

// Wait waits for d, or until ctx, the page or the browser ends.
func (p *Page) Wait(ctx context.Context, d time.Duration) error {
	if err := p.usable(ctx, "wait"); err != nil {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", context.Cause(ctx))
	case <-p.quit:
		return fmt.Errorf("wait: %w", ErrClosed)
	case <-p.gen.Dead():
		return fmt.Errorf("wait: %w", ErrCrashed)
	case <-p.dead:
		return fmt.Errorf("wait: %w", ErrCrashed)
	}
}

// Close closes the page and its context and waits until nothing of it is left. Calls that are under way return ErrClosed. It is safe to
// call twice and from any goroutine.
func (p *Page) Close() error {
	p.closed.Store(true)
	p.freeOnce.Do(func() {
		p.free("closing the page")
		close(p.freed)
	})
	<-p.freed
	return nil
}

// Abandon is Close without the wait: the page ends in the background, and Pool.Close waits for it.
func (p *Page) Abandon() { p.abandon("closing the page") }

// release ends what belongs to the page and returns it to the pool.
func (p *Page) release() {
	p.stop()
	p.pool.countOut(p)
}

// stop ends the page's helper goroutine.
func (p *Page) stop() { p.quitOnce.Do(func() { close(p.quit) }) }
