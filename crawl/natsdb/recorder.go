package natsdb

import (
	"bytes"
	"encoding/binary"
	"iter"
	"strings"

	"github.com/winnow-go/winnow/crawl"
)

// The buckets of this package in the local store.
const (
	reserved      = "natsdb."
	bucketMeta    = reserved + "meta"    // what apply.go names
	bucketNumbers = reserved + "numbers" // bucket → the last number that Next gave
	bucketNames   = reserved + "names"   // names of the other buckets
)

// recorder is a transaction of the local store that notes what is written.
type recorder struct {
	tx     crawl.Tx
	writes writes
	named  map[string]bool // buckets whose names are known to be noted
}

func (r *recorder) Get(bucket string, key []byte) []byte { return r.tx.Get(bucket, key) }

func (r *recorder) Scan(bucket string, from []byte) iter.Seq2[[]byte, []byte] {
	return r.tx.Scan(bucket, from)
}

func (r *recorder) ScanBack(bucket string, below []byte) iter.Seq2[[]byte, []byte] {
	return r.tx.ScanBack(bucket, below)
}

func (r *recorder) Put(bucket string, key, value []byte) error {
	if strings.HasPrefix(bucket, reserved) {
		return errReserved
	}
	if err := r.put(bucket, key, value); err != nil {
		return err
	}
	return r.name(bucket)
}

func (r *recorder) put(bucket string, key, value []byte) error {
	if err := r.tx.Put(bucket, key, value); err != nil {
		return err
	}
	r.writes.add(write{bucket: bucket, key: string(key), value: value})
	return nil
}

// name notes a bucket, so that a snapshot finds it.
func (r *recorder) name(bucket string) error {
	if r.named[bucket] {
		return nil
	}
	r.named[bucket] = true
	if r.tx.Get(bucketNames, []byte(bucket)) != nil {
		return nil
	}
	return r.put(bucketNames, []byte(bucket), []byte{1})
}

func (r *recorder) Delete(bucket string, key []byte) error {
	if strings.HasPrefix(bucket, reserved) {
		return errReserved
	}
	if err := r.tx.Delete(bucket, key); err != nil {
		return err
	}
	r.writes.add(write{bucket: bucket, key: string(key), deletes: true})
	return nil
}

// Next counts by a row: the number that a store keeps with a bucket could not be brought to another machine.
func (r *recorder) Next(bucket string) (uint64, error) {
	if strings.HasPrefix(bucket, reserved) {
		return 0, errReserved
	}
	if bucket == "" || bucket[0] == 0 {
		_, err := r.tx.Next(bucket) // which says what it has against the name
		return 0, err
	}
	n := uint64(1)
	if last := r.tx.Get(bucketNumbers, []byte(bucket)); len(last) == 8 {
		n += binary.BigEndian.Uint64(last)
	}
	return n, r.put(bucketNumbers, []byte(bucket), binary.BigEndian.AppendUint64(nil, n))
}

// keep copies the values, which are the caller's only until the transaction ends.
func (r *recorder) keep() {
	for i := range r.writes.list {
		r.writes.list[i].value = bytes.Clone(r.writes.list[i].value)
	}
}
