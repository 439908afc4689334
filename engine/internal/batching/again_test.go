package batching

import (
	"slices"
	"testing"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
)

// Each document of a page that is got again is replaced, under its own spelling.
func TestBatch_allCopiesAreCorrected(t *testing.T) {
	corrections := worktest.Again(
		work.Correction{Sequence: 1, Results: 2, Found: crawl.Found{URL: "http://a.example/1"}, Host: "a.example"},
		work.Correction{Sequence: 3, Results: 1, Found: crawl.Found{URL: "http://a.example/same"}, Host: "a.example"},
		work.Correction{Sequence: 3, Results: 1, Found: crawl.Found{URL: "http://a.example/unknown"}, Host: "a.example"},
	)
	r := newRunner(t, &site{corrections: corrections}, 3)
	got := batchOf(t, r, []string{"a.example/1", "a.example/same", "http://a.example/1"})
	want := []string{"again a.example/1", "a.example/same", "again http://a.example/1"}
	if list := read(t, r, got.ID); !slices.Equal(list, want) || got.Credits != 4 {
		t.Errorf("got %q, %d credits", list, got.Credits)
	}
	if kept := corrections.Kept(); len(kept) != 1 {
		t.Errorf("kept for %q", kept)
	}
}
