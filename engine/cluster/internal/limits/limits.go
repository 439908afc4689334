// Package limits shares a number that a job must not exceed, of pages or of credits, between shards: each holds a part of it, gets more in
// chunks, and gives back what it doesn't need. What is granted is written down before it may be used, and what is given back is out of use
// before that is written down, so the sum of what is held is never above the limit, whatever is lost, repeated or late in between.
//
// [Grant] is the side of the job's home, [Holding] that of a shard. Both are functions on a transaction.
package limits

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/winnow-go/winnow/crawl"
)

// The buckets. Keys begin with the job and a zero byte.
const (
	bucketGrants  = "cluster.grants"  // shard → version, granted; in the home's store
	bucketHolding = "cluster.holding" // → version, held; in the shard's store
)

var (
	// ErrStale: a later request of the shard was seen.
	ErrStale = errors.New("limits: there was a later request of this shard")
	// ErrDamaged: a row is not what was written.
	ErrDamaged = errors.New("limits: a damaged row")
)

// Request of a shard.
type Request struct {
	Job   string
	Shard int
	// Version is above that of all requests before, and in the shard's store before it is sent.
	Version uint64
	// Held is what the shard holds, in its store at that version; it may be less than it was granted before.
	Held int
	// Want is how much more it needs, 0 for none.
	Want int
}

// chunks: a shard gets this part of what is free even if it wants less, so that it needn't come back for each page.
const (
	chunkShare = 16
	maxChunk   = 1000
)

// Grant answers a request with the amount that the shard may hold from now on, at least Held. [ErrStale]: nothing was changed.
func Grant(tx crawl.Tx, limit int, r Request) (granted int, err error) {
	key := rowKey(r.Job, binary.BigEndian.AppendUint16(nil, uint16(r.Shard)))
	last, before, err := read(tx, bucketGrants, key)
	if err != nil {
		return 0, err
	}
	if r.Version <= last {
		return 0, ErrStale
	}
	free, err := Free(tx, r.Job, limit)
	if err != nil {
		return 0, err
	}
	held := min(r.Held, before)
	free += before - held
	if granted = held; r.Want > 0 {
		granted += max(0, min(free, max(r.Want, min(free/chunkShare, maxChunk))))
	}
	return granted, write(tx, bucketGrants, key, r.Version, granted)
}

// Free is what no shard holds.
func Free(tx crawl.Tx, job string, limit int) (free int, err error) {
	prefix := rowKey(job, nil)
	for key, row := range tx.Scan(bucketGrants, prefix) {
		if !bytes.HasPrefix(key, prefix) {
			break
		}
		_, granted, err := decode(row)
		if err != nil {
			return 0, err
		}
		limit -= granted
	}
	return limit, nil
}

// Holding returns what a shard holds, and the version of its last request.
func Holding(tx crawl.Tx, job string) (version uint64, held int, err error) {
	return read(tx, bucketHolding, rowKey(job, nil))
}

// Hold notes what a shard holds, and the version of its last request.
func Hold(tx crawl.Tx, job string, version uint64, held int) error {
	return write(tx, bucketHolding, rowKey(job, nil), version, held)
}

// Drop removes what the home has of a job.
func Drop(db crawl.DB, job string) error { return crawl.DropRows(db, bucketGrants, rowKey(job, nil)) }

// DropHolding removes what a shard has of a job.
func DropHolding(db crawl.DB, job string) error {
	return crawl.DropRows(db, bucketHolding, rowKey(job, nil))
}

func rowKey(job string, rest []byte) []byte { return append(append([]byte(job), 0), rest...) }

func read(tx crawl.Tx, bucket string, key []byte) (version uint64, n int, err error) {
	row := tx.Get(bucket, key)
	if row == nil {
		return 0, 0, nil
	}
	return decode(row)
}

func decode(row []byte) (version uint64, n int, err error) {
	if len(row) != 16 {
		return 0, 0, ErrDamaged
	}
	return binary.BigEndian.Uint64(row), int(binary.BigEndian.Uint64(row[8:])), nil
}

func write(tx crawl.Tx, bucket string, key []byte, version uint64, n int) error {
	return tx.Put(bucket, key, binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, version), uint64(n)))
}
