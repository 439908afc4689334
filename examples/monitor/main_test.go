package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun_printsWhatHappensInTheShop(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	feed := filepath.Join(t.TempDir(), "feed.xml")
	if err := run(t.Context(), []string{"-feed", feed}, &out); err != nil {
		t.Fatal(err)
	}
	days := strings.Split(out.String(), "day ")
	if len(days) != 9 {
		t.Fatalf("%d days: %s", len(days)-1, out.String())
	}
	for day, want := range map[int]string{
		1: "This is the first check",
		2: "0 of 3 pages changed, 0 new, 0 removed, 3 the same",
		3: "new https://lamps.example/wall",
		4: "It costs 45 euros",
		5: "removed https://lamps.example/floor",
		6: "failed",
		8: "0 removed",
	} {
		if !strings.Contains(days[day], want) {
			t.Errorf("day %d lacks %q: %s", day, want, days[day])
		}
	}
	atom, err := os.ReadFile(feed)
	if err != nil || strings.Count(string(atom), "<entry>") < 5 || strings.Contains(string(atom), "views") {
		t.Errorf("the feed: %v %s", err, atom)
	}
}
