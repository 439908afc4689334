package pdf

import (
	"maps"
	"math"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// taggedWord is a word with the cell that the file has it in.
type taggedWord struct {
	word
	cell reader.Cell
}

// takeTagged moves the words of tables that the file has marked into lines that stand for the tables. Marks that don't fit what the page
// shows are as good as none.
func (r *reading) takeTagged(s *shown, words []word) []word {
	if len(r.tags.Cells) == 0 {
		return words
	}
	tables := map[int][]taggedWord{}
	for _, w := range words {
		if c, ok := r.tags.Cells[reader.MarkedPlace{Page: s.leaf.Ref, Mark: w.mark}]; ok && w.mark >= 0 {
			tables[c.Table] = append(tables[c.Table], taggedWord{w, c})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(tables)) {
		g := taggedGrid(tables[id])
		rest := slices.DeleteFunc(slices.Clone(words), func(w word) bool {
			return r.tags.Cells[reader.MarkedPlace{Page: s.leaf.Ref, Mark: w.mark}].Table == id
		})
		if g == nil || holdsOthers(g.box, rest) {
			continue
		}
		words = rest
		s.objects = append(s.objects, tableLine(g))
	}
	return words
}

// holdsOthers reports whether words of other things stand among those of a table.
func holdsOthers(box reader.Rect, words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return !w.artifact && box.Contains((w.x0+w.x1)/2, w.base-0.3*w.size)
	})
}

// taggedGrid is the table of some words, nil where they don't stand as cells do.
func taggedGrid(words []taggedWord) *grid {
	first, rows, cols := words[0].cell.Row, 0, 0
	for _, w := range words {
		first = min(first, w.cell.Row)
	}
	for _, w := range words {
		rows, cols = max(rows, w.cell.Row-first+1), max(cols, w.cell.Col+w.cell.ColSpan)
	}
	if rows < 2 || cols < 2 || rows*cols > maxGridSide*maxGridSide {
		return nil
	}
	countLeftOut(words, cols)
	g := &grid{box: reader.NewRect()}
	texts := make([][][]word, rows)
	for i := range rows {
		texts[i] = make([][]word, cols)
		g.rows = append(g.rows, make([]cell, cols))
		for j := range cols {
			g.rows[i][j] = cell{colspan: 1, rowspan: 1}
		}
	}
	for _, w := range words {
		i, j := w.cell.Row-first, w.cell.Col
		texts[i][j] = append(texts[i][j], w.word)
		g.rows[i][j].colspan, g.rows[i][j].rowspan = w.cell.ColSpan, min(w.cell.RowSpan, rows-i)
	}
	return g.filled(texts, headRow(words, first))
}

// filled puts the texts into the cells.
func (g *grid) filled(texts [][][]word, header bool) *grid {
	for i := range g.rows {
		for j := range g.rows[i] {
			if g.rows[i][j].colspan > 0 {
				g.cover(i, j)
			}
		}
	}
	gather(g, texts)
	for _, row := range g.rows {
		for _, c := range row {
			g.box.Join(hull(c.lines))
		}
	}
	if !g.inOrder() {
		return nil
	}
	g.prune()
	if !g.plausible() {
		return nil
	}
	g.header = header || g.boldFirst()
	return g
}

// headRow reports whether all cells of a row are heads.
func headRow(words []taggedWord, row int) bool {
	return !slices.ContainsFunc(words, func(w taggedWord) bool { return w.cell.Row == row && !w.cell.Head })
}

// inOrder reports whether cells stand below those of the rows before and right of those of the columns before.
func (g *grid) inOrder() bool {
	last := math.Inf(-1)
	for _, row := range g.rows {
		top, ordered := rowTop(row)
		if !ordered || top < last-tolerance {
			return false
		}
		if !math.IsInf(top, 1) {
			last = top
		}
	}
	return true
}

// tolerance is how far, in points, a cell may reach over another.
const tolerance = 1

// rowTop is where the highest cell of a row begins, infinity where none does; false when they don't stand from the left to the right.
func rowTop(row []cell) (top float64, ordered bool) {
	top, right := math.Inf(1), math.Inf(-1)
	for _, c := range row {
		if len(c.lines) == 0 {
			continue
		}
		box := hull(c.lines)
		if box.X0 < right-tolerance {
			return top, false
		}
		if right = box.X1; c.rowspan == 1 {
			top = min(top, box.Y0)
		}
	}
	return top, true
}
