package pdf

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// Columns of text, in parts of the text's height.
const (
	minColumn    = 7.0 // width
	minGutter    = 0.6
	minColumnRun = 3 // lines of each column
)

// order cuts lines into regions that are read one after the other: what spans the columns, then each column.
func order(lines []line, depth int) [][]line {
	if len(lines) == 0 {
		return nil
	}
	x, ok := bestGutter(lines)
	if !ok || depth > 6 {
		return [][]line{lines}
	}
	var out [][]line
	var loose []line // what spans, and runs that aren't columns
	for _, run := range runsAt(lines, x) {
		left, right := sides(run, x)
		if !columns(left, right) {
			loose = append(loose, run...)
			continue
		}
		if len(loose) > 0 {
			out = append(out, order(loose, depth+1)...)
			loose = nil
		}
		out = append(out, order(left, depth+1)...)
		out = append(out, order(right, depth+1)...)
	}
	if len(loose) > 0 && len(loose) < len(lines) {
		out = append(out, order(loose, depth+1)...)
	}
	return out
}

// bestGutter is the x that parts most lines into columns.
func bestGutter(lines []line) (float64, bool) {
	best, bestScore := 0.0, 0
	for _, x := range startEdges(lines) {
		score := 0
		for _, run := range runsAt(lines, x) {
			if left, right := sides(run, x); columns(left, right) {
				score += len(run)
			}
		}
		if score > bestScore {
			best, bestScore = x, score
		}
	}
	return best, bestScore > 0
}

// startEdges are the places where several lines start: the left edges of columns, at most 40 of them.
func startEdges(lines []line) []float64 {
	xs := make([]float64, 0, len(lines))
	for _, l := range lines {
		xs = append(xs, l.box.X0)
	}
	slices.Sort(xs)
	type edge struct {
		x float64
		n int
	}
	var edges []edge
	for _, x := range xs[:] {
		if n := len(edges); n > 0 && x-edges[n-1].x < 4 {
			edges[n-1].n++
			continue
		}
		edges = append(edges, edge{x, 1})
	}
	edges = slices.DeleteFunc(edges, func(e edge) bool { return e.n < minColumnRun || e.x-xs[0] < 30 })
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(b.n, a.n) })
	var out []float64
	for _, e := range edges[:min(len(edges), 40)] {
		out = append(out, e.x-0.5)
	}
	return out
}

// runsAt cuts lines, which are sorted from the top, at those that cross x. A line that crosses is a run by itself.
func runsAt(lines []line, x float64) [][]line {
	var out [][]line
	var cur []line
	for i, l := range lines {
		if l.box.X0 < x && l.box.X1 > x+1 {
			if len(cur) > 0 {
				out = append(out, cur)
			}
			out = append(out, lines[i:i+1])
			cur = nil
			continue
		}
		cur = append(cur, l)
	}
	if len(cur) > 0 {
		out = append(out, cur)
	}
	return out
}

func sides(run []line, x float64) (left, right []line) {
	for _, l := range run {
		if l.box.X0 < x {
			left = append(left, l)
		} else {
			right = append(right, l)
		}
	}
	return left, right
}

// columns reports whether two sets of lines are columns of text beside each other, and not cells of a table.
func columns(left, right []line) bool {
	if len(left) < minColumnRun || len(right) < minColumnRun {
		return false
	}
	a, b := hull(left), hull(right)
	size := max(left[0].size, 4)
	beside := min(a.Y1, b.Y1) - max(a.Y0, b.Y0)
	return beside > 2.5*size && b.X0-textRight(left, 0.25*a.Width()) > minGutter*size &&
		a.Width() > minColumn*size && b.Width() > minColumn*size && prose(left) && prose(right)
}

// textRight is the right edge of the lines that are wide enough to show the column's: a page number between columns
// isn't.
func textRight(lines []line, wide float64) float64 {
	x := math.Inf(-1)
	for _, l := range lines {
		if l.box.Width() > wide {
			x = max(x, l.box.X1)
		}
	}
	return x
}

func hull(lines []line) reader.Rect {
	r := reader.NewRect()
	for _, l := range lines {
		r.Join(l.box)
	}
	return r
}

// prose distinguishes running text from cells: most lines have several words and fill their column.
func prose(lines []line) bool {
	width := hull(lines).Width()
	words, full := 0, 0
	for _, l := range lines {
		if l.table != nil || l.image != nil {
			words += 6
			continue
		}
		n := len(l.words)
		if spaceless(&l) {
			n = max(n, int(l.box.Width()/l.size/3))
		}
		words += n
		if l.box.Width() > 0.6*width {
			full++
		}
	}
	return float64(words) >= 3*float64(len(lines)) && full*5 >= len(lines)*2
}

// spaceless reports whether a line is in a script without spaces between words.
func spaceless(l *line) bool {
	wide, all := 0, 0
	for _, w := range l.words {
		for _, r := range w.text {
			all++
			if isWide(r) {
				wide++
			}
		}
	}
	return wide*2 > all
}

// isWide reports whether lines that end and start with r are joined without a space.
func isWide(r rune) bool {
	return r >= 0x2e80 && r < 0xa4d0 || r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xffe0 || r >= 0x20000 && r < 0x40000
}

// rowsOf groups the lines of a region that stand beside each other.
func rowsOf(lines []line) [][]line {
	var out [][]line
	for _, l := range lines {
		if n := len(out); n > 0 && l.table == nil && l.image == nil {
			last := out[n-1][0]
			if last.table == nil && last.image == nil && math.Abs(last.base-l.base) < 0.4*min(last.size, l.size) {
				out[n-1] = append(out[n-1], l)
				continue
			}
		}
		out = append(out, []line{l})
	}
	for _, r := range out {
		slices.SortStableFunc(r, func(a, b line) int { return cmp.Compare(a.box.X0, b.box.X0) })
	}
	return out
}

// merge makes one line of lines beside each other.
func merge(row []line) line {
	if len(row) == 1 {
		return row[0]
	}
	var words []word
	for _, l := range row {
		words = append(words, l.words...)
	}
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
	return newLine(words)
}
