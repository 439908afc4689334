package browser

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/reading"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Page is one tab in a context of its own, isolated from other pages. One goroutine at a time may drive it; Close may be
// called from any. When the ctx of a call ends before its answer, the page is closed.
type Page struct {
	pool   *Pool
	gen    *generation
	opts   PageOptions
	of     *Session // the session whose tab it shows; nil on a page of a pool
	tab    *tab.Tab
	reader *reading.Reader
	remote *Remote
	lease  ProxyLease // its proxy, from Options.AcquireProxy
	slot   bool       // it counts against Options.MaxPages; under the pool's lock

	loader    loader
	popups    chan playwright.Page
	popped    atomic.Bool                       // there has been a popup
	besides   atomic.Pointer[[]playwright.Page] // the tabs that a session's page had beside it when it became alone; nil: it isn't
	headers   headerRules
	traffic   trafficLog
	banners   banners
	readyKey  string
	tabScript string // what puts sessionStorage back, by its identifier, until the first document is there
}

// setUp makes context and tab.
func (p *Page) setUp(ctx context.Context) error {
	identity := identify(p.opts, p.gen.Version)
	options := p.contextOptions(identity)
	c, err := tab.Do(ctx, p.tab, "make a context", func() (playwright.BrowserContext, error) {
		c, err := p.gen.Browser.NewContext(options)
		if err == nil {
			p.tab.Adopt(c)
		}
		return c, err
	})
	if err != nil {
		return err
	}
	if err := p.prepareContext(ctx, c); err != nil {
		return err
	}
	p.tab.Page, err = p.tab.Make(ctx, c)
	if err != nil && strings.Contains(err.Error(), "Invalid timezone ID") {
		return &OptionError{"Timezone", p.opts.Timezone, "an IANA name such as Europe/Berlin"}
	}
	if err != nil {
		return err
	}
	p.watch()
	p.watchContext()
	p.traffic.listen(p.tab)
	return p.prepareTab(ctx, identity)
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
	p.readyKey = tab.NewKey()
	source := readyScript(p.readyKey)
	return tab.Run(ctx, p.tab, "prepare a context", func() error { return c.AddInitScript(playwright.Script{Content: &source}) })
}

// watch registers the handlers. They run on the goroutine that all pages' replies go through, so they only set flags and fill channels.
func (p *Page) watch() {
	p.tab.Page.OnCrash(func(playwright.Page) { p.tab.Crash() })
	p.loader.watch()
	p.tab.Page.OnFrameAttached(p.reader.Frames.Attached)
	p.tab.Page.OnFrameDetached(p.reader.Frames.Detached)
	p.gen.Spawn(p.serve)
}

// watchContext subscribes to the context's other tabs, once for each context: a session handles those itself.
func (p *Page) watchContext() {
	p.tab.Page.Context().OnPage(func(popup playwright.Page) {
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
		case <-p.tab.Quit():
			return
		case <-p.gen.Dead():
			return
		case popup := <-p.popups:
			tab.Start(p.tab, func() (struct{}, error) { return struct{}{}, popup.Close() })
		case <-p.headers.wake:
			p.headers.continueRequests()
		}
	}
}

// prepareTab makes agent, client hints and languages agree.
func (p *Page) prepareTab(ctx context.Context, id identity) error {
	var err error
	p.tab.CDP, err = tab.Do(ctx, p.tab, "open a debugging session", func() (playwright.CDPSession, error) {
		return p.tab.Page.Context().NewCDPSession(p.tab.Page)
	})
	if err != nil {
		return err
	}
	if err := p.tab.Send(ctx, "Emulation.setUserAgentOverride", id.override()); err != nil {
		return err
	}
	if p.opts.Mobile {
		touch := map[string]any{"enabled": true, "maxTouchPoints": mobileTouches}
		if err := p.tab.Send(ctx, "Emulation.setTouchEmulationEnabled", touch); err != nil {
			return err
		}
	}
	return nil
}

// furnish completes a page made ahead once it is taken.
func (p *Page) furnish(ctx context.Context) error {
	p.reader.Options = p.readingOptions()
	if err := p.keepAway(ctx); err != nil {
		return err
	}
	if err := p.restore(ctx); err != nil {
		return err
	}
	return p.headers.intercept(ctx, p.opts)
}

// URL returns the address of the document that the page shows now, also after redirects by script.
func (p *Page) URL() string {
	if p.tab.Page == nil {
		return ""
	}
	return p.tab.Page.URL()
}

// Wait waits for d, or until ctx, the page or the browser ends.
func (p *Page) Wait(ctx context.Context, d time.Duration) error {
	return p.tab.Wait(ctx, d)
}

// Close closes the page and its context and waits until nothing of it is left. Calls that are under way return ErrClosed. It is safe to
// call twice and from any goroutine.
func (p *Page) Close() error {
	p.tab.Close()
	return nil
}

// Abandon is Close without the wait: the page ends in the background, and Pool.Close waits for it.
func (p *Page) Abandon() { p.tab.Abandon() }

// ended returns the page's proxy and its place in the pool, once nothing of the tab is left.
func (p *Page) ended() {
	p.returnProxy()
	p.pool.countOut(p)
}
