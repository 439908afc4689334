package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// Notes of an extraction, beside those of every job.
const (
	pagesNote  = "pages"      // selection
	pieceNotes = "piece/%04d" // piece, by the place of its page in the selection
)

// selection is what is to be read.
type selection struct {
	Pages    []chosen        `json:"pages"`
	Warnings []string        `json:"warnings,omitempty"` // of what couldn't be looked at
	Schema   json.RawMessage `json:"schema,omitempty"`   // that a model made of the prompt
}

// chosen is a page that is to be read, in the order of what it matters.
type chosen struct {
	URL  string `json:"url"` // normalised
	From string `json:"from"`
}

// piece is what a page gave.
type piece struct {
	URL      string            `json:"url"`
	JSON     json.RawMessage   `json:"json,omitempty"` // none of a page that wasn't read
	Evidence map[string]string `json:"evidence,omitempty"`
	Warnings []string          `json:"warnings,omitempty"`
}

// extraction is the task of an extraction.
type extraction struct {
	*run
	record  jobs.Record
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
func (r *run) openExtract(record jobs.Record) error {
	var p extractParams
	if err := json.Unmarshal(record.Params, &p); err != nil {
		return fmt.Errorf("parameters of the extraction: %w", err)
	}
	x := &extraction{run: r, record: record, options: p.Options, places: map[string]int{}}
	var err error
	if x.schema, err = p.Options.schema(); err != nil {
		return err
	}
	if err := errors.Join(x.openModel(), x.takeEarlier()); err != nil {
		return err
	}
	if p.Options.Timeout > 0 {
		r.until = record.Created.Add(p.Options.Timeout)
	}
	r.task = x
	return r.open(p.Options.MaxConcurrency, 0, p.Options.Limit)
}

// takeEarlier takes what an earlier engine has chosen: its pages may be in line already.
func (x *extraction) takeEarlier() error {
	var all selection
	found, err := x.store.noted(x.id, pagesNote, &all)
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
		var used llm.Usage
		if _, err := x.store.noted(x.id, usageNote, &used); err != nil {
			return err
		}
		o.MaxTokens -= used.Tokens()
		x.over = o.MaxTokens <= 0
		o.MaxTokens = max(o.MaxTokens, 1)
	}
	x.model = llm.NewMeter(model, o)
	return nil
}

// feed finds the pages, unless an earlier engine did, and puts them in line.
func (x *extraction) feed(ctx context.Context) error {
	if x.pages == nil {
		all, err := x.choose(ctx)
		if err != nil {
			return err
		}
		if err := x.form(ctx, &all); err != nil {
			return err
		}
		if err := x.store.note(x.id, pagesNote, all); err != nil {
			return err
		}
		if err := x.take(all); err != nil {
			return err
		}
	}
	_, err := x.frontier.Put(ctx, x.pages)
	return err
}

// take makes a selection that of the job. It is called before any of its pages is in
// line, or can be found there.
func (x *extraction) take(all selection) error {
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

func (x *extraction) note(crawl.Tx, crawl.Item, crawl.Page) error { return nil }

// visit scrapes a page and lets the model read it.
func (x *extraction) visit(ctx context.Context, item crawl.Item) outcome {
	if x.isOver() {
		return failedPage(&Error{Code: CodeModelBudget, Op: KindExtract, URL: item.URL, Err: llm.ErrBudget})
	}
	s, err := x.engine.newScrape(item.URL, x.options.page())
	if err != nil {
		return failedPage(err)
	}
	x.join(s, item)
	s.budget = x.model
	var page read.Page
	doc, err := x.scrape(ctx, s, func(ctx context.Context) (err error) {
		page, err = s.readable(ctx)
		return err
	})
	if err != nil {
		return x.again(item, s, err)
	}
	if at, ok := x.pushedBack(item, s); ok {
		return outcome{retryAt: at, failed: s.source.refusal(), docs: []*Document{doc}, credits: s.cost}
	}
	out := outcome{docs: []*Document{doc}, credits: s.cost}
	if s.source.status >= http.StatusBadRequest { // what it says of itself is no data
		return x.keep(item, out, piece{URL: s.address(), Warnings: []string{fmt.Sprintf("%s answered with status %d", item.URL, s.source.status)}})
	}
	return x.read(ctx, item, page, out)
}

// read lets the model read a page, and keeps what it finds.
func (x *extraction) read(ctx context.Context, item crawl.Item, page read.Page, out outcome) outcome {
	meter := llm.NewMeter(x.model, llm.MeterOptions{})
	got, err := read.Extract(ctx, meter, page, read.Fields{
		Schema: x.schema, Prompt: x.options.Prompt, SystemPrompt: x.options.SystemPrompt, Evidence: x.options.Evidence, Partial: x.several,
	})
	// What was asked is paid for by itself: also where the page is given up and begun anew.
	if spent := x.store.spend(x.id, x.owner, meter.Usage(), 0); spent != nil {
		return failedPage(spent)
	}
	if err != nil {
		failed := failedPage(failure(ctx, KindExtract, item.URL, err))
		failed.credits = out.credits
		x.noteOver(failed.failed)
		return failed
	}
	out.credits += modelCredits
	return x.keep(item, out, piece{URL: page.URL, JSON: got.JSON, Evidence: got.Evidence, Warnings: got.Warnings})
}

// keep keeps what a page gave, in the transaction in which it ends.
func (x *extraction) keep(item crawl.Item, out outcome, p piece) outcome {
	note := fmt.Sprintf(pieceNotes, x.places[item.URL])
	packed, err := packJSON(p)
	if err != nil {
		return failedPage(err)
	}
	out.also = func(tx crawl.Tx) error { return tx.Put(noteBucket, noteKey(x.id, note), packed) }
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
