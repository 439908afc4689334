package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"iter"
	"slices"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// What a batch was given is kept in the order of giving, and by address.
const (
	givenBucket   = "batch/given" // job, number → the URL as it was given
	addressBucket = "batch/by"    // job, digest of the address, number → nothing
)

// givenAtOnce is how many URLs are written in one transaction.
const givenAtOnce = 1000

func digestOf(urls []string) string {
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

// give keeps further URLs of a batch.
func (s *jobStore) give(job string, urls []string) error {
	for chunk := range slices.Chunk(urls, givenAtOnce) {
		err := s.db.Update(func(tx cache.Tx) error {
			n := lastGiven(tx, job)
			for _, u := range chunk {
				n++
				href, err := parseTarget(u)
				if err != nil {
					return err
				}
				if err := tx.Put(givenBucket, givenKey(job, n), []byte(u)); err != nil {
					return err
				}
				if err := tx.Put(addressBucket, binary.BigEndian.AppendUint64(addressKey(job, href), n), []byte{1}); err != nil {
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

func lastGiven(tx cache.Tx, job string) uint64 {
	for key := range tx.ScanBack(givenBucket, givenKey(job, ^uint64(0))) {
		if bytes.HasPrefix(key, []byte(job+"\x00")) {
			return binary.BigEndian.Uint64(key[len(key)-8:])
		}
		break
	}
	return 0
}

func (s *jobStore) countGiven(job string) (n uint64, err error) {
	err = s.db.View(func(tx cache.Tx) error {
		n = lastGiven(tx, job)
		return nil
	})
	return n, err
}

// numbersOf an address in a batch, ascending.
func numbersOf(tx cache.Tx, job, href string) (numbers []uint64) {
	prefix := addressKey(job, href)
	for key := range tx.Scan(addressBucket, prefix) {
		if !bytes.HasPrefix(key, prefix) {
			break
		}
		numbers = append(numbers, binary.BigEndian.Uint64(key[len(key)-8:]))
	}
	return numbers
}

// givenAs are the spellings of an address, as often as they were given.
func (s *jobStore) givenAs(job, href string) (given []string, err error) {
	err = s.db.View(func(tx cache.Tx) error {
		given = nil
		for _, n := range numbersOf(tx, job, href) {
			given = append(given, string(tx.Get(givenBucket, givenKey(job, n))))
		}
		return nil
	})
	return given, err
}

// givenAfter reads on in the order of giving.
func (s *jobStore) givenAfter(job string, n uint64) (urls []string, err error) {
	err = s.db.View(func(tx cache.Tx) error {
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

// feed puts in line all that was given.
func (b *batcher) feed(ctx context.Context) error {
	for n := uint64(0); ; {
		urls, err := b.store.givenAfter(b.id, n)
		if err != nil || len(urls) == 0 {
			return err
		}
		if _, err := b.frontier.Put(ctx, addresses(urls)); err != nil {
			return err
		}
		n += uint64(len(urls))
	}
}

func addresses(urls []string) (found []crawl.Found) {
	for _, u := range urls {
		if href, err := parseTarget(u); err == nil {
			found = append(found, crawl.Found{URL: href})
		}
	}
	return found
}

// addTo a batch that is at work; one that has ended is a CodeFinished error.
func (s *jobStore) addTo(ctx context.Context, job string, urls []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.working[job] == nil {
		return &Error{Code: CodeFinished, Err: jobs.ErrFinished}
	}
	if err := s.give(job, urls); err != nil || s.frontiers[job] == nil { // not open yet: it will be fed these too
		return err
	}
	_, err := s.frontiers[job].Put(ctx, addresses(urls))
	return err
}

// dropGiven forgets a batch's URLs, some at a time.
func (s *jobStore) dropGiven(job string) error {
	return errors.Join(s.dropRows(givenBucket, job), s.dropRows(addressBucket, job))
}

// dropRows deletes the rows of a bucket whose keys begin with the job, some at a time.
func (s *jobStore) dropRows(bucket, job string) error {
	for gone := givenAtOnce; gone == givenAtOnce; {
		err := s.db.Update(func(tx cache.Tx) error {
			keys := keysOf(tx, bucket, job)
			gone = len(keys)
			for _, key := range keys {
				if err := tx.Delete(bucket, key); err != nil {
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

func keysOf(tx cache.Tx, bucket, job string) (keys [][]byte) {
	prefix := []byte(job + "\x00")
	for key := range tx.Scan(bucket, prefix) {
		if !bytes.HasPrefix(key, prefix) || len(keys) == givenAtOnce {
			break
		}
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}

// Ordered gives a batch's documents in the order in which the URLs were given, once
// the batch has ended; it waits for that. A URL that failed is an error in its place,
// which doesn't end the sequence. For a crawl, which is given none, it is empty.
func (j *Job) Ordered(ctx context.Context) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		if _, err := j.Wait(ctx); err != nil {
			yield(nil, err)
			return
		}
		o, err := j.order(ctx)
		if err != nil {
			yield(nil, j.fail(ctx, err))
			return
		}
		for n := range o.numbers {
			doc, err := o.at(ctx, n)
			if err != nil && ctx.Err() != nil {
				err = j.fail(ctx, err)
			}
			if !yield(doc, err) || ctx.Err() != nil {
				return
			}
		}
	}
}

// ordered is a batch in the order of giving.
type ordered struct {
	*Job
	frontier *crawl.Frontier
	numbers  []uint64            // of the results, 0 for none
	shared   map[int]string      // places that have the result of another place, with their own URL
	failed   map[string]JobError // by address
}

func (j *Job) order(ctx context.Context) (*ordered, error) {
	o := &ordered{Job: j, failed: map[string]JobError{}}
	errs, err := j.Errors(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range errs {
		o.failed[e.URL] = e
	}
	if o.frontier, err = j.reader(); err != nil {
		return nil, err
	}
	if o.numbers, err = j.resultNumbers(ctx, o.frontier); err != nil {
		return nil, err
	}
	return o, o.share()
}

// share gives what was added when its page was at work, or done already, the result of that page.
func (o *ordered) share() error {
	o.shared = map[int]string{}
	found := map[string]uint64{}
	return o.store.db.View(func(tx cache.Tx) error {
		for i, n := range o.numbers {
			if n != 0 {
				continue
			}
			given := string(tx.Get(givenBucket, givenKey(o.id, uint64(i)+1)))
			href, err := parseTarget(given)
			if err != nil {
				continue
			}
			if _, known := found[href]; !known {
				found[href] = o.anyResult(numbersOf(tx, o.id, href))
			}
			if o.numbers[i] = found[href]; o.numbers[i] != 0 {
				o.shared[i] = given
			}
		}
		return nil
	})
}

// anyResult is that of the first of some places which has one.
func (o *ordered) anyResult(places []uint64) uint64 {
	for _, n := range places {
		if n <= uint64(len(o.numbers)) && o.numbers[n-1] != 0 {
			return o.numbers[n-1]
		}
	}
	return 0
}

// at gives the document of a place, from 0.
func (o *ordered) at(ctx context.Context, n int) (*Document, error) {
	if o.numbers[n] == 0 {
		return nil, o.missing(n)
	}
	results, err := o.frontier.Results(ctx, o.numbers[n]-1, 1)
	if err != nil {
		return nil, err
	}
	if len(results) == 0 {
		return nil, &Error{Code: CodeNotFound, Op: o.kind, Err: jobs.ErrNotFound} // expired meanwhile
	}
	doc, err := unpackDocument(results[0].Data)
	if given, ok := o.shared[n]; ok && err == nil {
		doc.Metadata.SourceURL = given
	}
	return doc, err
}

// missing tells why a URL has no document.
func (o *ordered) missing(n int) error {
	urls, err := o.store.givenAfter(o.id, uint64(n))
	if err != nil || len(urls) == 0 {
		return &Error{Code: CodeNotFound, Op: o.kind, Err: jobs.ErrNotFound}
	}
	href, _ := parseTarget(urls[0])
	if e, ok := o.failed[href]; ok {
		return &Error{Code: e.Code, Op: o.kind, URL: urls[0], Err: errors.New(e.Error)}
	}
	return &Error{Code: CodeCancelled, Op: o.kind, URL: urls[0], Err: errCancelled}
}

// resultNumbers gives, for each URL in the order of giving, the number of its result,
// 0 for none. An address has as many results as it was given, one after the other.
func (j *Job) resultNumbers(ctx context.Context, f *crawl.Frontier) (numbers []uint64, err error) {
	err = j.store.db.View(func(tx cache.Tx) error {
		numbers = make([]uint64, lastGiven(tx, j.id))
		return nil
	})
	for after := uint64(0); err == nil; {
		var results []crawl.Result
		if results, err = f.Results(ctx, after, resultsAtOnce); err != nil || len(results) == 0 {
			return numbers, err
		}
		err = j.store.db.View(func(tx cache.Tx) error {
			for _, r := range results {
				enter(tx, j.id, r, numbers)
			}
			return nil
		})
		after = results[len(results)-1].Sequence
	}
	return numbers, err
}

// enter puts a result at the first place of its address that is still free.
func enter(tx cache.Tx, job string, r crawl.Result, numbers []uint64) {
	for _, n := range numbersOf(tx, job, r.URL) {
		if n <= uint64(len(numbers)) && numbers[n-1] == 0 {
			numbers[n-1] = r.Sequence
			return
		}
	}
}
