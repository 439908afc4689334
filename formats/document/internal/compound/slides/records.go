package slides

import (
	"encoding/binary"
	"iter"
)

// Kinds of records.
const (
	recDocument    = 0x03E8
	recNotesAtom   = 0x03F1
	recPersistAtom = 0x03F3
	recSlideInfo   = 0x03F9
	recDrawing     = 0x040C
	recPlaceholder = 0x0BC3
	recOutlineText = 0x0F9E
	recTextHeader  = 0x0F9F
	recTextChars   = 0x0FA0
	recTextStyle   = 0x0FA1
	recTextLevels  = 0x0FA2
	recTextBytes   = 0x0FA8
	recList        = 0x0FF0
	recUserEdit    = 0x0FF5
	recPersist     = 0x1772
	recTags        = 0x1388
	recTag         = 0x138A
	recTagData     = 0x138B
	recComment     = 0x2EE0

	recArtDrawing = 0xF002
	recArtGroup   = 0xF003
	recArtShape   = 0xF004
	recArtSp      = 0xF00A
	recArtText    = 0xF00D
	recArtAnchor  = 0xF00F // of a shape in a group
	recArtData    = 0xF011
	recArtOptions = 0xF122
)

// record is one record. Its body is cut where the file ends.
type record struct {
	kind     uint16
	instance uint16
	parent   bool // its body consists of records
	body     []byte
}

const recordHead = 8

func u32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// recordAt is the record at a place, the zero one beyond the end.
func recordAt(b []byte, at uint32) record {
	if int64(at)+recordHead > int64(len(b)) {
		return record{}
	}
	b = b[at:]
	head := binary.LittleEndian.Uint16(b)
	end := min(recordHead+int64(u32(b, 4)), int64(len(b)))
	return record{binary.LittleEndian.Uint16(b[2:]), head >> 4, head&15 == 15, b[recordHead:end]}
}

// children are the records that a record consists of.
func (r record) children() iter.Seq[record] {
	return func(yield func(record) bool) {
		if !r.parent && r.kind != recTagData && r.kind != recArtText {
			return
		}
		for b := r.body; len(b) >= recordHead; {
			in := recordAt(b, 0)
			b = b[recordHead+len(in.body):]
			if !yield(in) {
				return
			}
		}
	}
}
