package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/winnow-go/winnow/engine/internal/clip"
)

// What is kept of why a job ended, in bytes.
const (
	maxCode = 256
	maxText = 4 << 10
)

// Finish ends a job, with its last event, in one transaction, and wakes who waits for
// it. The state is Completed, Failed or Cancelled; code and text say why, and may be
// empty. A job that has ended already stays as it is: [ErrFinished], with its record.
// [ErrNotFound], [*FieldError] for another state.
func (j *Jobs) Finish(ctx context.Context, id string, s State, code, text string) (r Record, err error) {
	return j.FinishAt(ctx, id, time.Time{}, s, code, text)
}

// FinishAt is Finish for a job that has ended at that time; zero: now.
func (j *Jobs) FinishAt(ctx context.Context, id string, at time.Time, s State, code, text string) (r Record, err error) {
	if !s.Final() {
		return Record{}, &FieldError{"state", short(string(s)), "completed, failed or cancelled"}
	}
	code, text = clip.Bytes(code, maxCode), clip.Bytes(text, maxText)
	var finished error
	err = j.update(ctx, func(tx Tx) error {
		n, h, err := j.find(tx, id)
		if err != nil {
			return err
		}
		if finished = nil; h.State.Final() {
			finished = ErrFinished
		} else if err := j.finish(tx, n, &h, j.at(at), s, code, text); err != nil {
			return err
		}
		r, err = j.record(tx, n, h)
		return err
	})
	if err != nil {
		return Record{}, err
	}
	j.Wake(id)
	return r, finished
}

func (j *Jobs) finish(tx Tx, n uint64, h *head, at time.Time, s State, code, text string) error {
	last := Event{Type: string(s), At: at}
	if code != "" || text != "" {
		last.Data, _ = json.Marshal(Reason{code, text}) // strings only
	}
	if _, err := j.append(tx, n, *h, last); err != nil {
		return err
	}
	h.State, h.Code, h.Error = s, code, text
	h.Ended = at
	h.Expires = h.Ended.Add(j.o.Keep)
	return errors.Join(
		put(tx, bucketHeads, key(n), h),
		tx.Delete(bucketRunning, key(n)),
		tx.Put(bucketExpiry, timeKey(h.Expires, n), seal([]byte(h.ID))),
	)
}

// Wait returns the record of a job once it has ended; at once if it has already.
func (j *Jobs) Wait(ctx context.Context, id string) (Record, error) {
	u, err := parseID(id)
	if err != nil {
		return Record{}, err
	}
	next, stop := j.notifier.watch(u.String())
	defer stop()
	for {
		changed := next()
		r, err := j.Get(ctx, id)
		if err != nil || r.State.Final() {
			return r, err
		}
		if err := j.await(ctx, changed); err != nil {
			return Record{}, err
		}
	}
}

// await waits for a change, or for the end of the caller's time or the Jobs.
func (j *Jobs) await(ctx context.Context, changed <-chan struct{}) error {
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-j.ctx.Done():
		return ErrClosed
	}
}

// Add adds to a job's credits, also after its end: what was under way then may still
// have cost something. The sum is bounded to what an int64 holds.
func (j *Jobs) Add(ctx context.Context, id string, n int64) error {
	return j.update(ctx, func(tx Tx) error { return j.AddIn(tx, id, n) })
}

// AddIn is [Jobs.Add] within a transaction of the caller's on the same store, so that
// a page and what it cost are kept together or not at all.
func (j *Jobs) AddIn(tx Tx, id string, n int64) error {
	at, _, err := j.find(tx, id)
	if err != nil || n == 0 {
		return err
	}
	sum, err := credits(tx, at)
	if err != nil {
		return err
	}
	return tx.Put(bucketCredits, key(at), seal(key(uint64(plus(sum, n)))))
}

// plus adds without running over.
func plus(a, b int64) int64 {
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return 1<<63 - 1
	case b < 0 && sum > a:
		return -1 << 63
	}
	return sum
}
