package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// What crawls leave behind, for the visibility of pages that are tracked. Crawls under
// zero data retention and lockdown have a store of their own, which nobody asks.
const (
	reachedBucket = "crawl/reached" // pageKey → when the newest crawl that was led to it began, in ms
	coveredBucket = "crawl/covered" // when a whole crawl began, job → its parameters
)

// mostCovered bounds how many whole crawls are remembered, the newest.
const mostCovered = 200

// reached notes that a crawl was led to a page.
func reached(tx jobs.Tx, href string, began time.Time) error {
	at := binary.BigEndian.AppendUint64(nil, uint64(began.UnixMilli()))
	key := []byte(pageKey(href))
	if bytes.Compare(tx.Get(reachedBucket, key), at) >= 0 { // a newer crawl was faster
		return nil
	}
	return tx.Put(reachedBucket, key, at)
}

// covered notes a crawl that has seen all that its scope covers.
func (s *jobStore) covered(r jobs.Record) error {
	return s.db.Update(func(tx cache.Tx) error {
		var old [][]byte
		n := 0
		for key := range tx.ScanBack(coveredBucket, nil) {
			if n++; n >= mostCovered {
				old = append(old, bytes.Clone(key))
			}
		}
		for _, key := range old {
			if err := tx.Delete(coveredBucket, key); err != nil {
				return err
			}
		}
		return tx.Put(coveredBucket, activityKey(r.Created, r.ID), r.Params)
	})
}

// visibility is "hidden" for a page that an earlier crawl was led to and the newest
// whole crawl whose scope covers it was not (rulings).
func (e *Engine) visibility(href string) (word string, err error) {
	err = e.stores.state.View(func(tx cache.Tx) error {
		word = visible
		at := tx.Get(reachedBucket, []byte(pageKey(href)))
		if at == nil {
			return nil
		}
		for key, params := range tx.ScanBack(coveredBucket, nil) {
			if bytes.Compare(key[:min(len(key), 8)], at) <= 0 {
				return nil // this crawl was led to it, or none since
			}
			if covers(params, href) {
				word = hidden
				return nil
			}
		}
		return nil
	})
	return word, err
}

// covers tells whether a crawl would have followed a link to a URL. Parameters that
// can't be read cover nothing.
func covers(params []byte, href string) bool {
	var p crawlParams
	if json.Unmarshal(params, &p) != nil {
		return false
	}
	s, err := scope.New(p.Options.scope(p.URL))
	return err == nil && s.Judge(scope.Link{URL: href}).Reason == ""
}

// forgetReached drops what crawls have left of pages.
func (e *Engine) forgetReached(prefixes []string) error {
	for _, prefix := range prefixes {
		exact, one := strings.CutSuffix(prefix, keyEnd)
		for more := true; more; {
			err := e.stores.state.Update(func(tx cache.Tx) error {
				var gone [][]byte
				for key := range tx.Scan(reachedBucket, []byte(exact)) {
					if !bytes.HasPrefix(key, []byte(exact)) || one && string(key) != exact || len(gone) == keysAtOnce {
						break
					}
					gone = append(gone, bytes.Clone(key))
				}
				more = len(gone) == keysAtOnce
				for _, key := range gone {
					if err := tx.Delete(reachedBucket, key); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
