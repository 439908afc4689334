package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/batching"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// BatchOptions are the options of a batch. The zero value works.
type BatchOptions struct {
	// Scrape are the options of each page. Owner and ZeroDataRetention belong to the
	// batch and must be unset.
	Scrape ScrapeOptions
	// IgnoreInvalidURLs leaves out what is no web address; [BatchJob.InvalidURLs] lists it. Nil is true; false: the
	// batch is refused.
	IgnoreInvalidURLs *bool
	// MaxConcurrency bounds the pages that are active at once. Zero is [Options.MaxPages].
	MaxConcurrency int
	// AppendToID adds the URLs to a running batch; its options stay. All other fields but IgnoreInvalidURLs and Owner
	// must then be unset.
	AppendToID string
	// Webhook receives the events of the job. Nil: none is sent.
	Webhook *Webhook
	// Owner is the tenant that owns the job.
	Owner string
	// ZeroDataRetention keeps the job in memory only: the job and its documents are gone when the engine closes.
	ZeroDataRetention bool
	// IdempotencyKey makes a repeated call find the job of the first; the same key with
	// another request is a [CodeIdempotency] error. Empty: none.
	IdempotencyKey string
}

// batchParams are what a batch is resumed with; their JSON stands in files. The URLs
// are kept beside it.
type batchParams struct {
	Options BatchOptions `json:"options"`
	URLs    int          `json:"urls"`
	Digest  string       `json:"digest"` // of the URLs: another list is another request
	Invalid []string     `json:"invalid,omitempty"`
}

// StartBatch starts scraping the URLs and returns at once. Each is delivered as often
// as it is given, and scraped once. The job goes on in the background as a crawl does.
func (e *Engine) StartBatch(ctx context.Context, urls []string, o BatchOptions) (*BatchJob, error) {
	job, err := e.startBatch(ctx, urls, o)
	if err != nil {
		return nil, refusal(KindBatch, "", err, o.private())
	}
	return newBatchJob(job), nil
}

// Batch is StartBatch that waits for the end. When ctx ends first, the job is
// cancelled.
func (e *Engine) Batch(ctx context.Context, urls []string, o BatchOptions) (*BatchJob, error) {
	job, err := e.StartBatch(ctx, urls, o)
	if err != nil {
		return nil, err
	}
	return job, job.finish(ctx)
}

func (o BatchOptions) private() bool { return o.ZeroDataRetention || o.Scrape.Lockdown }

// page returns the options of each page.
func (o BatchOptions) page() ScrapeOptions {
	p := o.Scrape
	p.Owner, p.ZeroDataRetention = o.Owner, o.ZeroDataRetention
	return p
}

func (e *Engine) startBatch(ctx context.Context, urls []string, o BatchOptions) (*Job, error) {
	valid, invalid, err := batching.Split(urls, isTrue(o.IgnoreInvalidURLs, true), wantURL)
	if err != nil {
		return nil, err
	}
	if o.AppendToID != "" {
		return e.appendBatch(ctx, valid, o)
	}
	if err := checkJobOptions(o.MaxConcurrency, o.Scrape, ""); err != nil {
		return nil, err
	}
	if _, err := e.resolve(valid[0], o.page()); err != nil { // the options are everybody's
		return nil, err
	}
	params, err := json.Marshal(batchParams{Options: o, URLs: len(valid), Digest: batching.Digest(valid), Invalid: invalid})
	if err != nil {
		return nil, err
	}
	return e.startJob(ctx, o.private(), jobs.New{
		Kind: KindBatch, Owner: o.Owner, URL: valid[0], Params: params, Webhook: (*jobs.Webhook)(o.Webhook), IdempotencyKey: o.IdempotencyKey,
		With: valid,
	}, func(j *work.Job) error { return batching.Keep(j.DB(), j.Record.ID, valid) })
}

// appendBatch adds URLs to a running batch.
func (e *Engine) appendBatch(ctx context.Context, urls []string, o BatchOptions) (*Job, error) {
	job, err := e.Job(ctx, o.AppendToID)
	if err != nil || job.kind != KindBatch || job.owner != o.Owner {
		return nil, &Error{Code: CodeNotFound, Err: jobs.ErrNotFound}
	}
	if rest := (BatchOptions{IgnoreInvalidURLs: o.IgnoreInvalidURLs, AppendToID: o.AppendToID, Owner: o.Owner}); !sameJSON(rest, o) {
		return nil, &OptionError{Field: "appendToId", Value: o.AppendToID, Want: "no other option beside it: those of the batch stay"}
	}
	err = batching.Append(ctx, job.runner, job.id, urls)
	if errors.Is(err, jobs.ErrFinished) {
		err = &Error{Code: CodeFinished, Err: err}
	}
	return job, err
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// batchPages implements [batching.Pages].
type batchPages struct {
	*jobPages
	options ScrapeOptions
}

func (e *Engine) openBatch(l *work.Line) (work.Task, work.LineOptions, error) {
	var p batchParams
	if err := l.Params(&p); err != nil {
		return nil, work.LineOptions{}, err
	}
	workers := e.workers(p.Options.MaxConcurrency)
	pages := batchPages{e.auditedPages(l, workers, p.Options.private()), p.Options.page()}
	task, o, err := batching.Open(l, pages, batching.Options{URLs: p.URLs, Workers: workers})
	o.Close = pages.end
	return task, o, err
}

func (p batchPages) Visit(ctx context.Context, url string, item crawl.Item) (batching.Visit, error) {
	s, err := p.engine.newScrape(url, p.options)
	if err != nil {
		return batching.Visit{}, err
	}
	p.join(s, item)
	doc, err := p.scrape(ctx, s, func(context.Context) error { return nil })
	return batching.Visit{Tried: s.tried(), Document: spelled(doc), InTx: p.enter(s, item)}, err
}

// Again implements [batching.Pages].
func (p batchPages) Again(ctx context.Context, url string, c work.Correction, item crawl.Item) (v batching.Visit, err error) {
	s, err := p.engine.newScrape(url, p.options)
	if err != nil {
		return v, err
	}
	doc, err := p.again(ctx, s, c, item, func(context.Context) error { return nil })
	if v.InTx = p.book.Settle(c, s.result.Route); doc != nil {
		v.Document = spelled(doc)
	}
	return v, err
}

// spelled makes the document of a page for one of the spellings of its URL.
func spelled(doc *Document) func(url string) any {
	return func(url string) any {
		copied := *doc
		copied.Metadata.SourceURL = url
		return &copied
	}
}
