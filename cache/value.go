package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

// How the bytes of a value row are kept.
const (
	methodPlain = 0
	methodZstd  = 1
	methodDict  = 2 // zstd with a dictionary, whose id is before the frame
)

// codec makes rows of values and reads them. pack is for one goroutine at a time, unpack for any number.
type codec struct {
	plain bool // nothing is compressed; no coders
	enc   *zstd.Encoder
	dec   *zstd.Decoder
}

func newCodec(plain bool) (*codec, error) {
	if plain {
		return &codec{plain: true}, nil
	}
	// "Default": measured on pages of 80 kB, it packs 5 % better than "fastest" and takes 1.15 times as long, which is 30 µs; the next level
	// packs as much better again, and takes 1.6 times as long. A window of 1 MiB, which few pages exceed, takes 2 MiB of memory instead
	// of 9. Neither coder starts goroutines where whole buffers are coded, so there is nothing
	// to close. The rows have their own checksum.
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("cache: zstd: %w", err)
	}
	// The decoder may write no more than the room it is given, whatever the bytes say.
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxWindow(MaxValue))
	if err != nil {
		return nil, fmt.Errorf("cache: zstd: %w", err)
	}
	return &codec{enc: enc, dec: dec}, nil
}

// pack makes the value row of a key.
func (c *codec) pack(key, value []byte) []byte {
	room := len(value) / 2
	if c.plain {
		room = len(value)
	}
	row := append(unsealed(room+binary.MaxVarintLen64), methodZstd)
	row = binary.AppendUvarint(row, uint64(len(value)))
	head := len(row)
	if !c.plain {
		row = c.deflate(value, row)
	}
	if c.plain || len(row)-head >= len(value) { // what can't be made smaller is kept as it is
		row = append(row[:head], value...)
		row[sealBytes] = methodPlain
	}
	return seal(key, row)
}

func (c *codec) deflate(value, room []byte) []byte { return c.enc.EncodeAll(value, room) }

var errSize = errors.New("an impossible size")

// unpack returns the value of a row, in memory of its own. d is the dictionary that the row needs; nil: there is none, or it is damaged.
func (c *codec) unpack(key, row []byte, d *dictionary) ([]byte, error) {
	b, err := unseal(key, row)
	if err != nil {
		return nil, err
	}
	if len(b) == 0 {
		return nil, errShort
	}
	r := &reader{b: b[1:]}
	size := r.size()
	switch {
	case r.err != nil:
		return nil, r.err
	case size > MaxValue:
		return nil, errSize
	case b[0] == methodPlain && size == int64(len(r.b)):
		return append(make([]byte, 0, size), r.b...), nil
	case b[0] == methodDict:
		return c.unpackWith(d, r, size)
	case b[0] != methodZstd || c.plain:
		return nil, errFormat
	}
	return c.inflate(c.dec, r.b, size)
}

func (c *codec) unpackWith(d *dictionary, r *reader, size int64) ([]byte, error) {
	id := r.uint()
	switch {
	case r.err != nil:
		return nil, r.err
	case d == nil || d.id != id:
		return nil, errDictionary
	}
	return c.inflate(d.dec, r.b, size)
}

// inflate decodes within the limits of the format: a block has at least 4 bytes and gives at most 128 KiB (RFC 8878, 3.1.1.2), so a
// few bytes can't make it allocate much memory.
func (c *codec) inflate(dec *zstd.Decoder, packed []byte, size int64) ([]byte, error) {
	if size > int64(len(packed)/4+1)<<17 {
		return nil, errSize
	}
	value, err := dec.DecodeAll(packed, make([]byte, 0, size))
	if err != nil {
		return nil, err
	}
	if int64(len(value)) != size {
		return nil, errSize
	}
	return value, nil
}
