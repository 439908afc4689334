package word

import (
	"encoding/binary"
	"iter"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// Part is where in a document a paragraph stands.
type Part int

// The parts that are read, in their order.
const (
	Main  Part = 0
	Notes Part = 1 // at the foot of pages
	Ends  Part = 5 // at the end
	Boxes Part = 6 // text that stands apart from the flow
)

// Paragraph is one paragraph, or one of a cell.
type Paragraph struct {
	Part  Part
	Texts []Text
	// Heading is the level of a heading, 1 to 9; 0 for other texts.
	Heading int
	// List is the list that this is an item of, from 1; 0: it is none. Level is how deep it is, from 0.
	List, Level int
	// Mark is what stands before the items of the level. Of numbers, Start is the first.
	Mark  Mark
	Start int
	// InTable reports text of a cell; CellEnd that the cell ends with it; RowEnd the end of a row, without a text.
	InTable, CellEnd, RowEnd bool
}

// Mark is what stands before an item of a list.
type Mark int

// The marks.
const (
	Bullet   Mark = iota
	Number        // or a letter
	Unmarked      // nothing: a paragraph that goes on with an item
)

// Text is a piece of a paragraph. Line feeds in it are line breaks. One with a Picture has no text: pictures aren't read.
type Text struct {
	Text, Href string
	Face       Face
	Picture    bool
}

// Bounds of a paragraph, in characters and texts: what is longer is cut into several.
const (
	maxParagraph = 1 << 20
	maxTexts     = 1 << 12
)

// Characters that are marks.
const (
	picture      = 0x01
	cellEnd      = 0x07
	drawing      = 0x08
	lineBreak    = 0x0B
	pageBreak    = 0x0C
	paragraphEnd = 0x0D
	columnBreak  = 0x0E
	fieldBegin   = 0x13
	fieldResult  = 0x14
	fieldEnd     = 0x15
	hardHyphen   = 0x1E
	softHyphen   = 0x1F
)

// Paragraphs gives the paragraphs of the main text, then of notes and boxes. Headers, footers and comments are left out.
func (d *Document) Paragraphs() iter.Seq[Paragraph] {
	return func(yield func(Paragraph) bool) {
		w := walker{doc: d, yield: yield}
		start := 0
		for i, n := range d.parts {
			if p := Part(i); p == Main || p == Notes || p == Ends || p == Boxes {
				if !w.part(p, start, n) {
					return
				}
			}
			start += n
		}
	}
}

// walker collects the characters of a paragraph.
type walker struct {
	doc    *Document
	yield  func(Paragraph) bool
	p      Paragraph
	units  []uint16
	face   Face // of units
	fields []field
	hidden int // fields whose instruction is being read
}

// field is a field that is open.
type field struct {
	instruction []uint16
	result      bool
	href        string
}

// part reads some characters of the text, which may lie in several pieces.
func (w *walker) part(p Part, start, n int) bool {
	w.p, w.fields, w.hidden = Paragraph{Part: p}, nil, 0
	n = min(n, len(w.doc.main)) // more only when pieces overlap, which those of sound files don't
	for _, piece := range w.doc.pieces {
		skip := min(start, piece.chars)
		start -= skip
		count := min(piece.chars-skip, n)
		n -= count
		if !w.piece(piece, skip, count) {
			return false
		}
	}
	return w.end(look{}, false)
}

func (w *walker) piece(p piece, skip, count int) bool {
	size := int64(1)
	if p.wide {
		size = 2
	}
	main, same := w.doc.main, int64(0)
	for at := p.at + size*int64(skip); count > 0 && at+size <= int64(len(main)); at, count = at+size, count-1 {
		if at >= same {
			same = w.turn(at)
		}
		unit := uint16(main[at])
		if p.wide {
			unit = binary.LittleEndian.Uint16(main[at:])
		} else if unit >= 0x80 {
			unit = uint16(charmap.Windows1252.DecodeByte(byte(unit)))
		}
		if !w.unit(unit, at) {
			return false
		}
	}
	return true
}

// turn goes on with the face of a place, and returns where that ends.
func (w *walker) turn(at int64) int64 {
	face, end := w.doc.faces.at(at)
	if face != w.face {
		w.flush()
		w.face = face
	}
	return end
}

func (w *walker) unit(unit uint16, at int64) bool {
	switch unit {
	case paragraphEnd, pageBreak:
		return w.end(w.doc.lookOf(at), false)
	case cellEnd:
		return w.end(w.doc.lookOf(at), true)
	case fieldBegin, fieldResult, fieldEnd:
		w.field(unit)
		return true
	case lineBreak, columnBreak:
		unit = '\n'
	case hardHyphen:
		unit = '‑'
	case softHyphen:
		return true
	case picture, drawing:
		if w.flush(); w.hidden == 0 && len(w.p.Texts) < maxTexts {
			w.p.Texts = append(w.p.Texts, Text{Picture: true})
		}
		return true
	}
	if unit < ' ' && unit != '\n' && unit != '\t' { // marks of notes and comments
		return true
	}
	if w.hidden > 0 {
		if f := &w.fields[len(w.fields)-1]; len(f.instruction) < 4096 {
			f.instruction = append(f.instruction, unit)
		}
		return true
	}
	if w.units = append(w.units, unit); len(w.units) >= maxParagraph || len(w.p.Texts) >= maxTexts {
		return w.end(w.doc.lookOf(at), false)
	}
	return true
}

const maxFields = 100 // one in another

func (w *walker) field(unit uint16) {
	n := len(w.fields)
	switch {
	case unit == fieldBegin && n < maxFields:
		w.flush()
		w.fields = append(w.fields, field{})
		w.hidden++
	case unit == fieldResult && n > 0 && !w.fields[n-1].result:
		w.flush()
		w.fields[n-1].result = true
		w.fields[n-1].href = address(string(utf16.Decode(w.fields[n-1].instruction)))
		w.hidden--
	case unit == fieldEnd && n > 0:
		w.flush()
		if !w.fields[n-1].result {
			w.hidden--
		}
		w.fields = w.fields[:n-1]
	}
}

// address is what a field links to, "" when it is no link.
func address(instruction string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(instruction), "HYPERLINK")
	_, rest, quoted := strings.Cut(rest, `"`)
	if !ok || !quoted {
		return ""
	}
	url, _, _ := strings.Cut(rest, `"`)
	return url
}

// flush closes the text that is being collected: what follows has another link.
func (w *walker) flush() {
	if len(w.units) == 0 {
		return
	}
	t := Text{Text: string(utf16.Decode(w.units)), Face: w.face}
	for _, f := range w.fields {
		if f.href != "" {
			t.Href = f.href
		}
	}
	w.p.Texts, w.units = append(w.p.Texts, t), w.units[:0]
}

// end gives a paragraph away. In cells of tables in tables, the marks of cells are paragraphs' ones.
func (w *walker) end(l look, cell bool) bool {
	w.flush()
	p := w.p
	w.p = Paragraph{Part: p.Part}
	const headings = 9
	if l.style >= 1 && l.style <= headings {
		p.Heading = l.style
	}
	list, marks := w.doc.lists.find(l.list, l.level)
	p.List, p.Level, p.Mark, p.Start = list, l.level, marks.mark, marks.start
	p.InTable = l.inTable || cell
	p.RowEnd = l.rowEnd && cell
	p.CellEnd = cell && !p.RowEnd
	return w.yield(p)
}

// lookOf is the properties of the paragraph that a mark ends.
func (d *Document) lookOf(at int64) look {
	l, _ := d.styles.at(at)
	return l
}
