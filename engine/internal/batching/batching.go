// Package batching is the task of a batch: each page is visited once, and delivered as often as its URL was given, in the
// spellings in which it was.
//
// Start with [Open].
//
//   - batching.go — [Open]: the task, and what it needs of pages
//   - split.go — [Split]: which texts are web addresses
//   - given.go — the URLs as they were given: [Keep], [Append], [Drop], [Digest]
//   - apart.go — a batch that is spread over machines
//   - order.go — [Order]: the results in the order of giving
package batching

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Pages scrapes the pages of a batch. Safe for concurrent use.
type Pages interface {
	// Visit scrapes the page of an item under one of its spellings. Beside an error [Visit.Tried] counts.
	Visit(ctx context.Context, url string, item crawl.Item) (Visit, error)
	// Again gets the page of a correction. A Visit without documents leaves the stored ones: there is no more to see.
	Again(ctx context.Context, url string, c work.Correction, item crawl.Item) (Visit, error)
	// Corrections of the job; nil where nothing is learnt of its pages.
	Corrections() work.Corrections
}

// Visit is what a page came to.
type Visit struct {
	work.Tried
	// Document returns that of the page for one of its spellings, for JSON. Nil: there is none.
	Document func(url string) any
	// InTx is [work.Outcome.InTx].
	InTx func(tx jobs.Tx, first uint64, results int) error
}

// Options of a batch.
type Options struct {
	// URLs that it was made with: as many must have been kept.
	URLs int
	// Workers at once.
	Workers int
}

// MaxLine is more than a batch can have: nothing of it is left out.
const MaxLine = 100_000_000

// batch is the task of a batch.
type batch struct {
	line  *work.Line
	pages Pages
}

// Open opens the line of a batch. One whose URLs are not all there is an error.
func Open(l *work.Line, pages Pages, o Options) (work.Task, work.LineOptions, error) {
	lo := work.LineOptions{Workers: o.Workers, Limit: MaxLine, Corrections: pages.Corrections()}
	if l.Apart() {
		return &batch{l, pages}, lo, nil
	}
	given, err := count(l.DB(), l.Record.ID)
	if err == nil && given < uint64(o.URLs) {
		err = fmt.Errorf("the process ended while it took over the batch: %d of %d URLs are there", given, o.URLs)
	}
	return &batch{l, pages}, lo, err
}

// Feed queues all that was given.
func (b *batch) Feed(ctx context.Context) error {
	for n := uint64(0); ; {
		urls, err := after(b.line.DB(), b.line.Record.ID, n)
		if err != nil || len(urls) == 0 {
			return err
		}
		if _, err := b.line.Frontier.Put(ctx, addresses(urls)); err != nil {
			return err
		}
		n += uint64(len(urls))
	}
}

// Visit scrapes a URL once, and delivers it as often as it was given.
func (b *batch) Visit(ctx context.Context, item crawl.Item) work.Outcome {
	if b.line.Apart() {
		return b.visitApart(ctx, item)
	}
	given, err := b.given(item.URL)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	visit, err := b.pages.Visit(ctx, given[0], item)
	if err != nil {
		return b.line.Again(item, visit.Tried, err)
	}
	if given, err = spellings(b.line.DB(), b.line.Record.ID, item.URL); err != nil { // some may have been added meanwhile
		return work.Outcome{Failed: err}
	}
	out := work.Outcome{Credits: visit.Credits, InTx: visit.InTx}
	b.line.PushedBack(&out, item, visit.Tried)
	for _, as := range given {
		out.Documents = append(out.Documents, visit.Document(as))
	}
	return out
}

// given are the spellings of a URL.
func (b *batch) given(url string) ([]string, error) {
	given, err := spellings(b.line.DB(), b.line.Record.ID, url)
	if err == nil && len(given) == 0 {
		err = errors.New("the URL is not among those of the batch")
	}
	return given, err
}

// Correct implements [work.Corrector]: a document for each of the spellings that have one.
func (b *batch) Correct(ctx context.Context, c work.Correction, item crawl.Item) work.Outcome {
	given, err := b.given(item.URL)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	visit, err := b.pages.Again(ctx, given[0], c, item)
	out := work.Outcome{Failed: err, Silent: visit.Document == nil, InTx: visit.InTx}
	if err != nil || out.Silent {
		return out
	}
	for _, as := range given[:min(c.Results, len(given))] {
		out.Documents = append(out.Documents, visit.Document(as))
	}
	return out
}

// Complete implements [work.Task].
func (b *batch) Complete(jobs.Tx, crawl.Item, work.Outcome) error { return nil }

// Ended implements [work.Task]: a batch is done when its line is.
func (b *batch) Ended(context.Context) error { return nil }
