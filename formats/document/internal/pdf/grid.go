package pdf

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// grid is a table.
type grid struct {
	rows   [][]cell
	box    reader.Rect
	header bool // the first row is a header
}

// cell is a cell of a table. One that lies under a spanning cell has spans of 0.
type cell struct {
	lines            []line
	colspan, rowspan int
	rules            reader.Rect // those around it; empty where there are none
}

// Bounds and tolerances of ruled tables, in points.
const (
	maxRules    = 1500
	maxGridSide = 400
	near        = 3.0
)

// ruled finds the tables that lines are drawn around.
func ruled(segments []reader.Segment) []rules {
	flat, upright := collinear(segments)
	if len(flat)+len(upright) > maxRules {
		return nil
	}
	group := newUnion(len(flat) + len(upright))
	for i, h := range flat {
		for j, v := range upright {
			if v.X0 >= h.X0-near && v.X0 <= h.X1+near && h.Y0 >= v.Y0-near && h.Y0 <= v.Y1+near {
				group.join(i, len(flat)+j)
			}
		}
	}
	sets := map[int]*rules{}
	for i := range len(flat) + len(upright) {
		r := sets[group.root(i)]
		if r == nil {
			r = &rules{}
			sets[group.root(i)] = r
		}
		if i < len(flat) {
			r.flat = append(r.flat, flat[i])
		} else {
			r.upright = append(r.upright, upright[i-len(flat)])
		}
	}
	var out []rules
	for _, r := range sets {
		if r.measure() {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b rules) int { return cmp.Or(cmp.Compare(a.ys[0], b.ys[0]), cmp.Compare(a.xs[0], b.xs[0])) })
	return out
}

// rules are the lines of one table.
type rules struct {
	flat, upright []reader.Segment
	xs, ys        []float64
}

// measure finds the edges of columns and rows. It answers false for what is no table.
func (r *rules) measure() bool {
	if len(r.flat) < 2 || len(r.upright) < 1 {
		return false
	}
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, v := range r.upright {
		r.xs = append(r.xs, v.X0)
		top, bottom = min(top, v.Y0), max(bottom, v.Y1)
	}
	for _, h := range r.flat {
		r.xs, r.ys = append(r.xs, h.X0, h.X1), append(r.ys, h.Y0)
	}
	r.ys = append(r.ys, top, bottom) // the end of a page leaves rows without the rule above or below
	r.xs, r.ys = distinct(r.xs), distinct(r.ys)
	cells := (len(r.xs) - 1) * (len(r.ys) - 1)
	return len(r.xs) >= 3 && len(r.ys) >= 2 && cells >= 2 && len(r.xs) <= maxGridSide && len(r.ys) <= maxGridSide
}

func (r *rules) box() reader.Rect {
	return reader.Rect{X0: r.xs[0], Y0: r.ys[0], X1: r.xs[len(r.xs)-1], Y1: r.ys[len(r.ys)-1]}
}

// distinct sorts values and makes one of those near each other.
func distinct(v []float64) []float64 {
	slices.Sort(v)
	return slices.CompactFunc(v, func(a, b float64) bool { return math.Abs(a-b) < near })
}

// collinear joins pieces of the same line.
func collinear(segments []reader.Segment) (flat, upright []reader.Segment) {
	for _, s := range segments {
		if s.Y1-s.Y0 < 1 {
			flat = append(flat, s)
		} else {
			upright = append(upright, reader.Segment{X0: s.Y0, Y0: s.X0, X1: s.Y1, Y1: s.X1}) // turned, so that one rule does for both
		}
	}
	flat, upright = joined(flat), joined(upright)
	for i, s := range upright {
		upright[i] = reader.Segment{X0: s.Y0, Y0: s.X0, X1: s.Y1, Y1: s.X1}
	}
	return flat, upright
}

func joined(s []reader.Segment) []reader.Segment {
	slices.SortFunc(s, func(a, b reader.Segment) int {
		return cmp.Or(cmp.Compare(math.Round(a.Y0), math.Round(b.Y0)), cmp.Compare(a.X0, b.X0))
	})
	var out []reader.Segment
	for _, l := range s {
		if n := len(out); n > 0 && math.Abs(out[n-1].Y0-l.Y0) < 1.5 && l.X0 <= out[n-1].X1+near {
			out[n-1].X1 = max(out[n-1].X1, l.X1)
			continue
		}
		out = append(out, l)
	}
	return out
}

type union []int

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = i
	}
	return u
}

func (u union) root(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

func (u union) join(a, b int) { u[u.root(a)] = u.root(b) }

// fill puts words into the cells. It answers nil if the lines hold no table after all: a frame, a chart, a form.
func (r *rules) fill(words []word) *grid {
	rows, cols := len(r.ys)-1, len(r.xs)-1
	texts := make([][][]word, rows)
	for i := range texts {
		texts[i] = make([][]word, cols)
	}
	for _, w := range words {
		i, j := slot(r.ys, w.base-0.3*w.size), slot(r.xs, (w.x0+w.x1)/2)
		if i >= 0 && j >= 0 {
			texts[i][j] = append(texts[i][j], w)
		}
	}
	g := &grid{box: r.box()}
	for range rows {
		g.rows = append(g.rows, make([]cell, cols))
	}
	for i := range rows {
		for j := range cols {
			g.rows[i][j] = cell{colspan: 1, rowspan: 1}
		}
	}
	r.spans(g)
	r.sides(g)
	gather(g, texts)
	g.splitRows()
	g.prune()
	if !g.plausible() {
		return nil
	}
	g.header = g.boldFirst()
	return g
}

func slot(edges []float64, v float64) int {
	i, _ := slices.BinarySearch(edges, v)
	if i == 0 || i == len(edges) {
		return -1
	}
	return i - 1
}

// spans joins cells that no line parts.
func (r *rules) spans(g *grid) {
	for i := range g.rows {
		for j := range g.rows[i] {
			c := &g.rows[i][j]
			if c.colspan == 0 {
				continue
			}
			for j+c.colspan < len(g.rows[i]) && !r.upIn(j+c.colspan, i) {
				c.colspan++
			}
			for i+c.rowspan < len(g.rows) && !r.flatUnder(i+c.rowspan, j, c.colspan) {
				c.rowspan++
			}
			g.cover(i, j)
		}
	}
}

// sides notes where the rules around each cell stand.
func (r *rules) sides(g *grid) {
	for i, row := range g.rows {
		for j := range row {
			c := &row[j]
			c.rules = reader.Rect{X0: r.xs[j], Y0: r.ys[i], X1: r.xs[j+c.colspan], Y1: r.ys[i+c.rowspan]}
		}
	}
}

func (g *grid) cover(i, j int) {
	c := g.rows[i][j]
	for y := i; y < i+c.rowspan; y++ {
		for x := j; x < j+c.colspan; x++ {
			if y != i || x != j {
				g.rows[y][x] = cell{}
			}
		}
	}
}

// upIn reports whether the edge of a column is drawn in a row.
func (r *rules) upIn(col, row int) bool {
	mid := (r.ys[row] + r.ys[row+1]) / 2
	return slices.ContainsFunc(r.upright, func(s reader.Segment) bool {
		return math.Abs(s.X0-r.xs[col]) < near && s.Y0 <= mid && s.Y1 >= mid
	})
}

// flatUnder reports whether the edge of a row is drawn under any of the columns.
func (r *rules) flatUnder(row, col, span int) bool {
	for j := col; j < col+span; j++ {
		mid := (r.xs[j] + r.xs[j+1]) / 2
		if slices.ContainsFunc(r.flat, func(s reader.Segment) bool {
			return math.Abs(s.Y0-r.ys[row]) < near && s.X0 <= mid && s.X1 >= mid
		}) {
			return true
		}
	}
	return false
}

// gather makes lines of the words under each cell.
func gather(g *grid, texts [][][]word) {
	for i := range g.rows {
		for j := range g.rows[i] {
			c := &g.rows[i][j]
			var words []word
			for y := i; y < i+c.rowspan; y++ {
				for x := j; x < j+c.colspan; x++ {
					words = append(words, texts[y][x]...)
				}
			}
			c.lines = linesOf(words)
		}
	}
}

// prune drops rows and columns without text.
func (g *grid) prune() {
	g.rows = slices.DeleteFunc(g.rows, func(row []cell) bool {
		return !slices.ContainsFunc(row, func(c cell) bool { return len(c.lines) > 0 || c.rowspan > 1 || c.colspan == 0 })
	})
	if len(g.rows) == 0 {
		return
	}
	for j := len(g.rows[0]) - 1; j >= 0; j-- {
		empty := !slices.ContainsFunc(g.rows, func(row []cell) bool {
			return len(row[j].lines) > 0 || row[j].colspan != 1
		})
		if empty {
			for i := range g.rows {
				g.rows[i] = slices.Delete(g.rows[i], j, j+1)
			}
		}
	}
}

// plausible reports whether there are enough cells with text, in more than one column.
func (g *grid) plausible() bool {
	if len(g.rows) == 0 || len(g.rows[0]) < 2 {
		return false
	}
	filled, all := 0, 0
	for _, row := range g.rows {
		for _, c := range row {
			all += bit(c.colspan > 0)
			filled += bit(len(c.lines) > 0)
		}
	}
	return filled >= 2 && filled*10 >= all*3
}

func (g *grid) boldFirst() bool {
	if len(g.rows) < 2 {
		return false
	}
	return allBold(g.rows[0]) && !allBold(g.rows[1])
}

func allBold(row []cell) bool {
	some := false
	for _, c := range row {
		for _, l := range c.lines {
			for _, w := range l.words {
				if some = true; w.face != nil && !w.face.Bold {
					return false
				}
			}
		}
	}
	return some
}
