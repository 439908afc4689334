package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// ask asks the model what was asked for. The scrape's slot is given up first: a model may take long.
func (s *scrape) ask(ctx context.Context) error {
	a := s.model()
	defer func() { s.warnings, a.Warnings = append(s.warnings, a.Warnings...), nil }()
	questions := a.Questions()
	if len(questions) == 0 {
		return nil
	}
	s.leaveQueue()
	return s.step("ask", func() (string, error) {
		err := a.Put(ctx, questions)
		used := a.Usage()
		return fmt.Sprintf("%d calls, %d tokens", used.Calls, used.Tokens()), err
	})
}

// model is what the page gives by a model; it is made when first needed.
func (s *scrape) model() *enrich.Asker {
	if s.enriching != nil {
		return s.enriching
	}
	p := s.plan
	a := &enrich.Asker{
		Formats: p.Formats, Clean: p.needsCleaning(s.output.Metadata.ContentConfidence), Page: s.source, Before: s.before, Output: s.output, URL: s.address(),
		Options: p.rendering.Options, Owner: p.Owner, Private: p.private(), Layouts: s.engine.layouts, Reload: s.reload, Excuse: s.excuse,
		Log: s.engine.log, Now: s.engine.now,
	}
	if p.comparesFields() {
		a.Compare = p.Format(formats.ChangeTracking)
	}
	m, err := s.engine.modelFor(p.private())
	if a.NoModel = err; err == nil {
		a.Meter = meterOf(cmp.Or(s.budget, m), p.tokens)
	}
	s.enriching = a
	return a
}

// readable is the page as models read it.
func (s *scrape) readable(ctx context.Context) (read.Page, error) { return s.model().Readable(ctx) }

// usage is what a model was used for so far.
func (s *scrape) usage() llm.Usage {
	if s.enriching == nil {
		return llm.Usage{}
	}
	return s.enriching.Usage()
}

// answers are what a model said of the page; empty where none was asked.
func (s *scrape) answers() enrich.Answers {
	if s.enriching == nil {
		return enrich.Answers{}
	}
	return s.enriching.Answers
}

// excuse is why a question has no answer, without what must not be told.
func (s *scrape) excuse(ctx context.Context, err error) string {
	f := failure(ctx, s.endpoint, "", err)
	if s.plan.private() {
		return string(f.Code)
	}
	return fmt.Sprintf("%s: %v", f.Code, f.Err)
}

// reload reads a page again that was served by its kept output.
func (s *scrape) reload(ctx context.Context) error {
	if s.served != nil && s.source.Body == nil && !s.engine.pageStore.Load(ctx, *s.served, s.source) {
		return errors.New("the stored page can't be read any more")
	}
	return nil
}

// addAnswers puts into the document what a model said.
func addAnswers(doc *Document, t enrich.Answers) {
	if t.Markdown != nil {
		doc.Markdown = *t.Markdown
	}
	doc.Summary, doc.JSON, doc.Evidence, doc.Answer, doc.Highlights = t.Summary, t.Json, t.Evidence, t.Answer, t.Highlights
	if t.Product != nil {
		doc.Product = t.Product
	}
	if t.Menu != nil {
		doc.Menu = t.Menu
	}
	if t.Fields != nil {
		doc.ChangeTracking.JSON = t.Fields
	}
}
