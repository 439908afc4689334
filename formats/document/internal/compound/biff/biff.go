package biff

import (
	"errors"
)

var (
	// ErrEncrypted means that the workbook is under a password.
	ErrEncrypted = errors.New("the workbook is encrypted")
	// ErrMemory means that the workbook takes more memory than is allowed.
	ErrMemory = errors.New("the workbook takes too much memory")
	// ErrFormat means that the stream holds no workbook of BIFF5 or BIFF8.
	ErrFormat = errors.New("not a workbook of Excel 5 to 2003")
)

// Book is a workbook.
type Book struct {
	// Sheets are those with cells, in their order; charts and modules are none.
	Sheets []Sheet
	// Date1904 reports that days count from 1904.
	Date1904 bool

	stream  []byte
	memory  int64 // bytes that may still be held
	wide    bool  // BIFF8
	page    int
	strings []string
	formats []int          // of each style of cells
	codes   map[int]string // of formats
}

// Sheet is a sheet of cells.
type Sheet struct {
	Name   string
	Hidden bool
	start  int
}

// Format is how a number is shown: by the format's number, and by its code where the file has one.
type Format struct {
	ID   int
	Code string
}

// Read reads what all sheets share. memory bounds what is held, in bytes. Errors are ErrEncrypted, ErrMemory and ErrFormat.
func Read(stream []byte, memory int64) (*Book, error) {
	b := &Book{stream: stream, memory: memory, page: 1252, codes: map[int]string{}}
	r := &records{stream: stream}
	first, _ := r.next()
	const biff5, biff8 = 0x0500, 0x0600
	if version := first.u16(0); first.id != recBOF || version != biff5 && version != biff8 {
		return nil, ErrFormat
	}
	b.wide = first.u16(0) == biff8
	for {
		rec, ok := r.next()
		if !ok || rec.id == recEOF {
			return b, nil
		}
		if err := b.global(rec, r); err != nil {
			return nil, err
		}
	}
}

// maxStyles bounds the formats and styles of cells.
const maxStyles = 1 << 16

func (b *Book) global(rec record, r *records) error {
	switch rec.id {
	case recFilePass:
		return ErrEncrypted
	case recCodepage:
		b.page = rec.u16(0)
	case recDateMode:
		b.Date1904 = rec.u16(0) == 1
	case recBoundSheet:
		b.boundSheet(rec)
	case recSST:
		return b.sharedStrings(r.joined(rec.body))
	case recXF:
		if len(b.formats) < maxStyles {
			b.formats = append(b.formats, rec.u16(2))
		}
	case recFormat:
		b.format(rec)
	}
	return nil
}

func (b *Book) boundSheet(rec record) {
	const cells, hidden = 0, 3
	if len(rec.body) < 8 || rec.body[5] != cells || len(b.Sheets) == maxStyles {
		return
	}
	name := b.textAt(rec, [][]byte{rec.body}, 6, 1)
	b.Sheets = append(b.Sheets, Sheet{Name: name, Hidden: rec.body[4]&hidden != 0, start: int(rec.u32(0))})
}

func (b *Book) format(rec record) {
	size := 1
	if b.wide {
		size = 2
	}
	if len(b.codes) < maxStyles {
		b.codes[rec.u16(0)] = b.textAt(rec, [][]byte{rec.body}, 2, size)
	}
}

// formatOf is the format of a style of cells.
func (b *Book) formatOf(style int) Format {
	if style >= len(b.formats) {
		return Format{}
	}
	id := b.formats[style]
	return Format{id, b.codes[id]}
}
