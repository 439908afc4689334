package cache

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
)

// Every row is sealed: a format byte, the CRC-32C of its key and the rest, the rest. The key is in the sum so that a row that got under
// another key is noticed. Numbers in the rest are varints.

const (
	rowFormat = 1
	sealBytes = 5
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var (
	errShort    = errors.New("cut off")
	errFormat   = errors.New("unknown format")
	errChecksum = errors.New("wrong checksum")
)

// unsealed returns room for a row of about n bytes, to append to and then seal.
func unsealed(n int) []byte { return make([]byte, sealBytes, sealBytes+n) }

// seal fills in the room in front of the row.
func seal(key, row []byte) []byte {
	row[0] = rowFormat
	binary.LittleEndian.PutUint32(row[1:], sum(key, row[sealBytes:]))
	return row
}

func sum(key, rest []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, rest)
}

// unseal returns the rest, which lies in row.
func unseal(key, row []byte) ([]byte, error) {
	switch {
	case len(row) < sealBytes:
		return nil, errShort
	case row[0] != rowFormat:
		return nil, errFormat
	case binary.LittleEndian.Uint32(row[1:]) != sum(key, row[sealBytes:]):
		return nil, errChecksum
	}
	return row[sealBytes:], nil
}

// reader takes numbers and bytes off a row; after an error all further ones are zero.
type reader struct {
	b   []byte
	err error
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.err = nil, errShort
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.b, r.err = nil, errShort
		return 0
	}
	r.b = r.b[n:]
	return v
}

// size is a number that can be a length.
func (r *reader) size() int64 {
	v := r.uint()
	if v > math.MaxInt64 {
		r.b, r.err = nil, errShort
		return 0
	}
	return int64(v)
}

// bytes returns the next n, which lie in the row.
func (r *reader) bytes(n int64) []byte {
	if n > int64(len(r.b)) {
		r.b, r.err = nil, errShort
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

// end returns the error; bytes left over are one.
func (r *reader) end() error {
	if r.err == nil && len(r.b) > 0 {
		return errShort
	}
	return r.err
}

// version is a Version as it is kept in the row of its key.
type version struct {
	id     uint64
	stored int64 // ms since 1970
	size   int64 // of the value
	packed int64 // of its row
	meta   []byte
}

// weight is what the version counts in Options.MaxBytes.
func (v version) weight(key string) int64 { return v.packed + int64(len(v.meta)+len(key)) }

// newer is the order of versions, newest first: see Store.Versions.
func newer(a, b version) int {
	switch {
	case a.stored != b.stored && a.stored > b.stored, a.stored == b.stored && a.id > b.id:
		return -1
	case a.id == b.id && a.stored == b.stored:
		return 0
	}
	return 1
}

// encodeVersions makes the index row of a key.
func encodeVersions(key string, vs []version) []byte {
	n := binary.MaxVarintLen64
	for _, v := range vs {
		n += 5*binary.MaxVarintLen64 + len(v.meta)
	}
	b := binary.AppendUvarint(unsealed(n), uint64(len(vs)))
	for _, v := range vs {
		b = binary.AppendUvarint(b, v.id)
		b = binary.AppendVarint(b, v.stored)
		b = binary.AppendUvarint(b, uint64(v.size))
		b = binary.AppendUvarint(b, uint64(v.packed))
		b = binary.AppendUvarint(b, uint64(len(v.meta)))
		b = append(b, v.meta...)
	}
	return seal([]byte(key), b)
}

// minVersion is the least number of bytes that a version takes in a row: it bounds how many a row can hold.
const minVersion = 5

// decodeVersions reads an index row; the metas lie in row.
func decodeVersions(key string, row []byte) ([]version, error) {
	b, err := unseal([]byte(key), row)
	if err != nil {
		return nil, err
	}
	r := &reader{b: b}
	n := r.uint()
	if n > uint64(len(r.b)/minVersion) {
		return nil, errShort
	}
	vs := make([]version, n)
	for i := range vs {
		vs[i] = version{id: r.uint(), stored: r.int(), size: r.size(), packed: r.size()}
		vs[i].meta = r.bytes(r.size())
	}
	return vs, r.end()
}

// The key of an age row is time and id in order, so that the oldest come first; its value is the weight and the key of the version.

const ageKeyBytes = 16

func ageKey(stored int64, id uint64) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, ageKeyBytes), uint64(stored)^1<<63) // negative ones come first
	return binary.BigEndian.AppendUint64(b, id)
}

func decodeAgeKey(b []byte) (stored int64, id uint64, err error) {
	if len(b) != ageKeyBytes {
		return 0, 0, errShort
	}
	return int64(binary.BigEndian.Uint64(b) ^ 1<<63), binary.BigEndian.Uint64(b[8:]), nil
}

func encodeAge(k []byte, weight int64, key string) []byte {
	b := binary.AppendUvarint(unsealed(binary.MaxVarintLen64+len(key)), uint64(weight))
	return seal(k, append(b, key...))
}

func decodeAge(k, row []byte) (weight int64, key string, err error) {
	b, err := unseal(k, row)
	if err != nil {
		return 0, "", err
	}
	r := &reader{b: b}
	weight = r.size()
	return weight, string(r.b), r.err
}

// idKey is the key of a value row.
func idKey(id uint64) []byte { return binary.BigEndian.AppendUint64(nil, id) }

// totals is what a store keeps count of, in the same transaction as what it counts.
type totals struct {
	keys, versions, bytes int64
	last                  uint64 // seq of the last op that was done
	lost                  int64  // index rows that were found corrupt and replaced, so that versions may be left over
}

// countsKey is the key of their row, the only one of its bucket.
var countsKey = []byte("totals")

func (t totals) encode() []byte {
	b := unsealed(5 * binary.MaxVarintLen64)
	for _, n := range []uint64{uint64(t.keys), uint64(t.versions), uint64(t.bytes), t.last, uint64(t.lost)} {
		b = binary.AppendUvarint(b, n)
	}
	return seal(countsKey, b)
}

func decodeTotals(row []byte) (totals, error) {
	b, err := unseal(countsKey, row)
	if err != nil {
		return totals{}, err
	}
	r := &reader{b: b}
	t := totals{keys: r.size(), versions: r.size(), bytes: r.size(), last: r.uint(), lost: r.size()}
	return t, r.end()
}
