package pdf

import (
	"strings"
	"testing"
)

// typeset makes lines of 10 point text: a word of five points a letter at each place.
func typeset(base float64, words ...any) line {
	var out []word
	for i := 0; i < len(words); i += 2 {
		x, text := float64(words[i].(int)), words[i+1].(string)
		out = append(out, word{text: text, x0: x, x1: x + 5*float64(len(text)), base: base, size: 10})
	}
	return newLine(out)
}

func threeRows() line {
	g := &grid{}
	for i, texts := range [][2]string{{"Apple", "12"}, {"Pear", "8"}, {"Plum", "110"}} {
		base := 50 + 20*float64(i)
		row := []cell{{colspan: 1, rowspan: 1}, {colspan: 1, rowspan: 1}}
		row[0].lines = []line{typeset(base, 40, texts[0])}
		row[1].lines = []line{typeset(base, 115-5*len(texts[1]), texts[1])}
		g.rows = append(g.rows, row)
	}
	g.box = hull(append(g.rows[0][0].lines, g.rows[2][1].lines...))
	return tableLine(g)
}

func textsOf(lines []line) string {
	var out []string
	for _, l := range lines {
		if l.table == nil {
			out = append(out, l.text())
			continue
		}
		for _, row := range l.table.rows {
			var cells []string
			for _, c := range row {
				cells = append(cells, textsOf(c.lines))
			}
			out = append(out, "["+strings.Join(cells, "|")+"]")
		}
	}
	return strings.Join(out, " ")
}

func TestCutOffRows(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []line
		want          string
	}{
		"the first row ends a page": {[]line{typeset(700, 40, "Text", 62, "of", 74, "more"), typeset(740, 40, "Fruit", 100, "Sum")}, []line{threeRows()},
			"Text of more [Fruit|Sum] / [Apple|12] [Pear|8] [Plum|110]"},
		"the last row begins a page": {[]line{threeRows()}, []line{typeset(50, 40, "Grape", 110, "7"), typeset(90, 40, "Text", 62, "of", 74, "more")},
			"[Apple|12] [Pear|8] [Plum|110] / [Grape|7] Text of more"},
		"in another column": {[]line{threeRows()}, []line{typeset(50, 240, "Grape", 310, "7")}, "[Apple|12] [Pear|8] [Plum|110] / [Grape|7]"},
		"the rest of a row": {[]line{threeRows()}, []line{typeset(50, 40, "dried"), threeRows()}, "[Apple|12] [Pear|8] [Plum|110] / [dried|] [Apple|12] [Pear|8] [Plum|110]"},
		"text":              {[]line{typeset(700, 40, "Text", 62, "of", 74, "some", 96, "words")}, []line{threeRows()}, "Text of some words / [Apple|12] [Pear|8] [Plum|110]"},
		"a wide space in the last line of a paragraph": {[]line{typeset(728, 40, "Text", 62, "of", 74, "some", 96, "words"), typeset(740, 40, "Text", 100, "ends")},
			[]line{threeRows()}, "Text of some words Text ends / [Apple|12] [Pear|8] [Plum|110]"},
		"nothing": {nil, []line{threeRows()}, " / [Apple|12] [Pear|8] [Plum|110]"},
	} {
		before, after := [][]line{c.before}, [][]line{c.after}
		cutOffRows(before, after)
		if got := textsOf(before[0]) + " / " + textsOf(after[0]); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}
