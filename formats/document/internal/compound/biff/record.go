package biff

import (
	"encoding/binary"
	"math"
)

// Kinds of records.
const (
	recFormula     = 0x0006
	recEOF         = 0x000A
	recDateMode    = 0x0022
	recFilePass    = 0x002F
	recContinue    = 0x003C
	recCodepage    = 0x0042
	recBoundSheet  = 0x0085
	recMulRK       = 0x00BD
	recRString     = 0x00D6
	recXF          = 0x00E0
	recMergedCells = 0x00E5
	recSST         = 0x00FC
	recLabelSST    = 0x00FD
	recHLink       = 0x01B8
	recNumber      = 0x0203
	recLabel       = 0x0204
	recBoolErr     = 0x0205
	recString      = 0x0207
	recRK          = 0x027E
	recFormat      = 0x041E
	recBOF         = 0x0809
)

// record is one record of a stream. Its body is cut where the stream ends.
type record struct {
	id   uint16
	body []byte
}

// records reads a stream from a place on.
type records struct {
	stream []byte
	at     int
}

func (r *records) next() (record, bool) {
	const head = 4
	if r.at < 0 || r.at+head > len(r.stream) {
		return record{}, false
	}
	id, n := binary.LittleEndian.Uint16(r.stream[r.at:]), int(binary.LittleEndian.Uint16(r.stream[r.at+2:]))
	start := r.at + head
	r.at = start + n
	return record{id, r.stream[start:min(r.at, len(r.stream))]}, true
}

// joined is a record's body and those of the records that continue it, each for itself.
func (r *records) joined(body []byte) [][]byte {
	parts := [][]byte{body}
	for {
		before := r.at
		rec, ok := r.next()
		if !ok || rec.id != recContinue {
			r.at = before
			return parts
		}
		parts = append(parts, rec.body)
	}
}

// u16 and u32 are the numbers at a place of a record, 0 beyond its end.
func (r record) u16(at int) int {
	if at+2 > len(r.body) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(r.body[at:]))
}

func (r record) u32(at int) uint32 {
	if at+4 > len(r.body) {
		return 0
	}
	return binary.LittleEndian.Uint32(r.body[at:])
}

func (r record) float(at int) float64 {
	if at+8 > len(r.body) {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(r.body[at:]))
}

// from is the body from a place on.
func (r record) from(at int) []byte { return r.body[min(at, len(r.body)):] }

// rk unpacks a number of 30 bits: a whole one, or the upper half of a float, perhaps divided by 100.
func rk(v uint32) float64 {
	f := math.Float64frombits(uint64(v&^3) << 32)
	if v&2 != 0 {
		f = float64(int32(v) >> 2)
	}
	if v&1 != 0 {
		f /= 100
	}
	return f
}
