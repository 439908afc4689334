package pdf

import (
	"math"
	"strings"
)

// tableShape is what a table is compared by with the one that it may go on in, in the next column or on the next page.
type tableShape struct {
	columns []tableColumn
	left    float64 // of its text
	header  bool
	first   string // text of the first row
}

// tableColumn is where a column's text stands, and the rules beside it if there are some, from the table's left edge.
type tableColumn struct{ text, rules span }

// maxJoined bounds the HTML of a table that is put together, in bytes.
const maxJoined = 1 << 20

func (g *grid) shape(text string) *tableShape {
	s := &tableShape{header: g.header}
	s.first, _, _ = strings.Cut(text, "\n")
	left := math.Inf(1)
	for j := range g.rows[0] {
		c := tableColumn{text: span{math.Inf(1), math.Inf(-1)}}
		for _, row := range g.rows {
			if row[j].colspan != 1 || len(row[j].lines) == 0 {
				continue
			}
			box := hull(row[j].lines)
			c.text = span{min(c.text.x0, box.X0), max(c.text.x1, box.X1)}
			c.rules = span{row[j].rules.X0, row[j].rules.X1}
		}
		left = min(left, c.text.x0)
		s.columns = append(s.columns, c)
	}
	s.left = left
	for j := range s.columns {
		c := &s.columns[j]
		c.text, c.rules = span{c.text.x0 - left, c.text.x1 - left}, span{c.rules.x0 - left, c.rules.x1 - left}
	}
	return s
}

// sameColumns reports whether two tables have their columns at the same places.
func sameColumns(a, b *tableShape) bool {
	if len(a.columns) != len(b.columns) {
		return false
	}
	for j, c := range a.columns {
		d := b.columns[j]
		if math.IsInf(c.text.x0, 0) || math.IsInf(d.text.x0, 0) {
			continue // a column without text
		}
		ruled := c.rules.width() > 0 && d.rules.width() > 0
		if ruled && math.Abs(c.rules.width()-d.rules.width()) > near {
			return false
		}
		if (c.rules.width() > 0) != (d.rules.width() > 0) || !ruled && min(c.text.x1, d.text.x1) <= max(c.text.x0, d.text.x0) {
			return false
		}
	}
	return true
}

// tableGoesOn joins a table to the one before it, of another column or page. A header that is repeated goes; another
// header begins another table.
func tableGoesOn(last, first *block) bool {
	a, b := last.table, first.table
	if a == nil || b == nil || !sameColumns(a, b) || len(last.html) > maxJoined || b.header && (!a.header || a.first != b.first) {
		return false
	}
	html, text := strings.TrimPrefix(first.html, "<table>\n"), first.text
	if b.header {
		_, html, _ = strings.Cut(html, "</tr>\n")
		_, text, _ = strings.Cut(text, "\n")
	}
	last.html = strings.TrimSuffix(last.html, "</table>") + html
	last.text += "\n" + text
	last.lines, last.words = last.lines+first.lines, last.words+first.words
	return true
}
