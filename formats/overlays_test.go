package formats

import (
	"strings"
	"testing"
)

// Overlays are left out of the markdown of a whole page alone: what readers see first, what was asked for by selectors and the page
// itself have them, and so has a page that holds little else.
func TestRender_overlays(t *testing.T) {
	const overlay = `<div role="dialog"><p>We use cookies.</p><button>Accept</button></div>`
	text := "<p>" + strings.Repeat("Bees do not sleep in winter. ", 9) + "</p>"
	cases := []struct {
		name, page string
		o          Options
		want       bool
	}{
		{"the whole page", text + overlay, Options{}, false},
		{"with an excluded part", text + "<i>x</i>" + overlay, Options{ExcludeTags: []string{"i"}}, false},
		{"what is seen", text + overlay, Options{OnlyVisible: true}, true},
		{"what was asked for", text + overlay, Options{IncludeTags: []string{"p"}}, true},
		{"little else", "<p>Bees</p>" + overlay, Options{}, true},
		{"little else in main content", "<main></main>" + overlay, Options{OnlyMainContent: true}, true},
	}
	for _, c := range cases {
		out := render(t, mustParse(t, c.page, "text/html"), c.o, Markdown, HTML)
		if got := strings.Contains(out.Markdown, "We use cookies."); got != c.want {
			t.Errorf("%s: got %q, want the overlay: %t", c.name, out.Markdown, c.want)
		}
		if !strings.Contains(out.HTML, "We use cookies.") {
			t.Errorf("%s: got html %q, want the overlay", c.name, out.HTML)
		}
	}
}
