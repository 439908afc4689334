package engine

import (
	"context"
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
	if err != nil {
		return nil, err
	}
	p := s.plan
	p.Rendering.AsIs = true
	if location == nil {
		return s, nil
	}
	o.Location = location
	if p.Location, err = locate(location); err != nil {
		return nil, err
	}
	if err := e.planProxies(p, o); err != nil {
		return nil, err
	}
	return s, p.planCaching(o)
}

// peek gets a page for the engine's own use: no document, record or credits come of
// it. While a browser is installed, outer (nil for none) is paused like the scrape's own clock. The error is an [*Error].
func (s *scrape) peek(ctx context.Context, timeout time.Duration, outer *deadline.Clock) (err error) {
	ctx, clock := deadline.With(ctx, timeout)
	clock.Within(outer)
	defer clock.Stop()
	defer func() {
		if err != nil {
			err = failure(ctx, "fetch", s.plan.source, err)
		}
	}()
	defer recovered(&err)
	s.run = s.engine.scraper.Begin(&s.plan.Request, s.Options, clock)
	defer s.run.End()
	s.result, err = s.run.Peek(ctx)
	return err
}
