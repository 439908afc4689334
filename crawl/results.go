package crawl

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"
)

const (
	maxResults  = 1000     // in one call
	resultBytes = 10 << 20 // in one call, unless one result alone is larger
	maxCode     = 256
)

// Result is a completed page.
type Result struct {
	// Sequence numbers the results of a job from 1, without gaps, in the order of completion; so it does the errors.
	Sequence uint64
	// ID of the item.
	ID uint64
	// URL and Key as they were found, and on which page.
	URL, Key, From string
	// Hops as in Found.
	Hops int
	// Completed is when, to the millisecond.
	Completed time.Time
	// Attempts that it took.
	Attempts int
	// Code and Data are the Page's Code and Result.
	Code string
	Data []byte
}

// append adds a result of a page to the results or errors, and returns its number.
func (w *work) append(e entry, attempts int, page Page, result []byte) (sequence uint64, err error) {
	bucket, count := bucketResults, &w.done
	if page.Failed {
		bucket, count = bucketErrors, &w.failed
	}
	*count++
	w.bytes += uint64(len(result))
	r := Result{ID: e.id, Attempts: attempts, Hops: e.Hops, Completed: w.f.o.Now(), URL: e.URL, Key: e.Key, From: e.From}
	return *count, w.tx.Put(bucket, w.key(be64(*count)), r.encode(page.Code, result))
}

// encode writes the row of a result with another code and other data.
func (r Result) encode(code string, data []byte) []byte {
	b := newRow(len(data) + len(r.URL) + len(r.Key) + len(r.From) + 64)
	for _, n := range []uint64{r.ID, uint64(r.Attempts), uint64(r.Hops), millis(r.Completed)} {
		b = binary.AppendUvarint(b, n)
	}
	if r.Key == r.URL {
		r.Key = "" // which decodeResult undoes
	}
	for _, s := range []string{r.URL, r.Key, r.From, code[:min(len(code), maxCode)]} {
		b = putText(b, s)
	}
	return seal(append(b, data...))
}

// replace gives a stored result another code and other data.
func (w *work) replace(sequence uint64, code string, data []byte) error {
	key := w.key(be64(sequence))
	row := w.tx.Get(bucketResults, key)
	if row == nil {
		return ErrNoResult
	}
	old, err := decodeResult(row)
	if err != nil {
		return &DamagedError{bucketResults}
	}
	w.bytes += uint64(len(data)) - uint64(len(old.Data))
	return w.tx.Put(bucketResults, key, old.encode(code, data))
}

// decodeResult returns copies.
func decodeResult(row []byte) (r Result, err error) {
	in := openRow(row)
	r.ID = in.number()
	r.Attempts = int(uint32(in.number()))
	r.Hops = int(uint16(in.number()))
	r.Completed = in.time()
	r.URL, r.Key, r.From, r.Code = in.text(), in.text(), in.text(), in.text()
	if r.Key == "" {
		r.Key = r.URL
	}
	r.Data = bytes.Clone(in.rest)
	return r, in.err
}

// ResultIn returns the Data of a job's result in a transaction on its DB; nil: there is none, or it can't be read.
func ResultIn(tx Tx, job string, sequence uint64) []byte {
	number, err := decodeNumber(tx.Get(bucketJobs, []byte(job)))
	if err != nil {
		return nil
	}
	r, err := decodeResult(tx.Get(bucketResults, jobKey(number, be64(sequence))))
	if err != nil {
		return nil
	}
	return r.Data
}

// Results returns the pages that were completed after the one with that sequence number (0: from the first), in order: at most limit (and
// 1000), and at most 10 MiB of Data unless one result alone is larger. None: there are no more yet. It never blocks the crawl, and may be
// called at any time, any number of times.
func (f *Frontier) Results(ctx context.Context, after uint64, limit int) ([]Result, error) {
	return f.list(ctx, bucketResults, after, limit)
}

// Errors returns the failed pages in the same way as Results.
func (f *Frontier) Errors(ctx context.Context, after uint64, limit int) ([]Result, error) {
	return f.list(ctx, bucketErrors, after, limit)
}

func (f *Frontier) list(ctx context.Context, bucket string, after uint64, limit int) (list []Result, err error) {
	if err := ctx.Err(); err != nil || after+1 == 0 {
		return nil, err
	}
	limit = min(limit, maxResults)
	err = f.view(func(w *work) error {
		own, size := w.key(), 0
		for key, row := range w.tx.Scan(bucket, w.key(be64(after+1))) {
			size += len(row)
			if !bytes.HasPrefix(key, own) || len(list) >= limit || len(list) > 0 && size > resultBytes {
				break
			}
			r, err := decodeResult(row)
			if err != nil || len(key) != 16 {
				return &DamagedError{bucket}
			}
			r.Sequence = binary.BigEndian.Uint64(key[8:])
			list = append(list, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}
