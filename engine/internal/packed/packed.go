// Package packed has the form in which jobs keep documents and other JSON: one zstd frame behind a byte that names the form.
package packed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxSize bounds a document of a job in memory: what a page may have, many times over.
const maxSize = 512 << 20

// format is the first byte: JSON in one zstd frame.
const format = 1

// coders are shared by all engines: they keep nothing of what they code.
var coders = sync.OnceValues(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}, err error) {
	// Unlike the cache's values, documents of jobs are mostly read once and then dropped: "fastest" takes half of the time of "default" for
	// 5 % more bytes. The default window would have each processor's encoder keep 8 MB, for documents that mostly have less than
	// a hundredth of that.
	if c.Encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20)); err != nil {
		return c, err
	}
	c.Decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxSize))
	return c, err
})

var errFormat = errors.New("stored JSON of a job is not in a known form")

// rooms are what frames are written into: the encoder wants room for the worst case, which would be kept with each document.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// Encode writes v as packed JSON.
func Encode(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	c, err := coders()
	if err != nil {
		return nil, err
	}
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	*room = c.EncodeAll(data, append((*room)[:0], format))
	return bytes.Clone(*room), nil
}

// Decode returns the JSON that Encode has packed.
func Decode(packed []byte) ([]byte, error) {
	if len(packed) == 0 || packed[0] != format {
		return nil, errFormat
	}
	c, err := coders()
	if err != nil {
		return nil, err
	}
	data, err := c.DecodeAll(packed[1:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFormat, err)
	}
	return data, nil
}

// Into decodes packed JSON into v.
func Into(packed []byte, v any) error {
	data, err := Decode(packed)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}
