package crawl

import (
	"bytes"
	"iter"
)

// Tx is the part of a transaction on an ordered store of named buckets that a frontier needs. Returned slices are valid until
// the transaction ends and must not be changed. It is an alias: a store that declares the same interface needs no adapter.
type Tx = interface {
	// Get returns the value of key; nil: none.
	Get(bucket string, key []byte) []byte
	// Put makes the bucket when it is missing. The value isn't changed until the transaction ends.
	Put(bucket string, key, value []byte) error
	// Delete is no error when the key is missing.
	Delete(bucket string, key []byte) error
	// Scan goes up from the first key >= from; nil: from the very first. Nothing may be written meanwhile.
	Scan(bucket string, from []byte) iter.Seq2[[]byte, []byte]
	// ScanBack goes down from the last key < below; nil: from the very last.
	ScanBack(bucket string, below []byte) iter.Seq2[[]byte, []byte]
	// Next returns a number that grows, per bucket, from 1.
	Next(bucket string) (uint64, error)
}

// DB is the part of a store that a frontier needs. Both methods must be safe for concurrent use.
type DB interface {
	// View runs f once on a consistent snapshot, also while an Update is under way.
	View(f func(Tx) error) error
	// Update runs f in a transaction that is durable when Update returns nil. Calls at the same time may share one transaction, so f
	// may run more than once. An error of f undoes f alone.
	Update(f func(Tx) error) error
}

// The buckets. All jobs share them: each key but those of bucketJobs begins with the job's number (8 bytes), which is all there is in
// front of the arrow where nothing else is named.
const (
	bucketJobs    = "crawl.jobs"    // name of a job → its number
	bucketState   = "crawl.state"   // → state, counters
	bucketSeen    = "crawl.seen"    // hash of Key → id of the item that claimed it
	bucketQueue   = "crawl.queue"   // host, rank → row; leased ones too
	bucketLater   = "crawl.later"   // time, sequence → row that waits for a retry
	bucketReserve = "crawl.reserve" // rank → row that was found when the limit was reached
	bucketResults = "crawl.results" // sequence → result
	bucketErrors  = "crawl.errors"  // sequence → failed page
	bucketDenials = "crawl.denials" // reason → count
	bucketDenied  = "crawl.denied"  // reason, hash of URL → sequence, URL
	bucketBlocks  = "crawl.blocks"  // host → until when it is left alone
)

// jobBuckets hold the rows of jobs, by number.
var jobBuckets = [...]string{
	bucketSeen, bucketQueue, bucketLater, bucketReserve, bucketResults, bucketErrors, bucketDenials, bucketDenied, bucketBlocks,
}

// first returns the first row at or after from whose key begins with prefix; nil: none.
func first(tx Tx, bucket string, prefix, from []byte) (key, value []byte) {
	for k, v := range tx.Scan(bucket, from) {
		if !bytes.HasPrefix(k, prefix) {
			break
		}
		return k, v
	}
	return nil, nil
}
