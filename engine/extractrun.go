package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/extracting"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// Notes of an extraction, beside those of every job.
const (
	pagesNote  = "pages"      // extracting.Selection
	pieceNotes = "piece/%04d" // extracting.Piece, by the place of its page in the selection
)

// extraction is the task of an extraction.
type extraction struct {
	*jobPages
	options ExtractOptions
	schema  *llm.Schema
	model   *llm.Meter // of the whole job

	// These and the schema are fixed before the first page is in line.
	pages   []crawl.Found  // nil until they are chosen
	places  map[string]int // by URL
	several bool

	mu   sync.Mutex
	over bool // the tokens are used up
}

// openExtract takes up an extraction where it was left, or begins it.
func (e *Engine) openExtract(l *work.Line) (_ work.Task, o work.LineOptions, err error) {
	var p extractParams
	if err := l.Params(&p); err != nil {
		return nil, o, err
	}
	o = work.LineOptions{Workers: e.workers(p.Options.MaxConcurrency), Limit: p.Options.Limit}
	x := &extraction{jobPages: e.pagesOf(l, o.Workers), options: p.Options, places: map[string]int{}}
	o.Close = x.tabs.End
	if x.schema, err = p.Options.schema(); err != nil {
		return nil, o, err
	}
	if err := errors.Join(x.openModel(), x.takeEarlier()); err != nil {
		return nil, o, err
	}
	if p.Options.Timeout > 0 {
		o.Until = l.Record.Created.Add(p.Options.Timeout)
	}
	return x, o, nil
}

// takeEarlier takes what an earlier engine has chosen: its pages may be in line already.
func (x *extraction) takeEarlier() error {
	var all extracting.Selection
	found, err := x.Noted(pagesNote, &all)
	if err != nil || !found {
		return err
	}
	return x.take(all)
}

// openModel opens the meter, with the budget that earlier engines have left.
func (x *extraction) openModel() error {
	model, err := x.engine.modelFor(x.options.private())
	if err != nil {
		return err
	}
	o := llm.MeterOptions{MaxTokens: x.options.MaxTokens}
	if o.MaxTokens > 0 {
		used, err := x.Usage()
		if err != nil {
			return err
		}
		o.MaxTokens -= used.Tokens()
		x.over = o.MaxTokens <= 0
		o.MaxTokens = max(o.MaxTokens, 1)
	}
	x.model = llm.NewMeter(model, o)
	return nil
}

// Feed implements [work.Task]: it finds the pages, unless an earlier engine did, and puts them in line.
func (x *extraction) Feed(ctx context.Context) error {
	if x.pages == nil {
		all, err := x.choose(ctx)
		if err != nil {
			return err
		}
		if err := x.Note(pagesNote, all); err != nil {
			return err
		}
		if err := x.take(all); err != nil {
			return err
		}
	}
	_, err := x.Frontier.Put(ctx, x.pages)
	return err
}

// take makes a selection that of the job. It is called before any of its pages is in
// line, or can be found there.
func (x *extraction) take(all extracting.Selection) error {
	x.pages, x.several = []crawl.Found{}, len(all.Pages) > 1
	for i, page := range all.Pages {
		x.places[page.URL] = i
		x.pages = append(x.pages, crawl.Found{URL: page.URL})
	}
	if x.schema != nil || len(all.Schema) == 0 {
		return nil
	}
	var err error
	x.schema, err = llm.CompileSchema(all.Schema)
	return err
}

// Complete implements [work.Task].
func (x *extraction) Complete(crawl.Tx, crawl.Item, work.Outcome) error { return nil }

// Visit implements [work.Task]: it scrapes a page and lets the model read it.
func (x *extraction) Visit(ctx context.Context, item crawl.Item) work.Outcome {
	if x.isOver() {
		return work.Outcome{Failed: &Error{Code: CodeModelBudget, Op: KindExtract, URL: item.URL, Err: llm.ErrBudget}}
	}
	s, err := x.engine.newScrape(item.URL, x.options.page())
	if err != nil {
		return work.Outcome{Failed: err}
	}
	x.join(s, item)
	s.Model = x.model
	var page read.Page
	doc, err := x.scrape(ctx, s, func(ctx context.Context) (err error) {
		page, err = s.readable(ctx)
		return err
	})
	if err != nil {
		return x.Again(item, s.tried(), err)
	}
	out := work.Outcome{Documents: []any{doc}, Credits: s.cost}
	if x.PushedBack(&out, item, s.tried()) {
		return out
	}
	if s.status() >= http.StatusBadRequest { // what it says of itself is no data
		refused := fmt.Sprintf("%s answered with status %d", item.URL, s.status())
		return x.keep(item, out, extracting.Piece{URL: s.address(), Warnings: []string{refused}})
	}
	return x.read(ctx, item, page, out)
}

// read lets the model read a page, and keeps what it finds.
func (x *extraction) read(ctx context.Context, item crawl.Item, page read.Page, out work.Outcome) work.Outcome {
	meter := llm.NewMeter(x.model, llm.MeterOptions{})
	got, err := read.Extract(ctx, meter, page, read.Fields{
		Schema: x.schema, Prompt: x.options.Prompt, SystemPrompt: x.options.SystemPrompt, Evidence: x.options.Evidence, Partial: x.several,
	})
	// What was asked is paid for by itself: also where the page is given up and restarted.
	if spent := x.Spend(meter.Usage(), 0); spent != nil {
		return work.Outcome{Failed: spent}
	}
	if err != nil {
		failed := failure(ctx, KindExtract, item.URL, err)
		x.noteOver(failed)
		return work.Outcome{Failed: failed, Credits: out.Credits}
	}
	out.Credits += modelCredits
	return x.keep(item, out, extracting.Piece{URL: page.URL, JSON: got.JSON, Evidence: got.Evidence, Warnings: got.Warnings})
}

// keep keeps what a page gave, in the transaction in which it ends.
func (x *extraction) keep(item crawl.Item, out work.Outcome, p extracting.Piece) work.Outcome {
	var err error
	if out.Also, err = x.Noting(fmt.Sprintf(pieceNotes, x.places[item.URL]), p); err != nil {
		return work.Outcome{Failed: err}
	}
	return out
}

// noteOver keeps further pages from being fetched for nothing.
func (x *extraction) noteOver(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.over = x.over || CodeOf(err) == CodeModelBudget
}

func (x *extraction) isOver() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.over
}
