package office

import (
	"slices"
	"strings"
)

// cells are the texts of a sheet, with what its cells cover and where they lead. Rows and columns count from 0.
type cells struct {
	rows   [][]string
	merges []merge
	links  map[[2]int]string
}

// merge is a cell that covers others.
type merge struct{ row, col, rows, cols int }

// hidden are the rows and columns of a sheet that aren't shown.
type hidden struct{ rows, cols map[int]bool }

// grid lays the cells out as a table.
func (c cells) grid() *grid {
	g := newGrid(c.rows)
	for _, m := range c.merges {
		g.mergeAt(m.row, m.col, m.rows, m.cols)
	}
	g.links = c.links
	return g
}

// without returns the cells that are shown, and how many of the rows and columns that aren't hold something. What a merged cell
// holds is shown as long as one of the cells that it covers is.
func (c cells) without(h hidden) (shown cells, rows, cols int) {
	if len(h.rows)+len(h.cols) == 0 {
		return c, 0, 0
	}
	c.rows = slices.Clone(c.rows)
	places := newPlaces(c.rows, h)
	for _, m := range c.merges {
		if m, ok := c.uncover(m, h, places); ok {
			shown.merges = append(shown.merges, m)
		}
	}
	lost := map[int]bool{}
	for r, row := range c.rows {
		if h.rows[r] {
			rows += min(textsIn(row), 1)
			continue
		}
		shown.rows = append(shown.rows, shownIn(row, h, lost))
	}
	shown.links = map[[2]int]string{}
	for at, href := range c.links {
		if at[0] < len(c.rows) && at[1] < maxColumns && !h.rows[at[0]] && !h.cols[at[1]] {
			shown.links[[2]int{places.rows[at[0]], places.cols[at[1]]}] = href
		}
	}
	return shown, rows, len(lost)
}

// places are how many rows and columns are shown before each.
type places struct{ rows, cols []int }

func newPlaces(rows [][]string, h hidden) places {
	return places{shownBefore(len(rows), h.rows), shownBefore(maxColumns, h.cols)}
}

func shownBefore(n int, hidden map[int]bool) []int {
	before := make([]int, n+1)
	for i := range n {
		before[i+1] = before[i]
		if !hidden[i] {
			before[i+1]++
		}
	}
	return before
}

// uncover returns a merge among the cells that are shown, and moves what its first cell holds into the first one that is shown. ok
// is false when none is.
func (c cells) uncover(m merge, h hidden, p places) (out merge, ok bool) {
	lastRow, lastCol := min(m.row+m.rows, len(c.rows)), min(m.col+m.cols, maxColumns)
	if m.row < 0 || m.col < 0 || m.row >= lastRow || m.col >= lastCol {
		return out, false
	}
	out = merge{p.rows[m.row], p.cols[m.col], p.rows[lastRow] - p.rows[m.row], p.cols[lastCol] - p.cols[m.col]}
	if out.rows < 1 || out.cols < 1 {
		return out, false
	}
	if h.rows[m.row] || h.cols[m.col] {
		c.move([2]int{m.row, m.col}, firstShown(m, h))
	}
	return out, true
}

func firstShown(m merge, h hidden) (at [2]int) {
	at = [2]int{m.row, m.col}
	for h.rows[at[0]] {
		at[0]++
	}
	for h.cols[at[1]] {
		at[1]++
	}
	return at
}

// move puts what a cell holds into another one that is empty. Rows may be shared, so they are copied.
func (c cells) move(from, to [2]int) {
	text := textAt(c.rows[from[0]], from[1])
	if text == "" || textAt(c.rows[to[0]], to[1]) != "" {
		return
	}
	c.rows[from[0]] = slices.Clone(c.rows[from[0]])
	c.rows[from[0]][from[1]] = ""
	row := slices.Clone(c.rows[to[0]])
	if missing := to[1] + 1 - len(row); missing > 0 {
		row = append(row, make([]string, missing)...)
	}
	row[to[1]] = text
	c.rows[to[0]] = row
	if href := c.links[from]; href != "" {
		c.links[to] = href
	}
}

// shownIn is what is shown of a row; lost gets the hidden columns that hold something.
func shownIn(row []string, h hidden, lost map[int]bool) []string {
	if len(h.cols) == 0 {
		return row
	}
	var shown []string
	for c, text := range row {
		switch {
		case !h.cols[c]:
			shown = append(shown, text)
		case strings.TrimSpace(text) != "":
			lost[c] = true
		}
	}
	return shown
}

func textsIn(row []string) (n int) {
	for _, text := range row {
		if strings.TrimSpace(text) != "" {
			n++
		}
	}
	return n
}
