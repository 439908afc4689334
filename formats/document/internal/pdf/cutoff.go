package pdf

import (
	"math"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// Bounds of the rows that the end of a page or column parts from their table. Widths are in parts of the text's height.
const (
	maxCutOff  = 12  // lines
	outside    = 1.0 // that a row may begin left of its table
	cutOffCell = 0.5 // the least white between cells
	nearerLine = 0.1 // how much nearer than rows the lines of a cell are
)

// cutOffRows makes tables of the lines that end some regions where a table goes on with them at the start of the next ones, and of the
// lines that begin the next ones where the regions before end in a table. As blocks, such tables are joined.
func cutOffRows(before, after [][]line) {
	last, first := filledRegion(before, len(before)-1, -1), filledRegion(after, 0, 1)
	if last == nil || first == nil {
		return
	}
	end, begin := (*last)[len(*last)-1].table, (*first)[0].table
	if begin != nil && end == nil {
		lines := slices.Clone(*last)
		slices.Reverse(lines)
		if g, n := newCutOff(begin, lines).rows(true); g != nil {
			*last = append(slices.Clone((*last)[:len(*last)-n]), tableLine(g))
		}
	}
	if end != nil && begin == nil {
		c := newCutOff(end, *first)
		if g, n := c.rows(false); g != nil {
			*first = append([]line{tableLine(g)}, (*first)[n:]...)
		} else if n := c.restOfRow(*first); n > 0 {
			next := (*first)[n].table
			next.rows, next.header = append(c.grid(c.bands[:n]).rows, next.rows...), false
			*first = (*first)[n:]
		}
	}
}

// filledRegion is the first of some regions that has lines, from one on.
func filledRegion(all [][]line, from, step int) *[]line {
	for i := from; i >= 0 && i < len(all); i += step {
		if len(all[i]) > 0 {
			return &all[i]
		}
	}
	return nil
}

// cutOff is a table and the lines nearest to it on the other side of the end of a page or column, nearest first.
type cutOff struct {
	table   *grid
	columns []tableColumn // where the table's would stand beside the lines
	edges   []float64
	bands   []band
	pause   float64 // the white between the table's rows
}

func newCutOff(t *grid, lines []line) *cutOff {
	c := &cutOff{table: t, pause: t.rowPause()}
	for i := range lines[:min(len(lines), maxCutOff)] {
		l := &lines[i]
		if l.table != nil || l.image != nil {
			break
		}
		b := newBand(row{words: slices.Clone(l.words), size: l.size, base: l.base})
		b.ink = merged(b.ink)
		c.bands = append(c.bands, b)
	}
	if len(c.bands) > 0 {
		c.place(t.shape(""), c.bands[0].ink[0].x0)
	}
	return c
}

// place puts the columns where the table is, or where the lines begin if that is another column of the page.
func (c *cutOff) place(s *tableShape, x float64) {
	left := x
	if box := c.table.box; x > box.X0-outside*c.bands[0].size && x < box.X1 {
		left = s.left
	}
	for _, col := range s.columns {
		if math.IsInf(col.text.x0, 0) {
			c.columns = nil
			return
		}
		col.text = span{left + col.text.x0, left + col.text.x1}
		col.rules = span{left + col.rules.x0, left + col.rules.x1}
		c.columns = append(c.columns, col)
	}
	for i := range c.bands {
		c.widen(&c.bands[i])
	}
	for j := 1; j < len(c.columns); j++ {
		c.edges = append(c.edges, (c.columns[j-1].text.x1+c.columns[j].text.x0)/2)
	}
	if !slices.IsSorted(c.edges) {
		c.edges = nil
	}
}

// widen makes the columns as wide as the cells of a line that has one for each need.
func (c *cutOff) widen(b *band) {
	cells := apartIn(b)
	if len(cells) != len(c.columns) {
		return
	}
	wide := slices.Clone(c.columns)
	for j := range wide {
		wide[j].text = span{min(wide[j].text.x0, cells[j].x0), max(wide[j].text.x1, cells[j].x1)}
		if j > 0 && wide[j].text.x0 <= wide[j-1].text.x1 {
			return
		}
	}
	c.columns = wide
}

// apartIn is where a line's text stands, in parts that have room for an edge of a column between them.
func apartIn(b *band) (out []span) {
	for _, s := range b.ink {
		if n := len(out); n > 0 && s.x0-out[n-1].x1 < cutOffCell*b.size {
			out[n-1].x1 = s.x1
			continue
		}
		out = append(out, s)
	}
	return out
}

// rows makes a table of the lines that are rows, and returns how many lines it takes; nil if the nearest are none.
func (c *cutOff) rows(upward bool) (*grid, int) {
	n := 0
	for i := range c.bands {
		b := &c.bands[i]
		if !c.fits(b) || i > 0 && c.white(i) > c.pause+moreGap*b.size {
			break
		}
		if c.isRow(b) || n > 0 && n == i && c.sameRow(i) {
			n = i + 1
		} else if i > 0 {
			break
		}
	}
	if n == 0 || n < len(c.bands) && c.sameRow(n) {
		return nil, 0 // none, or the end of a paragraph
	}
	own := slices.Clone(c.bands[:n])
	if upward {
		slices.Reverse(own)
	}
	g := c.grid(own)
	g.header = upward && allBold(g.rows[0]) && !allBold(c.table.rows[0])
	return g, n
}

// white is what is between a line and the one that is nearer to the table.
func (c *cutOff) white(i int) float64 {
	a, b := &c.bands[i-1], &c.bands[i]
	return max(a.top, b.top) - min(a.bottom, b.bottom)
}

// sameRow reports whether a line and the one that is nearer to the table are of one row.
func (c *cutOff) sameRow(i int) bool { return c.white(i) < c.pause-nearerLine*c.bands[i].size }

// fits reports whether no cell of a line reaches into two columns.
func (c *cutOff) fits(b *band) bool {
	if len(c.edges) == 0 || b.ink[0].x0 < c.columns[0].text.x0-outside*b.size {
		return false
	}
	return !slices.ContainsFunc(cellsIn(b, c.edges), func(l line) bool { return c.at(l.box.X0+1) != c.at(l.box.X1-1) })
}

func (c *cutOff) at(x float64) int {
	i, _ := slices.BinarySearch(c.edges, x)
	return i
}

// isRow reports whether a line has cells that stand apart and where the table's do. Those of a header may stand elsewhere in their columns.
func (c *cutOff) isRow(b *band) bool {
	cells := cellsIn(b, c.edges)
	even := 0
	for i, l := range cells {
		if i > 0 && l.box.X0-cells[i-1].box.X1 < cutOffCell*b.size {
			return false
		}
		text := c.columns[c.at(l.box.X0+1)].text
		off := min(math.Abs(l.box.X0-text.x0), math.Abs(l.box.X1-text.x1), math.Abs(l.box.X0+l.box.X1-text.x0-text.x1)/2)
		even += bit(off < 0.3*b.size)
	}
	return len(cells) > 1 && len(cells)*2 > len(c.edges) && (even*2 >= len(cells) || boldCells(cells))
}

// restOfRow is how many lines are the rest of the table's last row: lines of single cells, under which the table goes on.
func (c *cutOff) restOfRow(lines []line) int {
	n := len(c.bands)
	if n == 0 || n == len(lines) || lines[n].table == nil || !sameColumns(c.table.shape(""), lines[n].table.shape("")) {
		return 0
	}
	if slices.ContainsFunc(c.bands, func(b band) bool { return !c.fits(&b) }) {
		return 0
	}
	return n
}

// grid makes rows of lines, from the top down.
func (c *cutOff) grid(bands []band) *grid {
	var rows []bandRun
	for i := range bands {
		if i > 0 && bands[i].top-bands[i-1].bottom < c.pause-nearerLine*bands[i].size {
			rows[len(rows)-1].last = i
			continue
		}
		rows = append(rows, bandRun{i, i})
	}
	g := gridOf(bands, rows, c.edges)
	for _, row := range g.rows {
		for j := range row {
			row[j].rules.X0, row[j].rules.X1 = c.columns[j].rules.x0, c.columns[j].rules.x1
		}
	}
	return g
}

// rowPause is the least white between a table's rows, the height of a single one.
func (g *grid) rowPause() float64 {
	var boxes []reader.Rect
	for _, row := range g.rows {
		var lines []line
		for _, c := range row {
			if c.rowspan == 1 {
				lines = append(lines, c.lines...)
			}
		}
		if len(lines) > 0 {
			boxes = append(boxes, hull(lines))
		}
	}
	if len(boxes) == 0 {
		return 0
	}
	out := boxes[0].Height()
	for i := 1; i < len(boxes); i++ {
		out = min(out, boxes[i].Y0-boxes[i-1].Y1)
	}
	return out
}
