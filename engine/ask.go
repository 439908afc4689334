package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// asking is what a scrape has to do with a model.
type asking struct {
	meter  *llm.Meter // nil where no model may be asked
	budget llm.Model  // that is asked in the engine's stead, within a larger piece of work; may be nil
	told   told
	mu     sync.Mutex // over page and the source's tree, while questions are open
	page   *read.Page // as models read it; nil until that is needed
}

// told is what a model said of a page. Each question fills in its own fields.
type told struct {
	markdown   *string // cleaned; nil: as it was
	summary    string
	json       json.RawMessage
	product    *product.Product // nil: as the page's data has it
	menu       *menu.Menu       // likewise
	evidence   map[string]string
	answer     string
	highlights string
	fields     json.RawMessage // of changeTracking
}

// addTo puts into the document what was said.
func (t *told) addTo(doc *Document) {
	if t.markdown != nil {
		doc.Markdown = *t.markdown
	}
	doc.Summary, doc.JSON, doc.Evidence, doc.Answer, doc.Highlights = t.summary, t.json, t.evidence, t.answer, t.highlights
	if t.product != nil {
		doc.Product = t.product
	}
	if t.menu != nil {
		doc.Menu = t.menu
	}
	if t.fields != nil {
		doc.ChangeTracking.JSON = t.fields
	}
}

// question is one thing that a model is asked about the page.
type question struct {
	what string // for the warning, when nothing came of it
	// whole says that the document has nothing in the place of the answer.
	whole bool
	ask   func(ctx context.Context) (warnings []string, err error)
}

// ask puts to the model what was asked for, side by side. What fails is left out with a warning; when
// there is nothing else, it is the scrape's failure. The scrape's place in line is given up
// first: a model may take long.
func (s *scrape) ask(ctx context.Context) error {
	questions := s.questions()
	if len(questions) == 0 {
		return nil
	}
	s.leaveQueue()
	if m, err := s.engine.modelFor(s.plan.private()); err == nil {
		s.meter = meterOf(orDefault(s.budget, m), s.plan.tokens)
	}
	return s.step("ask", func() (string, error) {
		warnings, errs := make([][]string, len(questions)), make([]error, len(questions))
		var group sync.WaitGroup
		for i, q := range questions {
			group.Go(func() { warnings[i], errs[i] = q.safely(ctx) })
		}
		group.Wait()
		used := s.usage()
		return fmt.Sprintf("%d calls, %d tokens", used.Calls, used.Tokens()), s.judge(ctx, questions, warnings, errs)
	})
}

// safely keeps a panic within the question.
func (q question) safely(ctx context.Context) (warnings []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return q.ask(ctx)
}

// usage is what asking has cost so far.
func (s *scrape) usage() llm.Usage {
	if s.meter == nil {
		return llm.Usage{}
	}
	return s.meter.Usage()
}

// judge makes warnings of failures, or one of them the scrape's.
func (s *scrape) judge(ctx context.Context, questions []question, warnings [][]string, errs []error) error {
	if err := ctx.Err(); err != nil && s.lateOr(ctx, s.source, err) != nil {
		return err
	}
	lost := 0
	for i, q := range questions {
		s.warnings = append(s.warnings, warnings[i]...)
		switch err := errs[i]; {
		case err == nil:
			continue
		case errors.Is(err, read.ErrInjection):
			return &Error{Code: CodeInjection, Err: err}
		default:
			s.warn("There is no %s: %s", q.what, s.excuse(ctx, err))
		}
		if q.whole {
			lost++
		}
	}
	if lost > 0 && lost == len(s.plan.formats) {
		return errors.Join(errs...)
	}
	return nil
}

// excuse is why a question has no answer, without what must not be told.
func (s *scrape) excuse(ctx context.Context, err error) string {
	f := failure(ctx, s.endpoint, "", err)
	if s.plan.private() {
		return string(f.Code)
	}
	return fmt.Sprintf("%s: %v", f.Code, f.Err)
}

// questions are what the plan asks a model.
func (s *scrape) questions() []question {
	var list []question
	if s.plan.needsCleaning(s.output.Metadata.ContentConfidence) {
		list = append(list, question{"clean markdown, it is given as it was", false, s.cleanMarkdown})
	}
	for i := range s.plan.formats {
		f := &s.plan.formats[i]
		var ask func(context.Context, read.Page) ([]string, error)
		switch f.Type {
		case formats.Summary:
			ask = s.askSummary
		case formats.JSON:
			ask = func(ctx context.Context, p read.Page) ([]string, error) { return s.askJSON(ctx, p, f) }
		case formats.Question:
			ask = func(ctx context.Context, p read.Page) ([]string, error) { return s.askAnswer(ctx, p, f.Question) }
		case formats.Highlights:
			ask = func(ctx context.Context, p read.Page) ([]string, error) { return s.askHighlights(ctx, p, f.Query) }
		case formats.Query:
			ask = func(ctx context.Context, p read.Page) ([]string, error) { return s.askQuery(ctx, p, f) }
		case formats.DeterministicJSON:
			list = append(list, question{string(f.Type), true, func(ctx context.Context) ([]string, error) { return s.askLayout(ctx, f) }})
			continue
		case formats.Product, formats.Menu:
			list = append(list, s.completions(f.Type)...)
			continue
		default:
			continue
		}
		list = append(list, question{string(f.Type), true, s.ofPage(ask)})
	}
	if s.plan.comparesFields() && s.before != nil {
		list = append(list, question{"comparison of the fields", false, s.compareFields})
	}
	return list
}

// completions ask for what the page's data lacks of a product or menu.
func (s *scrape) completions(t formats.Type) []question {
	none, missing, ask := s.output.Product == nil, s.output.Product.Missing(), s.askProduct
	if t == formats.Menu {
		none, missing, ask = s.output.Menu == nil, s.output.Menu.Missing(), s.askMenu
	}
	if !s.mayComplete(string(t), none, missing) {
		return nil
	}
	what := "complete " + string(t)
	if none {
		what = string(t)
	}
	return []question{{what, none, s.ofPage(ask)}}
}

// ofPage hands the page's text to a question.
func (s *scrape) ofPage(ask func(context.Context, read.Page) ([]string, error)) func(context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		p, err := s.readable(ctx)
		if err != nil {
			return nil, err
		}
		return ask(ctx, p)
	}
}
