package page

import (
	"strings"
	"testing"
)

func TestSameType(t *testing.T) {
	for header, want := range map[string]bool{"text/csv": true, "Text/CSV; charset=x": true, " text/csv ;": true, "text/csvx": false, "": false} {
		if got := SameType(header, "text/csv"); got != want {
			t.Errorf("%q: got %v", header, got)
		}
	}
	if name := NameOf("https://a.example/x/" + strings.Repeat("y", 3) + ".pdf?z=1.doc"); name != "yyy.pdf" {
		t.Errorf("got %q", name)
	}
}
