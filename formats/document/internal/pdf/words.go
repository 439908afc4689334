package pdf

import (
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
)

// word is text without a gap in it, in one style. Coordinates are along the text's own direction: x the way it is
// read, base the baseline downwards.
type word struct {
	text     string
	x0, x1   float64
	base     float64
	size     float64
	face     *reader.Typeface
	mark     int32
	artifact bool
	unknown  bool
	space    bool // a space character follows in the content
	spaceAt  float64
	rtl      bool
	super    bool
	gap      int8 // of a line that was put in order: tight or wide towards the next word
	link     string
}

const (
	tight int8 = 1
	wide  int8 = 2
)

func (w *word) top() float64    { return w.base - 0.75*w.size }
func (w *word) bottom() float64 { return w.base + 0.22*w.size }

// Gaps, in parts of the font's height.
const (
	wordGap = 0.18 // apart: another word
	overlap = 0.4  // back: not the same word
	noGap   = 0.03 // apart: no space
)

// turn returns a place in the coordinates of a direction, and turnBack undoes it.
func turn(dir int, x, y float64) (float64, float64) {
	switch dir {
	case 1:
		return y, -x
	case 2:
		return -x, -y
	case 3:
		return -y, x
	}
	return x, y
}

func turnBack(dir int, r reader.Rect) reader.Rect {
	out := reader.NewRect()
	for _, c := range [2][2]float64{{r.X0, r.Y0}, {r.X1, r.Y1}} {
		x, y := c[0], c[1]
		switch dir {
		case 1:
			x, y = -y, x
		case 2:
			x, y = -x, -y
		case 3:
			x, y = y, -x
		}
		out.Include(x, y)
	}
	return out
}

// wordsOf groups the glyphs of each direction into words.
func wordsOf(glyphs []reader.Glyph) (out [4][]word) {
	last := 0
	cur := [4]*word{}
	for g := range parted(glyphs) {
		last = g.Direction(last)
		if g.Size < 0.1 {
			continue
		}
		if w := addGlyph(g, last, cur[last]); w != nil {
			out[last] = append(out[last], *w)
			cur[last] = &out[last][len(out[last])-1]
		}
	}
	for d := range out {
		out[d] = dropDoubles(out[d])
	}
	return out
}

// parted visits glyphs; one that stands for several words, as replaced text does, is visited in pieces.
func parted(glyphs []reader.Glyph) iter.Seq[*reader.Glyph] {
	return func(yield func(*reader.Glyph) bool) {
		for i := range glyphs {
			g := glyphs[i]
			if len(g.Text) < 2 || !strings.Contains(g.Text, " ") {
				if !yield(&g) {
					return
				}
				continue
			}
			all := float64(utf8.RuneCountInString(g.Text))
			for start, text := range fields(g.Text) {
				piece := g
				n := float64(utf8.RuneCountInString(text))
				piece.Text, piece.X, piece.Y = text, g.X+g.Dx*start/all, g.Y+g.Dy*start/all
				piece.Dx, piece.Dy = g.Dx*n/all, g.Dy*n/all
				if !yield(&piece) {
					return
				}
			}
		}
	}
}

// fields visits the words of a text and the spaces between them, each with the number of characters before it.
func fields(s string) iter.Seq2[float64, string] {
	return func(yield func(float64, string) bool) {
		at := 0
		for part := range strings.SplitAfterSeq(s, " ") {
			word := strings.TrimSuffix(part, " ")
			n := utf8.RuneCountInString(word)
			if word != "" && !yield(float64(at), word) || len(word) < len(part) && !yield(float64(at+n), " ") {
				return
			}
			at += utf8.RuneCountInString(part)
		}
	}
}

// addGlyph extends the current word, or answers a new one.
func addGlyph(g *reader.Glyph, dir int, cur *word) *word {
	x, base := turn(dir, g.X, g.Y)
	width, _ := turn(dir, g.Dx, g.Dy)
	if blank(g.Text) {
		if cur != nil && !g.Unknown {
			cur.space, cur.spaceAt = true, x+width/2
		}
		return nil
	}
	text, rtl := letters(g.Text)
	// A space character that leaves no space is none: some producers draw it in a ligature or take its width back.
	if cur != nil && cur.space && !rtl && !cur.rtl && g.Face.Measured && math.Abs(base-cur.base) < 0.05*g.Size &&
		x-cur.x1 < noGap*g.Size && x > cur.x0 {
		cur.space = false
	}
	if cur != nil && !rtl && !cur.rtl && follows(cur, g, x, base) {
		cur.text += text
		cur.x1 = max(cur.x1, x+width)
		cur.unknown = cur.unknown && g.Unknown
		return nil
	}
	return &word{
		text: text, x0: x, x1: x + max(width, 0), base: base, size: g.Size, face: g.Face, mark: g.Mark,
		artifact: g.Artifact, unknown: g.Unknown, rtl: rtl,
	}
}

// follows reports whether a glyph belongs to the word before it in the content.
func follows(w *word, g *reader.Glyph, x, base float64) bool {
	gap := x - w.x1
	return !w.space && w.mark == g.Mark && w.artifact == g.Artifact && sameStyle(w.face, g.Face) &&
		math.Abs(base-w.base) < 0.05*g.Size && math.Abs(g.Size-w.size) < 0.05*w.size &&
		gap < wordGap*g.Size && gap > -overlap*g.Size && len(w.text) < 4096
}

func sameStyle(a, b *reader.Typeface) bool {
	return a == b || a.Bold == b.Bold && a.Italic == b.Italic && a.Mono == b.Mono
}

func blank(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || unicode.Is(unicode.Cc, r) }) == ""
}

// letters resolves ligatures and presentation forms, those of vertical writing too, and reports whether the text is read from right to
// left.
func letters(s string) (string, bool) {
	rtl := false
	plain := true
	for _, r := range s {
		plain = plain && r < 0x80
		rtl = rtl || isRTL(r)
	}
	if plain {
		return strings.Map(dropControl, s), false
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r >= 0xfb00 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff }) {
		s = norm.NFKC.String(s)
	}
	return strings.Map(lying, strings.Map(dropControl, s)), rtl
}

// standing are the marks that vertical writing has forms of, each with the form that text has.
var standing = []rune("︐，︑、︒。︓：︔；︕！︖？︗〖︘〗︙…︰‥︱—︲–︳＿︴﹏" +
	"︵（︶）︷｛︸｝︹〔︺〕︻【︼】︽《︾》︿〈﹀〉﹁「﹂」﹃『﹄』﹇［﹈］")

// lying is a mark as text has it.
func lying(r rune) rune {
	if r < 0xfe10 || r > 0xfe48 {
		return r
	}
	for i := 0; i < len(standing); i += 2 {
		if standing[i] == r {
			return standing[i+1]
		}
	}
	return r
}

func dropControl(r rune) rune {
	if r < ' ' || r == 0x7f || r == '\u200b' || r == '\ufeff' || r >= 0xfff0 && r <= 0xfff8 {
		return -1
	}
	if r == '\u00a0' {
		return ' '
	}
	return r
}

func isRTL(r rune) bool {
	if r < 0x590 {
		return false
	}
	p, _ := bidi.LookupRune(r)
	c := p.Class()
	return c == bidi.R || c == bidi.AL
}

// dropDoubles leaves out words that are drawn twice, a little apart, to look bold or to have a shadow.
func dropDoubles(words []word) []word {
	type place struct {
		text string
		row  int
	}
	seen := map[place][]int{}
	keep := words[:0]
	for _, w := range words {
		row := int(math.Round(w.base / (2 * w.size)))
		if slices.ContainsFunc([]int{row - 1, row, row + 1}, func(r int) bool {
			return slices.ContainsFunc(seen[place{w.text, r}], func(i int) bool {
				o := keep[i]
				near := 0.12 * w.size
				if len(w.text) > 2 {
					near = 0.2 * w.size
				}
				return math.Abs(o.x0-w.x0) < near && math.Abs(o.base-w.base) < near && math.Abs(o.size-w.size) < near
			})
		}) {
			continue
		}
		if p := (place{w.text, row}); len(seen[p]) < 64 {
			seen[p] = append(seen[p], len(keep))
		}
		keep = append(keep, w)
	}
	return keep
}

// bit is 1 for true.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
