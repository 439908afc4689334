package page

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/browser"
)

// Report describes one visit of the browser, to find out why a page came out as it did.
type Report struct {
	// URL that the visit began with.
	URL string
	// Console lines and requests ("GET https://… 200") of the page, the last 200 of each.
	Console, Requests []string
	// Screenshot of the page as it was left, a PNG; nil when it could not be had.
	Screenshot []byte
}

// What a report may take, and how much of that may be over the scrape's time.
const (
	reportTime     = 3 * time.Second
	lateReportTime = 300 * time.Millisecond
)

// report hands the engine's observer a visit that is about to end. It looks at
// the page even when the scrape's time is over.
func (v *Visit) report(ctx context.Context) {
	observe := v.OnPage
	if v.OnLivePage != nil && v.OnLivePage(v.Request.URL, v.Tab) {
		v.intact = false // no other page gets its tab
	}
	if observe == nil || v.Request.Private {
		return
	}
	limit := reportTime
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, max(0, time.Until(end))+lateReportTime)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	r := Report{URL: v.Request.URL, Console: v.Tab.Console(), Requests: v.Tab.Requests()}
	r.Screenshot, _, _ = v.Tab.Screenshot(ctx, browser.ScreenshotOptions{}) // a page that can't be drawn is reported without
	observe(r)
}
