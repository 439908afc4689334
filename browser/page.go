package browser

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/browser/internal/reading"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Page is one tab in a context of its own, isolated from other pages. One goroutine at a time may drive it; Close may be
// called from any. When the ctx of a call ends before its answer, the page is closed.
type Page struct {
	pool   *Pool
	gen    *generation
	opts   PageOptions
	tab    *tab.Tab
	reader *reading.Reader
	remote *Remote
	lease  ProxyLease // its proxy, from Options.AcquireProxy
	slot   bool       // it counts against Options.MaxPages; under the pool's lock

	family  family
	loader  loader
	popups  popups
	headers headerRules
	traffic trafficLog
	banners banners
	ready   readiness
	storage storage
}

// Remote returns the part of the page that people operate beside its owner. It is safe for concurrent use.
func (p *Page) Remote() *Remote { return p.remote }

// Refs returns the elements of the page by reference.
func (p *Page) Refs() *Refs { return &Refs{p.reader} }

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
// call twice and from any goroutine. Tabs that have become the page in [Acting] end with the page that they came from, and their Close
// ends that.
func (p *Page) Close() error {
	first := p.family.first(p)
	first.family.finish()
	first.tab.Close()
	return nil
}

// Abandon is Close without the wait: the page ends in the background, and Pool.Close waits for it.
func (p *Page) Abandon() {
	first := p.family.first(p)
	first.family.finish()
	first.tab.Abandon()
}

// Alone makes a session's page close what other tabs its context opens from now on, or, with false, no longer. Other pages always do.
func (p *Page) Alone(on bool) { p.popups.alone(on) }

// Answers reports whether renderer, browser and network service answer for the page within a second, or within ten while the machine has no
// time for the browser. It is for pages that have waited: on a page in use, scripts may keep the renderer from answering. A browser without
// an answer because one of its processes is stopped or has ended is killed too.
func (p *Page) Answers(ctx context.Context) bool {
	if allAnswer(ctx, p.tab) {
		return true
	}
	if ctx.Err() == nil {
		p.pool.log.Info("an idle page does not answer")
		p.gen.Examine()
	}
	return false
}

// Proxy returns the Handle of the page's ProxyLease, from Options.AcquireProxy; nil if PageOptions.Proxy named one.
func (p *Page) Proxy() any { return p.family.first(p).lease.Handle }

// ended returns the page's proxy and its place in the pool, once nothing of the tab is left.
func (p *Page) ended() {
	p.headers.leave()
	if p.lease.Close != nil {
		p.lease.Close()
	}
	p.pool.countOut(p)
}
