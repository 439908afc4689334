package jobs

import (
	"bytes"
	"encoding/binary"
	"iter"
	"time"
)

// Tx is what the jobs need of a transaction on an ordered store of named buckets.
// Slices that it gives are valid until the transaction ends and must not be changed. It is
// an alias: a store that declares the same interface needs no adapter.
type Tx = interface {
	// Get gives the value of key; nil: none.
	Get(bucket string, key []byte) []byte
	// Put makes the bucket when it is missing. It keeps no slice that it is given
	// beyond the transaction.
	Put(bucket string, key, value []byte) error
	// Delete is no error when there is nothing.
	Delete(bucket string, key []byte) error
	// Scan goes up from the first key >= from; nil: from the very first. Nothing may be
	// written meanwhile.
	Scan(bucket string, from []byte) iter.Seq2[[]byte, []byte]
	// ScanBack goes down from the last key < below; nil: from the very last.
	ScanBack(bucket string, below []byte) iter.Seq2[[]byte, []byte]
	// Next gives a number that grows, per bucket, from 1.
	Next(bucket string) (uint64, error)
}

// DB is what the jobs need of a store. Both methods must be safe for concurrent use.
type DB interface {
	// View runs f once on a consistent snapshot.
	View(f func(Tx) error) error
	// Update runs f in a transaction that is durable when Update returns nil. Calls at
	// the same time may share one transaction, so f may run more than once. An error of
	// f undoes f alone.
	Update(f func(Tx) error) error
}

// The buckets. Jobs are numbered as they are created, and a number is never used again:
// it begins the key of each row that a job may have several of, and is the key of those
// that it has one of.
const (
	bucketIDs     = "jobs.ids"     // id (16 bytes) → number
	bucketKeys    = "jobs.keys"    // hash of owner and idempotency key → claim
	bucketHeads   = "jobs.heads"   // number → head
	bucketParams  = "jobs.params"  // number → what a resume needs, as it came
	bucketHooks   = "jobs.hooks"   // number → webhook
	bucketCredits = "jobs.credits" // number → int64
	bucketRunning = "jobs.running" // number → nothing; jobs that aren't final
	bucketExpiry  = "jobs.expiry"  // time, number → id; jobs that are final
	bucketEvents  = "jobs.events"  // number, sequence → event
	bucketPosts   = "jobs.posts"   // number → post: how far the webhook has come
	bucketDue     = "jobs.due"     // time, number → origin of the hook's URL; hooks with something to do
	bucketLost    = "jobs.lost"    // number, sequence → Delivery that was given up
)

// buckets are all of them.
var buckets = [...]string{
	bucketIDs, bucketKeys, bucketHeads, bucketParams, bucketHooks, bucketCredits,
	bucketRunning, bucketExpiry, bucketEvents, bucketPosts, bucketDue, bucketLost,
}

// key strings numbers together so that keys sort as the numbers do.
func key(numbers ...uint64) []byte {
	k := make([]byte, 0, 16)
	for _, n := range numbers {
		k = binary.BigEndian.AppendUint64(k, n)
	}
	return k
}

// key64 is the number of a key that has one.
func key64(k []byte) uint64 { return binary.BigEndian.Uint64(k) }

// timeKey sorts by time, to the millisecond, then by job.
func timeKey(t time.Time, n uint64) []byte { return key(uint64(max(t.UnixMilli(), 0)), n) }

// splitKey gives back the two numbers of a key.
func splitKey(k []byte) (a, b uint64, ok bool) {
	if len(k) != 16 {
		return 0, 0, false
	}
	return binary.BigEndian.Uint64(k), binary.BigEndian.Uint64(k[8:]), true
}

func splitTimeKey(k []byte) (t time.Time, n uint64, ok bool) {
	ms, n, ok := splitKey(k)
	return time.UnixMilli(int64(ms)), n, ok
}

// own ranges over the rows of a job, from a number of theirs on.
func own(tx Tx, bucket string, n, from uint64) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		prefix := key(n)
		for k, v := range tx.Scan(bucket, key(n, from)) {
			if !bytes.HasPrefix(k, prefix) || !yield(k, v) {
				return
			}
		}
	}
}
