package crawling

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// What crawls leave behind, for the visibility of pages that are tracked.
const (
	reachedBucket = "crawl/reached" // key of the URL → when the newest crawl that was led to it began, in ms
	coveredBucket = "crawl/covered" // when a whole crawl began in ms, job → its parameters
)

// maxCovered bounds how many whole crawls are remembered, the newest.
const maxCovered = 200

// forgottenAtOnce is how many rows are deleted in one transaction.
const forgottenAtOnce = 1000

func millis(t time.Time) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(t.UnixMilli()))
}

// reached notes that a crawl was led to a page.
func reached(tx jobs.Tx, href string, began time.Time) error {
	at, key := millis(began), []byte(weburl.Key(href))
	if bytes.Compare(tx.Get(reachedBucket, key), at) >= 0 { // a newer crawl was faster
		return nil
	}
	return tx.Put(reachedBucket, key, at)
}

// covered notes a crawl that has seen all that its scope covers.
func covered(db work.DB, r jobs.Record) error {
	return db.Update(func(tx jobs.Tx) error {
		var old [][]byte
		n := 0
		for key := range tx.ScanBack(coveredBucket, nil) {
			if n++; n >= maxCovered {
				old = append(old, bytes.Clone(key))
			}
		}
		for _, key := range old {
			if err := tx.Delete(coveredBucket, key); err != nil {
				return err
			}
		}
		return tx.Put(coveredBucket, append(millis(r.Created), r.ID...), r.Params)
	})
}

// Hidden reports whether an earlier crawl was led to a page, and the newest whole crawl whose scope covers it was not.
// covers reports whether the crawl of those parameters would have followed a link to it.
func Hidden(db work.DB, href string, covers func(params []byte) bool) (hidden bool, err error) {
	err = db.View(func(tx jobs.Tx) error {
		hidden = false
		at := tx.Get(reachedBucket, []byte(weburl.Key(href)))
		if at == nil {
			return nil
		}
		for key, params := range tx.ScanBack(coveredBucket, nil) {
			if bytes.Compare(key[:min(len(key), 8)], at) <= 0 {
				return nil // this crawl was led to it, or none since
			}
			if covers(params) {
				hidden = true
				return nil
			}
		}
		return nil
	})
	return hidden, err
}

// Covers reports whether a crawl of that scope would have followed a link to a URL.
func Covers(o scope.Options, href string) bool {
	s, err := scope.New(o)
	return err == nil && s.Judge(scope.Link{URL: href}).Reason == ""
}

// Forget drops what crawls have left of pages; the prefixes are those of [weburl.KeyPrefixes].
func Forget(db work.DB, prefixes []string) error {
	for _, prefix := range prefixes {
		for more := true; more; {
			var err error
			if more, err = forgetSome(db, prefix); err != nil {
				return err
			}
		}
	}
	return since.Forget(db, func(url string) bool {
		key := weburl.Key(url)
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(key+weburl.KeyEnd, prefix) })
	})
}

func forgetSome(db work.DB, prefix string) (more bool, err error) {
	err = db.Update(func(tx jobs.Tx) error {
		gone := reachedKeys(tx, prefix)
		more = len(gone) == forgottenAtOnce
		return deleteAll(tx, reachedBucket, gone)
	})
	return more, err
}

func reachedKeys(tx jobs.Tx, prefix string) (keys [][]byte) {
	exact, one := strings.CutSuffix(prefix, weburl.KeyEnd)
	for key := range tx.Scan(reachedBucket, []byte(exact)) {
		if !bytes.HasPrefix(key, []byte(exact)) || one && string(key) != exact || len(keys) == forgottenAtOnce {
			break
		}
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}
