package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/formats"
)

// newFileScrape is a scrape for a body as it was received. A location, which needs a
// browser for a page, counts for its proxy and languages.
func (e *Engine) newFileScrape(href string, o ScrapeOptions) (*scrape, error) {
	location := o.Location
	o.Formats, o.Location = []formats.Format{{Type: formats.RawBase64}}, nil
	s, err := e.newScrape(href, o)
	if err != nil || location == nil {
		return s, err
	}
	o.Location = location
	p := s.plan
	if p.Location, err = locate(location); err != nil {
		return nil, err
	}
	if err := e.planProxies(p, o); err != nil {
		return nil, err
	}
	s.tier = p.tier
	return s, p.planCaching(o)
}

// peek gets a page for the engine's own eyes: no document, record or credits come of
// it. then is called with the page at hand. While a browser is installed, outer (nil for
// none) stands still like the scrape's own clock. The error is an [*Error].
func (s *scrape) peek(ctx context.Context, timeout time.Duration, outer *deadline.Clock, then func(context.Context) error) (err error) {
	ctx, s.clock = deadline.With(ctx, timeout)
	s.clock.Within(outer)
	defer s.clock.Stop()
	defer s.leaveQueue()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		if err != nil {
			err = failure(ctx, "fetch", s.plan.source, err)
		}
	}()
	if s.plan.Wants(formats.RawBase64) {
		s.plan.rendering.AsIs = true
	}
	if err := s.obtain(ctx); err != nil {
		return err
	}
	return then(ctx)
}
