package drive

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

func TestHand_doesSingleThings(t *testing.T) {
	page := &paper{url: "https://a.example/"}
	h, err := NewHand(t.Context(), page, Options{})
	if err != nil || !strings.Contains(h.Snapshot().Text, `button "a" [e1]`) {
		t.Fatalf("%v, %v", h, err)
	}
	for _, row := range []struct {
		tool, arguments, want string
		failed                bool
	}{
		{"click", `{"ref":"e1"}`, "clicked e1", false},
		{"type", `{"ref":"e2","text":"oats","submit":true}`, "typed, and pressed Enter, e2", false},
		{"click", `{"ref":"e7"}`, "The page refused it", true},
		{"click", `{"ref":"a"}`, "no reference", true},
		{"click", `{"ref":"e1","force":true}`, "unknown field", true},
		{"done", `{}`, "is no tool; there are click, type, select, press, scroll, wait.", true},
		{"extract", `{"what":"all"}`, "is no tool", true},
		{"goto", `{"url":"https://b.example/"}`, "is no tool", true},
	} {
		r, err := h.Do(t.Context(), row.tool, json.RawMessage(row.arguments))
		if err != nil || r.Failed != row.failed || !strings.Contains(r.String(), row.want) {
			t.Errorf("%s %s: %+v, %v; want %q", row.tool, row.arguments, r, err, row.want)
		}
	}
	if got := strings.Join(page.did, ", "); !strings.HasPrefix(got, "click e1, click e2, type oats, press Enter") {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(h.Snapshot().Text, `value="oats"`) {
		t.Errorf("the snapshot is that of before: %s", h.Snapshot().Text)
	}
	page.fail = errors.New("the browser is gone")
	if _, err := h.Do(t.Context(), "click", json.RawMessage(`{"ref":"e1"}`)); err == nil || actions.ReasonOf(err) != "" {
		t.Errorf("a lost page: %v", err)
	}
}
