package compound

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/codepage"
)

// Summary is what a document says of itself. Any field may be empty.
type Summary struct {
	Title, Subject, Author, Keywords, Producer string
	Created, Modified                          time.Time
}

// Properties of the set of summary information.
const (
	propCodepage = 1
	propTitle    = 2
	propSubject  = 3
	propAuthor   = 4
	propKeywords = 5
	propCreated  = 12
	propModified = 13
	propProducer = 18
)

// Types of properties.
const (
	typeShort    = 2
	typeText     = 30 // in the set's code page
	typeWide     = 31
	typeFileTime = 64
)

// maxProperty bounds a text, in bytes.
const maxProperty = 64 << 10

// Summary reads the properties of a document; what isn't there or can't be read is empty.
func (f *File) Summary() Summary {
	data, err := f.Root.Stream("\x05SummaryInformation")
	if err != nil || len(data) < 48 {
		return Summary{}
	}
	p := properties{set: data[min(int64(u32(data, 44)), int64(len(data))):], page: 1252}
	if v := p.value(propCodepage); len(v) >= 6 && u32(v, 0) == typeShort {
		p.page = int(binary.LittleEndian.Uint16(v[4:]))
	}
	return Summary{
		Title: p.text(propTitle), Subject: p.text(propSubject), Author: p.text(propAuthor), Keywords: p.text(propKeywords),
		Producer: p.text(propProducer), Created: p.time(propCreated), Modified: p.time(propModified),
	}
}

// properties is a set of properties: a list of numbers and places, then the values.
type properties struct {
	set  []byte
	page int
}

// value is a property from its type on, nil when it isn't there.
func (p properties) value(id uint32) []byte {
	if len(p.set) < 8 {
		return nil
	}
	const many = 1000
	for i := range int(min(u32(p.set, 4), many)) {
		at := 8 + 8*i
		if at+8 > len(p.set) {
			break
		}
		if u32(p.set, at) == id {
			return p.set[min(int64(u32(p.set, at+4)), int64(len(p.set))):]
		}
	}
	return nil
}

func (p properties) text(id uint32) string {
	v := p.value(id)
	if len(v) < 8 {
		return ""
	}
	kind, n, v := u32(v, 0), int64(u32(v, 4)), v[8:]
	text := ""
	switch kind {
	case typeText:
		text = codepage.Text(p.page, v[:min(n, int64(len(v)), maxProperty)])
	case typeWide:
		text = UTF16(v[:min(2*n, int64(len(v)), maxProperty)])
	}
	text, _, _ = strings.Cut(text, "\x00")
	return strings.Join(strings.Fields(text), " ")
}

func (p properties) time(id uint32) time.Time {
	v := p.value(id)
	if len(v) < 12 || u32(v, 0) != typeFileTime {
		return time.Time{}
	}
	return Time(binary.LittleEndian.Uint64(v[4:]))
}

// Time converts a time of Windows: tenths of microseconds since 1601. What is no time after 1970 is zero.
func Time(ticks uint64) time.Time {
	const epoch, second = 11644473600, 10_000_000
	if ticks/second <= epoch || ticks/second > 1<<36 {
		return time.Time{}
	}
	return time.Unix(int64(ticks/second)-epoch, int64(ticks%second)*100).UTC()
}
