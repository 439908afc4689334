package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// Scrape fetches one URL, in a browser where the page needs one, and returns it
// in the asked formats. A page that answers with status 404 or 500 is a document
// with that status, not an error. Every error is an [*Error]; [CodeOf] returns its code.
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
	return s.do(ctx, nil)
}

// scrape is one request for a page: what it is part of, and what came of it. It is used by one goroutine.
type scrape struct {
	scraping.Options // how the page is acquired

	engine    *Engine
	plan      *plan
	endpoint  string // and operation, for activity and errors
	began     time.Time
	job       string // that it is part of; "" for none
	since     uint64 // the newest page of the job when it began
	part      bool   // of a request that is listed itself
	ofSession bool   // the page is a session's, which nothing leads to again

	run       *scraping.Scrape // nil before it begins
	result    *scraping.Result // never nil
	cost      int
	temporary bool // what it failed of may pass
}

// newScrape checks a request.
func (e *Engine) newScrape(url string, o ScrapeOptions) (*scrape, error) {
	p, err := e.resolve(url, o)
	if err != nil {
		return nil, err
	}
	return e.scrapeOf(p, "scrape"), nil
}

// scrapeOf is a scrape by a plan.
func (e *Engine) scrapeOf(p *plan, endpoint string) *scrape {
	s := &scrape{engine: e, plan: p, endpoint: endpoint, began: e.now(), result: &scraping.Result{}}
	s.ID, s.Excuse = uuid.Must(uuid.NewV7()).String(), s.excuse
	s.Model, s.NoModel = e.modelFor(p.private())
	if p.Wants(formats.Images) {
		p.Rendering.Files.Embedded = e.pages.Pictures(p.Private)
	}
	return s
}

// do runs the scrape once and accounts for it. onDocument is called when the document is
// made, while the page is still at hand; nil for nothing. Beside an error there may be the document so
// far; it is for callers of the library, and no result.
func (s *scrape) do(ctx context.Context, onDocument func(context.Context) error) (*Document, error) {
	ctx, done, err := s.engine.begin(ctx)
	if err != nil {
		return nil, refusal(s.endpoint, s.plan.source, err, s.plan.private())
	}
	defer done()
	ctx, clock := deadline.With(ctx, s.plan.timeout)
	defer clock.Stop()
	s.run = s.engine.scraper.Begin(&s.plan.Request, s.Options, clock)
	defer s.run.End()
	doc, err := s.document(ctx, onDocument)
	if err != nil {
		return doc, s.failed(ctx, failure(ctx, s.endpoint, s.plan.source, err))
	}
	if doc == nil { // it is as the caller has it
		return nil, nil
	}
	s.result.Page.Free()
	s.charge()
	s.engine.counts.document(s.cacheState())
	s.record(ctx, doc, nil)
	return doc, nil
}

// document runs the scrape and makes a document of what came of it.
func (s *scrape) document(ctx context.Context, onDocument func(context.Context) error) (_ *Document, err error) {
	defer recovered(&err)
	if s.result, err = s.run.Run(ctx); err != nil || s.result.Unchanged != scraping.NotKnown {
		return s.unfinished(err), err
	}
	s.cost = s.plan.credits(s.result, nil)
	doc, err := s.assemble()
	if err != nil || onDocument == nil {
		return doc, err
	}
	ctx, cancel := s.run.RenderTime(ctx, s.result.Page) // the model may have used the time up
	defer cancel()
	if err := onDocument(ctx); err != nil {
		return nil, err
	}
	return doc, nil
}

func isAction(err error) bool {
	_, ok := errors.AsType[*actions.Error](err)
	return ok
}

// unfinished is the document of a scrape that an action has ended; nil where another error ended it, or the page gives none.
func (s *scrape) unfinished(failed error) *Document {
	if !isAction(failed) || s.result.Output == nil {
		return nil
	}
	s.cost = s.plan.credits(s.result, failed)
	doc, err := s.assemble()
	if err != nil {
		return nil
	}
	return doc
}

// charge counts what the scrape costs. A page of a job is counted when the job has it:
// one that is tried again costs nothing.
func (s *scrape) charge() {
	if s.job == "" {
		s.engine.stores.Ledger.Add(s.plan.Owner, s.began, s.cost)
		s.engine.stores.Ledger.Tokens(s.plan.Owner, s.began, s.usage().Tokens())
	}
}

// failed accounts for a scrape that has failed.
func (s *scrape) failed(ctx context.Context, err *Error) *Error {
	s.cost, s.temporary = s.plan.credits(s.result, err), temporary(err) && !s.result.Acted
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

// excuse is why a question has no answer, without what must not leave.
func (s *scrape) excuse(ctx context.Context, err error) string {
	f := failure(ctx, s.endpoint, "", err)
	if s.plan.private() {
		return string(f.Code)
	}
	return fmt.Sprintf("%s: %v", f.Code, f.Err)
}

// assemble puts the document together.
func (s *scrape) assemble() (*Document, error) {
	r := s.result
	doc := documentOf(r.Output)
	doc.Actions, doc.Branding = r.Page.Actions, r.Page.Brand
	doc.Audio, doc.Video = r.Media.Audio, r.Media.Video
	if c := r.Changes; c != nil {
		doc.ChangeTracking = &ChangeTracking{
			PreviousScrapeAt: c.Previous, ChangeStatus: c.Status, Visibility: c.Visibility, Diff: c.Diff, JSON: c.JSON,
		}
	}
	doc.add(r.Answers())
	doc.Metadata.Acquisition = s.acquisition()
	part := s.plan.portion.Of(doc.Markdown, doc.Metadata.Language, s.engine.options.CountTokens)
	doc.Markdown, doc.Passages, doc.Window = part.Markdown, part.Passages, part.Window
	doc.Warning = strings.Join(slices.Concat(r.Warnings, r.Output.Warnings, part.Warnings), " ")
	if s.plan.Caching.Shot != pagestore.NoShot {
		var err error
		if doc.Screenshot, err = s.engine.pages.Asset(s.plan.Private, s.ID, r.Page.Screenshot); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// add puts into the document what a model said.
func (d *Document) add(a enrich.Answers) {
	if a.Markdown != nil {
		d.Markdown = *a.Markdown
	}
	d.Summary, d.JSON, d.Evidence, d.Answer, d.Highlights = a.Summary, a.Json, a.Evidence, a.Answer, a.Highlights
	d.Product, d.Menu = cmp.Or(a.Product, d.Product), cmp.Or(a.Menu, d.Menu)
	if a.Fields != nil {
		d.ChangeTracking.JSON = a.Fields
	}
}

func (s *scrape) acquisition() Acquisition {
	r, src := s.result, s.result.Page
	a := Acquisition{
		SourceURL:                  s.plan.source,
		URL:                        s.address(),
		StatusCode:                 src.Status,
		ContentType:                cmp.Or(src.ContentType, src.MediaType),
		ScrapeID:                   s.ID,
		ProxyUsed:                  r.Tier,
		Timezone:                   s.plan.Timezone,
		RenderedBy:                 string(src.By),
		RenderReason:               src.Reason,
		RenderConfidence:           src.Confidence,
		BlockedBy:                  src.BlockedBy(),
		Incomplete:                 src.Late || src.Partial,
		Handled:                    strings.Join(src.Handled, ", "),
		ReadyReason:                src.Ready,
		ConcurrencyLimited:         r.Waited > 0,
		ConcurrencyQueueDurationMs: r.Waited.Milliseconds(),
		CacheState:                 s.cacheState(),
		CreditsUsed:                s.cost,
		NumPages:                   r.Output.NumPages, TotalPages: r.Output.TotalPages,
		TokensUsed: s.usage().Tokens(), ModelCost: s.usage().Cost,
	}
	if !r.Cached.IsZero() {
		a.CachedAt = new(r.Cached.UTC())
	}
	if src.Status >= http.StatusBadRequest {
		a.Error = cmp.Or(http.StatusText(src.Status), fmt.Sprintf("status %d", src.Status))
	}
	return a
}

// What a document says of the cache.
const (
	cacheHit    = "hit"
	cacheMiss   = "miss"
	cacheBypass = "bypass"
)

// cacheState is "bypass" for a scrape that the cache had no part in.
func (s *scrape) cacheState() string {
	switch {
	case !s.result.Cached.IsZero():
		return cacheHit
	case s.plan.Caching.Read:
		return cacheMiss
	}
	return cacheBypass
}

// status of the page; 0 without one.
func (s *scrape) status() int {
	if s.result.Page == nil {
		return 0
	}
	return s.result.Page.Status
}

// address is where redirects ended for this request.
func (s *scrape) address() string { return s.result.Address(s.plan.URL) }

// links of the whole page.
func (s *scrape) links(ctx context.Context) ([]string, error) {
	return s.run.Links(ctx, s.result)
}

// readable is the page as models read it.
func (s *scrape) readable(ctx context.Context) (read.Page, error) {
	return s.run.Readable(ctx, s.result)
}

// obey checks robots.txt while the scrape runs.
func (s *scrape) obey(ctx context.Context, href string) error { return s.run.Obey(ctx, href) }

// usage is what a model was used for so far.
func (s *scrape) usage() llm.Usage { return s.result.Usage() }

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
