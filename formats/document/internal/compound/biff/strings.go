package biff

import (
	"encoding/binary"
	"unicode/utf16"

	"github.com/winnow-go/winnow/formats/document/internal/codepage"
)

// Flags of a text of BIFF8.
const (
	flagWide  = 1 // two bytes a character
	flagAsian = 4 // followed by how it is pronounced
	flagRich  = 8 // followed by fonts
)

// pieces reads what lies in a record and in those that continue it.
type pieces struct {
	parts [][]byte
	at    int // in the first of them
}

// left is what the current record still holds; it moves on to the next one where that is nothing.
func (p *pieces) left() []byte {
	for len(p.parts) > 0 && p.at >= len(p.parts[0]) {
		p.parts, p.at = p.parts[1:], 0
	}
	if len(p.parts) == 0 {
		return nil
	}
	return p.parts[0][p.at:]
}

func (p *pieces) skip(n int64) {
	for n > 0 {
		have := int64(len(p.left()))
		if have == 0 {
			return
		}
		step := min(have, n)
		p.at += int(step)
		n -= step
	}
}

// number reads n bytes of a number, lowest first.
func (p *pieces) number(n int) (v uint32) {
	for i := range n {
		if rest := p.left(); len(rest) > 0 {
			v |= uint32(rest[0]) << (8 * i)
			p.at++
		}
	}
	return v
}

// text reads a text of BIFF8 whose length in characters is known. Where it goes on in another record, that begins with a flag of its own.
func (p *pieces) text(chars int) string {
	flags := p.number(1)
	fonts, asian := 0, uint32(0)
	if flags&flagRich != 0 {
		fonts = int(p.number(2))
	}
	if flags&flagAsian != 0 {
		asian = p.number(4)
	}
	units := p.units(chars, flags&flagWide != 0)
	p.skip(4*int64(fonts) + int64(asian))
	return string(utf16.Decode(units))
}

func (p *pieces) units(chars int, wide bool) []uint16 {
	units := make([]uint16, 0, min(chars, len(p.left())))
	for first := true; chars > 0; first = false {
		if !first {
			wide = p.number(1)&flagWide != 0
		}
		rest := p.left()
		n := min(chars, len(rest))
		if wide {
			n = min(chars, len(rest)/2)
		}
		if n == 0 {
			break
		}
		units = appendUnits(units, rest, n, wide)
		p.at += n
		if wide {
			p.at += n
		}
		if chars -= n; p.at < len(p.parts[0]) && chars > 0 { // half a character
			break
		}
	}
	return units
}

func appendUnits(units []uint16, b []byte, n int, wide bool) []uint16 {
	for i := range n {
		if wide {
			units = append(units, binary.LittleEndian.Uint16(b[2*i:]))
		} else {
			units = append(units, uint16(b[i]))
		}
	}
	return units
}

// stringCost is what a string takes in memory beside its bytes.
const stringCost = 24

// sharedStrings reads the table of strings that cells refer to.
func (b *Book) sharedStrings(parts [][]byte) error {
	p := &pieces{parts: parts}
	p.skip(4)
	for n := p.number(4); n > 0 && len(p.left()) > 0; n-- {
		text := p.text(int(p.number(2)))
		if b.memory -= int64(len(text)) + stringCost; b.memory < 0 {
			return ErrMemory
		}
		b.strings = append(b.strings, text)
	}
	return nil
}

// textAt is the text at a place in a record, whose length takes size bytes (1 or 2).
func (b *Book) textAt(r record, parts [][]byte, at, size int) string {
	p := &pieces{parts: parts}
	p.skip(int64(at))
	n := int(p.number(size))
	if b.wide {
		return p.text(n)
	}
	rest := r.from(at + size)
	return codepage.Text(b.page, rest[:min(n, len(rest))])
}
