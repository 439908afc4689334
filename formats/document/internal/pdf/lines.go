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

// line is words on one baseline, in the order they are read.
type line struct {
	words []word
	box   reader.Rect
	base  float64
	size  float64 // of most of its letters
	table *grid   // a whole table that takes the line's place
	image *reader.Picture
}

// linesOf groups words into lines, from the top down. A region's words are given, so no gap is too wide.
func linesOf(words []word) []line {
	var out []line
	for _, r := range rowsByBase(words) {
		slices.SortStableFunc(r.words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
		out = append(out, newLine(r.words))
	}
	sortLines(out)
	return out
}

// rowsByBase groups words that stand beside each other, from the top down.
func rowsByBase(words []word) []row {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.base, b.base) })
	var out, open []row
	for i := range words {
		w := &words[i]
		open = slices.DeleteFunc(open, func(r row) bool {
			gone := r.bottom < w.top() || len(open) > 400 && r.base == open[0].base
			if gone {
				out = append(out, r)
			}
			return gone
		})
		at := -1
		for j := range open {
			if open[j].takes(w) && (at < 0 || math.Abs(open[j].base-w.base) < math.Abs(open[at].base-w.base)) {
				at = j
			}
		}
		if at < 0 {
			open = append(open, row{})
			at = len(open) - 1
		}
		open[at].add(w)
	}
	out = append(out, open...)
	slices.SortStableFunc(out, func(a, b row) int { return cmp.Compare(a.base, b.base) })
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

// pieces cuts the rows of a page at wide gaps: for what stands at its edges.
func pieces(words []word) []line {
	var out []line
	for _, r := range rowsByBase(words) {
		slices.SortStableFunc(r.words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
		start, right := 0, math.Inf(-1)
		for i, w := range r.words {
			if i > start && w.x0-right > pieceGap*w.size {
				out = append(out, newLine(slices.Clone(r.words[start:i])))
				start = i
			}
			right = max(right, w.x1)
		}
		out = append(out, newLine(slices.Clone(r.words[start:])))
	}
	sortLines(out)
	return out
}

// pieceGap is a gap that parts what stands at a page's edge, in parts of the text's height.
const pieceGap = 0.9

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

// plain is the words' text with no regard to gaps.
func plain(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
	}
	return b.String()
}

func hull(lines []line) reader.Rect {
	r := reader.NewRect()
	for _, l := range lines {
		r.Join(l.box)
	}
	return r
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
