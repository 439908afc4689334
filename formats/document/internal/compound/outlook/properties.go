package outlook

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/codepage"
	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

// tableName is the stream of the properties that have a fixed length.
const tableName = "__properties_version1.0"

// Types of properties.
const (
	typeBool    = 0x000B
	typeNumber  = 0x0003
	typeFolder  = 0x000D
	typeString  = 0x001E
	typeUnicode = 0x001F
	typeTime    = 0x0040
	typeBinary  = 0x0102
)

// Bounds of a folder: streams may share their bytes, so that their sum is no bound.
const (
	maxProperties = 4096
	maxLine       = 1 << 16 // bytes of a text of one line
)

// properties are those of a folder.
type properties struct {
	folder *compound.Storage
	fixed  map[uint32][]byte // the eight bytes of each, by number and type
	page   int               // of texts that aren't Unicode
}

func readProperties(s *compound.Storage, head, page int) properties {
	const each, tagAt, valueAt = 16, 0, 8
	p := properties{folder: s, fixed: map[uint32][]byte{}, page: page}
	table, _ := s.Stream(tableName)
	for b := table[min(head, len(table)):]; len(b) >= each && len(p.fixed) < maxProperties; b = b[each:] {
		p.fixed[binary.LittleEndian.Uint32(b[tagAt:])] = b[valueAt:each]
	}
	if own := p.number(propPage); codepage.Encoding(own) != nil {
		p.page = own
	}
	return p
}

// streamOf is the name of the stream of a property.
func streamOf(number, kind uint16) string {
	return fmt.Sprintf("__substg1.0_%04X%04X", number, kind)
}

// storageOf is the name of the folder of a property.
func storageOf(number uint16) string { return streamOf(number, typeFolder) }

// line is a text of one line.
func (p properties) line(number uint16) string { return p.text(number, maxLine) }

// text is the first limit bytes of a text.
func (p properties) text(number uint16, limit int64) string {
	text := ""
	if b, err := p.folder.Stream(streamOf(number, typeUnicode)); err == nil {
		const utf16 = 1200
		text = codepage.Text(utf16, b[:min(int64(len(b)), max(limit, 0))])
	} else if b, err := p.folder.Stream(streamOf(number, typeString)); err == nil {
		text = codepage.Text(p.page, b[:min(int64(len(b)), max(limit, 0))])
	}
	return strings.TrimRight(text, "\x00")
}

func (p properties) binary(number uint16) []byte {
	b, _ := p.folder.Stream(streamOf(number, typeBinary))
	return b
}

// html is the first limit bytes of the text as HTML, which some write as a text.
func (p properties) html(limit int64) []byte {
	if b := p.binary(propHTML); len(b) > 0 {
		return b[:min(int64(len(b)), max(limit, 0))]
	}
	return []byte(p.text(propHTML, limit))
}

// number is a number or a truth, 0 if there is none.
func (p properties) number(number uint16) int {
	for _, kind := range []uint32{typeNumber, typeBool} {
		if b := p.fixed[uint32(number)<<16|kind]; b != nil {
			n := binary.LittleEndian.Uint32(b)
			if kind == typeBool {
				n &= 0xFFFF
			}
			return int(n)
		}
	}
	return 0
}

// time is a date in hundreds of nanoseconds since 1601.
func (p properties) time(number uint16) time.Time {
	b := p.fixed[uint32(number)<<16|typeTime]
	if b == nil {
		return time.Time{}
	}
	const second, until1970 = 10_000_000, 11_644_473_600
	ticks := binary.LittleEndian.Uint64(b)
	if ticks == 0 || ticks > 1<<62 {
		return time.Time{}
	}
	return time.Unix(int64(ticks/second)-until1970, int64(ticks%second)*100).UTC()
}
