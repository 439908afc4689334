package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// candidate is a stored version of the page that a request asks for.
type candidate struct {
	cache.Version
	*stored
}

// lookup serves the page from the cache where a version fits the request.
func (s *scrape) lookup(ctx context.Context) error {
	if !s.plan.caching.read {
		return nil
	}
	return s.step("lookup", func() (string, error) {
		if err := s.find(ctx); err != nil || s.source != nil {
			return "hit", err
		}
		return "miss", nil
	})
}

// find takes the best version that fits and can be read.
func (s *scrape) find(ctx context.Context) error {
	fitting, err := s.candidates(ctx)
	if err != nil {
		return err
	}
	for _, c := range s.plan.choose(fitting, s.engine.now()) {
		if s.serve(ctx, c) {
			return nil
		}
	}
	s.stale = s.plan.expired(fitting, s.engine.now())
	return nil
}

// candidates are the versions that are what the request would fetch, of any age,
// newest first. A cache that can't be read is as good as an empty one.
func (s *scrape) candidates(ctx context.Context) ([]candidate, error) {
	versions, err := s.engine.stores.pages.Versions(ctx, s.plan.caching.key)
	if err != nil {
		s.engine.log.Warn("the cache can't be read", "error", err)
		return nil, ctx.Err()
	}
	var fitting []candidate
	for _, v := range versions {
		m, err := decodeStored(v.Meta)
		if err != nil {
			s.engine.log.Warn("a stored page can't be read", "error", err)
			continue
		}
		if s.plan.fits(m) {
			fitting = append(fitting, candidate{v, m})
		}
	}
	return fitting, nil
}

// fits tells whether a stored page is what the request would fetch. What splits
// the key isn't asked again.
func (p *plan) fits(m *stored) bool {
	switch {
	case !p.skipTLS && !m.Verified:
		return false
	case p.shot() != noShot && p.shot() != m.Shot:
		return false
	case m.WaitFor < p.waitFor:
		return false
	case p.render == RenderNever:
		return m.By == byHTTP
	case p.render == RenderAlways || p.browserFor != "":
		return m.By == byBrowser
	}
	// A page that scripts may add to is better than none.
	return m.By == byBrowser || m.Static || p.caching.only
}

// mostErrors is how many errors in a row, newer than the last good page, are
// taken to be the page's present state.
const mostErrors = 3

// choose gives the versions to serve from, best first: the newest good one, unless
// several newer ones are errors. Fewer errors and nothing else are served only
// where nothing may be fetched.
func (p *plan) choose(fitting []candidate, now time.Time) []candidate {
	var errs, good []candidate
	for _, c := range fitting {
		if age := now.Sub(c.Stored); age < p.caching.minAge || age > p.caching.maxAge {
			continue
		}
		switch {
		case c.good():
			good = append(good, c)
		case len(good) == 0:
			errs = append(errs, c)
		}
	}
	if len(errs) >= mostErrors || p.caching.only && len(good) == 0 {
		return errs
	}
	return good
}

// expired is the newest good version that is merely too old and that its site can
// vouch for: one by plain HTTP, since the shell of a rendered page says nothing
// about what its scripts load.
func (p *plan) expired(fitting []candidate, now time.Time) *candidate {
	if p.caching.only {
		return nil
	}
	for _, c := range fitting {
		if !c.good() {
			continue
		}
		if c.By == byHTTP && now.Sub(c.Stored) > p.caching.maxAge && (c.ETag != "" || c.LastModified != "") {
			return &c
		}
		return nil
	}
	return nil
}

// serve takes a stored version as the scrape's page. One that can't be read is
// logged and passed over.
func (s *scrape) serve(ctx context.Context, c candidate) bool {
	src := c.restore()
	if out, ok := s.engine.rendered.get(src, s.plan); ok && s.plan.shot() == noShot && !s.plan.once {
		s.output = out
	} else if !s.load(ctx, c, src) {
		return false
	}
	s.source, s.tier, s.served = src, c.Tier, &c
	s.cached = c.Stored
	return true
}

// load reads a stored version's bytes.
func (s *scrape) load(ctx context.Context, c candidate, src *source) bool {
	data, err := s.engine.stores.pages.Get(ctx, c.Version)
	if err == nil {
		err = decodeBody(data, src)
	}
	switch {
	case err == nil:
		return true
	case errors.Is(err, cache.ErrNotFound): // pruned meanwhile
	default:
		s.engine.log.Warn("a stored page can't be read", "version", c.ID, "error", err)
	}
	return false
}

// missing is the error of a page that may only come from the cache and isn't there.
func (s *scrape) missing() error {
	if s.plan.caching.lockdown {
		return &Error{Code: CodeLockdownMiss, Err: errors.New("no stored page fits the request, and lockdown fetches none")}
	}
	return &Error{Code: CodeNoCachedData, Err: errors.New("no stored page fits the request, and minAge fetches none")}
}

// conditional asks the site whether a stored page still holds (RFC 9110 §13.1).
func (s *scrape) conditional(header http.Header) {
	if s.stale == nil {
		return
	}
	if s.stale.ETag != "" {
		header.Set("If-None-Match", s.stale.ETag)
	}
	if s.stale.LastModified != "" {
		header.Set("If-Modified-Since", s.stale.LastModified)
	}
}

// revalidated takes the stored page that the site has just vouched for.
func (s *scrape) revalidated(ctx context.Context, at string) (*source, bool) {
	c := *s.stale
	src := c.restore()
	if at != c.URL || !s.load(ctx, c, src) {
		return nil, false
	}
	s.renew = &c
	return src, true
}

// store keeps the page for later scrapes.
func (s *scrape) store(ctx context.Context) error {
	if !s.plan.caching.write || s.source.partial || s.source.late {
		return nil
	}
	return s.step("store", func() (string, error) {
		if err := s.put(ctx); err != nil {
			if ctx.Err() != nil {
				return "", err
			}
			s.engine.log.Warn("a page can't be stored", "error", err)
			return "failed", nil
		}
		return "queued", nil
	})
}

func (s *scrape) put(ctx context.Context) error {
	now := s.engine.now()
	if s.renew != nil {
		s.cached = now
		return s.engine.stores.pages.Renew(ctx, s.renew.Version, now, s.renew.Meta)
	}
	meta, err := s.describe().encode()
	if err != nil {
		return fmt.Errorf("describe: %w", err)
	}
	return s.engine.stores.pages.Put(ctx, cache.Entry{Key: s.plan.caching.key, Stored: now, Meta: meta, Value: encodeBody(s.source)}, nil)
}
