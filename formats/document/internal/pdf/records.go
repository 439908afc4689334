package pdf

import (
	"math"
	"slices"
	"strings"
)

// splitRows parts a row that holds several records: rows that no line was drawn between.
func (g *grid) splitRows() {
	var out [][]cell
	lead := g.cellLines()
	for i, row := range g.rows {
		starts := recordStarts(row, pauseFrom(g.whiteAtRules(i), lead))
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

// cellLines is the least distance of lines in a cell, 0 if no cell has several.
func (g *grid) cellLines() (lead float64) {
	for _, row := range g.rows {
		for _, c := range row {
			for k := 1; k < len(c.lines); k++ {
				if d := c.lines[k].base - c.lines[k-1].base; d > minLine*c.lines[k].size && (lead == 0 || d < lead) {
					lead = d
				}
			}
		}
	}
	return lead
}

// minLine is the least distance of lines, in parts of the text's height: what stands nearer is raised or lowered.
const minLine = 0.8

// recordStarts are the first baselines of the records that a row holds, nil if it is one record: they are more than pause below the
// line before.
func recordStarts(row []cell, pause float64) []float64 {
	if slices.ContainsFunc(row, func(c cell) bool { return c.rowspan > 1 }) {
		return nil
	}
	bases := basesOf(row)
	if len(bases) < 2 {
		return nil
	}
	paused := pauses(bases, pause)
	starts := inMost(row, paused)
	unsure := len(paused) == len(bases) || len(starts) < len(paused)
	if len(starts) > 1 && !(unsure && oneRecord(row, true)) {
		return starts
	}
	if inStep(row, bases) && !oneRecord(row, false) {
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

// How much less white may be between records than at the row's rules: in parts of the distance of lines, and pixels of a page of
// the web, as lines and rules are set on whole ones and rules take some.
const (
	maxUneven  = 0.08
	somePixels = 2.5
)

// whiteAtRules is the distance of lines that a rule parts: of those in the rows beside a row, or as much as the row's first and last line
// leave at its rules, together.
func (g *grid) whiteAtRules(i int) float64 {
	bases := basesOf(g.rows[i])
	if len(bases) == 0 {
		return 0
	}
	first, last := bases[0], bases[len(bases)-1]
	white := g.rows[i][0].rules.Height() - (last - first)
	if i > 0 {
		if above := basesOf(g.rows[i-1]); len(above) > 0 {
			white = min(white, first-above[len(above)-1])
		}
	}
	if i+1 < len(g.rows) {
		if below := basesOf(g.rows[i+1]); len(below) > 0 {
			white = min(white, below[0]-last)
		}
	}
	return white
}

// pauseFrom is the distance of lines from which on they are of different records: they have nearly as much white between them as at
// the rules. Lines of one cell stand nearer, as its padding is not between them; where there are some, it is half way.
func pauseFrom(white, lead float64) float64 {
	pause := white - max(maxUneven*white, somePixels)
	if lead < pause {
		return (lead + white) / 2
	}
	return pause
}

// pauses are the first baseline and those that are more than pause below the one before.
func pauses(bases []float64, pause float64) []float64 {
	out := bases[:1:1]
	for i := 1; i < len(bases); i++ {
		if bases[i]-bases[i-1] > pause {
			out = append(out, bases[i])
		}
	}
	return out
}

// inMost are the first of some starts and those of them from which on there is text in two columns and in half of all.
func inMost(row []cell, starts []float64) []float64 {
	out := starts[:1:1]
	for k := range starts {
		cols, filled := 0, 0
		for _, c := range row {
			cols += bit(c.colspan > 0)
			filled += bit(len(linesFrom(c.lines, starts, k)) > 0)
		}
		enough := filled >= 2 && filled*2 >= cols
		if k == 0 && !enough {
			return out
		}
		if k > 0 && enough {
			out = append(out, starts[k])
		}
	}
	return out
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

// oneRecord reports whether the lines of a row's cells are those of one record that happen to be as many. Where more white is between
// them than in cells, more cells have to go on in a sentence than end lines early; else it is enough that lines of most are full.
func oneRecord(row []cell, apart bool) bool {
	full, goOn, early, cols := 0, 0, 0, 0
	for _, c := range row {
		cols += bit(c.colspan > 0)
		if len(c.lines) < 2 {
			continue
		}
		isFull := c.full()
		early += bit(!isFull)
		full += bit(isFull)
		goOn += bit(isFull && c.goesOn())
	}
	return goOn > early || !apart && full*2 > cols
}

// full reports whether each line of a cell ends where the next word would not have fitted. A header does not go on in its column.
func (c *cell) full() bool {
	room := c.room()
	for k := 1; k < len(c.lines); k++ {
		last, next := c.lines[k-1], c.lines[k].words[0]
		fits := last.box.Width()+0.25*last.size+next.x1-next.x0 <= room
		if fits || bold(&last) != bold(&c.lines[k]) {
			return false
		}
	}
	return true
}

// goesOn reports whether a line of a cell goes on with what the one before has begun.
func (c *cell) goesOn() bool {
	upper := startsUpper(c.lines[0].text())
	for k := 1; k < len(c.lines); k++ {
		if strings.HasSuffix(c.lines[k-1].text(), "-") || upper && !startsUpper(c.lines[k].text()) {
			return true
		}
	}
	return false
}

// room is the width that lines of a ruled cell may have: less the padding that the longest leaves, at either side.
func (c *cell) room() float64 {
	padding := math.Inf(1)
	for _, l := range c.lines {
		padding = min(padding, l.box.X0-c.rules.X0, c.rules.X1-l.box.X1)
	}
	return c.rules.Width() - 2*padding
}
