package pdf

import (
	"math"
	"slices"
)

// tagColumns are the columns of a tagged table, by the rows that have a cell in each. Browsers leave empty cells out of the structure, so
// that the cells behind them are counted into columns that they don't stand in.
type tagColumns []span

// countLeftOut gives the cells of shorter rows the columns that they stand in. Where cells span rows, it is not known which are left out.
func countLeftOut(words []taggedWord, cols int) {
	if slices.ContainsFunc(words, func(w taggedWord) bool { return w.cell.RowSpan > 1 }) {
		return
	}
	rows := map[int][]int{} // the words of each row
	for i, w := range words {
		rows[w.cell.Row] = append(rows[w.cell.Row], i)
	}
	columns := tagColumns(noSpans(cols))
	for _, row := range rows {
		if spans, whole := rowSpans(words, row, cols); whole {
			for j, s := range spans {
				columns[j] = span{min(columns[j].x0, s.x0), max(columns[j].x1, s.x1)}
			}
		}
	}
	for _, row := range rows {
		spans, whole := rowSpans(words, row, cols)
		if to := columns.of(spans); !whole && to != nil {
			for _, i := range row {
				words[i].cell.Col = to[words[i].cell.Col]
			}
		}
	}
}

func noSpans(n int) []span {
	return slices.Repeat([]span{{math.Inf(1), math.Inf(-1)}}, n)
}

// rowSpans are where the cells of a row stand, up to the last that has text; whole reports whether there are as many as columns.
func rowSpans(words []taggedWord, row []int, cols int) (spans []span, whole bool) {
	spans, n := noSpans(cols), 0
	for _, i := range row {
		w := &words[i]
		s := &spans[w.cell.Col]
		*s = span{min(s.x0, w.x0), max(s.x1, w.x1)}
		n = max(n, w.cell.Col+w.cell.ColSpan)
	}
	return spans[:n], n == cols
}

// of are the columns that most of each cell stands in, from the left to the right; nil where a cell stands in none.
func (c tagColumns) of(cells []span) (to []int) {
	next := 0
	for _, cell := range cells {
		best, most := -1, 0.0
		for j := next; j < len(c); j++ {
			if common := min(cell.x1, c[j].x1) - max(cell.x0, c[j].x0); common > most {
				best, most = j, common
			}
		}
		if best < 0 {
			return nil
		}
		to, next = append(to, best), best+1
	}
	return to
}
