package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/llm/read"
)

// ended puts together what the pages gave. It is done also when pages are left in line.
func (x *extraction) ended(ctx context.Context) error {
	stats, err := x.frontier.Stats(ctx)
	if err != nil {
		return err
	}
	e := &ending{extraction: x, stats: stats}
	if _, err := x.store.noted(x.id, pagesNote, &e.all); err != nil {
		return err
	}
	if e.pieces, err = x.store.piecesOf(x.id, e.all); err != nil {
		return err
	}
	if err := e.nothing(ctx); err != nil {
		return err
	}
	if err := e.keep(); err != nil {
		return err
	}
	if stats.Queued+stats.Leased > 0 {
		return errEnough
	}
	return nil
}

// ending is the end of an extraction.
type ending struct {
	*extraction
	stats  crawl.Stats
	all    selection
	pieces []placed
}

// placed is a piece at the place of its page.
type placed struct {
	piece
	place int
}

// piecesOf reads what the pages have given so far, in the order of the pages.
func (s *jobStore) piecesOf(id string, all selection) ([]placed, error) {
	var list []placed
	for i := range all.Pages {
		p := placed{place: i}
		found, err := s.noted(id, fmt.Sprintf(pieceNotes, i), &p.piece)
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
	errs, err := e.frontier.Errors(ctx, 0, 1)
	switch {
	case err != nil:
		return err
	case e.late:
		return &Error{Code: CodeTimeout, Err: &timeoutError{e.options.Timeout}}
	case len(errs) > 0:
		return &Error{Code: Code(errs[0].Code), Err: fmt.Errorf("no page could be read: %s", errs[0].Data)}
	}
	return nil
}

// keep merges the pieces and keeps the result.
func (e *ending) keep() error {
	tagged := e.tagged()
	merged, err := read.Merge(e.schema, tagged)
	if err != nil {
		return err
	}
	merged.JSON = e.fitted(merged.JSON)
	r := jobResult{Data: merged.JSON, Warning: e.warning(merged)}
	if e.options.ShowSources {
		if r.More, err = json.Marshal(sourcesOf(merged, tagged, e.withData())); err != nil {
			return err
		}
	}
	return e.store.keepResult(e.id, r)
}

func (p piece) empty() bool { return len(p.JSON) == 0 || string(p.JSON) == "null" }

// withData are the pieces that hold something.
func (e *ending) withData() (list []placed) {
	for _, p := range e.pieces {
		if !p.empty() {
			list = append(list, p)
		}
	}
	return list
}

// mostWarnings bounds how many are told one by one.
const mostWarnings = 10

// warning joins what a caller may miss.
func (e *ending) warning(merged read.Extracted) string {
	list := append([]string(nil), e.all.Warnings...)
	if e.late {
		list = append(list, fmt.Sprintf("the time of %s ran out, and pages are left out", e.options.Timeout))
	}
	if e.isOver() {
		list = append(list, "the allowed tokens are used up, and pages are left out")
	}
	if e.stats.Failed > 0 {
		list = append(list, fmt.Sprintf("%d pages could not be read; Errors lists them", e.stats.Failed))
	}
	if len(e.all.Pages) == 0 {
		list = append(list, "no pages were found")
	}
	list = append(list, merged.Warnings...)
	for _, p := range e.pieces {
		if len(e.withData()) == 0 || len(p.JSON) == 0 {
			list = append(list, p.Warnings...)
		}
	}
	if more := len(list) - mostWarnings; more > 0 {
		list = append(list[:mostWarnings], fmt.Sprintf("and %d more", more))
	}
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], ".") + "."
	}
	return strings.Join(list, " ")
}

// URLTrace tells what became of a page of an extraction.
type URLTrace struct {
	URL string `json:"url"`
	// From is "given", "map" or "search".
	From string `json:"from"`
	// Status is "read" (it gave data), "empty" (it holds nothing of it), "failed", or
	// "waiting": its turn hasn't come, or never came.
	Status string `json:"status"`
	// Code and Error of one that failed.
	Code  Code   `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// URLTrace tells what became of the pages of an extraction so far, in the order in which
// they were chosen; more are chosen than are read. It is empty for other jobs.
func (j *Job) URLTrace(ctx context.Context) ([]URLTrace, error) {
	var all selection
	if _, err := j.store.noted(j.id, pagesNote, &all); err != nil {
		return nil, j.fail(ctx, err)
	}
	pieces, err := j.store.piecesOf(j.id, all)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	errs, err := j.Errors(ctx)
	if err != nil {
		return nil, err
	}
	list, byURL := make([]URLTrace, len(all.Pages)), map[string]int{}
	for i, p := range all.Pages {
		list[i], byURL[p.URL] = URLTrace{URL: p.URL, From: p.From, Status: "waiting"}, i
	}
	for _, p := range pieces {
		if list[p.place].Status = "read"; p.empty() {
			list[p.place].Status = "empty"
		}
	}
	for _, e := range errs {
		if i, ok := byURL[e.URL]; ok {
			list[i].Status, list[i].Code, list[i].Error = "failed", e.Code, e.Error
		}
	}
	return list, nil
}
