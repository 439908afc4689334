package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/engine/internal/flight"
	"github.com/winnow-go/winnow/engine/internal/lru"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats/weburl"
)

// DefaultRobotsAgent is the product token (RFC 9309 §2.2.1) that the engine looks itself
// up by in a robots.txt, where a request names no other.
const DefaultRobotsAgent = "winnow"

// How a robots.txt is asked for and kept.
const (
	robotsTimeout = 8 * time.Second  // of one fetch, redirects included
	robotsAge     = 24 * time.Hour   // RFC 9309 §2.4: not longer than a day
	robotsGivenUp = 10 * time.Minute // how long it is remembered that a file can't be had
	robotsNoHost  = time.Minute      // how long it is remembered that a host can't be contacted at all
	robotsWire    = 4 << 20          // bytes that may arrive; of these robots.MaxSize count
	robotsKept    = 32 << 20         // bytes of all files in memory
	robotsMemory  = 12               // a parsed file takes about so many times its text
)

// robotsPauses are waited before an unreachable file is tried again; after the last
// try it is given up for robotsGivenUp. A site's Retry-After may make a pause longer,
// up to that too.
var robotsPauses = [...]time.Duration{2 * time.Second, 10 * time.Second, 60 * time.Second}

// robotsFiles keeps the robots.txt of sites in memory, bounded, for a day. It neither
// sleeps nor starts a goroutine. Safe for concurrent use.
type robotsFiles struct {
	engine  *Engine
	kept    *lru.Cache[string, *robotsEntry] // by origin
	flights flight.Group[*robotsEntry]
	sleep   func(context.Context, time.Duration) error // of obey
}

func newRobotsFiles(e *Engine) *robotsFiles {
	return &robotsFiles{engine: e, kept: lru.New[string, *robotsEntry](robotsKept), sleep: pause}
}

// robotsEntry is what is known of an origin's file. It never changes.
type robotsEntry struct {
	file  *robots.File // nil: it can't be had
	err   error        // why
	tries int          // in a row that found it unreachable
	until time.Time    // so long this holds
	size  int64
}

// robotsError tells that a host's robots.txt is unreachable: a network error, 5xx or 429
// (RFC 9309 §2.3.1.4). Nothing of the host may be fetched then.
type robotsError struct {
	Host string
	// Next is when it is tried again by whoever asks then. Zero: it was given up, and this
	// is the answer for ten minutes.
	Next time.Time
	Err  error // of the last try

	elsewhere bool // a redirect led to where that was
}

func (e *robotsError) Error() string {
	if e.Next.IsZero() {
		return fmt.Sprintf("the robots.txt of %s can't be read: %v", e.Host, e.Err)
	}
	return fmt.Sprintf("the robots.txt of %s can't be read (next try after %s): %v", e.Host, e.Next.UTC().Format(time.RFC3339), e.Err)
}

func (e *robotsError) Unwrap() error { return e.Err }

// code is that of the host where it could not be contacted at all, so that its pages can't be either; else that of
// its robots.txt.
func (e *robotsError) code() Code {
	if e.elsewhere || !unreached(e.Err) {
		return CodeRobotsUnreachable
	}
	code, _ := classifyFetch(e.Err)
	return code
}

// unreached reports a failure before anything could be requested.
func unreached(err error) bool {
	if connect, ok := errors.AsType[*fetch.ConnectError](err); ok {
		return connect.Unreached()
	}
	if timeout, ok := errors.AsType[*fetch.TimeoutError](err); ok {
		return timeout.Phase == "connect"
	}
	switch code, _ := classifyFetch(err); code {
	case CodeDNS, CodeSSL, CodeProxy:
		return true
	}
	return false
}

// file gives the file of a URL's origin (scheme, host, port): from memory, or fetched
// once for all that ask at the same time. An unreachable file is a [*robotsError]: it
// is fetched again when somebody asks after growing pauses, and given up after the last.
// Every other error is the context's own, or says that the host can't be contacted
// at all (policy, name); then none of its pages can be either. href is one that
// parseTarget or weburl.Parse has accepted, http or https.
func (r *robotsFiles) file(ctx context.Context, href string) (*robots.File, error) {
	return r.fileVia(ctx, href, r.engine.basicProxy())
}

// fileVia is file through a proxy, "" for none. A file is kept whichever way it came.
func (r *robotsFiles) fileVia(ctx context.Context, href, proxy string) (*robots.File, error) {
	origin := originOf(href)
	entry, ok := r.known(origin)
	if !ok {
		var err error
		entry, _, err = r.flights.Do(ctx, origin, func(ctx context.Context) (*robotsEntry, error) {
			before, ok := r.known(origin) // it may have come since this caller looked
			if ok {
				return before, nil
			}
			return r.renew(ctx, origin, proxy, before)
		})
		if err != nil {
			return nil, err
		}
	}
	return entry.file, entry.err
}

// known tells what is known of an origin, nil for nothing, and whether that still holds.
func (r *robotsFiles) known(origin string) (*robotsEntry, bool) {
	entry, ok := r.kept.Get(origin)
	return entry, ok && r.engine.now().Before(entry.until)
}

// forget drops all files.
func (r *robotsFiles) forget() { r.kept.Clear() }

// renew fetches the file and remembers what came of it.
func (r *robotsFiles) renew(ctx context.Context, origin, proxy string, before *robotsEntry) (*robotsEntry, error) {
	res, err := r.fetch(ctx, origin, proxy)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	entry := r.judge(origin, res, err, before)
	r.kept.Put(origin, entry, entry.size)
	return entry, nil
}

// fetch asks for the file, over a connection whose certificate isn't checked: nothing
// secret is sent or received. The client tries again by itself, within moments, what may be a passing fault.
func (r *robotsFiles) fetch(ctx context.Context, origin, proxy string) (*fetch.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, robotsTimeout)
	defer cancel()
	return r.engine.client.Do(ctx, fetch.Request{
		URL:           origin + "/robots.txt",
		UserAgent:     r.engine.userAgent(),
		Accept:        "text/plain,*/*;q=0.8",
		SkipTLSVerify: true,
		Proxy:         proxy,
		MaxBytes:      robotsWire,
	})
}

// judge makes an entry of an answer (RFC 9309 §2.3.1). Redirects without an end are as
// good as no file.
func (r *robotsFiles) judge(origin string, res *fetch.Response, err error, before *robotsEntry) *robotsEntry {
	now, elsewhere := r.engine.now(), false
	if _, endless := errors.AsType[*fetch.RedirectError](err); endless {
		return &robotsEntry{file: robots.AllowAll(), until: now.Add(robotsAge), size: 1}
	}
	if err == nil {
		if f, again := robots.FromStatus(res.Status, res.Body); !again {
			size := int64(min(len(res.Body), robots.MaxSize)) * robotsMemory
			return &robotsEntry{file: f, until: now.Add(robotsAge), size: 1024 + size}
		}
		err = fmt.Errorf("status %d", res.Status)
	} else if wrapped, ok := errors.AsType[*url.Error](err); ok {
		elsewhere = originOf(wrapped.URL) != origin
		err = wrapped.Err // the address is in what is told already
	}
	if noSuchHost(origin, err) {
		return &robotsEntry{err: err, until: now.Add(robotsNoHost), size: 1024}
	}
	return unreachable(&robotsError{Host: weburl.Host(origin + "/"), Err: err, elsewhere: elsewhere}, res, before, now)
}

// unreachable is the entry of a further try that failed.
func unreachable(failed *robotsError, res *fetch.Response, before *robotsEntry, now time.Time) *robotsEntry {
	entry := &robotsEntry{tries: 1, size: 1024, err: failed}
	if before != nil && before.tries <= len(robotsPauses) {
		entry.tries += before.tries
	}
	if entry.tries > len(robotsPauses) {
		entry.until = now.Add(robotsGivenUp)
		return entry
	}
	wait := max(robotsPauses[entry.tries-1], retryAfterOf(res, now))
	entry.until = now.Add(min(wait, robotsGivenUp))
	failed.Next = entry.until
	return entry
}

// retryAfterOf reads what a site asks for (RFC 9110 §10.2.3), zero for nothing.
func retryAfterOf(res *fetch.Response, now time.Time) time.Duration {
	if res == nil {
		return 0
	}
	value := strings.TrimSpace(res.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return at.Sub(now)
	}
	return 0
}

// noSuchHost tells whether the host itself, not one that a redirect leads to, can't be
// contacted at all: what a page of it would fail with is then the clearer error.
func noSuchHost(origin string, err error) bool {
	host := fetch.CanonicalHost(hostname(origin))
	if blocked, ok := errors.AsType[*fetch.BlockedError](err); ok {
		return fetch.CanonicalHost(blocked.Host) == host
	}
	dns, ok := errors.AsType[*fetch.DNSError](err)
	return ok && fetch.CanonicalHost(dns.Host) == host && !fetch.Temporary(err)
}

// basicProxy is the proxy of a request that says nothing about one.
func (e *Engine) basicProxy() string {
	proxy, _ := pickProxy(e.options.Proxies, ProxyBasic, "")
	return proxy
}

// originOf is scheme, host and port of a normalised web URL, without a slash at its end.
func originOf(href string) string {
	scheme, _, _ := strings.Cut(href, "://")
	return scheme + "://" + weburl.Host(href)
}
