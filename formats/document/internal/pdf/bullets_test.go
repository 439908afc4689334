package pdf

import (
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

func TestWithBullets(t *testing.T) {
	text := word{text: "text", x0: 50, x1: 70, base: 100, size: 10}
	before := word{text: "before", x0: 10, x1: 38, base: 100, size: 10}
	marker := word{text: "1.", x0: 50, x1: 58, base: 100, size: 10}
	dot := func(x, y, size float64) reader.Rect { return reader.Rect{X0: x, Y0: y, X1: x + size, Y1: y + size} }
	for name, c := range map[string]struct {
		words []word
		dots  []reader.Rect
		want  int
	}{
		"a dot before text":       {[]word{text}, []reader.Rect{dot(40, 95, 3)}, 1},
		"drawn twice":             {[]word{text}, []reader.Rect{dot(40, 95, 3), dot(40, 95, 3.5)}, 1},
		"no text":                 {nil, []reader.Rect{dot(40, 95, 3)}, 0},
		"too far away":            {[]word{text}, []reader.Rect{dot(10, 95, 3)}, 0},
		"within a sentence":       {[]word{before, text}, []reader.Rect{dot(42, 95, 3)}, 0},
		"another row":             {[]word{text}, []reader.Rect{dot(40, 70, 3), dot(40, 105, 3)}, 0},
		"as large as the letters": {[]word{text}, []reader.Rect{dot(40, 92, 8)}, 0},
		"a point":                 {[]word{text}, []reader.Rect{dot(40, 95, 1)}, 0},
		"before another mark":     {[]word{marker}, []reader.Rect{dot(40, 95, 3)}, 0},
	} {
		if got := len(withBullets(c.words, c.dots)) - len(c.words); got != c.want {
			t.Errorf("%s: got %d marks, want %d", name, got, c.want)
		}
	}
}
