package pdf

import (
	"context"
	"errors"
)

// budget is what reading one file may still cost: the time of a context, and bytes unpacked.
type budget struct {
	ctx   context.Context
	limit int64 // of bytes unpacked
	used  int64
}

// errUnpacked is a file that unpacks to more than it may.
var errUnpacked = errors.New("unpacked too much")

// maxStream bounds one unpacked stream.
const maxStream = 128 << 20

func (b *budget) err() error { return b.ctx.Err() }

// unpack is how many bytes the next stream may have. One more than is left shows that it was too much.
func (b *budget) unpack() int64 { return min(maxStream, b.limit-b.used+1) }

func (b *budget) unpacked(n int) error {
	if b.used += int64(n); b.used > b.limit {
		return errUnpacked
	}
	return nil
}

// stopped is what is thrown through the object reader when time is up: it takes no context.
type stopped struct{ err error }

// check throws when time is up.
func (b *budget) check() {
	if err := b.ctx.Err(); err != nil {
		panic(stopped{err})
	}
}
