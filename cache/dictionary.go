package cache

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// dictionary is what values of one group have in common, with which they are compressed. It never changes; another one has another id.
type dictionary struct {
	id      uint64 // the seq of a put, so it is never reused
	group   string
	content []byte
	row     []byte        // as it is stored; nil until the writer needs it
	dec     *zstd.Decoder // for any number of goroutines
	enc     *zstd.Encoder // for the writer; nil until it needs it
}

// frameDict names the dictionary in a frame. Which one it is stands before the frame.
const frameDict = 1

var errDictionary = errors.New("its dictionary is missing or damaged")

// newDictionary takes memory for content twice; the decoder keeps about as much again once it is used.
func newDictionary(id uint64, group string, content []byte) (*dictionary, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxWindow(MaxValue), zstd.WithDecoderDictRaw(frameDict, content))
	if err != nil {
		return nil, fmt.Errorf("cache: zstd: %w", err)
	}
	return &dictionary{id: id, group: group, content: content, dec: dec}, nil
}

// encoder is for one goroutine at a time. Measured on real pages: with a dictionary "default" takes as much time as "fastest" without one,
// and packs 7 % better than "fastest" with one. A checksum of the content is in each frame: what another dictionary than the right one
// makes of it is an error, never another page.
func (d *dictionary) encoder() (*zstd.Encoder, error) {
	if d.enc != nil {
		return d.enc, nil
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<20), zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithEncoderDictRaw(frameDict, d.content))
	if err != nil {
		return nil, fmt.Errorf("cache: zstd: %w", err)
	}
	d.enc = enc
	return enc, nil
}

// pack makes the value row of a key; nil where that gains nothing.
func (d *dictionary) pack(key, value []byte) []byte {
	enc, err := d.encoder()
	if err != nil {
		return nil
	}
	row := append(unsealed(len(value)/4+2*binary.MaxVarintLen64), methodDict)
	row = binary.AppendUvarint(row, uint64(len(value)))
	row = binary.AppendUvarint(row, d.id)
	if row = enc.EncodeAll(value, row); len(row) >= len(value) {
		return nil
	}
	return seal(key, row)
}

// dictOf is the id of the dictionary that a value row says it needs; 0: none. The row may be damaged.
func dictOf(row []byte) (id uint64) {
	if len(row) <= sealBytes || row[sealBytes] != methodDict {
		return 0
	}
	r := &reader{b: row[sealBytes+1:]}
	_ = r.size()
	return r.uint()
}

// encode makes the row of a dictionary. Its content is compressed, not with another one.
func (d *dictionary) encode(c *codec) []byte {
	row := binary.AppendUvarint(unsealed(len(d.content)/2), uint64(len(d.group)))
	row = append(row, d.group...)
	row = binary.AppendUvarint(row, uint64(len(d.content)))
	return seal(idKey(d.id), c.deflate(d.content, row))
}

// decodeDictionary reads the row of a dictionary. It takes no more memory than maxDict, whatever the row says.
func decodeDictionary(c *codec, id uint64, row []byte) (*dictionary, error) {
	b, err := unseal(idKey(id), row)
	if err != nil {
		return nil, err
	}
	r := &reader{b: b}
	group := string(r.bytes(r.size()))
	size := r.size()
	switch {
	case r.err != nil:
		return nil, r.err
	case size < minDict || size > maxDict:
		return nil, errSize
	}
	content, err := c.inflate(c.dec, r.b, size)
	if err != nil {
		return nil, err
	}
	return newDictionary(id, group, content)
}
