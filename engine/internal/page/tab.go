package page

import (
	"context"
	"net/url"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/warm"
)

// tabUse is the kind of tab that the visit can share with others, and the tabs that it may have one of; nil for a fresh page.
func (v *Visit) tabUse(o browser.PageOptions) (*warm.JobTabs, warm.Use) {
	u, err := url.Parse(v.Request.URL)
	switch {
	case err != nil, v.fresh, v.hold != nil, o.Script != "", len(v.Request.Actions) > 0, v.Live != nil:
		return nil, warm.Use{}
	case u.User != nil, strings.Contains(u.Hostname(), ":"): // a warm tab's site is a plain host name
		return nil, warm.Use{}
	case v.JobTabs == nil && v.Request.Private:
		return nil, warm.Use{}
	}
	o.HeaderOrigin, o.Block, o.Judge, o.Hide = "", nil, nil, nil
	use := warm.Use{Origin: u.Scheme + "://" + u.Host, Host: u.Hostname(), Proxy: v.Proxy, Options: o}
	if v.JobTabs != nil {
		return v.JobTabs, use
	}
	use.Owner = v.Request.Owner
	return v.Tabs.OfSingles(use), use
}

// openPage takes a warm tab, or opens a fresh page.
func (v *Visit) openPage(ctx context.Context, o browser.PageOptions) (detail string, err error) {
	v.warm, v.counted = v.Tabs.Begin(v.tabUse(o)), true
	if v.warm == nil {
		v.Tab, err = v.Pool.Open(ctx, o)
		return "", err
	}
	v.onWarm = true
	if v.warm.Reused() {
		detail = "warm"
	}
	v.Tab, err = v.warm.Page(ctx, o)
	return detail, err
}

// leave closes the page, or gives its tab back for the next one. It doesn't wait for the page's end: a browser that
// answers no more must not hold the scrape beyond its time.
func (v *Visit) leave(ctx context.Context) {
	switch {
	case !v.counted: // the visit came to nothing before
		return
	case v.warm == nil && v.Tab != nil:
		v.Tab.Abandon()
	}
	v.Tabs.Finish(v.warm, v.warm != nil && v.intact && ctx.Err() == nil && !v.hardened())
}

// maxRequests is how many requests a page remembers.
const maxRequests = 200

// hardened reports whether an http page may have made the browser prefer https.
func (v *Visit) hardened() bool {
	if !strings.HasPrefix(v.Request.URL, "http:") {
		return false
	}
	requests := v.Tab.Requests()
	for _, line := range requests {
		if _, address, _ := strings.Cut(line, " "); strings.HasPrefix(address, "https:") || strings.HasPrefix(address, "wss:") {
			return true
		}
	}
	return len(requests) >= maxRequests // the first may be forgotten
}
