package crawlplan

import (
	"fmt"
	"testing"
)

func TestSample_frontAndTheWholeList(t *testing.T) {
	links := make([]string, 1000)
	for i := range links {
		links[i] = fmt.Sprint(i)
	}
	got := Sample(links)
	if len(got) != sampleSize || got[59] != "59" || got[60] != "60" || got[119] != "984" {
		t.Errorf("%d: %v", len(got), got)
	}
	if got := Sample(links[:70]); len(got) != 70 || got[69] != "69" {
		t.Errorf("%d: %v", len(got), got)
	}
	if got := Sample(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
