package carrying

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/folding"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// source implements [monitoring.Source].
type source struct{ o Options }

// Pages implements [monitoring.Source]. The job of a check that was cancelled is cancelled too.
func (s source) Pages(ctx context.Context, p monitoring.Pass, each func(monitoring.Observation) error) (out monitoring.Outcome, err error) {
	if p.Target.Type == monitor.Search {
		return s.find(ctx, p, each)
	}
	if p.Target.Type == monitor.Scrape && p.URLs == nil {
		p.URLs = p.Target.URLs
	}
	id, err := s.o.fetch(ctx, p, keyOf(p))
	if err != nil {
		return out, err
	}
	out.Jobs = []string{id}
	if err := s.read(ctx, id, each); err != nil {
		if ctx.Err() != nil && !s.o.Stopped() {
			_ = s.o.Runner.Cancel(context.WithoutCancel(ctx), id, "") // it may just have ended
		}
		return out, err
	}
	r, err := s.o.Runner.Records.Wait(ctx, id)
	if err == nil && r.State != jobs.Completed {
		err = fmt.Errorf("the job %s is %s: %s", id, r.State, r.Error)
	}
	return out, err
}

// keyOf is always the same for the same pages of the same check.
func keyOf(p monitoring.Pass) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", p.URLs)
	return fmt.Sprintf("monitor %s %s %x", p.Check, p.Target.ID, h.Sum64())
}

// read hands over the pages of a job, and those that failed in the end.
func (s source) read(ctx context.Context, id string, each func(monitoring.Observation) error) error {
	for r, err := range s.o.Runner.Results(ctx, id, 0) {
		var o monitoring.Observation
		if err == nil {
			o, err = observed(r)
		}
		if err == nil {
			err = each(o)
		}
		if err != nil {
			return err
		}
	}
	for r, err := range s.o.Runner.Errors(ctx, id) {
		if err == nil {
			err = each(monitoring.Observation{URL: r.URL, Failure: r.Code + ": " + string(r.Data)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// document is what counts of a document as jobs keep it.
type document struct {
	Markdown   string          `json:"markdown"`
	JSON       json.RawMessage `json:"json"`
	Screenshot string          `json:"screenshot"`
	Metadata   struct {
		ScrapeID   string `json:"scrapeId"`
		Title      string `json:"title"`
		Status     int    `json:"statusCode"`
		BlockedBy  string `json:"blockedBy"`
		Incomplete bool   `json:"incomplete"`
		Credits    int    `json:"creditsUsed"`
	} `json:"metadata"`
}

func observed(r crawl.Result) (monitoring.Observation, error) {
	var d document
	if err := packed.Into(r.Data, &d); err != nil {
		return monitoring.Observation{}, err
	}
	m := d.Metadata
	o := monitoring.Observation{
		URL: r.URL, ScrapeID: m.ScrapeID, Title: m.Title, Text: d.Markdown, JSON: d.JSON, Picture: monitoring.Picture(d.Screenshot),
		Credits: m.Credits,
	}
	return o.Judged(monitoring.Facts{Status: m.Status, BlockedBy: m.BlockedBy, Incomplete: m.Incomplete}), nil
}

// find does the searches of a target. One that fails doesn't keep the others from being done.
func (s source) find(ctx context.Context, p monitoring.Pass, each func(monitoring.Observation) error) (out monitoring.Outcome, err error) {
	var failed []error
	for i := range p.Target.Queries {
		found, err := s.o.search(ctx, p, i)
		out.Credits += found.Credits
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		failed = append(failed, err)
		for _, o := range found.Results {
			out.Results++
			o.Key = resultKey(o.URL)
			if err := each(o); err != nil {
				return out, err
			}
		}
	}
	return out, errors.Join(failed...)
}

// resultKey is that of a result of a search: without what only says where a visitor comes from, which providers and sites add.
func resultKey(address string) string {
	href, err := weburl.Target(address)
	if err != nil {
		return address
	}
	return weburl.Key(folding.Group(href))
}
