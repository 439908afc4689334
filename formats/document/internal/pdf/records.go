package pdf

import (
	"math"
	"slices"
)

// splitRows parts a row that holds several records: rows that no line was drawn between.
func (g *grid) splitRows() {
	var out [][]cell
	for _, row := range g.rows {
		starts := recordStarts(row)
		if starts == nil {
			out = append(out, row)
			continue
		}
		for k := range starts {
			part := make([]cell, len(row))
			for j, c := range row {
				part[j] = cell{colspan: c.colspan, rowspan: c.rowspan, rules: c.rules, lines: linesFrom(c.lines, starts, k)}
			}
			out = append(out, part)
		}
	}
	g.rows = out
}

// linesFrom are the lines of the record that starts at a baseline.
func linesFrom(lines []line, starts []float64, k int) (out []line) {
	for _, l := range lines {
		if l.base > starts[k]-0.3*l.size && (k+1 == len(starts) || l.base <= starts[k+1]-0.3*l.size) {
			out = append(out, l)
		}
	}
	return out
}

// recordStarts are the first baselines of the records that a row holds, nil if it is one record.
func recordStarts(row []cell) []float64 {
	if slices.ContainsFunc(row, func(c cell) bool { return c.rowspan > 1 }) {
		return nil
	}
	bases := basesOf(row)
	if len(bases) < 2 {
		return nil
	}
	starts := pauses(row[0].rules.Height(), bases)
	single := len(starts) == len(bases)
	if len(starts) > 1 && inMost(row, starts) && !(single && wrappedCells(row, true)) {
		return starts
	}
	if inStep(row, bases) && !wrappedCells(row, false) {
		return bases
	}
	return nil
}

// basesOf are the baselines of a row, from the top down.
func basesOf(row []cell) (out []float64) {
	size := 0.0
	for _, c := range row {
		for i := range c.lines {
			out = append(out, c.lines[i].base)
			size = max(size, c.lines[i].size)
		}
	}
	slices.Sort(out)
	return slices.CompactFunc(out, func(a, b float64) bool { return math.Abs(a-b) <= 0.3*size })
}

// maxUneven is how much less white may be between records than at the row's rules, in parts of the distance of lines.
const maxUneven = 0.08

// pauses are the baselines above which there is as much white as the first and the last leave at the rules, together: lines of one
// cell stand nearer, as its padding is not between them.
func pauses(height float64, bases []float64) []float64 {
	n := len(bases)
	pause := (1 - maxUneven) * (height - (bases[n-1] - bases[0]))
	out := bases[:1:1]
	for i := 1; i < n; i++ {
		if bases[i]-bases[i-1] > pause {
			out = append(out, bases[i])
		}
	}
	return out
}

// inMost reports whether each record has text in two columns and in half of all.
func inMost(row []cell, starts []float64) bool {
	for k := range starts {
		cols, filled := 0, 0
		for _, c := range row {
			cols += bit(c.colspan > 0)
			filled += bit(len(linesFrom(c.lines, starts, k)) > 0)
		}
		if filled < 2 || filled*2 < cols {
			return false
		}
	}
	return true
}

// inStep reports whether all cells, and more than one, have a line on each baseline.
func inStep(row []cell, bases []float64) bool {
	cols := 0
	for _, c := range row {
		if c.colspan == 0 {
			continue
		}
		cols++
		if !slices.EqualFunc(c.lines, bases, func(l line, base float64) bool { return math.Abs(l.base-base) <= 0.3*l.size }) {
			return false
		}
	}
	return cols > 1
}

// wrappedCells reports whether lines of a row's cells end where the next word would not have fitted, in most columns:
// they are one record with cells of as many lines. In a row that its lines fill evenly, lines of one word show nothing.
func wrappedCells(row []cell, even bool) bool {
	wrapped, cols := 0, 0
	for _, c := range row {
		if c.colspan == 0 {
			continue
		}
		cols++
		full := len(c.lines) > 1
		for k := 1; k < len(c.lines); k++ {
			last, next := c.lines[k-1], c.lines[k].words[0]
			fits := last.box.X1+0.25*last.size+next.x1-next.x0 <= c.rules.X1-(last.box.X0-c.rules.X0)
			full = full && !fits && !(even && len(last.words) == 1)
		}
		wrapped += bit(full)
	}
	return wrapped*2 > cols
}
