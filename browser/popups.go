package browser

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// popups are the tabs that open beside a page, in its context.
type popups struct {
	tab    *tab.Tab
	report func()               // a session's, which closes those it doesn't want; nil: all are closed
	opened chan playwright.Page // to be closed

	seen   atomic.Bool                       // there has been one
	before atomic.Pointer[[]playwright.Page] // the tabs that a session's page had beside it when it became alone; nil: it isn't
}

// watch subscribes to the context's other tabs, once for each context. The handler runs on the goroutine that all pages' replies go
// through.
func (p *popups) watch(in *arrivals) {
	p.tab.Page.Context().OnPage(func(popup playwright.Page) {
		if in.came(popup) {
			return
		}
		if p.report != nil {
			p.report()
			return
		}
		p.seen.Store(true)
		select {
		case p.opened <- popup:
		default: // closed with the context
		}
	})
}

// alone is [Page.Alone].
func (p *popups) alone(on bool) {
	if !on {
		p.before.Store(nil)
		return
	}
	p.before.Store(new(openTabs(p.tab.Context())))
}

// closeSurplus closes the tabs beside the page that are to be closed, side by side, and waits for it.
func (p *popups) closeSurplus() {
	var closing []<-chan tab.Outcome[struct{}]
	for _, t := range p.surplus() {
		closing = append(closing, tab.Start(p.tab, func() (struct{}, error) { return struct{}{}, t.Close() }))
	}
	for _, closed := range closing {
		select {
		case <-closed:
		case <-p.tab.Browser.Dead():
			return
		}
	}
}

// surplus are all tabs that came since the page is alone, else the newest beyond the limit.
func (p *popups) surplus() []playwright.Page {
	tabs := slices.DeleteFunc(openTabs(p.tab.Context()), func(t playwright.Page) bool { return t == p.tab.Page })
	if before := p.before.Load(); before != nil {
		return slices.DeleteFunc(tabs, func(t playwright.Page) bool { return slices.Contains(*before, t) })
	}
	return tabs[min(len(tabs), maxTabs-1):]
}

// isOpen reports whether a tab is in the browser and can be used on.
func isOpen(t *tab.Tab) bool {
	return !t.Closed() && !t.Crashed() && t.Page != nil && slices.Contains(openTabs(t.Context()), t.Page)
}

// openTabs lists the tabs of a context that are open, oldest first. The library's own IsClosed is read and written without a lock.
func openTabs(c playwright.BrowserContext) []playwright.Page {
	if c == nil {
		return nil
	}
	return slices.Clone(c.Pages())
}

// family are the tabs that have become the page one after the other.
type family struct {
	root      *Page     // that whose end ends this one, for a tab that a site has opened; nil for all others
	host      tabHost   // what its tabs belong to
	arrivals  *arrivals // those that open in its context
	announces bool      // the browser announces the tabs that it opens

	mu       sync.Mutex
	opened   []*Page // of a pool's page: tabs that have become the page after it
	finished bool
}

// first is the page of a family that owns its context; p is the one that has f.
func (f *family) first(p *Page) *Page { return cmp.Or(f.root, p) }

// finish lets the tabs go that became the page: they end with the context.
func (f *family) finish() {
	f.mu.Lock()
	opened := f.opened
	f.opened, f.finished = nil, true
	f.mu.Unlock()
	for _, child := range opened {
		child.tab.LetGo()
	}
}

// add takes a tab in; false when the family is finished.
func (f *family) add(child *Page) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.finished {
		f.opened = append(f.opened, child)
	}
	return !f.finished
}

// poolTabs is the [tabHost] of a pool's page: its tabs end with it.
type poolTabs struct{ root *Page }

func (h poolTabs) arriving(t playwright.Page) *Page {
	child := h.root.pool.newPage(h.root.gen, h.root.opts)
	child.family = family{root: h.root, host: h, arrivals: h.root.family.arrivals}
	child.tab.Hold(t)
	child.tab.Enter(t.Context())
	child.ready.key = h.root.ready.key
	return child
}

func (h poolTabs) adopt(ctx context.Context, child *Page) error {
	if !h.root.family.add(child) {
		child.tab.LetGo()
		return ErrClosed
	}
	child.headers.inherit(&h.root.headers)
	if err := join(ctx, child); err != nil {
		return err
	}
	if err := child.headers.intercept(ctx, child.opts); err != nil {
		return err
	}
	return child.headers.onward(ctx, "", GotoOptions{Framed: h.root.headers.route.judges().Framed}) // the browser judges the tab's own
}

func (h poolTabs) turnTo(*Page) {} // the owner asks Acting

func (h poolTabs) release([]*Page) {} // they end with the page

// following reports whether tabs are followed.
func (a *arrivals) following() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.arriving != nil
}
