package links

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow-go/winnow/crawl"
)

// Batch are URLs of one job, all of one shard.
type Batch struct {
	Job   string
	Found []crawl.Found
}

// batchJSON and foundJSON are what a message has. A later version may add fields, which this one skips: both run while a cluster is
// upgraded.
type batchJSON struct {
	Job   string      `json:"job"`
	Found []foundJSON `json:"found"`
}

type foundJSON struct {
	URL      string     `json:"u"`
	Key      string     `json:"k,omitempty"` // "": the URL
	Hops     int        `json:"h,omitempty"`
	From     string     `json:"f,omitempty"`
	Sitemap  bool       `json:"s,omitempty"`
	Priority float64    `json:"p,omitempty"`
	LastMod  *time.Time `json:"m,omitempty"`
	Late     bool       `json:"l,omitempty"`
	Chance   float64    `json:"c,omitempty"`
}

const (
	formZstd = 1 // the first byte; the rest is zstd of JSON

	maxPlain = 256 << 20 // bytes of a message that is read
)

var coders = sync.OnceValues(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}, err error) {
	if c.Encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20)); err != nil {
		return c, err
	}
	c.Decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPlain))
	return c, err
})

// Encode writes a batch as a message.
func (b Batch) Encode() ([]byte, error) {
	out := batchJSON{Job: b.Job}
	for _, f := range b.Found {
		one := foundJSON{
			URL: f.URL, Key: f.Key, Hops: f.Hops, From: f.From, Sitemap: f.Sitemap, Priority: f.Priority, Late: f.Late, Chance: f.Chance,
		}
		if one.Key == one.URL {
			one.Key = ""
		}
		if !f.LastMod.IsZero() {
			one.LastMod = &f.LastMod
		}
		out.Found = append(out.Found, one)
	}
	plain, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	c, err := coders()
	if err != nil {
		return nil, err
	}
	return c.EncodeAll(plain, []byte{formZstd}), nil
}

// Decode reads a message. [ErrVersion], [ErrDamaged].
func Decode(data []byte) (b Batch, err error) {
	if len(data) == 0 {
		return b, ErrDamaged
	}
	if data[0] != formZstd {
		return b, fmt.Errorf("%w: form %d", ErrVersion, data[0])
	}
	c, err := coders()
	if err != nil {
		return b, err
	}
	plain, err := c.DecodeAll(data[1:], nil)
	if err != nil {
		return b, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var in batchJSON
	if err := json.Unmarshal(plain, &in); err != nil {
		return b, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	b.Job = in.Job
	for _, f := range in.Found {
		b.Found = append(b.Found, f.found())
	}
	return b, nil
}

func (f foundJSON) found() crawl.Found {
	found := crawl.Found{
		URL: f.URL, Key: f.Key, Hops: f.Hops, From: f.From, Sitemap: f.Sitemap, Priority: f.Priority, Late: f.Late, Chance: f.Chance,
	}
	if f.LastMod != nil {
		found.LastMod = *f.LastMod
	}
	return found
}

// sizeOf is about what a URL takes in a message that doesn't compress.
func sizeOf(f crawl.Found) int { return 2*(len(f.URL)+len(f.Key)+len(f.From)) + 128 }
