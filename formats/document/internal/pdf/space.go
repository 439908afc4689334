package pdf

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// region is a part of a page: its words, and the tables and pictures between them.
type region struct {
	words   []word
	objects []line // with a table or image
}

func (r *region) empty() bool { return len(r.words)+len(r.objects) == 0 }

// span is a piece of a horizontal line.
type span struct{ x0, x1 float64 }

func (s span) width() float64 { return s.x1 - s.x0 }

// band is what stands at one height of a region, from left to right.
type band struct {
	words       []word
	objects     []int // of the region
	base, size  float64
	top, bottom float64
	ink         []span // where something stands; those that overlap are one

	edges []float64 // that cells are parted at: see cellsIn
	cells []line
}

// bandsOf groups what a region has by its height, from the top down.
func bandsOf(r *region) []band {
	var out []band
	for _, w := range rowsByBase(r.words) {
		out = append(out, newBand(w))
	}
	for i := range r.objects {
		out = addObject(out, r.objects[i].box, i)
	}
	for i := range out {
		out[i].ink = merged(out[i].ink)
	}
	return out
}

func newBand(r row) band {
	slices.SortStableFunc(r.words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
	b := band{words: r.words, base: r.base, size: r.size, top: math.Inf(1), bottom: math.Inf(-1)}
	for _, w := range r.words {
		b.ink = append(b.ink, span{w.x0, w.x1})
		b.top, b.bottom = min(b.top, w.top()), max(b.bottom, w.bottom())
	}
	return b
}

// addObject makes an object stand in the bands beside it; it belongs to the first of them, or to one of its own.
func addObject(bands []band, box reader.Rect, index int) []band {
	owner := -1
	for i := range bands {
		if mid := (bands[i].top + bands[i].bottom) / 2; mid > box.Y0 && mid < box.Y1 {
			bands[i].ink = append(bands[i].ink, span{box.X0, box.X1})
			if owner < 0 {
				owner = i
			}
		}
	}
	if owner >= 0 {
		bands[owner].objects = append(bands[owner].objects, index)
		return bands
	}
	at := slices.IndexFunc(bands, func(b band) bool { return b.base > box.Y1 })
	if at < 0 {
		at = len(bands)
	}
	own := band{objects: []int{index}, base: box.Y1, size: 10, top: box.Y0, bottom: box.Y1, ink: []span{{box.X0, box.X1}}}
	return slices.Insert(bands, at, own)
}

func merged(ink []span) []span {
	slices.SortFunc(ink, func(a, b span) int { return cmp.Compare(a.x0, b.x0) })
	out := ink[:0]
	for _, s := range ink {
		if n := len(out); n > 0 && s.x0 <= out[n-1].x1 {
			out[n-1].x1 = max(out[n-1].x1, s.x1)
			continue
		}
		out = append(out, s)
	}
	return out
}

// strip is white space that stands upright through the bands from first to last.
type strip struct {
	span
	first, last int
}

func (s strip) bands() int { return s.last - s.first + 1 }

// Bounds of the search for strips. minWhite is in parts of the text's height: spaces between words are narrower,
// except in justified lines, where they don't stand above each other.
const (
	minWhite    = 0.42
	minHeight   = 3 // bands
	maxOpen     = 120
	maxStrips   = 400
	maxBandInks = 400
)

// strips finds the white strips of bands that are as wide and as high as they can be.
func strips(bands []band) []strip {
	var open, out []strip
	for i := range bands {
		white := gaps(&bands[i])
		var next []strip
		for _, s := range open {
			kept := false
			for _, g := range white {
				both := span{max(s.x0, g.x0), min(s.x1, g.x1)}
				if both.width() < minWhite*bands[i].size {
					continue
				}
				next = append(next, strip{both, s.first, i})
				kept = kept || both == s.span
			}
			if !kept {
				out = append(out, s)
			}
		}
		for _, g := range white {
			next = append(next, strip{g, i, i})
		}
		open = widest(next)
	}
	out = append(out, open...)
	out = slices.DeleteFunc(out, func(s strip) bool {
		return s.bands() < minHeight || math.IsInf(s.x0, -1) || math.IsInf(s.x1, 1)
	})
	slices.SortStableFunc(out, func(a, b strip) int {
		return cmp.Or(cmp.Compare(b.bands(), a.bands()), cmp.Compare(b.width(), a.width()))
	})
	return out[:min(len(out), maxStrips)]
}

// gaps are the white spans of a band, its outer ones too.
func gaps(b *band) []span {
	var out []span
	x := math.Inf(-1)
	for _, s := range b.ink[:min(len(b.ink), maxBandInks)] {
		if s.x0-x >= minWhite*b.size {
			out = append(out, span{x, s.x0})
		}
		x = s.x1
	}
	return append(out, span{x, math.Inf(1)})
}

// widest leaves out the strips that lie in another that began no later.
func widest(s []strip) []strip {
	slices.SortStableFunc(s, func(a, b strip) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.width(), a.width()))
	})
	out := s[:0]
	for _, c := range s[:min(len(s), 4*maxOpen)] {
		if len(out) < maxOpen && !slices.ContainsFunc(out, func(o strip) bool { return o.x0 <= c.x0 && o.x1 >= c.x1 }) {
			out = append(out, c)
		}
	}
	return out
}
