package batching

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// What a batch was given is kept in the order of giving, and by address.
const (
	givenBucket   = "batch/given" // job, number → the URL as it was given
	addressBucket = "batch/by"    // job, digest of the address, number → nothing
)

// givenAtOnce is how many URLs are written in one transaction.
const givenAtOnce = 1000

// Digest stands for a list of URLs: another list is another request.
func Digest(urls []string) string {
	h := sha256.New()
	for _, u := range urls {
		h.Write([]byte(u))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func givenKey(job string, n uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte(job+"\x00"), n)
}

func addressKey(job, href string) []byte {
	sum := sha256.Sum256([]byte(href))
	return append([]byte(job+"\x00"), sum[:]...)
}

// Keep keeps further URLs of a batch. All are web addresses.
func Keep(db work.DB, job string, urls []string) error {
	for chunk := range slices.Chunk(urls, givenAtOnce) {
		err := db.Update(func(tx jobs.Tx) error {
			n := lastGiven(tx, job)
			for _, u := range chunk {
				n++
				if err := keepOne(tx, job, n, u); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func keepOne(tx jobs.Tx, job string, n uint64, url string) error {
	href, err := weburl.Target(url)
	if err != nil {
		return err
	}
	if err := tx.Put(givenBucket, givenKey(job, n), []byte(url)); err != nil {
		return err
	}
	return tx.Put(addressBucket, binary.BigEndian.AppendUint64(addressKey(job, href), n), []byte{1})
}

func lastGiven(tx jobs.Tx, job string) uint64 {
	for key := range tx.ScanBack(givenBucket, givenKey(job, ^uint64(0))) {
		if bytes.HasPrefix(key, []byte(job+"\x00")) {
			return binary.BigEndian.Uint64(key[len(key)-8:])
		}
		break
	}
	return 0
}

// count is how many URLs a batch was given.
func count(db work.DB, job string) (n uint64, err error) {
	err = db.View(func(tx jobs.Tx) error {
		n = lastGiven(tx, job)
		return nil
	})
	return n, err
}

// placesOf an address in a batch, ascending.
func placesOf(tx jobs.Tx, job, href string) (numbers []uint64) {
	prefix := addressKey(job, href)
	for key := range tx.Scan(addressBucket, prefix) {
		if !bytes.HasPrefix(key, prefix) {
			break
		}
		numbers = append(numbers, binary.BigEndian.Uint64(key[len(key)-8:]))
	}
	return numbers
}

// spellings are the spellings of an address, as often as they were given.
func spellings(db work.DB, job, href string) (given []string, err error) {
	err = db.View(func(tx jobs.Tx) error {
		given = nil
		for _, n := range placesOf(tx, job, href) {
			given = append(given, string(tx.Get(givenBucket, givenKey(job, n))))
		}
		return nil
	})
	return given, err
}

// after reads on in the order of giving.
func after(db work.DB, job string, n uint64) (urls []string, err error) {
	err = db.View(func(tx jobs.Tx) error {
		urls = nil
		for key, u := range tx.Scan(givenBucket, givenKey(job, n+1)) {
			if !bytes.HasPrefix(key, []byte(job+"\x00")) || len(urls) == givenAtOnce {
				break
			}
			urls = append(urls, string(u))
		}
		return nil
	})
	return urls, err
}

func addresses(urls []string) (found []crawl.Found) {
	for _, u := range urls {
		if href, err := weburl.Target(u); err == nil {
			found = append(found, crawl.Found{URL: href})
		}
	}
	return found
}

// Append adds URLs to a running batch; [jobs.ErrFinished] where it has ended.
func Append(ctx context.Context, r *work.Runner, job string, urls []string) error {
	if record, err := r.Records.Get(ctx, job); err == nil && record.Elsewhere {
		return &option.Error{Field: "appendToId", Value: job, Want: "a batch that isn't spread over a cluster"}
	}
	return r.Add(ctx, job, func() error { return Keep(r.DB(), job, urls) }, addresses(urls))
}

// Drop forgets a batch's URLs, some at a time.
func Drop(db work.DB, job string) error {
	return errors.Join(work.DropRows(db, givenBucket, job), work.DropRows(db, addressBucket, job))
}
