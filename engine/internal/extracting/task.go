package extracting

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// Pages scrapes the pages of an extraction. Safe for concurrent use.
type Pages interface {
	// Visit scrapes the page of an item. Models that it calls for that are metered by budget. Beside an error
	// [Visit.Tried] counts.
	Visit(ctx context.Context, item crawl.Item, budget *llm.Meter) (Visit, error)
}

// Visit is a page that was scraped.
type Visit struct {
	work.Tried
	// Document of the page, for JSON.
	Document any
	// URL of the page in the end, after redirects, and its HTTP status.
	URL    string
	Status int
	// Page is what its readers see.
	Page read.Page
}

// Options of an extraction, complete.
type Options struct {
	// Request says which pages are wanted.
	Request
	// SystemPrompt says how the model is to go about it; may be empty.
	SystemPrompt string
	// Evidence makes each value carry a quote, Sources lists the pages of each value.
	Evidence, Sources bool
	// Timeout of the whole, from the creation of the job; 0: none.
	Timeout time.Duration
	// MaxTokens of the model for the whole; 0: no limit.
	MaxTokens int
	// Credits for reading a page, beside those of its scrape.
	Credits int
	// Workers at once.
	Workers int
	Model   llm.Model
}

// Notes of an extraction, beside those of every job.
const (
	pagesNote  = "pages"      // Selection
	pieceNotes = "piece/%04d" // Piece, by the index of its page in the selection
)

// extraction is the task of an extraction.
type extraction struct {
	line  *work.Line
	web   Web
	pages Pages
	o     Options
	meter *llm.Meter // of the whole job

	// These and the schema in o are fixed before the first page is queued.
	chosen  []crawl.Found  // nil until they are chosen
	places  map[string]int // by URL
	several bool

	mu   sync.Mutex
	over bool // the tokens are used up
}

// Open starts an extraction, or resumes it where an earlier process left it.
func Open(l *work.Line, pages Pages, web Web, o Options) (work.Task, work.LineOptions, error) {
	lo := work.LineOptions{Workers: o.Workers, Limit: o.Limit}
	if o.Timeout > 0 {
		lo.Until = l.Record.Created.Add(o.Timeout)
	}
	x := &extraction{line: l, web: web, pages: pages, o: o, places: map[string]int{}}
	return x, lo, errors.Join(x.openMeter(), x.takeEarlier())
}

// openMeter opens the meter, with the budget that earlier processes have left.
func (x *extraction) openMeter() error {
	o := llm.MeterOptions{MaxTokens: x.o.MaxTokens}
	if o.MaxTokens > 0 {
		used, err := x.line.Usage()
		if err != nil {
			return err
		}
		o.MaxTokens -= used.Tokens()
		x.over = o.MaxTokens <= 0
		o.MaxTokens = max(o.MaxTokens, 1)
	}
	x.meter = llm.NewMeter(x.o.Model, o)
	return nil
}

// takeEarlier takes what an earlier process has chosen: its pages may be queued already.
func (x *extraction) takeEarlier() error {
	var all Selection
	found, err := x.line.Noted(pagesNote, &all)
	if err != nil || !found {
		return err
	}
	return x.take(all)
}

// Feed implements [work.Task]: it chooses the pages, unless an earlier process did, and queues them.
func (x *extraction) Feed(ctx context.Context) error {
	if x.chosen == nil {
		if err := x.choose(ctx); err != nil {
			return err
		}
	}
	_, err := x.line.Frontier.Put(ctx, x.chosen)
	return err
}

func (x *extraction) choose(ctx context.Context) error {
	all, err := Choose(ctx, x.o.Request, Means{Web: x.web, Model: x.meter, Spend: func(u llm.Usage) error { return x.line.Spend(u, 0) }})
	if err != nil {
		return err
	}
	if err := x.line.Note(pagesNote, all); err != nil {
		return err
	}
	return x.take(all)
}

// take makes a selection that of the job. It is called before any of its pages is queued, or can be found there.
func (x *extraction) take(all Selection) error {
	x.chosen, x.several = []crawl.Found{}, len(all.Pages) > 1
	for i, page := range all.Pages {
		x.places[page.URL] = i
		x.chosen = append(x.chosen, crawl.Found{URL: page.URL})
	}
	if x.o.Schema != nil || len(all.Schema) == 0 {
		return nil
	}
	var err error
	x.o.Schema, err = llm.CompileSchema(all.Schema)
	return err
}

// Complete implements [work.Task].
func (x *extraction) Complete(crawl.Tx, crawl.Item, work.Outcome) error { return nil }

// Visit implements [work.Task]: it scrapes a page and has the model read it.
func (x *extraction) Visit(ctx context.Context, item crawl.Item) work.Outcome {
	if x.isOver() {
		return work.Outcome{Failed: x.line.Failure(ctx, item, llm.ErrBudget)}
	}
	visit, err := x.pages.Visit(ctx, item, x.meter)
	if err != nil {
		return x.line.Again(item, visit.Tried, err)
	}
	out := work.Outcome{Documents: []any{visit.Document}, Credits: visit.Credits}
	if x.line.PushedBack(&out, item, visit.Tried) {
		return out
	}
	if visit.Status >= 400 { // what an error page says of itself is no data
		refused := fmt.Sprintf("%s answered with status %d", item.URL, visit.Status)
		return x.keep(item, out, Piece{URL: visit.URL, Warnings: []string{refused}})
	}
	return x.read(ctx, item, visit.Page, out)
}

// read has the model read a page, and keeps what it finds.
func (x *extraction) read(ctx context.Context, item crawl.Item, page read.Page, out work.Outcome) work.Outcome {
	meter := llm.NewMeter(x.meter, llm.MeterOptions{})
	got, err := read.Extract(ctx, meter, page, read.Fields{
		Schema: x.o.Schema, Prompt: x.o.Prompt, SystemPrompt: x.o.SystemPrompt, Evidence: x.o.Evidence, Partial: x.several,
	})
	// The usage is booked by itself: also where the page is abandoned and restarted.
	if spent := x.line.Spend(meter.Usage(), 0); spent != nil {
		return work.Outcome{Failed: spent}
	}
	if err != nil {
		x.noteOver(err)
		return work.Outcome{Failed: x.line.Failure(ctx, item, err), Credits: out.Credits}
	}
	out.Credits += x.o.Credits
	return x.keep(item, out, Piece{URL: page.URL, JSON: got.JSON, Evidence: got.Evidence, Warnings: got.Warnings})
}

// keep keeps what a page gave, in the transaction in which it ends.
func (x *extraction) keep(item crawl.Item, out work.Outcome, p Piece) work.Outcome {
	note, err := x.line.Noting(fmt.Sprintf(pieceNotes, x.places[item.URL]), p)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	out.InTx = func(tx jobs.Tx, _ uint64, _ int) error { return note(tx) }
	return out
}

// noteOver keeps further pages from being fetched for nothing.
func (x *extraction) noteOver(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.over = x.over || errors.Is(err, llm.ErrBudget)
}

func (x *extraction) isOver() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.over
}

var _ work.Task = (*extraction)(nil)

// noted reads a note of a job; it is [work.Job.Noted] or that of a runner.
type noted func(name string, v any) (bool, error)

// selection reads what was chosen so far.
func (n noted) selection() (all Selection, err error) {
	_, err = n(pagesNote, &all)
	return all, err
}

// pieces reads what the pages have given so far, by index of the page.
func (n noted) pieces(all Selection) (map[int]Piece, error) {
	list := map[int]Piece{}
	for i := range all.Pages {
		var p Piece
		found, err := n(fmt.Sprintf(pieceNotes, i), &p)
		if err != nil {
			return nil, err
		}
		if found {
			list[i] = p
		}
	}
	return list, nil
}
