//go:build unix

package engine

import (
	"runtime/debug"
	"testing"
)

// TestBudget_cachedScrape holds what a scrape costs that is served from the cache, with the writing behind its answer, by a figure that
// doesn't depend on the machine: some 20 % more allocations than it took when this was written.
func TestBudget_cachedScrape(t *testing.T) {
	if raced {
		t.Skip("-race: the race detector allocates as well")
	}
	const want = 235
	e := cachingEngine(t, newGranary(benchPage(1)))
	const url = "https://granary.example/"
	scrapeOK(t, e, url, ScrapeOptions{})
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it empties the pools of memory that scrapes pass on
	got := testing.AllocsPerRun(20, func() {
		if doc := scrapeOK(t, e, url, ScrapeOptions{}); doc.Metadata.CacheState != "hit" {
			t.Errorf("got %q, want a hit", doc.Metadata.CacheState)
		}
		if err := e.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	if t.Logf("%.0f allocations", got); got > want {
		t.Errorf("%.0f allocations, want at most %d", got, want)
	}
}
