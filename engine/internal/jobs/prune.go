package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// How many jobs are looked up, and how many rows are deleted, in one transaction.
const (
	pruneJobs = 100
	pruneRows = 1000
	maxSingle = len(buckets) // rows that a job has one of
)

// expired is a job whose time is over.
type expired struct {
	number  uint64
	expires time.Time
	id      string
}

// Prune deletes all jobs that have expired, after Options.Drop did its part, and returns how many. The background
// does the same at times. What is broken off is ended by the next Prune. A job that can't be deleted doesn't keep the
// others; its error is among those returned.
func (j *Jobs) Prune(ctx context.Context) (n int, err error) {
	if err := j.ready(ctx); err != nil {
		return 0, err
	}
	select {
	case j.pruning <- struct{}{}:
		defer func() { <-j.pruning }()
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-j.ctx.Done():
		return 0, ErrClosed
	}
	var errs []error
	for from := key(0, 0); from != nil; {
		var batch []expired
		if batch, from, err = j.expired(ctx, from); err != nil {
			return n, errors.Join(append(errs, err)...)
		}
		for _, x := range batch {
			if err := j.remove(ctx, x); err != nil {
				errs = append(errs, err)
				continue
			}
			n++
		}
	}
	return n, errors.Join(errs...)
}

// pruneAll is the background. It ends with the Jobs.
func (j *Jobs) pruneAll() {
	for j.ctx.Err() == nil {
		if _, err := j.Prune(j.ctx); err != nil && j.ctx.Err() == nil {
			j.o.Logger.Error("expired jobs can't be deleted", "error", err)
		}
		select {
		case <-j.o.After(pruneEvery):
		case <-j.ctx.Done():
		}
	}
}

// expired lists some jobs whose time is over, and where to go on; nil: that is all.
func (j *Jobs) expired(ctx context.Context, from []byte) (batch []expired, next []byte, err error) {
	now := j.o.Ages()
	err = j.view(ctx, func(tx Tx) error {
		for k, row := range tx.Scan(bucketExpiry, from) {
			at, n, ok := splitTimeKey(k)
			if !ok {
				continue // not a row of this package
			}
			if at.After(now) {
				return nil
			}
			if len(batch) == pruneJobs {
				next = timeKey(at, n)
				return nil
			}
			batch = append(batch, expired{n, at, idOf(tx, n, row)})
		}
		return nil
	})
	return batch, next, err
}

// idOf is the id that a row of bucketExpiry holds, or else the job's head; empty: neither
// can be read.
func idOf(tx Tx, n uint64, row []byte) string {
	if id, err := unseal(bucketExpiry, row); err == nil {
		return string(id)
	}
	var h head
	if _, err := get(tx, bucketHeads, key(n), &h); err != nil {
		return ""
	}
	return h.ID
}

// remove deletes a job.
func (j *Jobs) remove(ctx context.Context, x expired) error {
	if j.o.Drop != nil && x.id != "" {
		if err := j.safely(func() error { return j.o.Drop(ctx, x.id) }); err != nil {
			return fmt.Errorf("drop what belongs to job %s: %w", x.id, err)
		}
	}
	for more := true; more; {
		err := j.update(ctx, func(tx Tx) (err error) {
			more, err = removeSome(tx, x)
			return err
		})
		if err != nil {
			return err
		}
	}
	if x.id == "" { // the owner of what belongs to it is unknown
		return &DamagedError{bucketExpiry}
	}
	return nil
}

// removeSome deletes what fits into one transaction. The rows that a job has one of go
// last, with its expiry: until then one that was deleted in part is found again.
func removeSome(tx Tx, x expired) (more bool, err error) {
	room := pruneRows
	for _, bucket := range []string{bucketEvents, bucketLost} {
		var keys [][]byte
		for k := range own(tx, bucket, x.number, 0) {
			if room--; room < maxSingle {
				more = true
				break
			}
			keys = append(keys, bytes.Clone(k))
		}
		for _, k := range keys {
			if err := tx.Delete(bucket, k); err != nil {
				return false, err
			}
		}
	}
	if more {
		return true, nil
	}
	return false, removeRows(tx, x)
}

// removeRows deletes the rows of a job that there is one of. Those that can't be read
// go too: what they pointed to is found by other ways, or is harmless.
func removeRows(tx Tx, x expired) error {
	var errs []error
	var h head
	if found, err := get(tx, bucketHeads, key(x.number), &h); found && err == nil && h.Key != nil {
		var c claim // the key may belong to a later job by now
		if found, err := get(tx, bucketKeys, h.Key, &c); found && (err != nil || c.Job == x.number) {
			errs = append(errs, tx.Delete(bucketKeys, h.Key))
		}
	}
	var p post
	if found, err := get(tx, bucketPosts, key(x.number), &p); found && err == nil && !p.Due.IsZero() {
		errs = append(errs, tx.Delete(bucketDue, timeKey(p.Due, x.number)))
	}
	if u, err := parseID(x.id); err == nil {
		errs = append(errs, tx.Delete(bucketIDs, u[:]))
	}
	for _, bucket := range []string{bucketHeads, bucketParams, bucketHooks, bucketCredits, bucketRunning, bucketPosts} {
		errs = append(errs, tx.Delete(bucket, key(x.number)))
	}
	return errors.Join(append(errs, tx.Delete(bucketExpiry, timeKey(x.expires, x.number)))...)
}
