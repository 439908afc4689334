package extracting

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// NothingError says why not a single page could be read.
type NothingError struct {
	// Code of the first page that failed; empty where the time ran out.
	Code string
	Err  error
}

func (e *NothingError) Error() string { return e.Err.Error() }

func (e *NothingError) Unwrap() error { return e.Err }

// Ended implements [work.Task]: it merges what the pages gave, also when pages are left in the queue.
func (x *extraction) Ended(ctx context.Context) error {
	stats, err := x.line.Frontier.Stats(ctx)
	if err != nil {
		return err
	}
	all, err := noted(x.line.Noted).selection()
	if err != nil {
		return err
	}
	pieces, err := noted(x.line.Noted).pieces(all)
	if err != nil {
		return err
	}
	if len(pieces) == 0 {
		if err := x.nothing(ctx); err != nil {
			return err
		}
	}
	if err := x.keepResult(x.findings(all, pieces, stats)); err != nil {
		return err
	}
	if stats.Queued+stats.Leased > 0 {
		return work.ErrEnough
	}
	return nil
}

// nothing is why no page gave anything; nil where there were none.
func (x *extraction) nothing(ctx context.Context) error {
	errs, err := x.line.Frontier.Errors(ctx, 0, 1)
	switch {
	case err != nil:
		return err
	case x.line.Late:
		return &NothingError{Err: &deadline.TimeoutError{After: x.o.Timeout}}
	case len(errs) > 0:
		return &NothingError{Code: errs[0].Code, Err: fmt.Errorf("no page could be read: %s", errs[0].Data)}
	}
	return nil
}

func (x *extraction) findings(all Selection, pieces map[int]Piece, stats crawl.Stats) Findings {
	f := Findings{
		Selection: all, Schema: x.o.Schema, Evidence: x.o.Evidence, Sources: x.o.Sources,
		Missed: Missed{Tokens: x.isOver(), Failed: stats.Failed},
	}
	if x.line.Late {
		f.Missed.Timeout = x.o.Timeout
	}
	for _, i := range slices.Sorted(maps.Keys(pieces)) {
		f.Pieces = append(f.Pieces, pieces[i])
	}
	return f
}

// keepResult merges the findings and keeps the result.
func (x *extraction) keepResult(f Findings) error {
	merged, err := Merge(f)
	if err != nil {
		return err
	}
	r := work.Result{Data: merged.Data, Warning: merged.Warning}
	if merged.Sources != nil {
		if r.More, err = json.Marshal(merged.Sources); err != nil {
			return err
		}
	}
	return x.line.KeepResult(r)
}
