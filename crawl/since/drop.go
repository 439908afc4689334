package since

import (
	"bytes"

	"github.com/winnow-go/winnow/crawl"
)

// readForgetting is how many pages are read in one transaction.
const readForgetting = 1000

// Drop forgets what a crawl knew, unless it is what its series has. With last it forgets that too, where the crawl is the last of the
// series.
func Drop(db crawl.DB, job string, last bool) error {
	err := db.Update(func(tx crawl.Tx) error {
		series := bytes.Clone(tx.Get(bucketJobs, []byte(job)))
		if series == nil {
			return nil
		}
		var h Head
		get(tx, bucketSeries, series, &h)
		switch {
		case last && h.Job == job && h.Writer == "":
			if err := tx.Delete(bucketSeries, series); err != nil {
				return err
			}
			return tx.Put(bucketGone, []byte(h.Space), []byte{1})
		case h.Space == job:
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

// Of one transaction of Rewrite: how many texts are read and how many written.
const (
	readRewriting = 2000
	putRewriting  = 100
)

// Rewrite puts other texts in the places of those that a crawl's series has; change returns nil for one that stays. It does nothing where
// Drop with the same arguments would forget the series. It goes in many transactions; what was done when a process ends stays done.
func Rewrite(db crawl.DB, job string, last bool, change func(tx crawl.Tx, text []byte) []byte) error {
	var h Head
	err := db.View(func(tx crawl.Tx) error {
		if series := tx.Get(bucketJobs, []byte(job)); series != nil {
			get(tx, bucketSeries, series, &h)
		}
		return nil
	})
	if err != nil || h.Space == "" || last && h.Job == job && h.Writer == "" {
		return err
	}
	own := append([]byte(h.Space), 0)
	for from := own; from != nil && err == nil; {
		err = db.Update(func(tx crawl.Tx) (err error) {
			from, err = rewriteSome(tx, own, from, change)
			return err
		})
	}
	return err
}

// rewriteSome returns where to go on; nil: that was the end.
func rewriteSome(tx crawl.Tx, own, from []byte, change func(tx crawl.Tx, text []byte) []byte) (next []byte, err error) {
	changed, read := map[string][]byte{}, 0
	for key, text := range tx.Scan(bucketTexts, from) {
		if !bytes.HasPrefix(key, own) {
			break
		}
		if read++; read > readRewriting || len(changed) == putRewriting {
			next = bytes.Clone(key)
			break
		}
		if now := change(tx, text); now != nil {
			changed[string(key)] = now
		}
	}
	for key, text := range changed {
		if err := tx.Put(bucketTexts, []byte(key), text); err != nil {
			return nil, err
		}
	}
	return next, nil
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
	for _, bucket := range spaceBuckets {
		if err := crawl.DropRows(db, bucket, append(bytes.Clone(space), 0)); err != nil {
			return err
		}
	}
	return db.Update(func(tx crawl.Tx) error { return tx.Delete(bucketGone, space) })
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
				if seen++; seen == readForgetting {
					break
				}
			}
			return forgetAll(tx, keys)
		})
		from = next
		if err != nil || seen < readForgetting {
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
