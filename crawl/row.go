package crawl

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"time"
)

// rowFormat is the first byte of each row. Its last four are a checksum (CRC-32C) of what is before.
const rowFormat = 1

var errRow = errors.New("damaged row")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newRow(size int) []byte { return append(make([]byte, 0, size+5), rowFormat) }

func seal(row []byte) []byte {
	return binary.BigEndian.AppendUint32(row, crc32.Checksum(row, castagnoli))
}

func putText(row []byte, s string) []byte {
	return append(binary.AppendUvarint(row, uint64(len(s))), s...)
}

// putLike writes a text that probably begins as another one, which is known to the reader: pages of a site link to each other.
func putLike(row []byte, s, other string) []byte {
	n := 0
	for n < min(len(s), len(other)) && s[n] == other[n] {
		n++
	}
	return putText(binary.AppendUvarint(row, uint64(n)), s[n:])
}

// putTime writes milliseconds; 0 is the zero time.
func putTime(row []byte, t time.Time) []byte {
	return binary.AppendUvarint(row, millis(t))
}

// millis since 1970, within what a date can be; 0: the zero time, or one before 1970.
func millis(t time.Time) uint64 {
	const last = 253402300799999 // of the year 9999
	if t.IsZero() || t.Unix() < 0 {
		return 0
	}
	if t.Unix() > last/1000 {
		return last
	}
	return uint64(t.UnixMilli())
}

func fromMillis(ms uint64) time.Time {
	if ms == 0 || ms > math.MaxInt64 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms))
}

// rowReader reads the fields of a row in the order they were written. After the first missing field all are zero, and err
// is set.
type rowReader struct {
	rest []byte
	err  error
}

func openRow(row []byte) *rowReader {
	end := len(row) - 4
	if end < 1 || row[0] != rowFormat || binary.BigEndian.Uint32(row[end:]) != crc32.Checksum(row[:end], castagnoli) {
		return &rowReader{err: errRow}
	}
	return &rowReader{rest: row[1:end]}
}

func (r *rowReader) number() uint64 {
	n, used := binary.Uvarint(r.rest)
	if used <= 0 {
		r.rest, r.err = nil, errRow
		return 0
	}
	r.rest = r.rest[used:]
	return n
}

func (r *rowReader) bytes() []byte {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.rest, r.err = nil, errRow
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *rowReader) text() string { return string(r.bytes()) }

func (r *rowReader) like(other string) string {
	n, rest := r.number(), r.text()
	if n > uint64(len(other)) {
		r.rest, r.err = nil, errRow
		return ""
	}
	return other[:n] + rest
}

func (r *rowReader) time() time.Time { return fromMillis(r.number()) }

// end is the error of the whole row: it must be used up.
func (r *rowReader) end() error {
	if r.err == nil && len(r.rest) > 0 {
		return errRow
	}
	return r.err
}
