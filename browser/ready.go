package browser

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// readyJS watches a page from its first script on; see the file.
//
//go:embed ready.js
var readyJS string

const (
	// readyCap bounds the smart wait whatever the page does.
	readyCap = 8 * time.Second
	// readyGrace is how much later than its own cap the page's script may answer.
	readyGrace = 500 * time.Millisecond
)

func readyScript(key string) string { return strings.ReplaceAll(readyJS, "WATCHER", key) }

// readiness knows when a page has settled.
type readiness struct {
	tab     *tab.Tab
	loader  *loader
	traffic *trafficLog
	key     string // names what this package adds to each document of the page's context
}

// hiddenName is the custom property that distinguishes elements hidden by this package from those that the page hides itself.
func (r *readiness) hiddenName() string { return "--" + r.key }

// WaitReady waits until the page has finished what it does by script: no fetch or XHR, no added script, no frame and no short timer
// pending, no element added for about 150 ms, and no placeholder (spinner, skeleton, "loading", nothing at all) where content is to
// come. Within the first 3 s it also waits for answers of databases, caches, decoders and compilers, for those of workers up to a second
// each, and for the first ten animation frames and idle moments. The 150 ms are 50 where nothing has run since the load event and the
// page uses no animation frame, interval, worker, socket, observer or database, which may run later unseen. Beacons, streams, media and
// repeated requests don't count. It gives up waiting after 3 s when the page already has text, after 8 s in any case, and earlier with
// ctx; that is no error. With PageOptions.Consent it then deals with cookie banners, within about 1.5 s, 15 s in a browser that answers
// slowly, and only hides them, within 1 s, after "busy" and "deadline"; see [Page.Handled]. The reason is one of: "quiet", "polling"
// (only repeated or long requests were left), "placeholder" (one is still there after 2.5 s without a change), "cap" (the page never
// settled), "busy" (its scripts left no time to answer) and "deadline" (most of ctx's time was used).
func (p *Page) WaitReady(ctx context.Context) (reason string, err error) {
	if p.loader.site == "" { // after a warm tab's page comes another on the same tab
		p.pool.lookAhead() // there is little else to do meanwhile
	}
	reason, err = p.ready.settle(ctx)
	switch {
	case err != nil || !p.opts.Consent:
	case reason == "busy" || reason == "deadline":
		p.banners.hideNow(ctx, p.ready.hiddenName())
	case p.banners.handle(ctx, p.ready.hiddenName()):
		return p.ready.settle(ctx)
	}
	return reason, err
}

// settle is [Page.WaitReady] without the banners.
func (r *readiness) settle(ctx context.Context) (reason string, err error) {
	end := time.Now().Add(readyCap)
	reason = "cap"
	if limit, ok := ctx.Deadline(); ok {
		if own := time.Now().Add(time.Until(limit) * 4 / 5); own.Before(end) {
			end, reason = own, "deadline"
		}
	}
	for early := false; ; early = true {
		left := time.Until(end)
		if left <= 0 {
			return reason, nil
		}
		answer, again, err := r.ask(ctx, left, early)
		if err != nil || !again && !(answer == "quiet" && r.unfinished(time.Now())) {
			return answer, err
		}
		// The document was replaced while its script waited, or something loads that its script doesn't see: check again.
		if err := r.tab.Wait(ctx, 20*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// unfinished reports whether something loads that the document's script doesn't see, another document above all.
func (r *readiness) unfinished(now time.Time) bool {
	return r.traffic.loading(now) || r.loader.documents.arriving(now)
}

// ask runs the waiting script once, early where an answer before was that; again means that the document went away meanwhile.
func (r *readiness) ask(ctx context.Context, left time.Duration, early bool) (reason string, again bool, err error) {
	script := fmt.Sprintf(`(cap) => window[%q] ? window[%[1]q](cap, %t) : "quiet"`, r.key, early)
	limit := left + readyGrace
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)*9/10)
	}
	value, err, answered := tab.Try(ctx, r.tab, limit, func() (any, error) { return r.tab.Page.Evaluate(script, left.Milliseconds()) })
	switch {
	case !answered && ctx.Err() != nil:
		return "", false, fmt.Errorf("wait until the page is ready: %w", context.Cause(ctx))
	case !answered:
		return "busy", false, nil
	case err == nil:
		text, _ := value.(string)
		return text, text == "", nil
	case tab.Replaced(err):
		return "", true, nil
	}
	return "", false, r.tab.Explain("wait until the page is ready", err)
}
