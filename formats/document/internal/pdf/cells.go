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
	filled        float64 // part of the cells that have text
	numeric       float64 // part of the cells that are numbers
	even          float64 // part of the cells that begin, end or are centered where their column does
	letters       float64 // of a cell
	prose         float64 // part of the text that stands in columns of running text
	header, ruled bool
	markers, mono bool
	capitals      float64 // part of the cells that begin with a capital or a digit
	lines         bool    // its bands read as lines of running text
}

func (a *arranger) cellLook(bands []band, edges []float64) (c cellLook) {
	columns := make([][]line, len(edges)+1)
	cells, numbers, capitals, letters := 0, 0, 0, 0
	c.mono = true
	for i := range bands {
		own := cellsIn(&bands[i], edges)
		c.rows += bit(len(own) > 1)
		for _, l := range own {
			at, _ := slices.BinarySearch(edges, (l.box.X0+l.box.X1)/2)
			columns[at] = append(columns[at], l)
			text := l.text()
			cells++
			numbers += bit(numeric(text))
			capitals += bit(startsUpper(text))
			letters += utf8.RuneCountInString(text)
			c.mono = c.mono && mono(&l)
		}
	}
	c.columns = len(columns)
	c.filled = float64(cells) / float64(len(bands)*len(columns))
	c.numeric, c.capitals = float64(numbers)/float64(cells), float64(capitals)/float64(cells)
	c.letters = float64(letters) / float64(cells)
	even := 0
	for _, col := range columns {
		even += evenEdges(col)
		var p []piece
		text := 0
		for _, l := range col {
			p = append(p, piece{words: l.words, base: l.base, x0: l.box.X0, x1: l.box.X1})
			text += utf8.RuneCountInString(l.text())
		}
		if lookAt(p).prose() {
			c.prose += float64(text) / float64(letters)
		}
	}
	c.even = float64(even) / float64(cells)
	c.markers = !slices.ContainsFunc(columns[0], func(l line) bool { return !isMarker(plain(l.words)) || decimal.MatchString(plain(l.words)) })
	c.header = boldCells(cellsIn(&bands[0], edges)) && len(bands) > 1 && !boldCells(cellsIn(&bands[1], edges))
	c.ruled = a.betweenRules(bands)
	c.lines = lookAt(piecesIn(bands, everywhere)).prose() && c.capitals < 0.5
	return c
}

// score is higher the more a run of bands looks like a table.
func (c cellLook) score(narrow float64) float64 {
	s := 0.12*float64(min(c.rows, 8)) + 0.25*float64(min(c.columns-1, 3)) + c.even + 0.5*c.numeric + 0.3*c.capitals
	s += 0.5*float64(bit(c.header)) + 0.7*float64(bit(c.ruled)) + 0.2*min(narrow, 2)
	s -= 1.2*float64(bit(c.lines)) + 1.2*c.prose + 0.9*(1-c.filled) + 0.02*max(0, c.letters-24)
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
