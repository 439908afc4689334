package actionstest

import (
	"testing"

	"github.com/winnow-go/winnow/actions"
)

func browserScrolls(t *testing.T, newPage NewPage) {
	down, up := actions.ScrollOptions{}, actions.ScrollOptions{Up: true}
	box := actions.ScrollOptions{Selector: "#box", Timeout: patience}
	boxUp := actions.ScrollOptions{Selector: "#box", Timeout: patience, Up: true}
	for _, test := range []struct {
		name   string
		moves  []actions.ScrollOptions
		script string
		want   string
	}{
		{"one viewport down", []actions.ScrollOptions{down}, "scrollY", "800"},
		{"two down and one up", []actions.ScrollOptions{down, down, up}, "scrollY", "800"},
		{"not above the top", []actions.ScrollOptions{up}, "scrollY", "0"},
		{"not below the end", []actions.ScrollOptions{down, down, down, down, down, down}, "scrollY + innerHeight === document.documentElement.scrollHeight", "true"},
		{"an element by its own height", []actions.ScrollOptions{box, box}, "box.scrollTop", "200"},
		{"an element up again", []actions.ScrollOptions{box, box, boxUp}, "box.scrollTop", "100"},
		{"an element is brought into view", []actions.ScrollOptions{box}, "const r = box.getBoundingClientRect(); r.top >= 0 && r.bottom <= innerHeight", "true"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, page := limit(t), newPage(t, document(tall))
			for _, o := range test.moves {
				must(t, page.Scroll(ctx, o))
			}
			wantValue(t, ctx, page, test.script, test.want)
		})
	}
	t.Run("the page notices", func(t *testing.T) {
		ctx, page := limit(t), newPage(t, document(tall))
		for range 4 {
			must(t, page.Scroll(ctx, down))
		}
		must(t, waited(page.WaitSelector(ctx, "#seen", patience)))
		wantValue(t, ctx, page, "scrolls > 0", "true")
	})
}
