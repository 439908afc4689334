package crawl

import (
	"bytes"
	"context"
)

// dropChunk is how many rows are deleted in one transaction.
const dropChunk = 1000

// Drop deletes all rows of the job in the DB; leased items are lost (ErrDropped). See the function Drop.
func (f *Frontier) Drop(ctx context.Context) error {
	err := Drop(ctx, f.db, f.job)
	f.o.Pace.change.send()
	return err
}

// Drop deletes a job without opening it, in transactions of at most 1000 rows. From the first one on the job is unusable; a Drop
// that was interrupted is finished by another. A missing job is no error.
func Drop(ctx context.Context, db DB, job string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	number, err := doom(db, job)
	if err != nil || number == 0 {
		return err
	}
	for _, bucket := range jobBuckets {
		for left := true; left; {
			if err := ctx.Err(); err != nil {
				return err
			}
			if left, err = deleteSome(db, bucket, jobKey(number)); err != nil {
				return err
			}
		}
	}
	return db.Update(func(tx Tx) error {
		if err := tx.Delete(bucketState, jobKey(number)); err != nil {
			return err
		}
		return tx.Delete(bucketJobs, []byte(job))
	})
}

// doom marks a job as being dropped and returns its number; 0: there is none.
func doom(db DB, job string) (number uint64, err error) {
	err = db.Update(func(tx Tx) error {
		number = 0
		row := tx.Get(bucketJobs, []byte(job))
		if row == nil {
			return nil
		}
		n, err := decodeNumber(row)
		if err != nil { // its rows can't be found any more; the name is free at least
			return tx.Delete(bucketJobs, []byte(job))
		}
		number = n
		s := state{dropping: true} // whatever was there before: a damaged job can be dropped
		return tx.Put(bucketState, jobKey(number), s.encode())
	})
	return number, err
}

// DropRows deletes the rows of a bucket whose keys begin with a prefix, in transactions of at most 1000 rows.
func DropRows(db DB, bucket string, prefix []byte) error {
	for left := true; left; {
		var err error
		if left, err = deleteSome(db, bucket, prefix); err != nil {
			return err
		}
	}
	return nil
}

func deleteSome(db DB, bucket string, own []byte) (left bool, err error) {
	err = db.Update(func(tx Tx) error {
		var keys [][]byte
		left = false
		for key := range tx.Scan(bucket, own) {
			if !bytes.HasPrefix(key, own) {
				break
			}
			if left = len(keys) == dropChunk; left {
				break
			}
			keys = append(keys, bytes.Clone(key))
		}
		for _, key := range keys {
			if err := tx.Delete(bucket, key); err != nil {
				return err
			}
		}
		return nil
	})
	return left, err
}
