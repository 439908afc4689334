package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/extracting"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Ended implements [work.Task]: it puts together what the pages gave. It is done also when pages are left in line.
func (x *extraction) Ended(ctx context.Context) error {
	stats, err := x.Frontier.Stats(ctx)
	if err != nil {
		return err
	}
	e := &ending{extraction: x, stats: stats}
	if _, err := x.Noted(pagesNote, &e.all); err != nil {
		return err
	}
	if e.pieces, err = piecesOf(x.Noted, e.all); err != nil {
		return err
	}
	if err := e.nothing(ctx); err != nil {
		return err
	}
	if err := e.keep(); err != nil {
		return err
	}
	if stats.Queued+stats.Leased > 0 {
		return work.ErrEnough
	}
	return nil
}

// ending is the end of an extraction.
type ending struct {
	*extraction
	stats  crawl.Stats
	all    extracting.Selection
	pieces []placed
}

// placed is a piece at the place of its page.
type placed struct {
	extracting.Piece
	place int
}

// piecesOf reads what the pages have given so far, in the order of the pages.
func piecesOf(noted func(name string, v any) (bool, error), all extracting.Selection) ([]placed, error) {
	var list []placed
	for i := range all.Pages {
		p := placed{place: i}
		found, err := noted(fmt.Sprintf(pieceNotes, i), &p.Piece)
		if err != nil {
			return nil, err
		}
		if found {
			list = append(list, p)
		}
	}
	return list, nil
}

// nothing is the reason for which the whole has come to nothing; nil: it hasn't.
func (e *ending) nothing(ctx context.Context) error {
	if len(e.pieces) > 0 {
		return nil
	}
	errs, err := e.Frontier.Errors(ctx, 0, 1)
	switch {
	case err != nil:
		return err
	case e.Late:
		return &Error{Code: CodeTimeout, Err: &deadline.TimeoutError{After: e.options.Timeout}}
	case len(errs) > 0:
		return &Error{Code: Code(errs[0].Code), Err: fmt.Errorf("no page could be read: %s", errs[0].Data)}
	}
	return nil
}

// keep merges the pieces and keeps the result.
func (e *ending) keep() error {
	f := extracting.Findings{
		Selection: e.all, Schema: e.schema, Evidence: e.options.Evidence, Sources: e.options.ShowSources,
		Missed: extracting.Missed{Tokens: e.isOver(), Failed: e.stats.Failed},
	}
	if e.Late {
		f.Missed.Timeout = e.options.Timeout
	}
	for _, p := range e.pieces {
		f.Pieces = append(f.Pieces, p.Piece)
	}
	merged, err := extracting.Merge(f)
	if err != nil {
		return err
	}
	r := work.Result{Data: merged.Data, Warning: merged.Warning}
	if merged.Sources != nil {
		if r.More, err = json.Marshal(merged.Sources); err != nil {
			return err
		}
	}
	return e.KeepResult(r)
}
