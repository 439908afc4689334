package engine

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/fetch"
)

// One layer tries a page again. A scrape by itself leaves that to fetch: up to three requests within moments. The
// pages of a job are tried again by the job alone, so that the host's pace is kept and its slot is free meanwhile, and
// the number of tries survives a restart: each attempt requests the page once, by HTTP or, where HTTP wasn't enough at
// an attempt before, in the browser.
const (
	pageAttempts = 3
	firstPause   = time.Second // between attempts, where the host doesn't say; the next ones are longer
)

// attempt is one of those that a job makes at a page.
type attempt struct {
	last      bool // no other comes
	inBrowser bool // HTTP was not enough at one before
	notEnough bool // set by the scrape: the browser may get what HTTP didn't
}

// laterInBrowser leaves to the job's next attempt what a browser may get and HTTP didn't. False: the scrape is no page
// of a job, and goes on itself.
func (s *scrape) laterInBrowser() bool {
	if s.attempt == nil {
		return false
	}
	s.attempt.notEnough = true
	return true
}

// retries is [fetch.Request.Retries] for the page.
func (s *scrape) retries() int {
	if s.attempt != nil {
		return -1
	}
	return 0
}

// browserPages are the pages of a job that HTTP wasn't enough for, until they end. The zero value has none; it is
// safe for concurrent use.
type browserPages struct{ urls sync.Map }

func (b *browserPages) has(item crawl.Item) bool {
	_, ok := b.urls.Load(item.URL)
	return ok
}

func (b *browserPages) add(item crawl.Item)  { b.urls.Store(item.URL, true) }
func (b *browserPages) drop(item crawl.Item) { b.urls.Delete(item.URL) }

// busy reports the statuses of a site that may answer a little later.
func busy(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// pushedBack tells when a host that is too busy, or didn't send all of a page, wants to be asked again. After the
// last attempt its answer is the page.
func (r *run) pushedBack(item crawl.Item, s *scrape) (time.Time, bool) {
	if !busy(s.source.status) && !fetch.Temporary(s.source.damage) || item.Attempt >= pageAttempts {
		return time.Time{}, false
	}
	r.noteAttempt(item, s)
	at := r.pace.Blocked(item.Host)
	return latest(at, r.engine.now().Add(firstPause)), true
}

// refusal is why a page that came is asked for again.
func (s *source) refusal() error {
	if s.damage != nil {
		return s.damage
	}
	return fmt.Errorf("status %d", s.status)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (r *run) noteAttempt(item crawl.Item, s *scrape) {
	if s.attempt.notEnough {
		r.inBrowser.add(item)
	}
}

// again is what a failed page comes to: what may pass by itself is tried again, at once where it is the browser's turn.
func (r *run) again(item crawl.Item, s *scrape, err error) outcome {
	out := failedPage(err)
	out.credits = s.cost
	if !s.temporary || item.Attempt >= pageAttempts {
		return out
	}
	r.noteAttempt(item, s)
	out.retryAt = r.engine.now()
	if !s.attempt.notEnough || s.attempt.inBrowser {
		out.retryAt = out.retryAt.Add(firstPause << (2 * (item.Attempt - 1)))
	}
	return out
}

// temporary reports whether the same page may be got a little later. What its site, the policy or the request has
// decided, such as a redirect loop, a broken content-encoding or a certificate, stays as it is; robots.txt has tries
// of its own, and actions aren't done twice.
func temporary(err *Error) bool {
	switch err.Code {
	case CodeSite, CodeDNS, CodeProxy, CodeAllEnginesFailed:
	default:
		return false
	}
	if _, ok := errors.AsType[*robotsError](err); ok {
		return false
	}
	if _, ok := errors.AsType[*actions.Error](err); ok {
		return false
	}
	if nav, ok := errors.AsType[*browser.NavigationError](err); ok {
		return temporaryNet(nav.Net)
	}
	return err.Code == CodeAllEnginesFailed || fetch.Temporary(err)
}

// lastingNets begin the browser's words for failures that are the same at each try.
var lastingNets = []string{
	"ERR_NAME_NOT_RESOLVED", "ERR_TOO_MANY_REDIRECTS", "ERR_CONTENT_DECODING_", "ERR_INVALID_", "ERR_UNSAFE_", "ERR_BLOCKED_",
	"ERR_RESPONSE_HEADERS_", "ERR_DISALLOWED_", "ERR_UNKNOWN_URL_SCHEME", "ERR_HTTP_RESPONSE_CODE_FAILURE",
}

func temporaryNet(net string) bool {
	for _, lasting := range lastingNets {
		if strings.HasPrefix(net, lasting) {
			return false
		}
	}
	return true
}
