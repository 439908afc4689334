package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// line is words on one baseline with no wide gap between them, in the order they are read.
type line struct {
	words []word
	box   reader.Rect
	base  float64
	size  float64 // of most of its letters
	table *grid   // a whole table that takes the line's place
	image *reader.Picture
}

// columnGap is a gap that may part columns, in parts of the font's height.
const columnGap = 0.9

// linesOf groups words into lines, from the top down.
func linesOf(words []word) []line {
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.base, b.base) })
	var out []line
	var open []*row
	for i := range words {
		w := &words[i]
		open = slices.DeleteFunc(open, func(r *row) bool {
			if r.bottom < w.top() || len(open) > 400 && r == open[0] {
				out = append(out, r.lines()...)
				return true
			}
			return false
		})
		at := slices.IndexFunc(open, func(r *row) bool { return r.takes(w) })
		if at < 0 {
			open = append(open, &row{})
			at = len(open) - 1
		}
		open[at].add(w)
	}
	for _, r := range open {
		out = append(out, r.lines()...)
	}
	sortLines(out)
	return out
}

func sortLines(lines []line) {
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(math.Round(a.base*2), math.Round(b.base*2)), cmp.Compare(a.box.X0, b.box.X0))
	})
}

// row is all words about one height of the page.
type row struct {
	words                   []word
	size, base, top, bottom float64
}

func (r *row) takes(w *word) bool {
	low, high := min(r.size, w.size), max(r.size, w.size)
	if high > 1.8*low {
		return math.Abs(r.base-w.base) < 0.3*low
	}
	return min(r.bottom, w.bottom())-max(r.top, w.top()) > 0.5*low
}

func (r *row) add(w *word) {
	if w.size > r.size {
		r.size, r.base, r.top, r.bottom = w.size, w.base, w.top(), w.bottom()
	}
	r.words = append(r.words, *w)
}

// lines cuts the row at wide gaps.
func (r *row) lines() []line {
	slices.SortStableFunc(r.words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
	var out []line
	var cur []word
	for _, w := range r.words {
		if n := len(cur); n > 0 {
			gap := w.x0 - maxRight(cur)
			size := min(max(cur[n-1].size, w.size), r.size)
			if gap > columnGap*size && !(gap < 4*size && n <= 2 && isMarker(plain(cur))) {
				out = append(out, newLine(cur))
				cur = nil
			}
		}
		cur = append(cur, w)
	}
	return append(out, newLine(cur))
}

func maxRight(words []word) float64 {
	x := math.Inf(-1)
	for _, w := range words[max(0, len(words)-8):] {
		x = max(x, w.x1)
	}
	return x
}

// plain is the words' text with no regard to gaps.
func plain(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
	}
	return b.String()
}

func newLine(words []word) line {
	l := line{words: words, box: reader.NewRect()}
	letters := map[float64]int{}
	for _, w := range words {
		letters[math.Round(w.size*4)/4] += utf8.RuneCountInString(w.text)
	}
	most := 0
	for size, n := range letters {
		if n > most || n == most && size > l.size {
			most, l.size = n, size
		}
	}
	l.base = math.Inf(-1)
	for _, w := range words {
		if math.Abs(w.size-l.size) < 0.13 {
			l.base = max(l.base, w.base)
		}
	}
	for i := range words {
		w := &words[i]
		w.gap = 0
		w.super = w.size < 0.82*l.size && l.base-w.base > 0.15*l.size
		l.box.Join(reader.Rect{X0: w.x0, Y0: w.top(), X1: w.x1, Y1: w.bottom()})
	}
	l.words = logical(words)
	return l
}

// logical puts words that are sorted from left to right into the order they are read (the rules of UAX #9, by runs
// of words): a line that is mostly right to left is turned round and its other runs turned back.
func logical(words []word) []word {
	right, left := 0, 0
	for _, w := range words {
		if w.rtl {
			right += utf8.RuneCountInString(w.text)
		} else if strings.ContainsFunc(w.text, unicode.IsLetter) {
			left += utf8.RuneCountInString(w.text)
		}
	}
	if right == 0 {
		return words
	}
	markSpaces(words)
	base := right >= left
	if base {
		reverse(words)
	}
	for i := 0; i < len(words); {
		j := i
		if !against(words[i], base) {
			i++
			continue
		}
		for j < len(words) && (against(words[j], base) || neutral(words[j])) {
			j++
		}
		end := j
		for end > i+1 && neutral(words[end-1]) {
			end--
		}
		reverse(words[i:end])
		i = j
	}
	if base {
		for i := range words {
			words[i].text = mirror(words[i])
		}
	}
	return words
}

// markSpaces settles the spaces between words before they are put in another order than they stand.
func markSpaces(words []word) {
	for i := range words {
		a := &words[i]
		a.gap = tight
		if i+1 < len(words) {
			b := words[i+1]
			between := func(w *word) bool {
				return w.space && w.spaceAt > a.x1-0.1*a.size && w.spaceAt < b.x0+0.1*a.size
			}
			if b.x0-a.x1 > wordGap*a.size || between(a) || between(&b) {
				a.gap = wide
			}
		}
	}
}

// reverse turns words round; the gap after a word becomes the gap after its neighbor.
func reverse(words []word) {
	if len(words) == 0 {
		return
	}
	outer := words[len(words)-1].gap
	slices.Reverse(words)
	for i := range words[:len(words)-1] {
		words[i].gap = words[i+1].gap
	}
	words[len(words)-1].gap = outer
}

// against reports whether a word runs against the line: letters of the other direction, and numbers in a line from
// right to left.
func against(w word, rtl bool) bool {
	return w.rtl != rtl && !neutral(w)
}

func neutral(w word) bool {
	for _, r := range w.text {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L, bidi.R, bidi.AL, bidi.EN, bidi.AN:
			return false
		}
	}
	return true
}

var mirrored = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«'}

// mirror writes the brackets of a line from right to left as characters: they were drawn mirrored.
func mirror(w word) string {
	if w.rtl || !neutral(w) {
		return w.text
	}
	return strings.Map(func(r rune) rune {
		if m, ok := mirrored[r]; ok {
			return m
		}
		return r
	}, w.text)
}

// spaced reports whether there is a space between two neighbors of a line.
func spaced(a, b word) bool {
	if a.gap != 0 {
		return a.gap == wide
	}
	if a.space {
		return true
	}
	size := max(a.size, b.size)
	if b.super || a.super {
		size *= 1.3
	}
	return b.x0-a.x1 > wordGap*size
}

// text is the line's text with single spaces.
func (l *line) text() string {
	var b strings.Builder
	for i, w := range l.words {
		if i > 0 && spaced(l.words[i-1], w) {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}
