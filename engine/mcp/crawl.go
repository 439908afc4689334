package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/formats/window"
)

type crawlArguments struct {
	url, job, do string
	urls         []string
	limit        int
	wait         int // seconds
	want         want
	options      json.RawMessage
}

const (
	// defaultPages is a crawl's limit: a model seldom needs more, and can say so.
	defaultPages = 100
	maxPages     = 1_000_000
	maxURLs      = 100_000
)

func crawlTool() tool {
	return declare("crawl", "Crawl a site (url), or read many pages (urls), as a job; or look at a job of any kind by its id: its documents, or with "+
		"query what fits best. do: cancel; errors: pages that failed; changes: since the crawl before (options.winnow.since); trace: how it was "+
		"done.",
		func(s *server, a *crawlArguments) []param {
			return append([]param{
				{"url", "", decode.URL(&a.url)},
				{"urls", "", decode.Texts(&a.urls, maxURLs)},
				{"job", "id", decode.Text(&a.job, 1, decode.MaxLabel)},
				{"do", "", words(&a.do, "read cancel errors changes trace")},
				{"limit", "of pages of a crawl; default 100", decode.Whole(&a.limit, 1, maxPages)},
				{"wait", "seconds", decode.Whole(&a.wait, 1, 3600)},
				optionsOf("crawl", "POST /v2/crawl; with urls of /v2/batch/scrape", decode.JSONObject(&a.options).Read),
			}, windowParams(s, &a.want)...)
		}, crawl).changing().withOptions(func() decode.Fields { return crawlFields(&engine.CrawlOptions{}) })
}

func crawlFields(o *engine.CrawlOptions) decode.Fields {
	return without(decode.WithUnsupported(decode.CrawlFields(new(string), o, true)), "url", "limit")
}

func batchFields(o *engine.BatchOptions) decode.Fields {
	return without(decode.BatchFields(new([]string), o, true), "urls")
}

func crawl(c *call, a *crawlArguments) (*result, error) {
	given := 0
	for _, there := range []bool{a.url != "", a.urls != nil, a.job != ""} {
		if there {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, decode.Invalid("url", "want exactly one of url, urls and job")
	case a.job == "" && a.do != "" && a.do != "read":
		return nil, decode.Invalid("do", a.do+" is of a job: want its id as job")
	case a.job != "" && (a.options != nil || a.limit > 0):
		return nil, decode.Invalid("options", "want neither options nor limit beside job: they are of its start")
	case a.want.from > 0 && a.want.query != "":
		return nil, decode.Invalid("from", "want 0 with query, which finds parts wherever they are")
	case a.urls != nil && a.limit > 0:
		return nil, decode.Invalid("limit", "want none beside urls: all of them are read")
	}
	if a.job == "" {
		job, err := c.startPages(a)
		if err != nil {
			return nil, err
		}
		return c.awaited(job, a, true)
	}
	job, err := c.job(a.job)
	if err != nil {
		return nil, err
	}
	return c.lookAt(job, a)
}

// startPages starts a crawl or a batch.
func (c *call) startPages(a *crawlArguments) (*engine.Job, error) {
	if a.urls != nil {
		o := engine.BatchOptions{Owner: c.o.Owner}
		if err := optionsFrom(a.options, batchFields(&o), &o.Scrape); err != nil {
			return nil, err
		}
		job, err := c.engine.StartBatch(c.ctx, a.urls, o)
		if err != nil {
			return nil, err
		}
		return job.Job, nil
	}
	o := engine.CrawlOptions{Owner: c.o.Owner}
	if err := optionsFrom(a.options, crawlFields(&o), &o.Scrape); err != nil {
		return nil, err
	}
	if o.Limit = a.limit; o.Limit == 0 {
		o.Limit = defaultPages
	}
	job, err := c.engine.StartCrawl(c.ctx, a.url, o)
	if err != nil {
		return nil, err
	}
	return job.Job, nil
}

// optionsFrom reads options whose fields depend on other arguments.
func optionsFrom(raw json.RawMessage, f decode.Fields, scrape *engine.ScrapeOptions) error {
	if err := optionsInto(raw, f); err != nil {
		return err
	}
	if scrape.Budget != (window.Budget{}) {
		return decode.Invalid("options.winnow.budget", "not here: documents are kept whole, and read by parts")
	}
	return nil
}

// optionsInto reads options into what the fields are of.
func optionsInto(raw json.RawMessage, f decode.Fields) error {
	if raw == nil {
		return nil
	}
	return decode.Object(slices.Concat([]byte(`{"options":`), raw, []byte("}")), decode.Fields{"options": {Shape: f.Shape, Read: f.Read}})
}

// awaited waits for a job and gives what it has.
func (c *call) awaited(job *engine.Job, a *crawlArguments, started bool) (*result, error) {
	s, err := c.await(job, time.Duration(a.wait)*time.Second, started)
	if err != nil {
		return nil, err
	}
	return c.outcome(job, s, a.want)
}

// lookAt does what a call wants of a job.
func (c *call) lookAt(job *engine.Job, a *crawlArguments) (*result, error) {
	pages, ofPages := pagesOfJob(job)
	again := fmt.Sprintf(`crawl {"job": %q, "do": %q`, job.ID(), a.do)
	r := c.result()
	switch a.do {
	case "cancel":
		if err := job.Cancel(c.ctx); err != nil {
			return nil, err
		}
		r.line("job %s is cancelled. What it has read stays.", job.ID())
		return r, nil
	case "errors":
		if !ofPages {
			return nil, decode.Invalid("do", "errors are of crawls and batches: this job is of the kind "+job.Kind())
		}
		return r, r.problems(pages, job, a.want, again)
	case "changes":
		crawl, ok := job.Crawl()
		if !ok {
			return nil, decode.Invalid("do", "changes are of crawls: this job is of the kind "+job.Kind())
		}
		return r, r.changes(crawl, a.want, again)
	case "trace":
		items, err := traceOf(c.ctx, job)
		r.listed("trace", items, a.want, again)
		return r, err
	}
	return c.awaited(job, a, false)
}

// problems lists the pages that failed, and those that the crawl left out.
func (r *result) problems(pages jobOfPages, job *engine.Job, w want, again string) error {
	failed, err := pages.Errors(r.c.ctx)
	if err != nil {
		return err
	}
	items := jsonLines(failed)
	if batch, ok := job.Batch(); ok {
		invalid, err := batch.InvalidURLs(r.c.ctx)
		if err != nil {
			return err
		}
		items = append(items, jsonLines(invalid)...)
	}
	if crawl, ok := job.Crawl(); ok {
		denied, err := crawl.Denied(r.c.ctx)
		if err != nil {
			return err
		}
		items = append(items, jsonLines(denied)...)
	}
	r.line("%d pages failed.", len(failed))
	r.listed("errors", items, w, again)
	return nil
}

// traceOf says how a job was done: the steps of an agent, the pages of an extraction, and of crawls and batches how their pages were got,
// and the parts of a site that were left.
func traceOf(ctx context.Context, job *engine.Job) ([]string, error) {
	if agent, ok := job.Agent(); ok {
		steps, err := agent.Trace(ctx)
		return jsonLines(steps), err
	}
	if extract, ok := job.Extract(); ok {
		pages, err := extract.URLTrace(ctx)
		return jsonLines(pages), err
	}
	if batch, ok := job.Batch(); ok {
		report, err := batch.Rendering(ctx)
		return jsonLines([]engine.RenderReport{report}), err
	}
	crawl, ok := job.Crawl()
	if !ok {
		return nil, decode.Invalid("do", "trace is not of jobs of the kind "+job.Kind())
	}
	report, err := crawl.Rendering(ctx)
	if err != nil {
		return nil, err
	}
	traps, err := crawl.Traps(ctx)
	return append(jsonLines([]engine.RenderReport{report}), jsonLines(traps)...), err
}

// changes lists what has changed since the crawl before.
func (r *result) changes(crawl *engine.CrawlJob, w want, again string) error {
	var list []engine.Change
	for change, err := range crawl.StoredChanges(r.c.ctx, 0) {
		if err != nil {
			return err
		}
		list = append(list, change)
	}
	r.line("%d changes.", len(list))
	r.listed("changes", jsonLines(list), w, again)
	return nil
}
