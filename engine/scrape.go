package engine

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/queue"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/warm"
	"github.com/winnow-go/winnow/llm"
)

// Scrape fetches one URL, in a browser where the page needs one, and returns it
// in the asked formats. A page that answers with status 404 or 500 is a document
// with that status, not an error. Every error is an [*Error]; [CodeOf] tells why.
//
// An action that fails, or whose time runs out, is a [CodeAction] error whatever the timeout. Beside that error, and
// no other, there may be a document: the page so far, in the formats that need no model, change tracking, audio or
// video, with a warning. It isn't stored, and costs nothing.
// Safe for concurrent use.
func (e *Engine) Scrape(ctx context.Context, url string, o ScrapeOptions) (*Document, error) {
	s, err := e.newScrape(url, o)
	if err != nil {
		return nil, refusal("scrape", url, err, o.Lockdown || o.ZeroDataRetention)
	}
	return s.do(ctx, func(context.Context) error { return nil })
}

// newScrape checks a request.
func (e *Engine) newScrape(url string, o ScrapeOptions) (*scrape, error) {
	p, err := e.resolve(url, o)
	if err != nil {
		return nil, err
	}
	s := &scrape{
		engine: e, plan: p, began: e.now(), id: uuid.Must(uuid.NewV7()).String(), endpoint: "scrape",
		tier: p.tier,
	}
	s.get = s.obtain
	return s, nil
}

// do runs the scrape once and accounts for it. also is called when the document is
// made, while the page is still at hand. Beside an error there may be the document so
// far (see soFar); it is for callers of the library, and no result.
func (s *scrape) do(ctx context.Context, also func(context.Context) error) (*Document, error) {
	ctx, done, err := s.engine.begin(ctx)
	if err != nil {
		return nil, refusal(s.endpoint, s.plan.source, err, s.plan.private())
	}
	defer done()
	ctx, s.clock = deadline.With(ctx, s.plan.timeout)
	defer s.clock.Stop()
	defer s.leaveQueue()
	doc, err := s.run(ctx, also)
	if err != nil {
		return doc, s.failed(ctx, failure(ctx, s.endpoint, s.plan.source, err))
	}
	s.charge()
	s.engine.counts.document(s.cacheState())
	s.record(ctx, doc, nil)
	return doc, nil
}

// charge counts what the scrape costs. A page of a job is counted when the job has it:
// one that is tried again costs nothing.
func (s *scrape) charge() {
	if s.job == "" {
		s.engine.stores.ledger.Add(s.plan.Owner, s.began, s.cost)
		s.engine.stores.ledger.Tokens(s.plan.Owner, s.began, s.usage().Tokens())
	}
}

// failed accounts for a scrape that has come to nothing.
func (s *scrape) failed(ctx context.Context, err *Error) *Error {
	s.cost, s.temporary = s.credits(err), temporary(err) && !s.acted
	s.charge()
	if s.plan.private() {
		return privateFailure(err)
	}
	s.record(ctx, nil, err)
	return err
}

// refusal is the error of a scrape that hasn't begun.
func refusal(op, url string, err error, private bool) *Error {
	f := failure(context.Background(), op, url, err)
	if private {
		return privateFailure(f)
	}
	return f
}

// scrape is the state of one scrape. It is used by one goroutine.
type scrape struct {
	engine   *Engine
	plan     *plan
	clock    *deadline.Clock
	id       string
	get      func(context.Context) error // sets source, and output where it is kept
	endpoint string                      // and operation, for activity and errors
	began    time.Time

	attempt   *page.Attempt                                       // at a page of a job; nil: the scrape itself tries again
	temporary bool                                                // what it failed of may pass
	job       string                                              // that the scrape is part of; "" for none
	part      bool                                                // of a request that is listed itself
	passing   bool                                                // the page is a session's, which nothing leads to again
	asked     func(took time.Duration, src *page.Page, err error) // told when the site has answered; may be nil
	tabs      *warm.JobTabs                                       // of the job; nil: each page is a fresh one
	live      func(context.Context, *browser.Page) error          // what is done on the live page before its content is read; may be nil

	tier  ProxyTier // that the page was got with
	acted bool      // the page has been worked on, which can't be done again

	robots *robotstxt.Files // to ask; nil until that is known

	place  *queue.Queue // to leave; nil without a place in line
	waited time.Duration

	stale  *pagestore.Version // to be revalidated; nil for none
	renew  *pagestore.Version // stale, vouched for by its site
	served *pagestore.Version // the page is from; nil for a fresh one
	cached time.Time          // when the page was stored; zero for a fresh one

	source    *page.Page
	output    *render.Output
	changes   *ChangeTracking
	before    *page.Page    // that changes are told against; nil for none
	enriching *enrich.Asker // nil until a model is needed
	budget    llm.Model     // that is called in the engine's stead, within a larger piece of work; may be nil
	audio     string
	video     string
	cost      int
	warnings  []string
}

// run is the order of a scrape.
func (s *scrape) run(ctx context.Context, also func(context.Context) error) (doc *Document, err error) {
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if err := s.get(ctx); err != nil {
		return s.soFar(ctx, err), err
	}
	s.source.Files = s.plan.rendering.Files
	ctx, cancel := s.renderTime(ctx)
	defer cancel()
	for _, part := range []func(context.Context) error{s.render, s.track, s.media, s.ask} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	if doc, err = s.account(); err != nil {
		return nil, err
	}
	ctx, done := s.renderTime(ctx) // asking may have used the time up
	defer done()
	if err := also(ctx); err != nil {
		return nil, err
	}
	return doc, nil
}

// lateTime is what rendering gets beyond the scrape's time when that ran out after it had content.
const lateTime = 400 * time.Millisecond

// renderTime also gives what lingering has left of the time: see deadline.reserve.
func (s *scrape) renderTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if !s.source.Late {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), s.clock.Remaining()+lateTime)
}

// queue waits for a place among the pages at work. The scrape keeps it to its end.
func (s *scrape) queue(ctx context.Context, q *queue.Queue) error {
	return s.step("queue", func() (string, error) {
		waited, err := q.Enter(ctx)
		if err == nil {
			s.waited, s.place = waited, q
		}
		return "", err
	})
}

func (s *scrape) leaveQueue() {
	if s.place != nil {
		s.place.Leave()
		s.place = nil
	}
}

// render makes the asked formats from the page. Pages that were not fetched stand
// in a line of their own.
func (s *scrape) render(ctx context.Context) error {
	if s.output != nil { // kept
		return nil
	}
	if s.served != nil { // perhaps for a scrape that wanted something else of it
		if err := s.plan.Accept(s.source); err != nil {
			return err
		}
	}
	if s.place == nil {
		if err := s.queue(ctx, s.engine.readers); err != nil {
			return err
		}
	}
	return s.step("render", func() (_ string, err error) {
		s.output, err = s.engine.rendered.Make(ctx, s.source, &s.plan.rendering)
		return "", err
	})
}

// account puts the document together.
func (s *scrape) account() (*Document, error) {
	s.cost = s.credits(nil)
	doc := documentOf(s.output)
	doc.Actions = s.source.Actions
	doc.ChangeTracking = s.changes
	doc.Branding = s.source.Brand
	doc.Audio, doc.Video = s.audio, s.video
	addAnswers(doc, s.answers())
	doc.Metadata.Acquisition = s.acquisition()
	doc.Warning = strings.Join(append(s.warnings, s.output.Warnings...), " ")
	if s.plan.shot() != pagestore.NoShot {
		var err error
		if doc.Screenshot, err = s.engine.pages.Asset(s.plan.Request.Private, s.id, s.source.Screenshot); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

func (s *scrape) acquisition() Acquisition {
	src := s.source
	a := Acquisition{
		SourceURL:                  s.plan.source,
		URL:                        s.address(),
		StatusCode:                 src.Status,
		ContentType:                cmp.Or(src.ContentType, src.MediaType),
		ScrapeID:                   s.id,
		ProxyUsed:                  string(s.tier),
		Timezone:                   s.plan.timezone,
		RenderedBy:                 string(src.By),
		RenderReason:               src.Reason,
		BlockedBy:                  src.BlockedBy(),
		Handled:                    strings.Join(src.Handled, ", "),
		ReadyReason:                src.Ready,
		ConcurrencyLimited:         s.waited > 0,
		ConcurrencyQueueDurationMs: s.waited.Milliseconds(),
		CacheState:                 s.cacheState(),
		CreditsUsed:                s.cost,
		NumPages:                   s.output.NumPages, TotalPages: s.output.TotalPages,
		TokensUsed: s.usage().Tokens(), ModelCost: s.usage().Cost,
	}
	if !s.cached.IsZero() {
		a.CachedAt = new(s.cached.UTC())
	}
	if src.Status >= http.StatusBadRequest {
		a.Error = cmp.Or(http.StatusText(src.Status), fmt.Sprintf("status %d", src.Status))
	}
	return a
}

// What a document says of the cache.
const (
	cacheHit  = "hit"
	cacheMiss = "miss"
)

// cacheState is "" for a scrape that the cache had no part in.
func (s *scrape) cacheState() string {
	switch {
	case !s.cached.IsZero():
		return cacheHit
	case s.plan.caching.Read:
		return cacheMiss
	}
	return ""
}

func (s *scrape) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...)+".")
}

// step runs one part of the scrape and tells the observer how it went.
func (s *scrape) step(name string, part func() (detail string, err error)) error {
	return s.plan.Step(s.engine.now, name, part)
}
