package since

import (
	"bytes"

	"github.com/winnow-go/winnow/crawl"
)

// deletedAtOnce is how many rows are deleted in one transaction.
const deletedAtOnce = 1000

// Drop forgets what a crawl knew, unless it is what its series has.
func Drop(db crawl.DB, job string) error {
	err := db.Update(func(tx crawl.Tx) error {
		series := tx.Get(bucketJobs, []byte(job))
		var h Head
		if series == nil || get(tx, bucketSeries, series, &h) && h.Space == job {
			return nil
		}
		return tx.Put(bucketGone, []byte(job), []byte{1})
	})
	if err != nil {
		return err
	}
	if err := sweep(db); err != nil {
		return err
	}
	return db.Update(func(tx crawl.Tx) error { return tx.Delete(bucketJobs, []byte(job)) })
}

// sweep deletes the rows of spaces that nothing leads to any more.
func sweep(db crawl.DB) error {
	for {
		var space []byte
		err := db.View(func(tx crawl.Tx) error {
			for key := range tx.Scan(bucketGone, nil) {
				space = bytes.Clone(key)
				break
			}
			return nil
		})
		if err != nil || space == nil {
			return err
		}
		if err := dropSpace(db, space); err != nil {
			return err
		}
	}
}

func dropSpace(db crawl.DB, space []byte) error {
	own := append(bytes.Clone(space), 0)
	for _, bucket := range spaceBuckets {
		for more := true; more; {
			if err := db.Update(func(tx crawl.Tx) (err error) {
				more, err = dropSome(tx, bucket, own)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return db.Update(func(tx crawl.Tx) error { return tx.Delete(bucketGone, space) })
}

func dropSome(tx crawl.Tx, bucket string, own []byte) (more bool, err error) {
	var keys [][]byte
	for key := range tx.Scan(bucket, own) {
		if more = len(keys) == deletedAtOnce; more || !bytes.HasPrefix(key, own) {
			break
		}
		keys = append(keys, bytes.Clone(key))
	}
	for _, key := range keys {
		if err := tx.Delete(bucket, key); err != nil {
			return false, err
		}
	}
	return more, nil
}

// Forget forgets all pages whose URL matches, in all series.
func Forget(db crawl.DB, matches func(url string) bool) error {
	for from := []byte(nil); ; {
		var next []byte
		seen := 0
		err := db.Update(func(tx crawl.Tx) error {
			var keys [][]byte
			seen, next = 0, nil
			for key, row := range tx.Scan(bucketPages, from) {
				var p Page
				if read(row, &p) && (matches(p.URL) || p.Final != "" && matches(p.Final)) {
					keys = append(keys, bytes.Clone(key))
				}
				next = append(bytes.Clone(key), 0)
				if seen++; seen == deletedAtOnce {
					break
				}
			}
			return forgetAll(tx, keys)
		})
		from = next
		if err != nil || seen < deletedAtOnce {
			return err
		}
	}
}

// forgetAll deletes pages and their texts by the keys of their rows. What is left of them is a digest that leads nowhere.
func forgetAll(tx crawl.Tx, keys [][]byte) error {
	for _, key := range keys {
		if err := tx.Delete(bucketPages, key); err != nil {
			return err
		}
		if err := tx.Delete(bucketTexts, key); err != nil {
			return err
		}
	}
	return nil
}
