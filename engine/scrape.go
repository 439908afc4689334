package engine

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/browser"
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
		proxy: p.proxies.first, tier: p.proxies.tier,
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
	ctx, s.clock = withDeadline(ctx, s.plan.timeout)
	defer s.clock.stop()
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
		s.engine.stores.ledger.add(s.plan.owner, s.began, s.cost)
		s.engine.stores.ledger.tokens(s.plan.owner, s.began, s.usage())
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
	clock    *deadline
	id       string
	get      func(context.Context) error // sets source, and output where it is kept
	endpoint string                      // and operation, for activity and errors
	began    time.Time

	attempt   *attempt                                         // at a page of a job; nil: the scrape itself tries again
	temporary bool                                             // what it failed of may pass
	job       string                                           // that the scrape is part of; "" for none
	part      bool                                             // of a request that is listed itself
	passing   bool                                             // the page is a session's, which nothing leads to again
	asked     func(took time.Duration, src *source, err error) // told when the site has answered; may be nil
	tabs      *jobTabs                                         // of the job; nil: each page is a fresh one
	live      func(context.Context, *browser.Page) error       // what is done on the live page before its content is read; may be nil

	proxy string    // in use; "" is a direct connection
	tier  ProxyTier // of it

	acted bool // the page has been worked on, which can't be done again

	robots *robotsFiles // to ask; nil until that is known

	place  *queue // to leave; nil without a place in line
	waited time.Duration

	stale  *candidate // to be revalidated; nil for none
	renew  *candidate // stale, vouched for by its site
	served *candidate // the page is from; nil for a fresh one
	cached time.Time  // when the page was stored; zero for a fresh one

	source  *source
	output  *made
	changes *ChangeTracking
	before  *source // that changes are told against; nil for none
	asking
	audio    string
	video    string
	cost     int
	warnings []string
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
	s.source.files = s.plan.files
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
	if !s.source.late {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), s.clock.remaining()+lateTime)
}

// queue waits for a place among the pages at work. The scrape keeps it to its end.
func (s *scrape) queue(ctx context.Context, q *queue) error {
	return s.step("queue", func() (string, error) {
		waited, err := q.enter(ctx)
		if err == nil {
			s.waited, s.place = waited, q
		}
		return "", err
	})
}

func (s *scrape) leaveQueue() {
	if s.place != nil {
		s.place.leave()
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
		if err := s.checkType(); err != nil {
			return err
		}
	}
	if s.place == nil {
		if err := s.queue(ctx, s.engine.readers); err != nil {
			return err
		}
	}
	return s.step("render", func() (_ string, err error) {
		s.output, err = s.engine.rendered.make(ctx, s.source, s.plan)
		return "", err
	})
}

// account puts the document together.
func (s *scrape) account() (*Document, error) {
	s.cost = s.credits(nil)
	doc := documentOf(s.output)
	doc.Actions = s.source.actions
	doc.ChangeTracking = s.changes
	doc.Branding = s.source.brand
	doc.Audio, doc.Video = s.audio, s.video
	s.told.addTo(doc)
	doc.Metadata.Acquisition = s.acquisition()
	doc.Warning = strings.Join(append(s.warnings, s.output.Warnings...), " ")
	if s.plan.shot() != noShot {
		var err error
		if doc.Screenshot, err = s.asset(s.id, s.source.screenshot); err != nil {
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
		CacheState:                 s.cacheState(),
		CreditsUsed:                s.cost,
		NumPages:                   s.output.numPages, TotalPages: s.output.totalPages,
		TokensUsed: s.usage().Tokens(), ModelCost: s.usage().Cost,
	}
	if !s.cached.IsZero() {
		a.CachedAt = new(s.cached.UTC())
	}
	if src.status >= http.StatusBadRequest {
		a.Error = orDefault(http.StatusText(src.status), fmt.Sprintf("status %d", src.status))
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
	case s.plan.caching.read:
		return cacheMiss
	}
	return ""
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
