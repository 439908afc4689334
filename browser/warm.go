package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// maxWarmPages is how many pages a warm tab shows before it is replaced, renderer and all.
const maxWarmPages = 100

// clearWait bounds the clearing of a tab; one that takes longer is replaced.
const clearWait = 2 * time.Second

// Warm is a tab that one owner uses for the pages of one site, one after the other. Starting a tab's renderer is most of what a page
// costs; here it is paid once. Between two pages all that the site could leave is cleared: cookies, every kind of storage, caches,
// workers, history, window.name. What can't be cleared: client hints that a page has named (Accept-CH) end with the tab, it shows no
// other page. That a host wants https from now on (HSTS), and a password that a script has given for HTTP authentication, stay for
// the pages that follow. It counts as one of Options.MaxPages until it is closed. It is driven by one goroutine at a time; Close may
// be called from any.
type Warm struct {
	pool *Pool
	opts PageOptions
	site string
	wait time.Duration // see clearWait

	mu     sync.Mutex
	closed bool
	page   *Page
	shown  int // pages on this tab
}

// Warm returns a tab for pages of one site: a host name, which stands for its subdomains too. PageOptions hold for every page; State is
// put back before each. The tab itself is made with the first page. Errors: *OptionError, and those of Open.
func (p *Pool) Warm(ctx context.Context, o PageOptions, site string) (*Warm, error) {
	u, err := url.Parse("http://" + site + "/")
	if err != nil || u.Hostname() == "" || u.Host != site || u.Port() != "" {
		return nil, &OptionError{"site", site, "a host name without port"}
	}
	w := &Warm{pool: p, opts: o, site: hostOf(u.String()), wait: clearWait}
	if err := w.open(ctx); err != nil {
		return nil, err
	}
	return w, nil
}

// Page returns the tab, cleared, for the next page. The page before it must not be used any more, and the new one need not be
// closed. After a crash, a popup, client hints, 100 pages, or when the tab can't be cleared within 2 s or its browser is replaced,
// it is another tab. Goto to another site is refused with ErrSite; where redirects of the site lead isn't.
func (w *Warm) Page(ctx context.Context) (*Page, error) {
	w.mu.Lock()
	page, shown, closed := w.page, w.shown, w.closed
	w.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	if shown > 0 && (shown >= maxWarmPages || !w.pool.browsers.serveAgain(page.gen) || newClearing(page).clear(ctx, w.wait) != nil) {
		page.Abandon()
		if err := w.open(ctx); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown++
	return w.page, nil
}

func (w *Warm) open(ctx context.Context) error {
	page, err := w.pool.Open(ctx, w.opts)
	if err != nil {
		return err
	}
	page.loader.site = w.site
	w.mu.Lock()
	w.page, w.shown = page, 0
	closed := w.closed
	w.mu.Unlock()
	if closed {
		page.Abandon()
		return ErrClosed
	}
	return nil
}

// Answers is Page.Answers of the tab, which has waited for the next page since it was cleared.
func (w *Warm) Answers(ctx context.Context) bool { return w.shut(false).Answers(ctx) }

// Close closes the tab and frees its slot. It is safe to call twice and from any goroutine.
func (w *Warm) Close() error { return w.shut(true).Close() }

// Abandon is Close without the wait, as Page.Abandon is.
func (w *Warm) Abandon() { w.shut(true).Abandon() }

// shut returns the tab; with end there is no tab afterwards.
func (w *Warm) shut(end bool) *Page {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = w.closed || end
	return w.page
}

// onSite refuses an address of another site than the warm tab's.
func (l *loader) onSite(address string) error {
	if l.site == "" || address == "about:blank" {
		return nil
	}
	if host := hostOf(address); host == l.site || strings.HasSuffix(host, "."+l.site) {
		return nil
	}
	return fmt.Errorf("load %s: %w (%s)", address, ErrSite, l.site)
}

// hostOf is the host name of an address, "" without one.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// clearing makes a page's tab what it was when it was new.
type clearing struct {
	tab     *tab.Tab
	opts    *PageOptions
	loader  *loader
	popups  *popups
	headers *headerRules
	traffic *trafficLog
	banners *banners
	storage *storage
}

func newClearing(p *Page) clearing {
	return clearing{p.tab, &p.opts, &p.loader, &p.popups, &p.headers, &p.traffic, &p.banners, &p.storage}
}

// clear takes away all that the last document could leave for the next one. An error means that the tab can't show another page.
func (c clearing) clear(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, wait, errors.New("the tab was not clear in time"))
	defer cancel()
	for _, step := range []func(context.Context) error{
		c.stained, c.leave, c.clearAll, c.arrive, c.stained,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	c.forget()
	return nil
}

// leave ends the document and its workers. The network goes first: an answer to a beacon that is on its way could set a cookie
// later. With it the scripts: what a page writes in its last moment may reach the storage after its clearing.
func (c clearing) leave(ctx context.Context) error {
	scripts := func(ctx context.Context) error {
		return c.tab.Send(ctx, "Emulation.setScriptExecutionDisabled", on(true))
	}
	if err := tab.Together(ctx, c.goOffline, scripts); err != nil {
		return err
	}
	if err := c.loader.rest(ctx); err != nil {
		return err
	}
	return tab.Run(ctx, c.tab, "leave the page", func() error {
		_, err := c.tab.Page.Goto("about:blank", playwright.PageGotoOptions{Timeout: new(0.0)})
		return err
	})
}

func (c clearing) goOffline(ctx context.Context) error { return c.offline(ctx, true) }
func (c clearing) goOnline(ctx context.Context) error  { return c.offline(ctx, false) }

func (c clearing) offline(ctx context.Context, off bool) error {
	return tab.Run(ctx, c.tab, "switch the network", func() error { return c.tab.Page.Context().SetOffline(off) })
}

func on(value bool) map[string]any { return map[string]any{"value": value} }

// stained returns the state of a page that can't be removed from its tab, nil if there is none. A second page in the context may still
// write. A page that isn't listened to any more would hide problems of the next one.
func (c clearing) stained(context.Context) error {
	switch {
	case c.popups.seen.Load():
		return errors.New("there has been a popup")
	case c.loader.hinted.Load():
		return errors.New("the site has named client hints")
	case c.traffic.flooded():
		return errors.New("the page flooded its console")
	}
	return nil
}

// everything are the parameters that clear what all sites have stored in the context: no other one shares any of it. The star clears
// session storage too, which a single origin would not.
var everything = map[string]any{"origin": "*", "storageTypes": "all"}

// clearAll clears what the documents have left.
func (c clearing) clearAll(ctx context.Context) error {
	stored := func(ctx context.Context) error {
		return c.tab.SendAll(ctx,
			tab.Command{Method: "Storage.clearDataForOrigin", Params: everything},
			tab.Command{Method: "Network.clearBrowserCookies"},
			tab.Command{Method: "Network.clearBrowserCache"},
			tab.Command{Method: "Page.resetNavigationHistory"},
		)
	}
	return tab.Together(ctx, stored, c.emptyCache)
}

// emptyCache empties the renderer's own cache, by switching it off and on.
func (c clearing) emptyCache(ctx context.Context) error {
	err := c.tab.Send(ctx, "Network.setCacheDisabled", map[string]any{"cacheDisabled": true})
	if err != nil {
		return err
	}
	return c.tab.Send(ctx, "Network.setCacheDisabled", map[string]any{"cacheDisabled": false})
}

// arrive makes the tab as it was when it was new. Storage is cleared again: a frame of another site has its own process, whose last words
// come when they come.
func (c clearing) arrive(ctx context.Context) error {
	err := c.tab.SendAll(ctx,
		tab.Command{Method: "Storage.clearDataForOrigin", Params: everything},
		tab.Command{Method: "Emulation.setScriptExecutionDisabled", Params: on(false)},
	)
	if err != nil {
		return err
	}
	if err := c.storage.restore(ctx, c.opts.State); err != nil {
		return err
	}
	return tab.Together(ctx, c.goOnline, c.resize, c.unname)
}

func (c clearing) unname(ctx context.Context) error {
	return c.tab.Send(ctx, "Runtime.evaluate", map[string]any{"expression": `window.name = ""`})
}

func (c clearing) resize(ctx context.Context) error {
	want := c.opts.Viewport
	if size := c.tab.Page.ViewportSize(); size != nil && *size == (playwright.Size{Width: want.Width, Height: want.Height}) {
		return nil
	}
	return tab.Run(ctx, c.tab, "set the viewport", func() error { return c.tab.Page.SetViewportSize(want.Width, want.Height) })
}

// forget empties the package's own records of a page.
func (c clearing) forget() {
	c.traffic.forget()
	c.banners.forget()
	c.headers.forget()
}
