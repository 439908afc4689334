// Package word reads the texts of Word 97 to 2003 (MS-DOC): paragraphs with their style, tables and links.
//
// It opens no container, and reads no pictures, headers, footers or comments. What a damaged file claims beyond its end isn't
// there. Start from Open.
//
//	word.go        Open, Document, Paragraph: the pieces that the text consists of
//	paragraphs.go  from characters to paragraphs: fields, cells, notes
//	properties.go  the properties of paragraphs and characters
//	lists.go       which lists are numbered
package word

import (
	"encoding/binary"
	"errors"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

var (
	// ErrEncrypted means that the text is under a password.
	ErrEncrypted = errors.New("the text is encrypted")
	// ErrFormat means that the file holds no text of Word 97 to 2003.
	ErrFormat = errors.New("not a text of Word 97 to 2003")
)

// Document is a text that is open.
type Document struct {
	main   []byte
	pieces []piece
	styles runs[look] // of paragraphs, by their place in main
	faces  runs[Face] // of characters
	lists  lists
	parts  [7]int

	// Comments is how many comments the file has, which are not read. Boxes is how many texts stand apart, each of which the text
	// has a picture for.
	Comments, Boxes int
}

// piece is a part of the text: where its characters lie.
type piece struct {
	chars int
	at    int64
	wide  bool // two bytes a character, else one of code page 1252
}

// Places in the file's head, and its flags.
const (
	flagsAt    = 0x0A
	partsAt    = 0x4C // lengths of the parts in characters
	commentsAt = 0xBA
	facesAt    = 0xFA
	stylesAt   = 0x102
	clxAt      = 0x1A2
	boxesAt    = 0x25A
	listsAt    = 0x2E2
	headSize   = 0x2F2
	encrypted  = 0x0100
	otherTable = 0x0200
	mark       = 0xA5EC
)

// Open reads where the parts of the text lie. Errors are ErrEncrypted, ErrFormat and compound.ErrNoStream.
func Open(f *compound.File) (*Document, error) {
	main, err := f.Root.Stream("WordDocument")
	if err != nil {
		return nil, err
	}
	if len(main) < headSize || binary.LittleEndian.Uint16(main) != mark {
		return nil, ErrFormat
	}
	flags := binary.LittleEndian.Uint16(main[flagsAt:])
	if flags&encrypted != 0 {
		return nil, ErrEncrypted
	}
	name := "0Table"
	if flags&otherTable != 0 {
		name = "1Table"
	}
	table, err := f.Root.Stream(name)
	if err != nil {
		return nil, err
	}
	d := &Document{main: main}
	for i := range d.parts {
		d.parts[i] = max(int(int32(u32(main, partsAt+4*i))), 0)
	}
	d.readPieces(section(table, main, clxAt))
	d.styles.read(main, section(table, main, stylesAt), styleSize, lookAt)
	d.faces.read(main, section(table, main, facesAt), faceSize, faceAt)
	d.lists = readLists(table, main)
	d.Comments = entries(section(table, main, commentsAt), 30)
	d.Boxes = max(entries(section(table, main, boxesAt), 22)-1, 0) // the last one is none
	return d, nil
}

// entries is how many entries of a size a table has, with a place for each and one for their end.
func entries(plc []byte, size int) int {
	const place = 4
	return max(len(plc)-place, 0) / (place + size)
}

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// section is a part of the table stream, whose place and length stand in the head.
func section(table, main []byte, at int) []byte {
	start, n := int64(u32(main, at)), int64(u32(main, at+4))
	start = min(start, int64(len(table)))
	return table[start:min(start+n, int64(len(table)))]
}

// readPieces reads the piece table, which stands behind changes of properties.
func (d *Document) readPieces(clx []byte) {
	const changes, table = 1, 2
	for len(clx) >= 5 && clx[0] == changes {
		n := 3 + int(binary.LittleEndian.Uint16(clx[1:]))
		clx = clx[min(n, len(clx)):]
	}
	if len(clx) < 5 || clx[0] != table {
		return
	}
	const each, place, narrow = 8, 4, 1 << 30
	plc := clx[5:]
	n := (min(int(u32(clx, 1)), len(plc)) - place) / (each + place)
	for i := range n {
		first, last := int64(u32(plc, place*i)), int64(u32(plc, place*(i+1)))
		at := u32(plc, place*(n+1)+each*i+2)
		p := piece{chars: int(max(last-first, 0)), at: int64(at &^ narrow), wide: at&narrow == 0}
		if !p.wide {
			p.at /= 2
		}
		d.pieces = append(d.pieces, p)
	}
}
