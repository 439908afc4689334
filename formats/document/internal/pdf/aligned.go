package pdf

import (
	"math"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// tableRun is a table by alignment, and the bands that it takes.
type tableRun struct {
	bandRun
	grid  *grid
	cells int // with text
}

// sureTable is the score from which on aligned text is a table. Below it stays text.
const sureTable = 1.6

// maxSeeds bounds the strips that tables are looked for at.
const maxSeeds = 40

// tables finds the tables of a region: white strips that part rows of cells. A region with one column of text is a
// leaf: there a column may hold text that runs over lines.
func (a *arranger) tables(bands []band, white []strip, leaf bool) []tableRun {
	var all []tableRun
	seeds := 0
	for _, s := range white {
		if seeds == maxSeeds {
			break
		}
		for _, run := range cellRuns(bands, s) {
			seeds++
			if t, ok := a.tableAt(bands, white, run, leaf); ok {
				all = append(all, t)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b tableRun) int { return b.cells - a.cells })
	var out []tableRun
	for _, t := range all {
		if !slices.ContainsFunc(out, func(o tableRun) bool { return t.first <= o.last && o.first <= t.last }) {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b tableRun) int { return a.first - b.first })
	return out
}

// cellRuns are the parts of a strip in which it may part cells: from a band with text at both sides to another, with
// no wide gap on the way.
func cellRuns(bands []band, s strip) []bandRun {
	var out []bandRun
	first, last := -1, -1
	flush := func() {
		if first >= 0 && last > first {
			out = append(out, bandRun{first, last})
		}
		first, last = -1, -1
	}
	for i := s.first; i <= s.last; i++ {
		if i > s.first && bands[i].top-bands[i-1].bottom > maxRowGap*bands[i].size {
			flush()
		}
		if left, right := sidesOf(&bands[i], s.span); left && right {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	flush()
	for _, run := range slices.Clone(out) {
		out = append(out, steadyRuns(bands, run)...)
	}
	return out
}

// moreGap is how much more white than usual parts a table from text above or below it, in parts of the text's height.
const moreGap = 0.5

// steadyRuns are the parts of a run between gaps that are wider than usual, none if there are no such gaps.
func steadyRuns(bands []band, run bandRun) (out []bandRun) {
	var all []float64
	for i := run.first; i < run.last; i++ {
		all = append(all, bands[i+1].top-bands[i].bottom)
	}
	slices.Sort(all)
	limit := all[len(all)/2] + moreGap*bands[run.first].size
	first := run.first
	for i := run.first; i <= run.last; i++ {
		if i < run.last && bands[i+1].top-bands[i].bottom <= limit {
			continue
		}
		if i > first && (first > run.first || i < run.last) {
			out = append(out, bandRun{first, i})
		}
		first = i + 1
	}
	return out
}

// maxRowGap is the white between rows of a table, in parts of the text's height.
const maxRowGap = 2.6

// tableAt makes a table of a run of bands, if its score is enough.
func (a *arranger) tableAt(bands []band, white []strip, run bandRun, leaf bool) (t tableRun, ok bool) {
	var edges []float64
	narrow := math.Inf(1)
	for _, s := range separatorsIn(bands, white, run) {
		edges = append(edges, (s.x0+s.x1)/2)
		narrow = min(narrow, s.width()/bands[run.first].size)
	}
	if len(edges) == 0 {
		return t, false
	}
	run = withWrapped(bands, widened(bands, run, edges), edges)
	own := bands[run.first : run.last+1]
	edges = withoutIdle(own, edges)
	if slices.ContainsFunc(own, func(b band) bool { return len(b.objects) > 0 }) {
		return t, false
	}
	rows := rowsOfCells(own, edges)
	look := a.cellLook(own, rows, edges)
	titled := look.wrapped && look.header && filledCells(&own[0], edges)*2 > len(edges)+1
	if look.rows < 3 && !look.ruled && !look.header || look.markers ||
		look.prose > 0 && !leaf && !titled && !look.records() || look.mono && !a.typed {
		return t, false
	}
	t = tableRun{bandRun: run, cells: look.cells}
	if look.score(narrow) < sureTable {
		return t, false
	}
	t.grid = alignedGrid(own, rows, edges)
	return t, t.grid != nil
}

// separatorsIn are the strips that run through a run of bands, with text at both sides in some of them.
func separatorsIn(bands []band, white []strip, run bandRun) []span {
	var out []span
	for _, s := range white {
		if s.first > run.first || s.last < run.last {
			continue
		}
		both := 0
		for i := run.first; i <= run.last; i++ {
			both += bit(beside(bands, i, s.span))
		}
		if both < 2 || both*5 < run.last-run.first+1 {
			continue
		}
		if !slices.ContainsFunc(out, func(o span) bool { return s.x0 < o.x1 && s.x1 > o.x0 }) {
			out = append(out, s.span)
		}
	}
	slices.SortFunc(out, func(a, b span) int { return int(math.Copysign(1, a.x0-b.x0)) })
	return out
}

// withoutIdle leaves out edges beside a column that has text in the first band only, or nowhere, and never together with
// the column at the edge's other side: a header is set to the left over numbers that are set to the right.
func withoutIdle(bands []band, edges []float64) []float64 {
	filled := make([][]bool, len(edges)+1)
	for j := range filled {
		filled[j] = make([]bool, len(bands))
	}
	for i := range bands {
		for _, l := range cellsIn(&bands[i], edges) {
			at, _ := slices.BinarySearch(edges, (l.box.X0+l.box.X1)/2)
			filled[at][i] = true
		}
	}
	out := edges[:0:0]
	left := filled[0]
	for j, edge := range edges {
		right := filled[j+1]
		if idle(left, right) || idle(right, left) {
			for i := range right {
				right[i] = right[i] || left[i]
			}
		} else {
			out = append(out, edge)
		}
		left = right
	}
	return out
}

// idle reports whether a column has text in its first band at most, where another has none.
func idle(filled, other []bool) bool {
	return !slices.Contains(filled[1:], true) && !(filled[0] && other[0])
}

// halfLine is the most that the next band may be lower to be half a line lower, in parts of the text's height.
const halfLine = 0.95

// beside reports whether a band has text left and right of a strip, or the next one, half a line lower, has the other side's:
// cells of different height stand so when they are set to the middle.
func beside(bands []band, i int, s span) bool {
	left, right := sidesOf(&bands[i], s)
	if left == right || i+1 == len(bands) || bands[i+1].base-bands[i].base > halfLine*bands[i].size {
		return left && right
	}
	nextLeft, nextRight := sidesOf(&bands[i+1], s)
	return left && nextRight || right && nextLeft
}

// widened takes bands above and below that have cells too, though one of them spans columns: headers, sums.
func widened(bands []band, run bandRun, edges []float64) bandRun {
	box := inkOf(bands[run.first : run.last+1])
	fits := func(b *band) bool {
		in := b.ink[0].x0 > box.x0-b.size && b.ink[len(b.ink)-1].x1 < box.x1+b.size
		return in && len(b.objects) == 0 && len(cellsIn(b, edges)) > 1 && wellApart(b, edges)
	}
	for run.first > 0 && fits(&bands[run.first-1]) && rowsMeet(bands, run.first-1) {
		run.first--
	}
	for run.last+1 < len(bands) && fits(&bands[run.last+1]) && rowsMeet(bands, run.last) {
		run.last++
	}
	return run
}

// withWrapped takes bands above and below that have lines of single cells only, if they stand as near as lines of a cell do.
func withWrapped(bands []band, run bandRun, edges []float64) bandRun {
	columns := columnsOf(bands[run.first:run.last+1], edges)
	limit := cellLeading(columns) + minPause*bands[run.first].size
	within := func(b *band) bool {
		return len(b.objects) == 0 && !slices.ContainsFunc(cellsIn(b, edges), func(l line) bool {
			at, _ := slices.BinarySearch(edges, (l.box.X0+l.box.X1)/2)
			box := hull(columns[at])
			return l.box.X0 < box.X0-0.3*b.size || l.box.X1 > box.X1+0.3*b.size
		})
	}
	out := run
	for out.first > 0 && bands[out.first].top-bands[out.first-1].bottom < limit && within(&bands[out.first-1]) {
		out.first--
	}
	for out.last+1 < len(bands) && bands[out.last+1].top-bands[out.last].bottom < limit && within(&bands[out.last+1]) {
		out.last++
	}
	if out == run || rowsByPause(bands[out.first:out.last+1], edges) == nil {
		return run
	}
	return out
}

// apartCells is the least white between cells where one of them spans columns: less is a space between words.
const apartCells = 0.7

func wellApart(b *band, edges []float64) bool {
	cells := cellsIn(b, edges)
	if len(cells) == len(edges)+1 {
		return true
	}
	for i := 1; i < len(cells); i++ {
		if cells[i].box.X0-cells[i-1].box.X1 < apartCells*b.size {
			return false
		}
	}
	return true
}

func rowsMeet(bands []band, i int) bool {
	return bands[i+1].top-bands[i].bottom < maxRowGap*bands[i].size
}

func inkOf(bands []band) span {
	out := span{math.Inf(1), math.Inf(-1)}
	for i := range bands {
		out.x0, out.x1 = min(out.x0, bands[i].ink[0].x0), max(out.x1, bands[i].ink[len(bands[i].ink)-1].x1)
	}
	return out
}

// cellsIn parts a band's words at the gaps that hold an edge between columns. What it returns is for reading: the next call with the
// same edges returns it, too.
func cellsIn(b *band, edges []float64) []line {
	if b.cells == nil || !slices.Equal(b.edges, edges) {
		b.edges, b.cells = slices.Clone(edges), partCells(b, edges)
	}
	return b.cells
}

func partCells(b *band, edges []float64) []line {
	var out []line
	start, right := 0, math.Inf(-1)
	for i, w := range b.words {
		parts := func(x float64) bool { return x > right && x < w.x0 }
		if i > start && w.x0-right > 0.3*min(w.size, b.size) && slices.ContainsFunc(edges, parts) {
			out = append(out, newLine(slices.Clone(b.words[start:i])))
			start = i
		}
		right = max(right, w.x1)
	}
	return append(out, newLine(slices.Clone(b.words[start:])))
}

// alignedGrid makes a table of bands that edges part into cells, nil if it has too few rows.
func alignedGrid(bands []band, rows []bandRun, edges []float64) *grid {
	if len(rows) < 2 {
		return nil
	}
	g := gridOf(bands, rows, edges)
	g.header = g.boldFirst()
	return g
}

func gridOf(bands []band, rows []bandRun, edges []float64) *grid {
	g := &grid{box: reader.NewRect()}
	for _, r := range rows {
		cur := make([]cell, len(edges)+1)
		for j := range cur {
			cur[j] = cell{colspan: 1, rowspan: 1}
		}
		for i := r.first; i <= r.last; i++ {
			for _, l := range cellsIn(&bands[i], edges) {
				g.box.Join(l.box)
				l.words = slices.Clone(l.words)
				putCell(cur, edges, l)
			}
		}
		g.rows = append(g.rows, cur)
	}
	return g
}

// putCell puts a line into the cell it starts in; it spans the columns that it reaches into.
func putCell(cur []cell, edges []float64, l line) {
	from, _ := slices.BinarySearch(edges, l.box.X0+1)
	to, _ := slices.BinarySearch(edges, l.box.X1-1)
	for from > 0 && cur[from].colspan == 0 {
		from--
	}
	cur[from].lines = append(cur[from].lines, l)
	for j := from + 1; j <= to; j++ {
		if len(cur[j].lines) == 0 && cur[from].colspan == j-from {
			cur[from].colspan++
			cur[j] = cell{}
		}
	}
}
