package engine

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/formats"
)

// Scrape fetches one URL, in a browser where the page needs one, and returns it
// in the asked formats. A page that answers with status 404 or 500 is a document
// with that status, not an error. Every error is an [*Error]; [CodeOf] tells why.
// Safe for concurrent use.
func (e *Engine) Scrape(ctx context.Context, url string, o ScrapeOptions) (*Document, error) {
	p, err := e.resolve(url, o)
	if err != nil {
		return nil, failure(context.Background(), "scrape", url, err)
	}
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, failure(context.Background(), "scrape", url, err)
	}
	defer done()
	ctx, clock := withDeadline(ctx, p.timeout)
	defer clock.stop()
	s := &scrape{engine: e, plan: p, clock: clock, proxy: p.proxies.first, tier: p.proxies.tier, id: uuid.Must(uuid.NewV7()).String()}
	doc, err := s.run(ctx)
	if err != nil {
		return nil, failure(ctx, "scrape", url, err)
	}
	return doc, nil
}

// scrape is the state of one scrape. It is used by one goroutine.
type scrape struct {
	engine *Engine
	plan   *plan
	clock  *deadline
	id     string

	proxy string    // in use; "" is a direct connection
	tier  ProxyTier // of it

	waited   time.Duration
	source   *source
	output   *formats.Output
	warnings []string
}

// run is the order of a scrape.
func (s *scrape) run(ctx context.Context) (doc *Document, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if err := s.queue(ctx); err != nil {
		return nil, err
	}
	defer s.engine.queue.leave()
	if err := s.acquire(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := s.renderTime(ctx)
	defer cancel()
	if err := s.render(ctx); err != nil {
		return nil, err
	}
	return s.account()
}

// lateTime is what rendering gets when the scrape's time ran out after it had content.
const lateTime = 5 * time.Second

func (s *scrape) renderTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if !s.source.late {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), lateTime)
}

// queue waits for a place among the pages at work.
func (s *scrape) queue(ctx context.Context) error {
	return s.step("queue", func() (string, error) {
		var err error
		s.waited, err = s.engine.queue.enter(ctx)
		return "", err
	})
}

// render makes the asked formats from the acquired page.
func (s *scrape) render(ctx context.Context) error {
	return s.step("render", func() (string, error) {
		dom, err := s.source.parse(ctx)
		if err != nil {
			return "", err
		}
		s.output, err = dom.Render(ctx, s.plan.rendering)
		return "", err
	})
}

// account puts the document together.
func (s *scrape) account() (*Document, error) {
	out := s.output
	doc := &Document{
		Markdown:   out.Markdown,
		HTML:       out.HTML,
		RawHTML:    out.RawHTML,
		RawBase64:  out.RawBase64,
		Links:      out.Links,
		Images:     out.Images,
		Attributes: out.Attributes,
		Actions:    s.source.actions,
		Metadata:   Metadata{Metadata: out.Metadata, Acquisition: s.acquisition()},
	}
	shot, err := s.engine.asset(s.id, s.source.screenshot)
	if err != nil {
		return nil, err
	}
	doc.Screenshot = shot
	doc.Warning = strings.Join(append(s.warnings, out.Warnings...), " ")
	return doc, nil
}

func (s *scrape) acquisition() Acquisition {
	src := s.source
	a := Acquisition{
		SourceURL:                  s.plan.source,
		URL:                        src.url,
		StatusCode:                 src.status,
		ContentType:                orDefault(src.contentType, src.mediaType),
		ScrapeID:                   s.id,
		ProxyUsed:                  string(s.tier),
		Timezone:                   s.plan.timezone,
		RenderedBy:                 string(src.by),
		RenderReason:               src.reason,
		BlockedBy:                  src.blockedBy(),
		Handled:                    strings.Join(src.handled, ", "),
		ReadyReason:                src.ready,
		ConcurrencyLimited:         s.waited > 0,
		ConcurrencyQueueDurationMs: s.waited.Milliseconds(),
	}
	if src.status >= http.StatusBadRequest {
		a.Error = orDefault(http.StatusText(src.status), fmt.Sprintf("status %d", src.status))
	}
	return a
}

func (s *scrape) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...)+".")
}

// step runs one part of the scrape and tells the observer how it went.
func (s *scrape) step(name string, part func() (detail string, err error)) error {
	start := s.engine.now()
	detail, err := part()
	if s.plan.onStep != nil {
		s.plan.onStep(Step{Name: name, Detail: detail, Start: start, Duration: s.engine.now().Sub(start), Err: err})
	}
	return err
}
