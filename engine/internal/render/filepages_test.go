package render

import "testing"

func TestWithMarkers_standBetweenPagesOnly(t *testing.T) {
	got := withMarkers([]PageMarkdown{{1, "a"}, {2, ""}, {3, "c"}})
	if want := "a\n\n---\n\n<!-- page 2 -->\n\n\n\n---\n\n<!-- page 3 -->\n\nc"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
