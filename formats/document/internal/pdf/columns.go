package pdf

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// arranger cuts a page into regions that are read one after the other.
type arranger struct {
	rules []reader.Segment // of the page; none for text that is turned
	typed bool             // the whole document is typewritten
	out   [][]line
}

// Columns of text. Widths and distances are in parts of the text's height.
const (
	maxCuts       = 12 // depth
	minColumnRun  = 3  // lines of each column
	tallGutter    = 9  // bands
	proseShare    = 0.75
	sidebarGutter = 1.2
	sidebarBands  = 6
	farGap        = 2.2 // white below which a column doesn't go on
)

// cut finds tables first, then the gutter that most bands have in common, and does the same with what is beside,
// above and below it.
func (a *arranger) cut(r region, depth int) {
	if r.empty() {
		return
	}
	bands, white, g, ok := a.parted(&r)
	if !ok || depth > maxCuts {
		a.leaf(r, bands, white)
		return
	}
	a.cut(r.part(bands[:g.first], everywhere), depth+1)
	start := g.first
	for _, h := range headingsOver(bands, g) {
		a.sides(&r, bands[start:h.first], g, depth)
		a.cut(r.part(bands[h.first:h.last+1], everywhere), depth+1)
		start = h.last + 1
	}
	a.sides(&r, bands[start:g.last+1], g, depth)
	a.cut(r.part(bands[g.last+1:], everywhere), depth+1)
}

// parted looks for the gutter of a region, in which tables take the place of their words unless the gutter runs past them.
func (a *arranger) parted(r *region) (bands []band, white []strip, g strip, ok bool) {
	bands = bandsOf(r)
	white = strips(bands)
	if found := a.tables(bands, white, false); len(found) > 0 {
		if g, ok = a.gutterPast(found, r, bands, white); ok {
			return bands, white, g, true
		}
		if g, ok = ownLines(found, bands, white); ok {
			return bands, white, g, true
		}
		*r = r.without(found, bands)
		bands = bandsOf(r)
		white = strips(bands)
	}
	if g, ok = gutter(bands, white); !ok {
		g, ok = a.gutterPast(nil, r, bands, white)
	}
	return bands, white, g, ok
}

func (a *arranger) sides(r *region, bands []band, g strip, depth int) {
	a.cut(r.part(bands, span{math.Inf(-1), g.x0 + 0.01}), depth+1)
	a.cut(r.part(bands, span{g.x1 - 0.01, math.Inf(1)}), depth+1)
}

var everywhere = span{math.Inf(-1), math.Inf(1)}

// part is what stands in bands within a span.
func (r *region) part(bands []band, in span) (out region) {
	for i := range bands {
		for _, w := range bands[i].words {
			if mid := (w.x0 + w.x1) / 2; mid > in.x0 && mid < in.x1 {
				out.words = append(out.words, w)
			}
		}
		for _, o := range bands[i].objects {
			if mid := (r.objects[o].box.X0 + r.objects[o].box.X1) / 2; mid > in.x0 && mid < in.x1 {
				out.objects = append(out.objects, r.objects[o])
			}
		}
	}
	return out
}

// without replaces the words of tables by the tables.
func (r *region) without(tables []tableRun, bands []band) (out region) {
	out.objects = slices.Clone(r.objects)
	next := 0
	for _, t := range tables {
		rest := r.part(bands[next:t.first], everywhere)
		out.words = append(out.words, rest.words...)
		out.objects = append(out.objects, tableLine(t.grid))
		next = t.last + 1
	}
	out.words = append(out.words, r.part(bands[next:], everywhere).words...)
	return out
}

func tableLine(g *grid) line { return line{table: g, box: g.box, base: g.box.Y0 + 8, size: 10} }

// leaf is a region with one column: its lines, and the tables between them.
func (a *arranger) leaf(r region, bands []band, white []strip) {
	if found := a.tables(bands, white, true); len(found) > 0 {
		r = r.without(found, bands)
	}
	lines := append(linesOf(r.words), r.objects...)
	sortLines(lines)
	a.out = append(a.out, lines)
}

// sidesOf reports whether a band has something left and right of a strip.
func sidesOf(b *band, s span) (left, right bool) {
	return b.ink[0].x0 < s.x0, b.ink[len(b.ink)-1].x1 > s.x1
}

// trimmed takes bands off a strip's ends that have text at one side only and stand apart: headings over the columns,
// notes under them. It answers false if too few bands are left at either side.
func trimmed(bands []band, s strip) (strip, bool) {
	for i := s.first; i < s.last; i++ {
		if left, right := sidesOf(&bands[i], s.span); left && right {
			break
		}
		if farApart(bands, i) {
			s.first = i + 1
		}
	}
	for i := s.last; i > s.first; i-- {
		if left, right := sidesOf(&bands[i], s.span); left && right {
			break
		}
		if farApart(bands, i-1) {
			s.last = i - 1
		}
	}
	lefts, rights := 0, 0
	for i := s.first; i <= s.last; i++ {
		left, right := sidesOf(&bands[i], s.span)
		lefts, rights = lefts+bit(left), rights+bit(right)
	}
	return s, lefts >= minColumnRun && rights >= minColumnRun
}

// farApart reports whether a band and the next don't belong to one column.
func farApart(bands []band, i int) bool {
	a, b := &bands[i], &bands[i+1]
	return b.top-a.bottom > farGap*max(a.size, b.size)
}

// between are the strips that part the same bands as s, s among them, from left to right.
func between(white []strip, s strip) []span {
	out := []span{s.span}
	for _, t := range white {
		common := min(t.last, s.last) - max(t.first, s.first) + 1
		if float64(common) < 0.6*float64(s.bands()) {
			continue
		}
		if !slices.ContainsFunc(out, func(o span) bool { return t.x0 < o.x1 && t.x1 > o.x0 }) {
			out = append(out, t.span)
		}
	}
	slices.SortFunc(out, func(a, b span) int { return int(math.Copysign(1, a.x0-b.x0)) })
	return out
}

// textColumns reports whether parts hold running text, and not the cells of a table.
func textColumns(bands []band, parts []span, s strip) bool {
	total, flowing := 0.0, 0.0
	var beside [2]columnLook
	for i := range len(parts) + 1 {
		in := everywhere
		if i > 0 {
			in.x0 = parts[i-1].x1 - 0.01
		}
		if i < len(parts) {
			in.x1 = parts[i].x0 + 0.01
		}
		look := lookAt(piecesIn(bands, in))
		total += look.letters
		if look.prose() {
			flowing += look.letters
		}
		if i < len(parts) && parts[i] == s.span {
			beside[0] = look
		}
		if i > 0 && parts[i-1] == s.span {
			beside[1] = look
		}
	}
	if total == 0 {
		return false
	}
	if beside[0].prose() && beside[1].prose() && flowing >= proseShare*total {
		return true
	}
	size := bands[0].size
	return (beside[0].prose() || beside[1].prose()) && flowing >= 0.5*total && s.width() > sidebarGutter*size &&
		len(bands) >= sidebarBands && !inStepBands(bands, s.span)
}

// inStepBands reports whether most bands with text at one side have text at the other.
func inStepBands(bands []band, s span) bool {
	lefts, rights, both := 0, 0, 0
	for i := range bands {
		left, right := sidesOf(&bands[i], s)
		lefts, rights, both = lefts+bit(left), rights+bit(right), both+bit(left && right)
	}
	return both*2 > min(lefts, rights)
}

// piece is what a band has in one column.
type piece struct {
	words  []word
	base   float64
	x0, x1 float64
}

func piecesIn(bands []band, in span) []piece {
	var out []piece
	for i := range bands {
		b := &bands[i]
		p := piece{base: b.base, x0: math.Inf(1), x1: math.Inf(-1)}
		for _, w := range b.words {
			if mid := (w.x0 + w.x1) / 2; mid > in.x0 && mid < in.x1 {
				p.words = append(p.words, w)
				p.x0, p.x1 = min(p.x0, w.x0), max(p.x1, w.x1)
			}
		}
		if len(p.words) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// columnLook is what distinguishes running text from cells.
type columnLook struct {
	lines   int
	words   float64 // of a line
	letters float64 // of all
	wrapped float64 // part of the lines that the next line's first word would not fit into
	lower   float64 // part of the lines that begin with a small letter, of those that begin with a letter with case
}

// Running text, measured on made pages: least letters and words of a line, and how much of it must flow.
const (
	proseLetters = 11
	proseWords   = 2.0
	proseFlow    = 0.6
)

func (c columnLook) prose() bool {
	return c.lines >= minColumnRun && c.letters >= proseLetters*float64(c.lines) && c.words >= proseWords &&
		0.5*c.wrapped+0.5*min(1, 2*c.lower) >= proseFlow
}

func lookAt(pieces []piece) (c columnLook) {
	right := math.Inf(-1)
	for _, p := range pieces {
		right = max(right, p.x1)
	}
	pairs, wrapped, cased, lower, words := 0, 0, 0, 0, 0.0
	for i, p := range pieces {
		first := p.words[0]
		letters := 0
		for _, w := range p.words {
			letters += utf8.RuneCountInString(w.text)
		}
		c.letters += float64(letters)
		n := float64(len(p.words))
		if r, _ := utf8.DecodeRuneInString(first.text); isWide(r) {
			n, cased, lower = max(n, float64(letters)/2), cased+1, lower+1
		} else if unicode.IsUpper(r) || unicode.IsDigit(r) {
			cased++
		} else if unicode.IsLetter(r) {
			cased, lower = cased+1, lower+1
		}
		words += n
		if i > 0 && p.base-pieces[i-1].base < 2*first.size {
			pairs++
			room := right - pieces[i-1].x1
			wrapped += bit(room < min(first.x1-first.x0, 6*first.size)+0.4*first.size)
		}
	}
	c.lines = len(pieces)
	c.words = words / max(1, float64(c.lines))
	c.wrapped = float64(wrapped) / max(1, float64(pairs))
	c.lower = float64(lower) / max(1, float64(cased))
	return c
}

// bandRun is some bands that follow one another.
type bandRun struct{ first, last int }

// headingsOver are the headings in a gutter's bands that stand over all columns, though they end before the gutter:
// the text is larger or bold, and both columns pause for it.
func headingsOver(bands []band, g strip) []bandRun {
	var out []bandRun
	for i := g.first + 1; i < g.last; i++ {
		left, right := sidesOf(&bands[i], g.span)
		if !left || right || !standsOut(&bands[i], bands, g) {
			continue
		}
		j := i
		for j+1 < g.last && standsOut(&bands[j+1], bands, g) {
			if _, right := sidesOf(&bands[j+1], g.span); right {
				break
			}
			j++
		}
		above, below := &bands[i-1], &bands[j+1]
		_, rightAbove := sidesOf(above, g.span)
		leftBelow, rightBelow := sidesOf(below, g.span)
		apart := bands[i].top-above.bottom > 0.3*bands[i].size && below.top-bands[j].bottom > 0.1*bands[i].size
		if apart && leftBelow && rightBelow && rightAbove {
			out = append(out, bandRun{i, j})
		}
		i = j
	}
	return out
}

// standsOut reports whether a band is set larger than the bands of columns, or bold.
func standsOut(b *band, bands []band, g strip) bool {
	if len(b.words) == 0 {
		return false
	}
	var sizes []float64
	for i := g.first; i <= g.last; i++ {
		sizes = append(sizes, bands[i].size)
	}
	slices.Sort(sizes)
	usual := sizes[len(sizes)/2]
	l := line{words: b.words}
	return b.size > 1.12*usual || bold(&l) && b.size > 0.95*usual
}
