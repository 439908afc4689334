package office

import (
	"strings"

	"golang.org/x/text/encoding"

	"github.com/winnow-go/winnow/formats/document/internal/codepage"
	"github.com/winnow-go/winnow/formats/document/internal/flow"
)

// charsetPages are the code pages of fonts by their \fcharset; those of 0 and 1 are the file's.
var charsetPages = map[int]int{
	77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
	186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 437,
}

type rtfFont struct {
	encoding encoding.Encoding // nil: the file's
	symbol   bool
}

func (r *rtf) setCodepage(n int) {
	if enc := codepage.Encoding(n); enc != nil {
		r.codepage = enc
	}
}

const maxFonts = 10_000 // and styles

// fontNumber begins the definition of a font when the font table is being read.
func (r *rtf) fontNumber(n int) {
	if _, known := r.fonts[n]; r.state.sink != nil && !known && len(r.fonts) < maxFonts {
		r.fonts[n] = rtfFont{}
	}
}

func (r *rtf) fontCharset(n int) {
	if r.state.sink != nil && len(r.fonts) < maxFonts {
		r.fonts[r.state.font] = rtfFont{encoding: codepage.Encoding(charsetPages[n]), symbol: n == 2}
	}
}

// rtfStyleDef is a style of the style sheet.
type rtfStyleDef struct {
	name    string // in lower case
	outline int    // from 1; 0: none
}

func (d rtfStyleDef) heading() int {
	if level := headingOf(d.name); level > 0 {
		return level
	}
	return d.outline
}

// beginStyles reads the style sheet: a group a style, whose text is its name.
func (r *rtf) beginStyles() {
	r.collect(func(string) {})
	r.state.skip = false
	depth := len(r.stack)
	number, outline, name := 0, 0, strings.Builder{}
	for {
		at := r.lex.pos
		t := r.lex.next()
		switch t.kind {
		case rtfEnd:
			return
		case rtfOpen:
			if depth++; depth > len(r.stack)+8 {
				return
			}
		case rtfClose:
			if depth == len(r.stack) {
				r.lex.pos = at // the group's own end
				return
			}
			if depth--; depth == len(r.stack) {
				r.defineStyle(number, outline, name.String())
				number, outline = 0, 0
				name.Reset()
			}
		case rtfWord:
			switch t.word {
			case "s":
				number = t.value
			case "cs", "ds", "ts": // not of paragraphs
				number = -1
			case "outlinelevel":
				outline = t.value + 1
			}
		case rtfText:
			if depth == len(r.stack)+1 && name.Len() < 256 {
				name.Write(t.text)
			}
		}
	}
}

func (r *rtf) defineStyle(number, outline int, name string) {
	name, _, _ = strings.Cut(name, ";")
	if number >= 0 && len(r.styles) < maxFonts {
		r.styles[number] = rtfStyleDef{name: strings.ToLower(strings.TrimSpace(name)), outline: level9(outline)}
	}
}

// level9 is 0 for what is no outline level: 10 is body text.
func level9(n int) int {
	if n < 1 || n > 9 {
		return 0
	}
	return n
}

func (r *rtf) styleNumber(n int) { r.text.look.style = n }

func (r *rtf) outline(n int) { r.text.look.outline = level9(n + 1) }

// listNumber is a paragraph's list, or the one that an override defines.
func (r *rtf) listNumber(n int) {
	if r.state.sink != nil {
		r.lists.define(n)
		return
	}
	r.text.look.list = n
}

// rtfLevel is one level of a list's definition.
type rtfLevel struct{ format, start int }

// rtfLists are the list tables, and the counts of items.
type rtfLists struct {
	byID     map[int][]rtfLevel
	levels   []rtfLevel // of the list being defined
	override int        // list that is being overridden
	byNumber map[int][]rtfLevel
	counts   map[[2]int]int
}

func newRTFLists() rtfLists {
	return rtfLists{byID: map[int][]rtfLevel{}, byNumber: map[int][]rtfLevel{}, counts: map[[2]int]int{}}
}

func (l *rtfLists) begin() { l.levels = nil }

func (l *rtfLists) level() {
	if len(l.levels) < numLevels {
		l.levels = append(l.levels, rtfLevel{start: 1})
	}
}

func (l *rtfLists) format(n int) {
	if i := len(l.levels) - 1; i >= 0 {
		l.levels[i].format = n
	}
}

func (l *rtfLists) start(n int) {
	if i := len(l.levels) - 1; i >= 0 {
		l.levels[i].start = n
	}
}

// id ends a list, or sets which one an override is about.
func (l *rtfLists) id(n int) {
	if l.levels != nil && len(l.byID) < maxFonts {
		l.byID[n], l.levels = l.levels, nil
	}
	l.override = n
}

func (l *rtfLists) define(number int) {
	if len(l.byNumber) < maxFonts {
		l.byNumber[number] = l.byID[l.override]
	}
}

const (
	rtfBullet  = 23
	rtfNothing = 255
)

// item is the place in a list that a paragraph has. Without a definition its mark determines the list.
func (l *rtfLists) item(look rtfLook, marker string) (it flow.Item, listed bool) {
	it = flow.Item{Level: min(max(look.level, 0), numLevels-1), List: itoa(look.list)}
	levels := l.byNumber[look.list]
	switch {
	case look.list == 0 && marker == "":
		return it, false
	case it.Level < len(levels):
		level := levels[it.Level]
		it.Ordered = level.format != rtfBullet
		if level.format == rtfNothing && marker == "" {
			return it, false
		}
		it.Number = l.count(look.list, it.Level, level.start)
	default:
		it.Number = atoi(strings.Trim(clean(marker), ".()"))
		it.Ordered = strings.ContainsAny(marker, "0123456789") || strings.HasSuffix(clean(marker), ".") || strings.HasSuffix(clean(marker), ")")
	}
	if !it.Ordered {
		it.Number = 0
	}
	return it, true
}

func (l *rtfLists) count(list, level, start int) int {
	key := [2]int{list, level}
	n, begun := l.counts[key]
	if !begun {
		n = start - 1
	}
	if len(l.counts) < maxFonts {
		l.counts[key] = n + 1
	}
	for k := level + 1; k < numLevels; k++ {
		delete(l.counts, [2]int{list, k})
	}
	return n + 1
}
