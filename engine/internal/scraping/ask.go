package scraping

import (
	"context"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// ModelParallel is how many questions of one request a model answers at once.
const ModelParallel = 4

// ask has the model answer what was asked of it. The scrape's slot is given up first: a model may take long.
func (s *Scrape) ask(ctx context.Context, r *Result) error {
	a := s.askerOf(r)
	defer func() { r.Warnings, a.Warnings = append(r.Warnings, a.Warnings...), nil }()
	questions := a.Questions()
	if len(questions) == 0 {
		return nil
	}
	s.End()
	return s.step("ask", func() (string, error) {
		err := a.Put(ctx, questions)
		used := a.Usage()
		return fmt.Sprintf("%d calls, %d tokens", used.Calls, used.Tokens()), err
	})
}

// askerOf is what the page gives by a model.
func (s *Scrape) askerOf(r *Result) *enrich.Asker {
	if r.asker != nil {
		return r.asker
	}
	q := s.Request
	a := &enrich.Asker{
		Formats: q.Formats, Clean: q.needsCleaning(r.Output.Metadata.ContentConfidence), Page: r.Page, Output: r.Output,
		URL: r.Address(q.URL), Options: q.Rendering.Options, Owner: q.Owner, Private: q.Private, Layouts: s.Layouts,
		Reload: func(ctx context.Context) error { return s.load(ctx, r.Acquired) }, Excuse: s.Options.Excuse, NoModel: s.Options.NoModel,
		Log: s.Log, Now: s.Now,
	}
	if r.Changes != nil {
		a.Before = r.Changes.before
	}
	if q.ComparesFields() {
		a.Compare = q.Format(formats.ChangeTracking)
	}
	if a.NoModel == nil {
		a.Meter = llm.NewMeter(s.Options.Model, llm.MeterOptions{MaxTokens: q.Tokens, Parallel: ModelParallel})
	}
	r.asker = a
	return a
}

// needsCleaning reports whether a model is to clean main content of this confidence; nil is none.
func (r *Request) needsCleaning(confidence *float64) bool {
	return r.Clean && (r.CleanBelow == 0 || confidence == nil || *confidence < r.CleanBelow)
}

// Readable is the rendered page as models read it.
func (s *Scrape) Readable(ctx context.Context, r *Result) (read.Page, error) {
	return s.askerOf(r).Readable(ctx)
}
