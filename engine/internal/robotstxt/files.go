// Package robotstxt fetches the robots.txt of sites, keeps them in memory, and waits for those that cannot be reached at once.
//
//	files.go Files: fetching and keeping
//	obey.go  whether a URL may be fetched
//	agent.go the names of agents
package robotstxt

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
	"github.com/winnow-go/winnow/fetch/weburl"
)

// How a robots.txt is requested and kept.
const (
	timeout      = 8 * time.Second  // of one fetch, redirects included
	age          = 24 * time.Hour   // RFC 9309 §2.4: not longer than a day
	givenUpFor   = 10 * time.Minute // how long it is remembered that a file is unavailable
	noHostFor    = time.Minute      // how long it is remembered that a host can't be contacted at all
	maxWire      = 4 << 20          // bytes that may arrive; of these robots.MaxSize count
	maxBytes     = 32 << 20         // bytes of all files in memory
	memoryFactor = 12               // a parsed file takes about so many times its text
)

// robotsPauses are waited before an unreachable file is tried again; after the last
// try it is given up for givenUpFor. A site's Retry-After may make a pause longer,
// up to that too.
var pauses = [...]time.Duration{2 * time.Second, 10 * time.Second, 60 * time.Second}

// Files keeps the robots.txt of sites in memory, bounded, for a day. It neither
// sleeps nor starts a goroutine. Safe for concurrent use.
type Files struct {
	Options
	kept    *lru.Cache[string, *record] // by origin
	flights flight.Group[*record]
}

// Options are what the files are fetched with.
type Options struct {
	Client *fetch.Client
	Agent  func() string // the User-Agent header
	Proxy  fetch.Proxy   // of a request that names none; zero is a direct connection
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error // of obey; nil waits
}

// New makes files of no site.
func New(o Options) *Files {
	if o.Sleep == nil {
		o.Sleep = Wait
	}
	return &Files{Options: o, kept: lru.New[string, *record](maxBytes)}
}

// Apart are files of the same kind that remember nothing.
func (r *Files) Apart() *Files { return New(r.Options) }

// Count is how many files are in memory.
func (r *Files) Count() int { return r.kept.Len() }

// record is what is known of an origin's file. It never changes.
type record struct {
	file  *robots.File // nil: it is unavailable
	err   error        // why
	tries int          // in a row that found it unreachable
	until time.Time    // so long this holds
	size  int64
}

// UnreachableError means that a host's robots.txt is unreachable: a network error, 5xx or 429
// (RFC 9309 §2.3.1.4). Nothing of the host may be fetched then.
type UnreachableError struct {
	Host string
	// Next is when the next request for it tries again. Zero: it was given up, and this
	// is the answer for ten minutes.
	Next time.Time
	Err  error // of the last try

	Elsewhere bool // a redirect led to where that was
}

func (e *UnreachableError) Error() string {
	if e.Next.IsZero() {
		return fmt.Sprintf("the robots.txt of %s can't be read: %v", e.Host, e.Err)
	}
	return fmt.Sprintf("the robots.txt of %s can't be read (next try after %s): %v", e.Host, e.Next.UTC().Format(time.RFC3339), e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// Unreached reports that the host could not be contacted at all, so that its pages cannot be either.
func (e *UnreachableError) Unreached() bool { return !e.Elsewhere && unreached(e.Err) }

// unreached reports a failure before anything could be requested.
func unreached(err error) bool {
	if connect, ok := errors.AsType[*fetch.ConnectError](err); ok {
		return connect.Unreached()
	}
	if timeout, ok := errors.AsType[*fetch.TimeoutError](err); ok {
		return timeout.Phase == "connect"
	}
	_, dns := errors.AsType[*fetch.DNSError](err)
	_, tls := errors.AsType[*fetch.TLSError](err)
	_, proxy := errors.AsType[*fetch.ProxyError](err)
	return dns || tls || proxy
}

// File gives the file of a URL's origin (scheme, host, port): from memory, or fetched
// once for all that ask at the same time. An unreachable file is a [*UnreachableError]: it
// is fetched again at the next call after growing pauses, and given up after the last.
// Every other error is the context's own, or says that the host can't be contacted
// at all (policy, name); then none of its pages can be either. href is one that
// parseTarget or weburl.Parse has accepted, http or https.
func (r *Files) File(ctx context.Context, href string) (*robots.File, error) {
	return r.FileVia(ctx, href, r.Proxy)
}

// FileVia is file through a proxy, zero for none. A file is kept whichever way it came.
func (r *Files) FileVia(ctx context.Context, href string, proxy fetch.Proxy) (*robots.File, error) {
	origin := weburl.Origin(href)
	entry, ok := r.known(origin)
	if !ok {
		var err error
		entry, _, err = r.flights.Do(ctx, origin, func(ctx context.Context) (*record, error) {
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

// known returns what is known of an origin, nil for nothing, and whether that still holds.
func (r *Files) known(origin string) (*record, bool) {
	entry, ok := r.kept.Get(origin)
	return entry, ok && r.Now().Before(entry.until)
}

// Forget drops all files.
func (r *Files) Forget() { r.kept.Clear() }

// renew fetches the file and remembers what came of it.
func (r *Files) renew(ctx context.Context, origin string, proxy fetch.Proxy, before *record) (*record, error) {
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
func (r *Files) fetch(ctx context.Context, origin string, proxy fetch.Proxy) (*fetch.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return r.Client.Do(ctx, fetch.Request{
		URL:           origin + "/robots.txt",
		UserAgent:     r.Agent(),
		Accept:        "text/plain,*/*;q=0.8",
		SkipTLSVerify: true,
		Proxy:         proxy,
		MaxBytes:      maxWire,
	})
}

// judge makes an entry of an answer (RFC 9309 §2.3.1). Redirects without an end are as
// good as no file.
func (r *Files) judge(origin string, res *fetch.Response, err error, before *record) *record {
	now, elsewhere := r.Now(), false
	if _, endless := errors.AsType[*fetch.RedirectError](err); endless {
		return &record{file: robots.AllowAll(), until: now.Add(age), size: 1}
	}
	if err == nil {
		if f, again := robots.FromStatus(res.Status, res.Body); !again {
			size := int64(min(len(res.Body), robots.MaxSize)) * memoryFactor
			return &record{file: f, until: now.Add(age), size: 1024 + size}
		}
		err = fmt.Errorf("status %d", res.Status)
	} else if wrapped, ok := errors.AsType[*url.Error](err); ok {
		elsewhere = weburl.Origin(wrapped.URL) != origin
		err = wrapped.Err // the address is in the message already
	}
	if noSuchHost(origin, err) {
		return &record{err: err, until: now.Add(noHostFor), size: 1024}
	}
	return unreachable(&UnreachableError{Host: weburl.Host(origin + "/"), Err: err, Elsewhere: elsewhere}, res, before, now)
}

// unreachable is the entry of a further try that failed.
func unreachable(failed *UnreachableError, res *fetch.Response, before *record, now time.Time) *record {
	entry := &record{tries: 1, size: 1024, err: failed}
	if before != nil && before.tries <= len(pauses) {
		entry.tries += before.tries
	}
	if entry.tries > len(pauses) {
		entry.until = now.Add(givenUpFor)
		return entry
	}
	wait := max(pauses[entry.tries-1], retryAfterOf(res, now))
	entry.until = now.Add(min(wait, givenUpFor))
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

// noSuchHost reports whether the host itself, not one that a redirect leads to, can't be
// contacted at all: what a page of it would fail with is then the clearer error.
func noSuchHost(origin string, err error) bool {
	host := fetch.CanonicalHost(weburl.Hostname(origin))
	if blocked, ok := errors.AsType[*fetch.BlockedError](err); ok {
		return fetch.CanonicalHost(blocked.Host) == host
	}
	dns, ok := errors.AsType[*fetch.DNSError](err)
	return ok && fetch.CanonicalHost(dns.Host) == host && !fetch.Temporary(err)
}
