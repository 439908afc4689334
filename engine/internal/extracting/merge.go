package extracting

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// Piece is what a page gave. Its JSON stands in files.
type Piece struct {
	URL      string            `json:"url"`
	JSON     json.RawMessage   `json:"json,omitempty"` // none of a page that wasn't read
	Evidence map[string]string `json:"evidence,omitempty"`
	Warnings []string          `json:"warnings,omitempty"`
}

// Empty reports whether the page holds nothing of what is wanted.
func (p Piece) Empty() bool { return len(p.JSON) == 0 || string(p.JSON) == "null" }

// Findings are what all pages gave.
type Findings struct {
	// Selection of the pages, and the Pieces that they gave, in the same order. Pages may have none.
	Selection Selection
	Pieces    []Piece
	// Schema of the result, nil for none. Evidence: each value has a quote.
	Schema   *llm.Schema
	Evidence bool
	// Sources are wanted.
	Sources bool
	Missed  Missed
}

// Missed is why pages are left out.
type Missed struct {
	// Timeout that ran out; 0: none did.
	Timeout time.Duration
	// Tokens of the model are used up.
	Tokens bool
	// Failed pages.
	Failed int
}

// Result is all findings in one.
type Result struct {
	// Data is JSON by the schema; null for nothing.
	Data json.RawMessage
	// Warning says what a caller may miss, in sentences; empty for nothing.
	Warning string
	// Sources of each value by its JSON pointer into Data; nil unless they are wanted.
	Sources map[string][]Source
}

// Merge puts the findings together.
func Merge(f Findings) (Result, error) {
	full := f.full()
	parts := tagged(full)
	merged, err := read.Merge(f.Schema, parts)
	if err != nil {
		return Result{}, err
	}
	merged.JSON = fitted(merged.JSON, f.Schema, f.Evidence)
	r := Result{Data: merged.JSON, Warning: f.warning(merged.Warnings, len(full) == 0)}
	if f.Sources {
		r.Sources = sourcesOf(merged, parts, full)
	}
	return r, nil
}

// full are the pieces that hold something.
func (f Findings) full() (list []Piece) {
	for _, p := range f.Pieces {
		if !p.Empty() {
			list = append(list, p)
		}
	}
	return list
}

// maxWarnings bounds how many are given one by one.
const maxWarnings = 10

// warning joins what a caller may miss.
func (f Findings) warning(merged []string, nothing bool) string {
	list := append([]string(nil), f.Selection.Warnings...)
	list = append(list, f.Missed.warnings()...)
	if len(f.Selection.Pages) == 0 {
		list = append(list, "no pages were found")
	}
	list = append(list, merged...)
	for _, p := range f.Pieces {
		if nothing || len(p.JSON) == 0 {
			list = append(list, p.Warnings...)
		}
	}
	if more := len(list) - maxWarnings; more > 0 {
		list = append(list[:maxWarnings], fmt.Sprintf("and %d more", more))
	}
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], ".") + "."
	}
	return strings.Join(list, " ")
}

func (m Missed) warnings() (list []string) {
	if m.Timeout > 0 {
		list = append(list, fmt.Sprintf("the time of %s ran out, and pages are left out", m.Timeout))
	}
	if m.Tokens {
		list = append(list, "the allowed tokens are used up, and pages are left out")
	}
	if m.Failed > 0 {
		list = append(list, fmt.Sprintf("%d pages could not be read; Errors lists them", m.Failed))
	}
	return list
}
