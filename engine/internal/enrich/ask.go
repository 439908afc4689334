// Package enrich adds to a page what a language model makes of it: summaries, data by a schema, answers, a clean text, and what a
// page's own data lacks.
//
//	ask.go           Asker: the questions, side by side
//	askpage.go       summary, answer, highlights, data, cleaning, comparison
//	guarded.go       models whose panics are errors
//	askproduct.go    what the page's data lacks of a product
//	askmenu.go       and of a menu
//	deterministic.go data by selectors that were learned
//	layouts.go       where those are kept
package enrich

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/product"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// Asker has a model answer what was requested of one page, beside what rendering gives.
type Asker struct {
	Formats []formats.Format
	Clean   bool            // the markdown
	Compare *formats.Format // by whose fields Page is compared with Before; nil: not at all
	Page    *page.Page
	Before  *page.Page // an earlier version; nil for none
	Output  *render.Output
	URL     string // of the page
	Options formats.Options
	Owner   string
	Private bool // nothing of it may be kept
	Meter   *llm.Meter
	NoModel error // why Meter is nil
	Layouts *Layouts
	Reload  func(context.Context) error                 // gets the page's body where that is not at hand
	Excuse  func(ctx context.Context, err error) string // why there is no answer, for a warning
	Log     *slog.Logger
	Now     func() time.Time

	// What came of it.
	Answers  Answers
	Warnings []string

	mu   sync.Mutex // over page and the tree of Page, while questions are open
	page *read.Page // as models read it; nil until that is needed
}

// Answers are what a model said of a page. Each question fills in its own fields.
type Answers struct {
	Markdown   *string // cleaned; nil: as it was
	Summary    string
	Json       json.RawMessage
	Product    *product.Product // nil: as the page's data has it
	Menu       *menu.Menu       // likewise
	Evidence   map[string]string
	Answer     string
	Highlights string
	Fields     json.RawMessage // of changeTracking
}

// question is one that a model answers about the page.
type question struct {
	what string // for the warning, when nothing came of it
	// whole says that the document has nothing in the place of the answer.
	whole bool
	ask   func(ctx context.Context) (warnings []string, err error)
}

// Put asks the questions, side by side. What fails is left out with a warning; when there is nothing else, it is the error.
func (s *Asker) Put(ctx context.Context, questions []question) error {
	warnings, errs := make([][]string, len(questions)), make([]error, len(questions))
	var group sync.WaitGroup
	for i, q := range questions {
		group.Go(func() { warnings[i], errs[i] = q.safely(ctx) })
	}
	group.Wait()
	return s.judge(ctx, questions, warnings, errs)
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

// Usage is what the model was used for so far.
func (s *Asker) Usage() llm.Usage {
	if s.Meter == nil {
		return llm.Usage{}
	}
	return s.Meter.Usage()
}

func (s *Asker) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...)+".")
}

// judge makes warnings of failures, or one of them the scrape's.
func (s *Asker) judge(ctx context.Context, questions []question, warnings [][]string, errs []error) error {
	if err := ctx.Err(); err != nil {
		warning, late := page.LateWarning(ctx, s.Page, err)
		if !late {
			return err
		}
		s.Warnings = append(s.Warnings, warning)
	}
	lost := 0
	for i, q := range questions {
		s.Warnings = append(s.Warnings, warnings[i]...)
		switch err := errs[i]; {
		case err == nil:
			continue
		case errors.Is(err, read.ErrInjection):
			return err
		default:
			s.warn("There is no %s: %s", q.what, s.Excuse(ctx, err))
		}
		if q.whole {
			lost++
		}
	}
	if lost > 0 && lost == len(s.Formats) {
		return errors.Join(errs...)
	}
	return nil
}

// Questions are those of the request for a model.
func (s *Asker) Questions() []question {
	var list []question
	if s.Clean {
		list = append(list, question{"clean markdown, it is given as it was", false, s.cleanMarkdown})
	}
	for i := range s.Formats {
		f := &s.Formats[i]
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
	if s.Compare != nil && s.Before != nil {
		list = append(list, question{"comparison of the fields", false, s.compareFields})
	}
	return list
}

// completions ask for what the page's data lacks of a product or menu.
func (s *Asker) completions(t formats.Type) []question {
	none, missing, ask := s.Output.Product == nil, s.Output.Product.Missing(), s.askProduct
	if t == formats.Menu {
		none, missing, ask = s.Output.Menu == nil, s.Output.Menu.Missing(), s.askMenu
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
func (s *Asker) ofPage(ask func(context.Context, read.Page) ([]string, error)) func(context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		p, err := s.Readable(ctx)
		if err != nil {
			return nil, err
		}
		return ask(ctx, p)
	}
}
