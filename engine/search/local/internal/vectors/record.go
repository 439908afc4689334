package vectors

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// A record is the page, the text, the numbers (float32, little endian) and the checksum of all these. A free one is zeros.
const (
	textAt    = len(Page{})
	numbersAt = textAt + len(Text{})
	sumBytes  = 4
	numBytes  = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func recordSize(dim int) int { return numbersAt + dim*numBytes + sumBytes }

// appendRecord appends the record of a vector, whose direction alone is kept.
func appendRecord(out []byte, v Vector) []byte {
	at := len(out)
	out = append(append(out, v.Page[:]...), v.Text[:]...)
	length := lengthOf(v.Numbers)
	for _, x := range v.Numbers {
		if length > 0 {
			x = float32(float64(x) / length)
		}
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[at:], castagnoli))
}

func lengthOf(numbers []float32) float64 {
	sum := 0.0
	for _, x := range numbers {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// isFinite reports whether a vector has a direction, or is zeros.
func isFinite(numbers []float32) bool {
	length := lengthOf(numbers)
	return !math.IsNaN(length) && !math.IsInf(length, 0)
}

func pageOf(record []byte) (p Page) {
	copy(p[:], record)
	return p
}

func textOf(record []byte) (t Text) {
	copy(t[:], record[textAt:])
	return t
}

func numbersOf(record []byte) []byte { return record[numbersAt : len(record)-sumBytes] }

// isWhole reports a record that was written to its end.
func isWhole(record []byte) bool {
	end := len(record) - sumBytes
	return pageOf(record) != Page{} && binary.LittleEndian.Uint32(record[end:]) == crc32.Checksum(record[:end], castagnoli)
}

func isZero(record []byte) bool {
	for _, b := range record {
		if b != 0 {
			return false
		}
	}
	return true
}

// number reads one.
func number(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// dot is the product of numbers in a record with a vector of the same length.
func dot(record []byte, with []float32) float32 {
	var a, b, c, d float32
	for len(with) >= 4 && len(record) >= 4*numBytes {
		a += with[0] * number(record[0:4])
		b += with[1] * number(record[4:8])
		c += with[2] * number(record[8:12])
		d += with[3] * number(record[12:16])
		with, record = with[4:], record[4*numBytes:]
	}
	for i, x := range with {
		a += x * number(record[i*numBytes:])
	}
	return a + b + c + d
}
