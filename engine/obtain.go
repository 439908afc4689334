package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// obtained is a page with all that is said of how it was got, for scrapes that
// share one acquisition. Each takes a copy; nobody changes it.
type obtained struct {
	source   page.Page
	tier     ProxyTier
	warnings []string
	cached   time.Time
}

// errLate keeps a page that came too late for one scrape from those that have time left.
var errLate = errors.New("the page is not whole")

// obtain gets the page: from the cache, or from its site. Scrapes that want the same at the
// same time share one acquisition.
func (s *scrape) obtain(ctx context.Context) error {
	for {
		if err := s.lookup(ctx); err != nil || s.source != nil {
			return err
		}
		switch c := s.plan.caching; {
		case c.Only:
			return s.missing()
		case !c.Read: // it must be as fresh as the request
			return s.fresh(ctx)
		}
		got, shared, err := s.engine.flights.Do(ctx, s.flight(), s.lead)
		switch {
		case err == errLate && !shared, err == nil && !shared:
			return nil
		case err != nil:
			return err
		case got != nil:
			s.adopt(got)
			return nil
		}
		// Another was served from the cache; so can this scrape be.
	}
}

// flight names the acquisition that the scrape can share: a page of a job is tried once at a time, others more often.
func (s *scrape) flight() string {
	if s.attempt != nil {
		return s.plan.flight() + " of a job"
	}
	return s.plan.flight()
}

// lead gets the page for all that wait for it. A scrape before may have stored it
// since this one looked: then there is nothing to share.
func (s *scrape) lead(ctx context.Context) (*obtained, error) {
	if err := s.find(ctx); err != nil || s.source != nil {
		return nil, err
	}
	if err := s.fresh(ctx); err != nil {
		return nil, err
	}
	if s.source.Late {
		return nil, errLate
	}
	got := &obtained{source: *s.source, tier: s.tier, warnings: s.warnings, cached: s.cached}
	got.source.DOM = nil // not safe for concurrent use
	return got, nil
}

func (s *scrape) adopt(got *obtained) {
	src := got.source
	s.source, s.tier, s.cached = &src, got.tier, got.cached
	s.warnings = append(s.warnings, got.warnings...)
}

// fresh acquires the page, and keeps it where it may. The place in line is kept
// until the scrape is over.
func (s *scrape) fresh(ctx context.Context) error {
	if err := s.obey(ctx, s.plan.URL); err != nil {
		return err
	}
	if err := s.queue(ctx, s.engine.queue); err != nil {
		return err
	}
	start := s.engine.now()
	err := s.acquire(ctx)
	if s.asked != nil {
		s.asked(s.engine.now().Sub(start), s.source, err)
	}
	if err != nil {
		return err
	}
	if s.source.URL != s.plan.URL {
		if err := s.obey(ctx, s.source.URL); err != nil {
			return err
		}
	}
	if s.source.IsHTML() && !s.plan.Wants("rawBase64") {
		if _, err := s.source.Parse(ctx); err != nil && !s.source.Late {
			return err
		}
	}
	s.source.Requested = cmp.Or(s.source.Requested, s.plan.URL)
	return s.store(ctx)
}

// newAcquisition is what gets the page from its site.
func (s *scrape) newAcquisition() *page.Acquisition {
	return &page.Acquisition{
		Getter: s.engine.pages, Request: &s.plan.Request, ID: s.id, Clock: s.clock, Proxy: s.plan.Proxy,
		Attempt: s.attempt, JobTabs: s.tabs, Live: s.live, Stale: s.olderVersion(),
	}
}

// acquire gets the page from its site.
func (s *scrape) acquire(ctx context.Context) error {
	got, err := s.newAcquisition().Acquire(ctx)
	s.accept(got)
	return err
}

// accept makes what was got the scrape's.
func (s *scrape) accept(g page.Result) {
	s.source, s.acted = g.Page, g.Acted
	s.warnings = append(s.warnings, g.Warnings...)
	if g.FellBack {
		s.tier = ProxyStealth
	}
}

// olderVersion is the stored version that the site is asked about, nil for none.
func (s *scrape) olderVersion() *page.Stale {
	if s.stale == nil {
		return nil
	}
	return &page.Stale{ETag: s.stale.ETag, LastModified: s.stale.LastModified, Take: s.revalidated}
}

// address is where redirects ended for this request. A page that was acquired under
// another spelling of its URL, and wasn't redirected, stays where it was asked for.
func (s *scrape) address() string {
	src := s.source
	if src.Requested != "" && src.Requested != s.plan.URL && weburl.Key(src.Requested) == weburl.Key(src.URL) {
		return s.plan.URL
	}
	return src.URL
}

// links of the whole page. One that was served by its kept output is read for that.
func (s *scrape) links(ctx context.Context) ([]string, error) {
	if s.served != nil && s.source.Body == nil && !s.engine.pageStore.Load(ctx, *s.served, s.source) {
		return nil, errors.New("the stored page can't be read any more")
	}
	dom, err := s.source.Parse(ctx)
	if err != nil {
		return nil, err
	}
	return dom.Links(ctx)
}
