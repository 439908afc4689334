package word

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
)

// run is where some paragraphs or characters lie, and what they have in common.
type run[T any] struct {
	from, to int64
	of       T
}

type runs[T any] []run[T]

// look is the properties of a paragraph.
type look struct {
	style   int
	inTable bool
	rowEnd  bool // the mark that ends a row
	list    int  // 0: none
	level   int  // of a list
}

// Face is how characters look.
type Face struct {
	Bold, Italic, Strike, Sup, Sub bool
	Hidden                         bool // not shown
	Inserted, Deleted              bool // by a tracked change
}

// Properties that are read.
const (
	propInTable = 0x2416
	propRowEnd  = 0x2417
	propLevel   = 0x260A
	propList    = 0x460B
	propTable   = 0xD608
	propTabs    = 0xC615

	propDeleted  = 0x0800
	propInserted = 0x0801
	propBold     = 0x0835
	propItalic   = 0x0836
	propStrike   = 0x0837
	propHidden   = 0x083C
	propScript   = 0x2A48
	propStrike2  = 0x2A53
)

const (
	pageSize  = 512
	styleSize = 13 // of a paragraph's entry on a page
	faceSize  = 1  // of a character's
)

// read reads the pages of properties that a table lists. What is on a page it leaves to at.
func (r *runs[T]) read(main, plc []byte, size int, at func(page []byte, at int) T) {
	n := min((len(plc)-4)/8, len(main)/pageSize)
	for i := range max(n, 0) {
		start := int64(u32(plc, 4*((len(plc)-4)/8+1)+4*i)&0x3FFFFF) * pageSize
		if start+pageSize <= int64(len(main)) {
			r.page(main[start:start+pageSize], size, at)
		}
	}
	slices.SortStableFunc(*r, func(a, b run[T]) int { return cmp.Compare(a.from, b.from) })
}

// page reads one page: places, then where the properties of each lie on the page.
func (r *runs[T]) page(b []byte, size int, at func(page []byte, at int) T) {
	n := int(b[pageSize-1])
	if 4*(n+1)+size*n >= pageSize {
		return
	}
	for i := range n {
		next := run[T]{from: int64(u32(b, 4*i)), to: int64(u32(b, 4*i+4))}
		if place := 2 * int(b[4*(n+1)+size*i]); place > 0 {
			next.of = at(b, place)
		}
		*r = append(*r, next)
	}
}

// at is what holds for a place of the main stream, and where it ends.
func (r runs[T]) at(place int64) (of T, end int64) {
	i, _ := slices.BinarySearchFunc(r, place+1, func(r run[T], at int64) int { return cmp.Compare(r.from, at) })
	if i > 0 && place < r[i-1].to {
		return r[i-1].of, r[i-1].to
	}
	if i < len(r) {
		return of, r[i].from
	}
	return of, 1 << 62
}

// lookAt reads a style's number and changes of properties: their length is in words, or, after a zero, in pairs of bytes.
func lookAt(b []byte, at int) (l look) {
	n := 2*int(b[at]) - 1
	at++
	if n < 0 && at < len(b) {
		n = 2 * int(b[at])
		at++
	}
	b = part(b, at, n)
	if len(b) < 2 {
		return l
	}
	l.style = int(binary.LittleEndian.Uint16(b))
	for id, value := range properties(b[2:]) {
		l.set(id, value)
	}
	return l
}

// faceAt reads changes of properties, their length before them.
func faceAt(b []byte, at int) (f Face) {
	for id, value := range properties(part(b, at+1, int(b[at]))) {
		f.set(id, value[0])
	}
	return f
}

// part is some bytes of a page, as far as it has them.
func part(b []byte, at, n int) []byte {
	return b[min(at, len(b)):min(at+max(n, 0), len(b))]
}

// properties gives the numbers of properties and their values, which have a byte at least.
func properties(b []byte) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		for len(b) >= 3 {
			id := binary.LittleEndian.Uint16(b)
			n := operandSize(id, b[2:])
			value := b[2:min(2+n, len(b))]
			b = b[min(2+n, len(b)):]
			if len(value) > 0 && !yield(id, value) {
				return
			}
		}
	}
}

func (l *look) set(id uint16, value []byte) {
	switch id {
	case propInTable:
		l.inTable = value[0] != 0
	case propRowEnd:
		l.rowEnd = value[0] != 0
	case propLevel:
		l.level = min(int(value[0]), listLevels-1)
	case propList:
		if l.list = 0; len(value) >= 2 {
			l.list = int(binary.LittleEndian.Uint16(value))
		}
	}
}

// set sets a property. Of those that can be on or off, as in the style or opposite to it, a style is taken to have none.
func (f *Face) set(id uint16, value byte) {
	on := value == 1 || value == 0x81
	switch id {
	case propDeleted:
		f.Deleted = on
	case propInserted:
		f.Inserted = on
	case propBold:
		f.Bold = on
	case propItalic:
		f.Italic = on
	case propStrike, propStrike2:
		f.Strike = on
	case propHidden:
		f.Hidden = on
	case propScript:
		f.Sup, f.Sub = value == 1, value == 2
	}
}

// operandSize is the length of a property's value, by the upper bits of its number.
func operandSize(id uint16, rest []byte) int {
	switch id >> 13 {
	case 0, 1:
		return 1
	case 2, 4, 5:
		return 2
	case 3:
		return 4
	case 7:
		return 3
	}
	switch {
	case id == propTable && len(rest) >= 2:
		return 1 + int(binary.LittleEndian.Uint16(rest))
	case id == propTabs && rest[0] == 255:
		return len(rest)
	}
	return 1 + int(rest[0])
}
