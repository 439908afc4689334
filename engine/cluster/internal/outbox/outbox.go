// Package outbox brings what the pages of a shard write for their job to the job's home, in order and once. A page adds entries in the
// transaction in which it ends; they are numbered from 1 without gaps, per shard and job. The home takes them in one transaction with the
// number of the last, and gives them numbers of the job, without gaps too. When it has them, the shard may cut them off.
//
// Entries never change, so it does no harm if they are read from a member that has lost the shard meanwhile.
//
//   - outbox.go — [Append], [Read], [Cut], [DropEntries]: the side of a shard
//   - events.go — [Take], [Events], [Drop]: the side of the home
package outbox

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/winnow-go/winnow/crawl"
)

// The buckets. Keys begin with the job and a zero byte, which is all there is where nothing else is named.
const (
	bucketLast    = "cluster.outboxes" // → number of the last entry
	bucketEntries = "cluster.outbox"   // number → entry
	bucketTaken   = "cluster.taken"    // shard → number of the last entry that the home has
	bucketEvents  = "cluster.events"   // number → shard, number, entry
)

var (
	// ErrGap: entries are missing before those that came.
	ErrGap = errors.New("outbox: entries are missing")
	// ErrDamaged: a row is not what was written.
	ErrDamaged = errors.New("outbox: a damaged row")
)

// maxBytes of entries that are read at once, unless one alone has more, and what each has in a message beside its data: all of them are to
// fit in one.
const (
	maxBytes = 512 << 10
	overhead = 100
)

// Entry is what a page has written.
type Entry struct {
	Number uint64
	Data   []byte
}

// Append adds an entry to a job's outbox, in the transaction of what it is about, and returns its number.
func Append(tx crawl.Tx, job string, data []byte) (number uint64, err error) {
	last, err := Last(tx, job)
	if err != nil {
		return 0, err
	}
	number = last + 1
	if err := tx.Put(bucketLast, rowKey(job, nil), be64(number)); err != nil {
		return 0, err
	}
	return number, tx.Put(bucketEntries, rowKey(job, be64(number)), data)
}

// Last returns the number of the last entry; 0: there was none.
func Last(tx crawl.Tx, job string) (uint64, error) { return number(tx, bucketLast, rowKey(job, nil)) }

// Read returns copies of up to limit entries after a number.
func Read(tx crawl.Tx, job string, after uint64, limit int) (list []Entry, err error) {
	prefix, size := rowKey(job, nil), 0
	for key, row := range tx.Scan(bucketEntries, rowKey(job, be64(after+1))) {
		size += len(row) + overhead
		if !bytes.HasPrefix(key, prefix) || len(list) >= limit || len(list) > 0 && size > maxBytes {
			break
		}
		if len(key) != len(prefix)+8 {
			return nil, ErrDamaged
		}
		list = append(list, Entry{binary.BigEndian.Uint64(key[len(prefix):]), bytes.Clone(row)})
	}
	return list, nil
}

// Cut removes entries that the home has, up to a number.
func Cut(tx crawl.Tx, job string, through uint64) error {
	prefix, gone := rowKey(job, nil), [][]byte(nil)
	for key := range tx.Scan(bucketEntries, prefix) {
		if !bytes.HasPrefix(key, prefix) || bytes.Compare(key[len(prefix):], be64(through)) > 0 {
			break
		}
		gone = append(gone, bytes.Clone(key))
	}
	for _, key := range gone {
		if err := tx.Delete(bucketEntries, key); err != nil {
			return err
		}
	}
	return nil
}

// DropEntries removes all that a shard has of a job.
func DropEntries(db crawl.DB, job string) error {
	return errors.Join(crawl.DropRows(db, bucketEntries, rowKey(job, nil)), crawl.DropRows(db, bucketLast, rowKey(job, nil)))
}

func rowKey(job string, rest []byte) []byte { return append(append([]byte(job), 0), rest...) }

func be64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// number reads a row that is one; 0: there is no row.
func number(tx crawl.Tx, bucket string, key []byte) (uint64, error) {
	switch row := tx.Get(bucket, key); len(row) {
	case 0:
		return 0, nil
	case 8:
		return binary.BigEndian.Uint64(row), nil
	}
	return 0, ErrDamaged
}
