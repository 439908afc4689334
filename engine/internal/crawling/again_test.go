package crawling

import (
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
)

// Pages that are got again lead on as others do, under the scope and robots.txt.
func TestCrawl_pagesThatAreGotAgain(t *testing.T) {
	var again []work.Correction
	for i, page := range []string{seed, seed + "1", seed + "gone", seed + "shut"} {
		again = append(again, work.Correction{Sequence: uint64(i + 1), Results: 1, Found: crawl.Found{URL: page}, Host: "a.example"})
	}
	corrections := worktest.Again(again...)
	s := &fakeSite{
		robots: "User-agent: *\nDisallow: /shut",
		pages: map[string]string{
			seed: seed + "1 " + seed + "gone " + seed + "other", seed + "1": "", seed + "gone": "", seed + "other": "", seed + "new": "",
		},
		again:       map[string]string{seed: seed + "new https://b.example/ " + seed + "shut", seed + "1": "", seed + "shut": seed},
		corrections: corrections,
	}
	r, got := crawlOf(t, s, options())
	stats := statsOf(t, r, got.ID)
	if stats.Done != 5 || got.Credits != 5 || stats.Denied[string(scope.ExternalLink)] != 1 || stats.Denied[string(scope.RobotsTxt)] != 1 {
		t.Errorf("got %+v, %+v", got, stats)
	}
	if !slices.Contains(s.visited, seed+"new") {
		t.Errorf("visited %v", s.visited)
	}
	if kept := strings.Join(corrections.Kept(), "; "); kept != errNoPage.Error()+"; "+errDenied.Error() {
		t.Errorf("kept for %q", kept)
	}
}
