package pdf

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// aligned makes a table of rows of lines whose gaps stand above each other, nil if they don't.
func aligned(rows [][]line, sure bool) *grid {
	multi, cells, words := 0, 0, 0
	for _, r := range rows {
		if len(r) > 1 {
			multi++
			cells += len(r)
			for _, l := range r {
				words += len(l.words)
			}
		}
	}
	edges := separators(rows)
	if len(edges) == 0 || multi < 2 || !sure && (multi < 3 && len(edges) < 2 || words > 7*cells) {
		return nil
	}
	g := &grid{box: reader.NewRect()}
	gap := usualGap(rows)
	for i, r := range rows {
		cur := make([]cell, len(edges)+1)
		for j := range cur {
			cur[j] = cell{colspan: 1, rowspan: 1}
		}
		for _, l := range r {
			g.box.Join(l.box)
			place(cur, edges, l)
		}
		if i > 0 && continues(cur, r[0].base-rows[i-1][0].base, gap, r[0].size) {
			mergeCells(g.rows[len(g.rows)-1], cur)
			continue
		}
		g.rows = append(g.rows, cur)
	}
	if len(g.rows) < 2 {
		return nil
	}
	g.header = g.boldFirst()
	return g
}

// place puts a line into the cell it starts in; it spans the columns that it reaches into.
func place(cur []cell, edges []float64, l line) {
	from, _ := slices.BinarySearch(edges, l.box.X0+1)
	to, _ := slices.BinarySearch(edges, l.box.X1-1)
	cur[from].lines = append(cur[from].lines, l)
	for j := from + 1; j <= to; j++ {
		if len(cur[j].lines) == 0 && cur[from].colspan == j-from {
			cur[from].colspan++
			cur[j] = cell{}
		}
	}
}

// continues reports whether a row is the rest of the one above: it is nearer than rows are, and its first cell empty.
func continues(cur []cell, gap, usual, size float64) bool {
	filled := 0
	for _, c := range cur {
		filled += bit(len(c.lines) > 0)
	}
	return len(cur[0].lines) == 0 && gap < 1.4*size && filled < len(cur) || gap < 0.8*usual && filled < len(cur)
}

func mergeCells(into, from []cell) {
	for j := range from {
		if len(from[j].lines) > 0 && into[j].colspan > 0 {
			into[j].lines = append(into[j].lines, from[j].lines...)
		}
	}
}

// usualGap is the median distance of rows whose first column has text.
func usualGap(rows [][]line) float64 {
	var gaps []float64
	for i := 1; i < len(rows); i++ {
		if len(rows[i]) > 1 {
			gaps = append(gaps, rows[i][0].base-rows[i-1][0].base)
		}
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// separators are the places between columns: where hardly a row with several lines has text.
func separators(rows [][]line) []float64 {
	type event struct {
		x float64
		d int
	}
	var events []event
	multi := 0
	for _, r := range rows {
		if len(r) < 2 {
			continue
		}
		multi++
		for _, l := range r {
			events = append(events, event{l.box.X0, 1}, event{l.box.X1, -1})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.d, b.d)) })
	var out []float64
	allowed, depth := multi/8, 0
	size := rows[0][0].size
	gapStart := math.Inf(-1)
	for i, e := range events {
		if depth += e.d; i == len(events)-1 {
			break
		}
		if e.d < 0 && depth <= allowed {
			gapStart = e.x
		}
		if e.d > 0 && depth == allowed+1 && gapStart > events[0].x && e.x-gapStart > 0.5*size {
			out = append(out, (e.x+gapStart)/2)
		}
	}
	return out
}
