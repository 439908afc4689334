package browser

import (
	"slices"
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
func (p *popups) watch() {
	p.tab.Page.Context().OnPage(func(popup playwright.Page) {
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
