package pdf

import (
	"math"
	"slices"
)

// gutter is the strip that parts most bands into columns of text, within the bands that it parts.
func gutter(bands []band, white []strip) (strip, bool) {
	for _, s := range white {
		s, ok := trimmed(bands, s)
		if !ok || s.bands() < tallGutter && river(bands[s.first:s.last+1], s.span) {
			continue
		}
		if parts := between(white, s); textColumns(bands[s.first:s.last+1], parts, s) {
			return s, true
		}
	}
	return strip{}, false
}

// maxGutters bounds the strips that gutterPast looks at.
const maxGutters = 4

// gutterPast is the strip that goes on past tables and parts columns of text there: what was found is the table of one
// column and what stands beside it, or the table was not found because of what stands beside it.
func (a *arranger) gutterPast(found []tableRun, r *region, bands []band, white []strip) (strip, bool) {
	tried := 0
	for _, s := range white {
		s, ok := trimmed(bands, s)
		if !ok || s.bands() < tallGutter || !goesPast(bands, found, s) {
			continue
		}
		if tried++; tried > maxGutters {
			break
		}
		own := bands[s.first : s.last+1]
		if a.flows(r.part(own, span{math.Inf(-1), s.x0 + 0.01})) && a.flows(r.part(own, span{s.x1 - 0.01, math.Inf(1)})) {
			return s, true
		}
	}
	return strip{}, false
}

// goesPast reports whether a strip runs beyond the tables that it meets: there is text at both its sides that is of none.
func goesPast(bands []band, found []tableRun, s strip) bool {
	lefts, rights := 0, 0
	for i := s.first; i <= s.last; i++ {
		if !slices.ContainsFunc(found, func(t tableRun) bool { return t.first <= i && i <= t.last }) {
			left, right := sidesOf(&bands[i], s.span)
			lefts, rights = lefts+bit(left), rights+bit(right)
		}
	}
	return lefts >= minColumnRun && rights >= minColumnRun
}

// flows reports whether a region is running text but for its tables.
func (a *arranger) flows(r region) bool {
	bands := bandsOf(&r)
	if found := a.tables(bands, strips(bands), true); len(found) > 0 {
		r = r.without(found, bands)
		bands = bandsOf(&r)
	}
	return lookAt(piecesIn(bands, everywhere)).prose()
}

// river reports whether a strip may be spaces of justified lines that happen to stand above each other: other spaces of
// the lines are nearly as wide.
func river(bands []band, s span) bool {
	as := 0
	for i := range bands {
		as += bit(slices.ContainsFunc(gaps(&bands[i]), func(g span) bool {
			return !math.IsInf(g.width(), 1) && (g.x1 <= s.x0 || g.x0 >= s.x1) && g.width() > 0.7*s.width()
		}))
	}
	return as*4 > len(bands)
}

// Columns that are set for themselves: how near baselines are to be the same, in parts of the text's height, and how many may be so by
// chance.
const (
	sameBase = 0.08
	byChance = 0.35
)

// ownLines is the strip through a table that was found whose sides have their lines at other heights: they are no cells of the same rows.
func ownLines(found []tableRun, bands []band, white []strip) (strip, bool) {
	tried := 0
	for _, s := range white {
		s, ok := trimmed(bands, s)
		through := func(t tableRun) bool { return t.first <= s.last && s.first <= t.last }
		if !ok || s.bands() < tallGutter || !slices.ContainsFunc(found, through) {
			continue
		}
		if tried++; tried > maxGutters {
			break
		}
		if outOfStep(bands[s.first:s.last+1], s.span) {
			return s, true
		}
	}
	return strip{}, false
}

// outOfStep reports whether few lines at either side stand beside a line of the other side, or in the middle between two, as cells do.
func outOfStep(bands []band, s span) bool {
	left, right := basesBeside(bands, s)
	size := bands[len(bands)/2].size
	return min(len(left), len(right)) >= minColumnRun && inStepWith(left, right, size) <= byChance && inStepWith(right, left, size) <= byChance
}

// inStepWith is the part of some baselines that are those of others or in the middle between two.
func inStepWith(bases, others []float64, size float64) float64 {
	in := 0
	for _, base := range bases {
		at, _ := slices.BinarySearch(others, base)
		above, below := math.Inf(1), math.Inf(1)
		if at > 0 {
			above = base - others[at-1]
		}
		if at < len(others) {
			below = others[at] - base
		}
		middle := math.Abs(above-below) <= 2*sameBase*size && above < halfLine*size
		in += bit(min(above, below) <= sameBase*size || middle)
	}
	return float64(in) / float64(len(bases))
}

// basesBeside are the baselines left and right of a strip.
func basesBeside(bands []band, s span) (left, right []float64) {
	for i := range bands {
		for _, w := range bands[i].words {
			if w.x1 <= s.x0+0.01 {
				left = append(left, w.base)
			} else {
				right = append(right, w.base)
			}
		}
	}
	return distinctBases(left), distinctBases(right)
}

func distinctBases(all []float64) []float64 {
	slices.Sort(all)
	return slices.CompactFunc(all, func(a, b float64) bool { return math.Abs(a-b) < 1 })
}
