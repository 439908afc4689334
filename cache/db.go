package cache

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"strings"
)

// MaxKey is the longest key of a Store, in bytes: the longest URL that is fetched (16 KiB) and room for additions to it.
const MaxKey = 20 << 10

// maxRawKey is the longest key of a DB, which is bbolt's limit; Map keeps to it too.
const maxRawKey = 32768

// DB is an ordered set of named buckets of keys and values: a *File (bbolt) or a *Map (memory). All methods are safe for concurrent
// use, but must not be called from inside a transaction.
type DB interface {
	// View runs f on a consistent snapshot: it sees every Update that returned before and none that comes later. f must be quick
	// (nothing slow, no other call on the DB): an open snapshot keeps freed pages from being used again. The error of f is returned.
	View(f func(Tx) error) error
	// Update runs f in a transaction, which is durable when Update returns nil. Calls at the same time share one transaction, so f may
	// run more than once and must have no other effect than on tx. An error of f undoes f alone and is returned; a panic in f is such
	// an error. After any other error f has had no effect, except that a failed sync of the disk leaves that open.
	Update(f func(Tx) error) error
	// Compact rewrites the file without its free pages; other calls wait meanwhile. After an error, also that of ctx, nothing has changed.
	// In memory it does nothing.
	Compact(ctx context.Context) error
	// Size returns the bytes of the file and how many of them are free; in memory those of keys and values.
	Size() (total, free int64, err error)
	// Close waits for running transactions and closes the file. Later calls return ErrClosed; a second Close returns nil.
	Close() error
}

// Tx is a transaction of a DB. It is valid only in the goroutine and during the call of the function that receives it. It is an alias
// whose signatures have builtin types alone: another package declares the same interface and needs neither an import nor an adapter.
// Names of buckets are not empty and don't begin with a zero byte; keys have 1 to 32768 bytes, values up to 1 GiB.
type Tx = interface {
	// Get returns the value of key; nil: there is none. An empty value is not nil. The result is valid until the transaction
	// ends, and must not be changed: bytes of a file lie in write-protected memory.
	Get(bucket string, key []byte) []byte
	// Put sets the value of key; the bucket is made when missing. key is copied; value must not change until the transaction ends.
	// Returns an error in a View, or for a name, key or value outside the limits (ErrTooLarge).
	Put(bucket string, key, value []byte) error
	// Delete removes key; no error when it is missing. Returns an error in a View.
	Delete(bucket string, key []byte) error
	// Scan ranges over keys and values, ascending from the first key >= from (empty: all). Don't write to the bucket meanwhile.
	Scan(bucket string, from []byte) iter.Seq2[[]byte, []byte]
	// ScanBack ranges descending from the last key < below (empty: all). Don't write to the bucket meanwhile.
	ScanBack(bucket string, below []byte) iter.Seq2[[]byte, []byte]
	// Next returns a number that grows with each call, per bucket, from 1. It is kept with the bucket. Returns an error in a View.
	Next(bucket string) (uint64, error)
}

const maxRawValue = 1 << 30

var (
	errWriteInView = errors.New("cache: write in a View: use Update")
	errBucketName  = errors.New("cache: a bucket's name is empty or begins with a zero byte")
	errEmptyKey    = errors.New("cache: empty key")
)

func checkBucket(bucket string) error {
	if bucket == "" || strings.HasPrefix(bucket, "\x00") {
		return errBucketName
	}
	return nil
}

func checkPair(bucket string, key, value []byte) error {
	if err := checkBucket(bucket); err != nil {
		return err
	}
	switch {
	case len(key) == 0:
		return errEmptyKey
	case len(key) > maxRawKey:
		return fmt.Errorf("%w: key of %d bytes, at most %d", ErrTooLarge, len(key), maxRawKey)
	case len(value) > maxRawValue:
		return fmt.Errorf("%w: value of %d bytes, at most %d", ErrTooLarge, len(value), maxRawValue)
	}
	return nil
}

// panicked makes the error of a caller's function out of its panic.
func panicked(reason any) error {
	return fmt.Errorf("cache: panic in a transaction: %v\n%s", reason, debug.Stack())
}
