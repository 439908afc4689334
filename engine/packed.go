package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxPacked bounds a document of a job in memory: what a page may have, many times over.
const maxPacked = 512 << 20

// packedFormat is the first byte of a packed document: JSON in one zstd frame.
const packedFormat = 1

// coders are shared by all engines: they keep nothing of what they code.
var coders = sync.OnceValues(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}, err error) {
	// "Fastest" for the same reason as the cache's values: little is gained beyond.
	if c.Encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)); err != nil {
		return c, err
	}
	c.Decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPacked))
	return c, err
})

var errPacked = errors.New("a document of the job can't be read")

func packDocument(doc *Document) ([]byte, error) { return packJSON(doc) }

func packJSON(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	c, err := coders()
	if err != nil {
		return nil, err
	}
	return c.EncodeAll(data, []byte{packedFormat}), nil
}

// unpackJSON gives the document's JSON.
func unpackJSON(packed []byte) ([]byte, error) {
	if len(packed) == 0 || packed[0] != packedFormat {
		return nil, errPacked
	}
	c, err := coders()
	if err != nil {
		return nil, err
	}
	data, err := c.DecodeAll(packed[1:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPacked, err)
	}
	return data, nil
}

func unpackDocument(packed []byte) (*Document, error) {
	data, err := unpackJSON(packed)
	if err != nil {
		return nil, err
	}
	doc := &Document{}
	return doc, json.Unmarshal(data, doc)
}
