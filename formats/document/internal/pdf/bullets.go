package pdf

import (
	"cmp"
	"slices"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// Marks of list items that are drawn, in parts of the text's height.
const (
	minBullet     = 0.12
	maxBullet     = 0.7
	bulletNear    = 0.15 // white between mark and text
	bulletFar     = 3.0
	bulletAlone   = 0.8 // white before a mark
	bulletTop     = 0.75
	bulletStep    = 2.0  // points: the height of one group of words
	maxMarkedSize = 60.0 // points
)

// shelves are words by the height of their baselines, from left to right.
type shelves map[int][]*word

func shelve(words []word) shelves {
	out := shelves{}
	for i := range words {
		at := int(words[i].base / bulletStep)
		out[at] = append(out[at], &words[i])
	}
	for _, s := range out {
		slices.SortStableFunc(s, func(a, b *word) int { return cmp.Compare(a.x0, b.x0) })
	}
	return out
}

// withBullets adds words for the small shapes that stand alone before text: browsers draw the marks of list items.
func withBullets(words []word, dots []reader.Rect) []word {
	if len(dots) == 0 {
		return words
	}
	s := shelve(words)
	var marks []word
	for _, d := range dots {
		if w := s.marked(d); w != nil && !besideOne(marks, d, w) {
			marks = append(marks, word{
				text: "•", x0: d.X0, x1: d.X1, base: w.base, size: w.size, mark: w.mark, artifact: w.artifact, space: true, spaceAt: d.X1,
			})
		}
	}
	return append(marks, words...) // first what an item begins with
}

// marked is the word that a shape is the mark of, nil if there is none.
func (s shelves) marked(d reader.Rect) *word {
	middle := (d.Y0 + d.Y1) / 2
	var best *word
	for at := int(middle / bulletStep); at <= int((middle+bulletTop*maxMarkedSize)/bulletStep); at++ {
		near := s[at]
		i, _ := slices.BinarySearchFunc(near, d.X1, func(w *word, x float64) int { return cmp.Compare(w.x0, x) })
		if i == len(near) || !fitsBullet(near[i], d) {
			continue
		}
		if i > 0 && d.X0-near[i-1].x1 < bulletAlone*near[i].size {
			return nil
		}
		if best == nil || near[i].x0 < best.x0 {
			best = near[i]
		}
	}
	return best
}

func fitsBullet(w *word, d reader.Rect) bool {
	high, gap, rise := d.Height()/w.size, (w.x0-d.X1)/w.size, (w.base-(d.Y0+d.Y1)/2)/w.size
	return high > minBullet && high < maxBullet && gap > bulletNear && gap < bulletFar && rise > 0.1 && rise < bulletTop && !isMarker(w.text)
}

// besideOne reports whether a mark was found at the same height near a shape: it is drawn twice, or a row of shapes.
func besideOne(marks []word, d reader.Rect, w *word) bool {
	return slices.ContainsFunc(marks, func(m word) bool {
		return m.base == w.base && m.x0 < d.X1+bulletFar*w.size && d.X0 < m.x1+bulletFar*w.size
	})
}
