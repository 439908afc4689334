package reader

import (
	"context"
	"errors"
)

// Budget is what reading one file may still cost: the time of a context, and bytes unpacked.
type Budget struct {
	Context context.Context
	Limit   int64 // of bytes unpacked
	used    int64
}

// ErrUnpacked is a file that unpacks to more than it may.
var ErrUnpacked = errors.New("unpacked too much")

// maxStream bounds one unpacked stream.
const maxStream = 128 << 20

// Err is the error of the context.
func (b *Budget) Err() error { return b.Context.Err() }

// unpack is how many bytes the next stream may have. One more than is left shows that it was too much.
func (b *Budget) unpack() int64 { return min(maxStream, b.Limit-b.used+1) }

func (b *Budget) unpacked(n int) error {
	if b.used += int64(n); b.used > b.Limit {
		return ErrUnpacked
	}
	return nil
}

// Stopped is what is thrown through the object reader when time is up: it takes no context.
type Stopped struct{ Err error }

// check throws when time is up.
func (b *Budget) check() {
	if err := b.Context.Err(); err != nil {
		panic(Stopped{err})
	}
}
