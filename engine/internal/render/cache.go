package render

import (
	"context"
	"crypto/sha256"

	"github.com/winnow-go/winnow/engine/internal/flight"
	"github.com/winnow-go/winnow/engine/internal/lru"
	"github.com/winnow-go/winnow/engine/internal/page"
)

// What is kept at most: outputs, in memory, and those of jobs, packed.
const (
	maxBytes  = 64 << 20
	maxPacked = 24 << 20
)

// Cache keeps outputs, under what they were made from and how. They are shared and must not be changed. Safe for concurrent use.
type Cache struct {
	kept    *lru.Cache[string, *Output]
	packed  *lru.Cache[digest, kept]
	ring    ring // what those are
	flights flight.Group[*Output]
}

// digest stands for a key, which is ten times as long, in memory.
type digest [sha256.Size]byte

func digestOf(key string) digest { return sha256.Sum256([]byte(key)) }

// NewCache makes an empty cache, of 64 MiB in memory at most and 24 MiB in a file without a name in a folder; "": in memory too. It has to
// be closed.
func NewCache(dir string) *Cache {
	return &Cache{
		kept: lru.New[string, *Output](maxBytes), packed: lru.New[digest, kept](maxPacked), ring: ring{dir: dir, size: maxPacked},
	}
}

// Close gives the file up. What is kept after that is kept in memory.
func (c *Cache) Close() error { return c.ring.close() }

// key joins what rendering sees. Code doesn't change while a process runs.
func (c *Cache) key(src *page.Page, o *Request) string { return src.Digest() + o.Fingerprint() }

// Get returns an output that is kept; false: none.
func (c *Cache) Get(src *page.Page, o *Request) (*Output, bool) {
	return c.get(c.key(src, o))
}

func (c *Cache) get(key string) (*Output, bool) {
	if out, ok := c.kept.Get(key); ok {
		return out, true
	}
	k, ok := c.packed.Get(digestOf(key))
	if !ok {
		return nil, false
	}
	out, err := k.unpack(&c.ring)
	return out, err == nil
}

// put keeps an output; of a job, packed.
func (c *Cache) put(key string, out *Output, o *Request) {
	if !o.OfJob {
		c.kept.Put(key, out, out.size())
		return
	}
	k := pack(out).moved(&c.ring)
	c.packed.Put(digestOf(key), k, k.size())
}

// Make renders once for all that want the same at the same time, or returns what is kept.
func (c *Cache) Make(ctx context.Context, src *page.Page, o *Request) (*Output, error) {
	if o.Once {
		return Render(ctx, src, o)
	}
	key := c.key(src, o)
	out, _, err := c.flights.Do(ctx, key, func(ctx context.Context) (*Output, error) {
		if out, ok := c.get(key); ok {
			return out, nil
		}
		out, err := Render(ctx, src, o)
		if err == nil && !out.Incomplete && !out.Pictured {
			c.put(key, out, o)
		}
		return out, err
	})
	return out, err
}

// Forget drops all outputs.
func (c *Cache) Forget() {
	c.kept.Clear()
	c.packed.Clear()
	c.ring.clear()
}

// Bytes is about what the outputs take, in memory and in the file.
func (c *Cache) Bytes() int64 { return c.kept.Bytes() + c.packed.Bytes() }

// Count is how many outputs there are.
func (c *Cache) Count() int { return c.kept.Len() + c.packed.Len() }
