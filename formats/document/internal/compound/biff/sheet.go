package biff

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

// Kind is what a cell holds.
type Kind int

// The kinds of cells.
const (
	Text Kind = iota
	Number
	Bool  // Number is 0 or 1
	Error // Text is its name, such as "#N/A"
)

// Cell is one cell that holds something. Rows and columns count from 0.
type Cell struct {
	Row, Col int
	Kind     Kind
	Text     string
	Number   float64
	Format   Format
}

// Range is a rectangle of cells, its last ones included.
type Range struct{ Row, Col, LastRow, LastCol int }

// Link is the address of the cells of a range.
type Link struct {
	Range
	URL string
}

// Content is what a sheet holds, in the order of the file.
type Content struct {
	Cells  []Cell
	Merged []Range
	Links  []Link
	// More reports that there are more cells than were asked for.
	More bool
}

// sheet is a sheet being read.
type sheet struct {
	*Book
	*records
	most    int
	content Content
	text    bool // the last cell's text is in a record that follows
}

// Content reads the first cells of a sheet, at most so many. Errors are ErrMemory and those of ctx.
func (b *Book) Content(ctx context.Context, in Sheet, most int) (Content, error) {
	s := &sheet{Book: b, records: &records{stream: b.stream, at: in.start}, most: most}
	before := b.memory
	defer func() { b.memory = before }()
	depth := 0
	for n := 0; !s.content.More; n++ {
		rec, ok := s.next()
		switch {
		case !ok, n == 0 && rec.id != recBOF, rec.id == recEOF && depth == 1:
			return s.content, nil
		case n%1024 == 0 && ctx.Err() != nil:
			return Content{}, ctx.Err()
		case rec.id == recBOF:
			depth++
		case rec.id == recEOF:
			depth--
		case depth == 1: // a chart among the cells is deeper
			s.record(rec)
		}
		if s.memory < 0 {
			return Content{}, ErrMemory
		}
	}
	return s.content, nil
}

func (s *sheet) record(rec record) {
	switch rec.id {
	case recNumber:
		s.number(rec, 4, rec.float(6))
	case recRK:
		s.number(rec, 4, rk(rec.u32(6)))
	case recMulRK:
		s.many(rec)
	case recLabelSST:
		if n := rec.u32(6); int64(n) < int64(len(s.strings)) {
			s.add(rec, Cell{Text: s.strings[n]})
		}
	case recLabel, recRString:
		text := s.textAt(rec, s.joined(rec.body), 6, 2)
		s.hold(text)
		s.add(rec, Cell{Text: text})
	case recBoolErr:
		s.boolOrError(rec, rec.from(6))
	case recFormula:
		s.formula(rec)
	case recString:
		s.result(rec)
	case recMergedCells:
		s.merged(rec)
	case recHLink:
		s.link(rec)
	}
}

// cellCost is about what a cell takes in memory.
const cellCost = 96

// hold counts a text that no other cell shares.
func (s *sheet) hold(text string) { s.memory -= int64(len(text)) }

// add adds a cell, whose place and style begin the record.
func (s *sheet) add(rec record, c Cell) {
	c.Row, c.Col = rec.u16(0), rec.u16(2)
	if c.Kind == Number {
		c.Format = s.formatOf(rec.u16(4))
	}
	s.append(c)
}

func (s *sheet) append(c Cell) {
	if len(s.content.Cells) == s.most {
		s.content.More = true
		return
	}
	s.memory -= cellCost
	s.content.Cells = append(s.content.Cells, c)
}

func (s *sheet) number(rec record, style int, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	s.append(Cell{Row: rec.u16(0), Col: rec.u16(2), Kind: Number, Number: v, Format: s.formatOf(rec.u16(style))})
}

// many reads numbers that stand side by side: row, first column, style and number of each, last column.
func (s *sheet) many(rec record) {
	const each = 6
	for at, col := 4, rec.u16(2); at+each+2 <= len(rec.body); at, col = at+each, col+1 {
		if v := rk(rec.u32(at + 2)); !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.append(Cell{Row: rec.u16(0), Col: col, Kind: Number, Number: v, Format: s.formatOf(rec.u16(at))})
		}
	}
}

var errorNames = map[byte]string{0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A"}

func (s *sheet) boolOrError(rec record, b []byte) {
	switch {
	case len(b) < 2:
	case b[1] != 0:
		s.add(rec, Cell{Kind: Error, Text: errorNames[b[0]]})
	default:
		s.add(rec, Cell{Kind: Bool, Number: float64(b[0] & 1)})
	}
}

// formula reads the stored result of a formula. That of a text follows in a record of its own.
func (s *sheet) formula(rec record) {
	const text, boolean, failed = 0, 1, 2
	s.text = false
	if rec.u16(12) != 0xFFFF {
		s.number(rec, 4, rec.float(6))
		return
	}
	switch value := rec.from(6); value[0] {
	case text:
		s.add(rec, Cell{})
		s.text = !s.content.More
	case boolean:
		s.boolOrError(rec, []byte{value[2], 0})
	case failed:
		s.boolOrError(rec, []byte{value[2], 1})
	}
}

func (s *sheet) result(rec record) {
	text := s.textAt(rec, s.joined(rec.body), 0, 2)
	if n := len(s.content.Cells); s.text && n > 0 {
		s.hold(text)
		s.content.Cells[n-1].Text = text
	}
	s.text = false
}

// rangeCost is about what a merged range or a link takes in memory beside its text.
const rangeCost = 64

func (s *sheet) merged(rec record) {
	const each = 8
	for at := 2; at+each <= len(rec.body); at += each {
		s.memory -= rangeCost
		s.content.Merged = append(s.content.Merged, Range{rec.u16(at), rec.u16(at + 4), rec.u16(at + 2), rec.u16(at + 6)})
	}
}

// urlMoniker begins an address of the web in a link.
var urlMoniker = []byte("\xE0\xC9\xEA\x79\xF9\xBA\xCE\x11\x8C\x82\x00\xAA\x00\x4B\xA9\x0B")

// link reads the address of a link; links to files and places in the workbook have none.
func (s *sheet) link(rec record) {
	i := bytes.Index(rec.body, urlMoniker)
	if i < 0 {
		return
	}
	rest := rec.from(i + len(urlMoniker))
	if len(rest) < 4 {
		return
	}
	n := int64(binary.LittleEndian.Uint32(rest))
	url := compound.UTF16(rest[4:][:min(n, int64(len(rest)-4))])
	s.memory -= rangeCost + int64(len(url))
	s.content.Links = append(s.content.Links, Link{Range{rec.u16(0), rec.u16(4), rec.u16(2), rec.u16(6)}, url})
}
