package browser

import (
	"context"
	"strings"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/reading"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// newPage makes a page that isn't in the browser yet.
func (p *Pool) newPage(gen *generation, o PageOptions) *Page {
	page := &Page{pool: p, gen: gen, opts: o}
	t := tab.New(gen.Instance, page.ended)
	page.tab, page.reader = t, reading.New(t)
	page.loader = loader{tab: t, opts: &page.opts, committed: make(chan struct{}, 1), broken: make(chan struct{}, 1)}
	page.loader.keep = func(d playwright.Download) bool { return page.family.arrivals.files.Save(d) }
	page.remote = newRemote(t, &page.loader)
	page.popups.tab, page.popups.opened = t, make(chan playwright.Page, 16)
	page.family = family{host: poolTabs{page}, arrivals: &arrivals{}}
	page.headers = headerRules{tab: t, wake: make(chan struct{}, 1), followed: func() bool { return page.family.arrivals.following() }}
	page.banners = banners{tab: t, rules: p.consentRules}
	page.ready = readiness{tab: t, loader: &page.loader, traffic: &page.traffic, key: tab.NewKey()}
	page.storage = storage{tab: t, reader: page.reader}
	return page
}

// setUp makes context and tab.
func (p *Page) setUp(ctx context.Context) error {
	identity := identify(p.opts, p.gen.Version)
	c, err := makeContext(ctx, p.tab, contextOptions(p.opts, identity), readyScript(p.ready.key))
	if err != nil {
		return err
	}
	err = p.tab.Make(ctx, c)
	if err != nil && strings.Contains(err.Error(), "Invalid timezone ID") {
		return &OptionError{"Timezone", p.opts.Timezone, "an IANA name such as Europe/Berlin"}
	}
	if err != nil {
		return err
	}
	hear(p)
	p.watch()
	p.popups.watch(p.family.arrivals)
	return prepareTab(ctx, p.tab, p.opts.Mobile, identity)
}

// makeContext makes a tab's context, with a script in every document.
func makeContext(
	ctx context.Context, t *tab.Tab, o playwright.BrowserNewContextOptions, script string,
) (playwright.BrowserContext, error) {
	c, err := tab.Do(ctx, t, "make a context", func() (playwright.BrowserContext, error) {
		c, err := t.Browser.Browser.NewContext(o)
		if err == nil {
			t.Adopt(c)
		}
		return c, err
	})
	if err != nil {
		return nil, err
	}
	return c, addScript(ctx, t, c, script)
}

func addScript(ctx context.Context, t *tab.Tab, to playwright.BrowserContext, script string) error {
	return tab.Run(ctx, t, "prepare a context", func() error { return to.AddInitScript(playwright.Script{Content: &script}) })
}

// AddScript has JavaScript run in every document that a page, its frames and the tabs that it opens load from now on, before their own
// scripts, after the scripts that were added before. The document that is shown doesn't change. Errors: ErrCrashed, ErrClosed, and ctx's
// own.
func AddScript(ctx context.Context, p *Page, script string) error {
	if err := p.tab.Usable(ctx, "add a script"); err != nil {
		return err
	}
	return addScript(ctx, p.tab, p.tab.Context(), script)
}

// contextOptions are the library's options for a page of an identity.
func contextOptions(o PageOptions, id identity) playwright.BrowserNewContextOptions {
	c := playwright.BrowserNewContextOptions{
		AcceptDownloads:   new(o.MaxDownload > 0),
		ServiceWorkers:    playwright.ServiceWorkerPolicyBlock,
		IgnoreHttpsErrors: new(o.SkipTLSVerify),
		UserAgent:         &id.userAgent,
		Locale:            &o.Locale,
		Viewport:          &playwright.Size{Width: o.Viewport.Width, Height: o.Viewport.Height},
		// Frames of other sites have processes of their own, which only hear of one language otherwise.
		ExtraHttpHeaders: map[string]string{"Accept-Language": id.acceptLanguage()},
		Screen:           &playwright.Size{Width: id.screen.Width, Height: id.screen.Height},
	}
	if o.Proxy != "" {
		c.Proxy = &playwright.Proxy{Server: o.Proxy}
	}
	if o.Timezone != "" {
		c.TimezoneId = &o.Timezone
	}
	if g := o.Geolocation; g != nil {
		c.Geolocation = &playwright.Geolocation{Latitude: g.Latitude, Longitude: g.Longitude}
		c.Permissions = []string{"geolocation"}
	}
	if o.Mobile {
		c.IsMobile, c.HasTouch, c.DeviceScaleFactor = new(true), new(true), new(float64(mobileScale))
	}
	return c
}

// prepareTab makes agent, client hints and languages of a tab agree.
func prepareTab(ctx context.Context, t *tab.Tab, mobile bool, id identity) error {
	var err error
	t.CDP, err = tab.Do(ctx, t, "open a debugging session", func() (playwright.CDPSession, error) {
		return t.Page.Context().NewCDPSession(t.Page)
	})
	if err != nil {
		return err
	}
	if err := t.Identify(ctx, id.override()); err != nil {
		return err
	}
	if mobile {
		touch := map[string]any{"enabled": true, "maxTouchPoints": mobileTouches}
		if err := t.Send(ctx, "Emulation.setTouchEmulationEnabled", touch); err != nil {
			return err
		}
	}
	return nil
}

// hear registers the handlers of what must not be missed. They run on the goroutine that all pages' replies go through, so they only set
// flags and fill channels.
func hear(p *Page) {
	p.tab.Page.OnCrash(func(playwright.Page) { p.tab.Crash() })
	p.loader.watch()
	p.tab.Page.OnFrameAttached(p.reader.Frames.Attached)
	p.tab.Page.OnFrameDetached(p.reader.Frames.Detached)
}

// watch registers the other handlers, which are like those of hear.
func (p *Page) watch() {
	p.traffic.listen(p.tab)
	p.gen.Spawn(func() { serve(p.tab, &p.popups, &p.headers) })
}

// serve closes popups and answers intercepted requests until the tab is closed.
func serve(t *tab.Tab, beside *popups, headers *headerRules) {
	for {
		select {
		case <-t.Quit():
			return
		case <-t.Browser.Dead():
			return
		case popup := <-beside.opened:
			tab.Start(t, func() (struct{}, error) { return struct{}{}, popup.Close() })
		case <-headers.wake:
			headers.continueRequests()
		}
	}
}

// furnish completes a page made ahead once it is taken.
func (p *Page) furnish(ctx context.Context) error {
	if script := p.opts.Script; script != "" {
		if err := AddScript(ctx, p, script); err != nil {
			return err
		}
	}
	if err := p.prepareContents(ctx, false); err != nil {
		return err
	}
	if err := p.storage.restore(ctx, p.opts.State); err != nil {
		return err
	}
	return p.headers.intercept(ctx, p.opts)
}

// attach is setUp and furnish for a tab that exists, in a context that is furnished.
func (p *Page) attach(ctx context.Context) error {
	hear(p)
	return join(ctx, p)
}

// join is [Page.attach] for a tab that is heard already.
func join(ctx context.Context, p *Page) error {
	p.watch()
	p.loader.domReady.Store(true)
	if err := prepareTab(ctx, p.tab, p.opts.Mobile, identify(p.opts, p.gen.Version)); err != nil {
		return err
	}
	return p.prepareContents(ctx, true)
}

// prepareContents makes the tab leave out what its options name, also of a document that is shown.
func (p *Page) prepareContents(ctx context.Context, shown bool) error {
	p.reader.Options = reading.Options{MaxBody: p.opts.MaxBody}
	if len(p.opts.Hide) > 0 || p.opts.Consent {
		p.reader.Options.Hidden = p.ready.hiddenName()
	}
	if err := hide(ctx, p.tab, p.opts.Hide, p.ready.hiddenName(), shown); err != nil {
		return err
	}
	return block(ctx, p.tab, p.opts)
}
