package extracting

import (
	"context"

	"github.com/winnow-go/winnow/engine/internal/work"
)

// Trace is what became of a chosen page so far.
type Trace struct {
	Chosen
	// Status is "read" (it gave data), "empty" (it holds nothing of it), "failed", or "waiting": its turn has not come, or
	// never came.
	Status string
	// Code and Error of one that failed.
	Code, Error string
}

// Traces lists the pages of an extraction in the order in which they were chosen.
func Traces(ctx context.Context, r *work.Runner, job string) ([]Trace, error) {
	read := noted(func(name string, v any) (bool, error) { return r.Noted(job, name, v) })
	all, err := read.selection()
	if err != nil {
		return nil, err
	}
	pieces, err := read.pieces(all)
	if err != nil {
		return nil, err
	}
	list, byURL := make([]Trace, len(all.Pages)), map[string]*Trace{}
	for i, p := range all.Pages {
		list[i] = Trace{Chosen: p, Status: pieceStatus(pieces, i)}
		byURL[p.URL] = &list[i]
	}
	for failed, err := range r.Errors(ctx, job) {
		if err != nil {
			return nil, err
		}
		if t := byURL[failed.URL]; t != nil {
			t.Status, t.Code, t.Error = "failed", failed.Code, string(failed.Data)
		}
	}
	return list, nil
}

func pieceStatus(pieces map[int]Piece, i int) string {
	switch p, given := pieces[i]; {
	case !given:
		return "waiting"
	case p.Empty():
		return "empty"
	default:
		return "read"
	}
}
