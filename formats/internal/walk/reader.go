package walk

import (
	"context"
	"io"
)

// Chunk is how many bytes a Reader gives at once: between two chunks it can be stopped.
const Chunk = 4 << 10

// Reader ends with the error of its context when that is done.
type Reader struct {
	ctx context.Context
	r   io.Reader
}

// NewReader reads from r under a context.
func NewReader(ctx context.Context, r io.Reader) *Reader { return &Reader{ctx, r} }

// Read gives at most Chunk bytes.
func (c *Reader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p[:min(len(p), Chunk)])
}
