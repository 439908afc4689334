package slides

import (
	"cmp"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"github.com/winnow-go/winnow/formats/document/internal/codepage"
)

// Kind is what a text is for.
type Kind int

// The kinds.
const (
	Other Kind = iota
	Title
	Body
	Notes
)

// Paragraph is one paragraph. Line feeds in it are line breaks.
type Paragraph struct {
	Text  string
	Level int // how deep it is in a list, from 0
	// Bullet reports whether a mark stands before it; it is nil where the layout decides.
	Bullet *bool
}

// text is the text of a shape.
type text struct {
	kind       Kind
	paragraphs []Paragraph
	chars      int
}

// run is how some characters lie.
type run struct {
	chars, level int
	bullet       *bool
}

// addText goes on with the texts of a place by a record: a head begins one, others add to the last one.
func addText(all []text, r record) []text {
	if r.kind == recTextHeader {
		return append(all, text{kind: kindOf(r.body)})
	}
	if len(all) == 0 {
		return all
	}
	t := &all[len(all)-1]
	switch r.kind {
	case recTextChars:
		const unicode = 1200
		t.set(codepage.Text(unicode, r.body))
	case recTextBytes:
		const latin1 = 28591
		t.set(codepage.Text(latin1, r.body))
	case recTextLevels:
		t.indent(levelsOf(r.body))
	case recTextStyle:
		t.indent(stylesOf(r.body, t.chars))
	}
	return all
}

// kindOf is the kind of a text head: 0 and 6 are titles, 2 notes, 4 others, the rest forms of bodies.
func kindOf(head []byte) Kind {
	if len(head) < 4 {
		return Other
	}
	switch u32(head, 0) {
	case 0, 6:
		return Title
	case 2:
		return Notes
	case 4:
		return Other
	}
	return Body
}

// set splits a text into paragraphs.
func (t *text) set(s string) {
	t.paragraphs, t.chars = nil, len(utf16.Encode([]rune(s)))
	for p := range strings.SplitSeq(strings.TrimSuffix(s, "\r"), "\r") {
		p = strings.Map(func(r rune) rune {
			switch {
			case r == '\v':
				return '\n'
			case r < ' ' && r != '\t': // fields, whose values the layout knows
				return -1
			}
			return r
		}, p)
		t.paragraphs = append(t.paragraphs, Paragraph{Text: p})
	}
}

// indent sets how deep paragraphs are and whether they have bullets.
func (t *text) indent(runs []run) {
	const levels = 5
	at, end := 0, 0
	var now run
	for i := range t.paragraphs {
		p := &t.paragraphs[i]
		for at >= end && len(runs) > 0 {
			now, runs = runs[0], runs[1:]
			end += now.chars
		}
		p.Level, p.Bullet = min(now.level, levels-1), cmp.Or(now.bullet, p.Bullet)
		at += len(utf16.Encode([]rune(p.Text))) + 1
	}
}

// levelsOf reads runs of a count and a level each.
func levelsOf(b []byte) (runs []run) {
	const each = 6
	for ; len(b) >= each; b = b[each:] {
		runs = append(runs, run{chars: int(u32(b, 0) & 0xFFFFFF), level: int(b[4])})
	}
	return runs
}

// styleFields are the properties of a paragraph after its bullet's flags, in their order: the bits that say that one is there, and its
// length. Tabs, which have a length of their own, are 0.
var styleFields = []struct{ bits, size int }{
	{0x80, 2}, {0x10, 2}, {0x40, 2}, {0x20, 4}, {0x800, 2}, {0x1000, 2}, {0x2000, 2}, {0x4000, 2}, {0x100, 2}, {0x400, 2}, {0x8000, 2},
	{0x100000, 0}, {0x10000, 2}, {0xE0000, 2}, {0x200000, 2},
}

// stylesOf reads the runs of paragraphs' properties, which stand before those of characters. They are for the text and one character more.
func stylesOf(b []byte, chars int) (runs []run) {
	const head, hasBullet, bulletFlags = 10, 1, 15
	for left := chars + 1; left > 0 && len(b) >= head; {
		r, bits := run{chars: int(u32(b, 0) & 0xFFFFFF), level: int(b[4])}, int(u32(b, 6))
		left -= max(r.chars, 1)
		b = b[head:]
		if bits&bulletFlags != 0 && len(b) >= 2 {
			if bits&hasBullet != 0 {
				r.bullet = new(b[0]&hasBullet != 0)
			}
			b = b[2:]
		}
		for _, f := range styleFields {
			if bits&f.bits != 0 {
				b = b[min(fieldSize(b, f.size), len(b)):]
			}
		}
		runs = append(runs, r)
	}
	return runs
}

// fieldSize is the length of a property. Tabs are a count and four bytes each.
func fieldSize(b []byte, size int) int {
	if size > 0 || len(b) < 2 {
		return max(size, 2)
	}
	return 2 + 4*int(binary.LittleEndian.Uint16(b))
}
