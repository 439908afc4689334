package pdf

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// cellLook is what a score is made of.
type cellLook struct {
	rows, columns int
	cells         int     // with text
	filled        float64 // part of the cells that have text
	numeric       float64 // part of the cells that are numbers
	even          float64 // part of the cells that begin, end or are centered where their column does
	letters       float64 // of a cell
	prose         float64 // part of the text that stands in columns of running text
	wrapped       bool    // cells have several lines, so that running text in a column says little
	header, ruled bool
	markers, mono bool
	capitals      float64 // part of the cells that begin with a capital or a digit
	lines         bool    // its bands read as lines of running text
}

func (a *arranger) cellLook(bands []band, rows []bandRun, edges []float64) (c cellLook) {
	columns := columnsOf(bands, edges)
	c.columns, c.mono = len(columns), true
	for _, r := range rows {
		c.rows += bit(c.row(columnsOf(bands[r.first:r.last+1], edges)) > 1)
	}
	all := float64(c.cells)
	c.filled = all / float64(len(rows)*len(columns))
	c.numeric, c.capitals = c.numeric/all, c.capitals/all
	lines, even := 0, 0
	for _, col := range columns {
		lines, even = lines+len(col), even+evenEdges(col)
		if lookAt(piecesOf(col)).prose() {
			c.prose += lettersOf(col) / c.letters
		}
	}
	c.letters /= all
	c.wrapped = len(rows)*3 <= len(bands)*2
	c.even = float64(even) / float64(lines)
	c.markers = !slices.ContainsFunc(columns[0], func(l line) bool { return !isMarker(plain(l.words)) || decimal.MatchString(plain(l.words)) })
	c.header = len(bands) > 1 && boldCells(cellsIn(&bands[0], edges)) && !boldCells(cellsIn(&bands[1], edges)) &&
		filledCells(&bands[0], edges) > 1 // a single cell is the title of what follows
	c.ruled = a.betweenRules(bands)
	c.lines = lookAt(piecesIn(bands, everywhere)).prose() && c.capitals < 0.5
	return c
}

// records reports whether columns pause together often enough for rows of cells that hold running text, beside some that don't.
func (c cellLook) records() bool {
	return c.wrapped && c.rows >= 3 && c.columns >= 3 && c.filled >= 0.8 && c.prose < 0.9
}

// row counts the cells of a row, and returns how many have text.
func (c *cellLook) row(columns [][]line) (filled int) {
	for _, col := range columns {
		if len(col) == 0 {
			continue
		}
		filled++
		text := col[0].text()
		c.numeric += float64(bit(len(col) == 1 && numeric(text)))
		c.capitals += float64(bit(startsUpper(text)))
		c.letters += lettersOf(col)
		c.mono = c.mono && !slices.ContainsFunc(col, func(l line) bool { return !mono(&l) })
	}
	c.cells += filled
	return filled
}

func lettersOf(lines []line) (n float64) {
	for i := range lines {
		n += float64(utf8.RuneCountInString(lines[i].text()))
	}
	return n
}

func piecesOf(lines []line) (out []piece) {
	for _, l := range lines {
		out = append(out, piece{words: l.words, base: l.base, x0: l.box.X0, x1: l.box.X1})
	}
	return out
}

// score is higher the more a run of bands looks like a table.
func (c cellLook) score(narrow float64) float64 {
	s := 0.12*float64(min(c.rows, 8)) + 0.25*float64(min(c.columns-1, 3)) + c.even + 0.5*c.numeric + 0.3*c.capitals
	s += 0.5*float64(bit(c.header)) + 0.7*float64(bit(c.ruled)) + 0.2*min(narrow, 2)
	if !c.wrapped {
		s -= 1.2 * c.prose
	}
	s -= 1.2*float64(bit(c.lines)) + 0.9*(1-c.filled) + 0.02*max(0, c.letters-24)
	return s - 0.4
}

// evenEdges is how many cells of a column share its left edge, right edge or middle.
func evenEdges(col []line) int {
	best := 0
	for _, at := range []func(l *line) float64{
		func(l *line) float64 { return l.box.X0 },
		func(l *line) float64 { return l.box.X1 },
		func(l *line) float64 { return (l.box.X0 + l.box.X1) / 2 },
	} {
		var xs []float64
		for i := range col {
			xs = append(xs, at(&col[i]))
		}
		slices.Sort(xs)
		for i := range xs {
			j, _ := slices.BinarySearch(xs, xs[i]+0.2*col[0].size)
			best = max(best, j-i)
		}
	}
	return best
}

// numeric reports whether a cell is a number, with its unit or sign.
func numeric(s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		digits += bit(unicode.IsDigit(r))
		letters += bit(unicode.IsLetter(r))
	}
	return digits > 0 && digits >= letters
}

func boldCells(cells []line) bool {
	return !slices.ContainsFunc(cells, func(l line) bool { return !bold(&l) })
}

// betweenRules reports whether rules are drawn above and below bands, or between most of them: a table without
// upright lines.
func (a *arranger) betweenRules(bands []band) bool {
	box := inkOf(bands)
	size := bands[0].size
	top, bottom := bands[0].top, bands[len(bands)-1].bottom
	above, below, inside := false, false, 0
	for _, s := range a.rules {
		if s.Y1-s.Y0 > 1 || s.X1-s.X0 < 0.6*box.width() || s.X0 > box.x0+2*size || s.X1 < box.x1-2*size {
			continue
		}
		above = above || math.Abs(s.Y0-top) < 1.2*size
		below = below || math.Abs(s.Y0-bottom) < 1.2*size
		inside += bit(s.Y0 > top && s.Y0 < bottom)
	}
	return above && below || inside*3 >= len(bands) && len(bands) > 2
}
