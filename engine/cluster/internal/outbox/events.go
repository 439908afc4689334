package outbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/crawl"
)

// Event is an entry that the home has taken.
type Event struct {
	// Number in the job, from 1 without gaps.
	Number uint64
	// Shard that it is from.
	Shard int
	Entry
}

// Take adds a shard's entries to the events of a job, those that it has already aside, and returns how many were new. [ErrGap]: nothing was
// added.
func Take(tx crawl.Tx, job string, shard int, entries []Entry) (added int, err error) {
	taken, err := Taken(tx, job, shard)
	if err != nil {
		return 0, err
	}
	last, err := LastEvent(tx, job)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if e.Number <= taken {
			continue
		}
		if e.Number != taken+1 {
			return 0, fmt.Errorf("%w: shard %d has %d after %d", ErrGap, shard, e.Number, taken)
		}
		taken, added = e.Number, added+1
		row := append(binary.BigEndian.AppendUint16(nil, uint16(shard)), be64(e.Number)...)
		if err := tx.Put(bucketEvents, rowKey(job, be64(last+uint64(added))), append(row, e.Data...)); err != nil {
			return 0, err
		}
	}
	if added == 0 {
		return 0, nil
	}
	return added, tx.Put(bucketTaken, takenKey(job, shard), be64(taken))
}

// Taken returns the number of a shard's last entry that the home has.
func Taken(tx crawl.Tx, job string, shard int) (uint64, error) {
	return number(tx, bucketTaken, takenKey(job, shard))
}

func takenKey(job string, shard int) []byte {
	return rowKey(job, binary.BigEndian.AppendUint16(nil, uint16(shard)))
}

// LastEvent returns the number of a job's last event; 0: there is none.
func LastEvent(tx crawl.Tx, job string) (uint64, error) {
	prefix := rowKey(job, nil)
	for key := range tx.ScanBack(bucketEvents, append([]byte(job), 1)) {
		if !bytes.HasPrefix(key, prefix) {
			break
		}
		if len(key) != len(prefix)+8 {
			return 0, ErrDamaged
		}
		return binary.BigEndian.Uint64(key[len(prefix):]), nil
	}
	return 0, nil
}

// Events returns copies of up to limit events after a number.
func Events(tx crawl.Tx, job string, after uint64, limit int) (list []Event, err error) {
	prefix, size := rowKey(job, nil), 0
	for key, row := range tx.Scan(bucketEvents, rowKey(job, be64(after+1))) {
		size += len(row) + overhead
		if !bytes.HasPrefix(key, prefix) || len(list) >= limit || len(list) > 0 && size > maxBytes {
			break
		}
		if len(key) != len(prefix)+8 || len(row) < 10 {
			return nil, ErrDamaged
		}
		list = append(list, Event{
			Number: binary.BigEndian.Uint64(key[len(prefix):]), Shard: int(binary.BigEndian.Uint16(row)),
			Entry: Entry{binary.BigEndian.Uint64(row[2:]), bytes.Clone(row[10:])},
		})
	}
	return list, nil
}

// Drop removes all that the home has of a job.
func Drop(db crawl.DB, job string) error {
	return errors.Join(crawl.DropRows(db, bucketEvents, rowKey(job, nil)), crawl.DropRows(db, bucketTaken, rowKey(job, nil)))
}
