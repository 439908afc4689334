package pdf

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

func TestBesideOthers(t *testing.T) {
	text := func(region int, x, size float64, s string) block {
		return block{kind: "text", html: s, text: s, box: reader.Rect{X0: x, X1: x + 100}, size: size, lines: 2, indent: x, open: !endsSentence(s), columnPlace: columnPlace{region: region}}
	}
	for name, c := range map[string]struct {
		before, after []block
		want          string
	}{
		"notes": {[]block{text(1, 50, 10, "The text goes"), text(2, 300, 8, "A note goes")}, []block{text(1, 50, 10, "on."), text(1, 50, 10, "More."), text(2, 300, 8, "on too.")},
			"The text goes on. More. A note goes on too."},
		"columns": {[]block{text(1, 50, 10, "The text."), text(2, 300, 10, "It goes")}, []block{text(1, 50, 10, "on."), text(2, 300, 10, "in the middle.")},
			"The text. It goes on. in the middle."},
		"one column": {[]block{text(1, 50, 10, "The text goes")}, []block{text(1, 50, 10, "on.")}, "The text goes on."},
		"elsewhere":  {[]block{text(1, 50, 10, "The text goes"), text(2, 300, 8, "A note.")}, []block{text(1, 80, 10, "on.")}, "The text goes A note. on."},
	} {
		r := &reading{doc: &Document{}, found: []found{{blocks: c.before}, {blocks: c.after}}}
		besideOthers(r.found)
		r.options.Text = 1000
		r.write()
		got := strings.NewReplacer("<p>", "", "</p>\n", " ").Replace(string(r.doc.HTML))
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
