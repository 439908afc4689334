package engine

import (
	"context"

	"github.com/winnow-go/winnow/engine/internal/crawling"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spreading"
	"github.com/winnow-go/winnow/engine/spread"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
)

// spreads reports whether a job is spread over the cluster. One that leaves no trace is the engine's own.
func (e *Engine) spreads(private bool) bool { return e.spread != nil && !private }

// checkSpread refuses what a crawl over a cluster can't honour.
func (e *Engine) checkSpread(o CrawlOptions) error {
	if !e.spreads(o.private()) {
		return nil
	}
	const wantUnset = "unset: engines of a cluster share no "
	switch {
	case o.Since != "":
		return &OptionError{Field: "since", Value: o.Since, Want: wantUnset + "earlier crawl"}
	case o.Record != "":
		return &OptionError{Field: "record", Value: o.Record, Want: wantUnset + "file"}
	case o.Prompt != "" && o.IdempotencyKey != "":
		return &OptionError{Field: "idempotencyKey", Value: o.IdempotencyKey, Want: "unset beside prompt in a cluster: each answer of a model differs"}
	}
	return checkSpreadPages(o.Scrape, "scrapeOptions.")
}

// checkSpreadPages refuses what pages that any of several engines may get can't honour.
func checkSpreadPages(o ScrapeOptions, prefix string) error {
	for _, f := range o.Formats {
		if f.Type == formats.ChangeTracking {
			return &OptionError{Field: prefix + "formats", Value: string(f.Type), Want: "others: engines of a cluster share no history of a page"}
		}
	}
	if o.Profile != nil {
		return &OptionError{Field: prefix + "profile", Value: o.Profile.Name, Want: "unset: engines of a cluster share no profiles"}
	}
	return nil
}

// startSpread starts a crawl over the cluster.
func (e *Engine) startSpread(ctx context.Context, n jobs.New, p crawlParams, used llm.Usage) (*Job, error) {
	seeds, err := crawling.Seeds(p.task(1))
	if err != nil {
		return nil, ownOption(err)
	}
	o := p.Options
	return e.startOver(ctx, spreading.Request{
		New: n, Job: spread.Job{Limit: o.Limit, Delay: o.Delay, Active: o.MaxConcurrency}, Seeds: seeds, Used: used,
	})
}

// startOver starts a job over the cluster, or finds it.
func (e *Engine) startOver(ctx context.Context, r spreading.Request) (*Job, error) {
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if len(r.Params) > spreading.MaxParams {
		return nil, &OptionError{Field: "options", Value: len(r.Params), Want: "JSON of at most 128 KiB in a cluster"}
	}
	if l := labelsOf(ctx); l != (Labels{}) {
		r.Notes = map[string]any{labelsNote: l}
	}
	record, existed, err := e.spread.Start(ctx, r)
	if err != nil {
		return nil, jobError(err)
	}
	job := jobOf(e.durable, record)
	if job.found = existed; !existed {
		e.note(ctx, Activity{ID: record.ID, Endpoint: record.Kind, Owner: record.Owner, Target: record.URL, CreatedAt: record.Created})
	}
	return job, nil
}
