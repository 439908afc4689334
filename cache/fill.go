package cache

import (
	"bytes"

	bolt "go.etcd.io/bbolt"
)

// ending knows whether all that a transaction puts into a bucket comes behind what is there: values by number, events, what goes by time.
// bbolt leaves half of each page free for keys that come in between later. Where none will, pages are filled: measured on a crawl's files,
// buckets of small rows that grow at their end had 42 to 48 % of their bytes in use.
type ending struct {
	last  []byte // the last key, while only larger ones have come
	known bool   // last was looked up
	mixed bool
}

// see takes note of a key that is about to be put.
func (e *ending) see(b *bolt.Bucket, key []byte) {
	if e.mixed {
		return
	}
	if !e.known {
		e.last, e.known = lastKey(b), true
		b.FillPercent = fill
	}
	if e.mixed = bytes.Compare(key, e.last) <= 0; e.mixed {
		b.FillPercent, e.last = bolt.DefaultFillPercent, nil
		return
	}
	e.last = append(e.last[:0], key...)
}

// lastKey returns a copy of the bucket's last key.
func lastKey(b *bolt.Bucket) []byte {
	c := b.Cursor()
	if k, _ := c.First(); k == nil {
		return nil // bbolt's Last never returns when this transaction has emptied all pages
	}
	k, _ := c.Last()
	return bytes.Clone(k)
}
