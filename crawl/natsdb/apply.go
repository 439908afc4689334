package natsdb

import (
	"encoding/binary"

	"github.com/winnow-go/winnow/crawl"
)

// The rows of bucketMeta.
var (
	rowSequence = []byte("sequence") // of the last message whose writes the local store has
	rowStream   = []byte("stream")   // identity of the stream, which it got when it was made; none: a snapshot is being read
)

// place is how far a local store is.
type place struct {
	stream   string
	sequence uint64
}

func placeOf(tx crawl.Tx) (p place) {
	p.stream = string(tx.Get(bucketMeta, rowStream))
	if s := tx.Get(bucketMeta, rowSequence); len(s) == 8 {
		p.sequence = binary.BigEndian.Uint64(s)
	}
	return p
}

func setSequence(tx crawl.Tx, sequence uint64) error {
	return tx.Put(bucketMeta, rowSequence, binary.BigEndian.AppendUint64(nil, sequence))
}

func setPlace(tx crawl.Tx, p place) error {
	if err := setSequence(tx, p.sequence); err != nil {
		return err
	}
	return tx.Put(bucketMeta, rowStream, []byte(p.stream))
}

// apply does what messages say that follow each other, up to a sequence, but for those that the local store has already.
func apply(local crawl.DB, last uint64, list ...*writes) error {
	return local.Update(func(tx crawl.Tx) error {
		at := placeOf(tx).sequence
		if at >= last {
			return nil
		}
		for i, w := range list {
			if last-uint64(len(list)-1-i) <= at {
				continue
			}
			if err := w.apply(tx); err != nil {
				return err
			}
		}
		return setSequence(tx, last)
	})
}
