package pdf

import (
	"math"
	"slices"
)

// rowsOfCells groups bands that are the lines of one row: they stand nearer together than rows do, and the later ones
// leave cells empty; or they overlap, as cells in the middle of higher ones do.
func rowsOfCells(bands []band, edges []float64) []bandRun {
	if rows := rowsByPause(bands, edges); rows != nil {
		return rows
	}
	out := []bandRun{{0, 0}}
	limit := rowGap(bands)
	most := filledCells(&bands[0], edges)
	for i := 1; i < len(bands); i++ {
		gap := bands[i].top - bands[i-1].bottom
		n := filledCells(&bands[i], edges)
		overlaps := gap < -0.25*bands[i].size
		if overlaps || gap < limit && n < max(most, 2) && n <= len(edges) {
			out[len(out)-1].last = i
			most = max(most, n)
			continue
		}
		out = append(out, bandRun{i, i})
		most = n
	}
	return out
}

func filledCells(b *band, edges []float64) int { return len(cellsIn(b, edges)) }

// rowGap is the white from which on bands are of different rows: between the two usual distances, if there are two.
func rowGap(bands []band) float64 {
	var all []float64
	for i := 1; i < len(bands); i++ {
		all = append(all, bands[i].top-bands[i-1].bottom)
	}
	slices.Sort(all)
	best, at := 0.0, math.Inf(-1)
	size := bands[0].size
	for i := 1; i < len(all); i++ {
		if jump := all[i] - all[i-1]; jump > best && all[i] < maxRowGap*size {
			best, at = jump, (all[i]+all[i-1])/2
		}
	}
	if best < 0.2*size {
		return math.Inf(-1)
	}
	return at
}

// minPause is how much more white is between rows than between the lines of a cell, in parts of the text's height.
const minPause = 0.12

// rowsByPause parts bands where all columns pause at once. It answers nil where no cell has more lines than those
// beside it: then bands are rows.
func rowsByPause(bands []band, edges []float64) []bandRun {
	columns := columnsOf(bands, edges)
	limit := cellLeading(columns) + minPause*bands[0].size
	out := []bandRun{{0, 0}}
	bottom := bands[0].bottom
	for i := 1; i < len(bands); i++ {
		if bands[i].top-bottom < limit {
			out[len(out)-1].last = i
		} else {
			out = append(out, bandRun{i, i})
		}
		bottom = max(bottom, bands[i].bottom)
	}
	several, uneven := 0, 0
	for _, r := range out {
		if r.last > r.first {
			several++
			uneven += bit(unevenCells(bands[r.first:r.last+1], edges))
		}
	}
	if len(out) < 2 || several == 0 || uneven*2 < several {
		return nil
	}
	return out
}

// columnsOf are the lines of each column, from the top down.
func columnsOf(bands []band, edges []float64) [][]line {
	columns := make([][]line, len(edges)+1)
	for i := range bands {
		for _, l := range cellsIn(&bands[i], edges) {
			at, _ := slices.BinarySearch(edges, (l.box.X0+l.box.X1)/2)
			columns[at] = append(columns[at], l)
		}
	}
	return columns
}

// cellLeading is the white between the lines of a cell: the least usual distance within columns.
func cellLeading(columns [][]line) float64 {
	var all []float64
	for _, col := range columns {
		for i := 1; i < len(col); i++ {
			if gap := col[i].box.Y0 - col[i-1].box.Y1; gap < maxRowGap*col[i].size {
				all = append(all, gap)
			}
		}
	}
	if len(all) == 0 {
		return math.Inf(1)
	}
	slices.Sort(all)
	return all[len(all)/10]
}

// unevenCells reports whether cells of a row have different numbers of lines.
func unevenCells(bands []band, edges []float64) bool {
	low, high := len(bands), 0
	for _, col := range columnsOf(bands, edges) {
		if n := len(col); n > 0 {
			low, high = min(low, n), max(high, n)
		}
	}
	return low < high
}
