package engine

import (
	"context"
	"errors"
	"time"
)

// obtained is a page with all that is said of how it was got, for scrapes that
// share one acquisition. Each takes a copy; nobody changes it.
type obtained struct {
	source   source
	tier     ProxyTier
	warnings []string
	cached   time.Time
}

// errLate keeps a page that came too late for one scrape from those that have time left.
var errLate = errors.New("the page is not whole")

// obtain gets the page: from the cache, or anew. Scrapes that want the same at the
// same time share one acquisition.
func (s *scrape) obtain(ctx context.Context) error {
	for {
		if err := s.lookup(ctx); err != nil || s.source != nil {
			return err
		}
		switch c := s.plan.caching; {
		case c.only:
			return s.missing()
		case !c.read: // it must be as fresh as the request
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
	if s.source.late {
		return nil, errLate
	}
	got := &obtained{source: *s.source, tier: s.tier, warnings: s.warnings, cached: s.cached}
	got.source.dom = nil // not safe for concurrent use
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
	if err := s.obey(ctx, s.plan.url); err != nil {
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
	if s.source.url != s.plan.url {
		if err := s.obey(ctx, s.source.url); err != nil {
			return err
		}
	}
	if s.source.isHTML() && !s.plan.wants("rawBase64") {
		if _, err := s.source.parse(ctx); err != nil && !s.source.late {
			return err
		}
	}
	s.source.asked = orDefault(s.source.asked, s.plan.url)
	return s.store(ctx)
}
