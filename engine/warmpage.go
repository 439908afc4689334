package engine

import (
	"context"
	"net/url"
	"reflect"
	"strings"

	"github.com/winnow-go/winnow/browser"
)

// Pages of one job and one origin share a tab where nothing speaks against it: it costs
// less than half of a fresh one. What a page leaves is cleared before the next: cookies, storage,
// caches, workers, history, window.name. What can't be cleared decides the rules here:
//
//   - A tab belongs to one job, one origin and one set of page options with its proxy. No
//     page gets a tab that was used for anything else; its subdomains have tabs of their own.
//   - A page with a profile has a fresh tab: its state is the owner's, and is saved as it is then.
//   - A page with actions has a fresh tab: they may do anything to it.
//   - A tab whose page failed, was cancelled or ran out of time isn't used again.
//   - That a host wants https from now on (HSTS, RFC 6797) stays in the browser. So a tab of an
//     http origin is used again only when its page has asked for nothing by https.
//   - Client hints that a site has named (Accept-CH) end with the tab: the next page has another.
//   - Not prevented: a password that a script of the site itself gives for HTTP authentication goes
//     with the later pages of the same tab too.

// tabUse is what a warm tab is for. Two pages with equal ones may have the same tab.
type tabUse struct {
	origin  string // scheme, host and port
	host    string
	proxy   string
	options browser.PageOptions // without what follows from the origin
}

func (u tabUse) equal(v tabUse) bool {
	return u.origin == v.origin && u.proxy == v.proxy && reflect.DeepEqual(u.options, v.options)
}

// tabUse tells what kind of tab the visit can share with others of its job.
func (b *browsing) tabUse(o browser.PageOptions) (use tabUse, ok bool) {
	u, err := url.Parse(b.plan.url)
	switch {
	case err != nil, b.tabs == nil, b.hold != nil, len(b.plan.actions) > 0:
		return tabUse{}, false
	case u.User != nil, strings.Contains(u.Hostname(), ":"): // a warm tab's site is a plain host name
		return tabUse{}, false
	}
	o.HeaderOrigin, o.Block, o.Hide = "", nil, nil
	return tabUse{origin: u.Scheme + "://" + u.Host, host: u.Hostname(), proxy: b.proxy, options: o}, true
}

// openPage takes a warm tab of the job, or opens a fresh page.
func (b *browsing) openPage(ctx context.Context, o browser.PageOptions) (detail string, err error) {
	use, ok := b.tabUse(o)
	tabs := b.tabs
	if !ok {
		tabs = nil
	}
	b.warm, b.counted = b.engine.tabs.begin(tabs, use), true
	if b.warm == nil {
		b.page, err = b.engine.pool.Open(ctx, o)
		return "", err
	}
	if b.warm.was != nil {
		detail = "warm"
	}
	b.page, err = b.warm.page(ctx, o)
	return detail, err
}

// leave closes the page, or gives its tab back for the job's next page. It doesn't wait for the page's end: a browser that
// answers no more must not hold the scrape beyond its time.
func (b *browsing) leave(ctx context.Context) {
	switch {
	case !b.counted: // the visit came to nothing before
		return
	case b.warm == nil && b.page != nil:
		b.page.Abandon()
	}
	b.engine.tabs.finish(b.warm, b.warm != nil && b.intact && ctx.Err() == nil && !b.hardened())
}

// mostRequests is how many requests a page remembers.
const mostRequests = 200

// hardened tells whether an http page may have made the browser prefer https.
func (b *browsing) hardened() bool {
	if !strings.HasPrefix(b.plan.url, "http:") {
		return false
	}
	requests := b.page.Requests()
	for _, line := range requests {
		if _, address, _ := strings.Cut(line, " "); strings.HasPrefix(address, "https:") || strings.HasPrefix(address, "wss:") {
			return true
		}
	}
	return len(requests) >= mostRequests // the first may be forgotten
}
