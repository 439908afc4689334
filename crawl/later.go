package crawl

import (
	"bytes"
	"encoding/binary"
	"time"
)

// maxLater is how long a retry waits at most. One that is further ahead was queued before the clock was set back, and is due.
const maxLater = time.Hour

// moveChunk is how many retries are queued again in one transaction.
const moveChunk = 100

// postpone keeps an entry out of the queue until a time.
func (w *work) postpone(e entry, at time.Time) error {
	if limit := w.f.o.Now().Add(maxLater); at.After(limit) {
		at = limit
	}
	w.pending++
	return w.tx.Put(bucketLater, w.key(be64(millis(at)), be64(w.sequence)), e.encode())
}

// dueOf takes the time out of a key of bucketLater.
func dueOf(key []byte) (time.Time, bool) {
	if len(key) != 24 {
		return time.Time{}, false
	}
	return fromMillis(binary.BigEndian.Uint64(key[8:])), true
}

// overdue returns when the first retry is due, zero for none, and whether one is by now.
func (w *work) overdue(now time.Time) (first time.Time, is bool, err error) {
	for _, last := range []bool{false, true} {
		key := w.later(last)
		if key == nil {
			return first, false, nil
		}
		due, ok := dueOf(key)
		if !ok {
			return first, false, &DamagedError{bucketLater}
		}
		if !last {
			first = due
		}
		is = is || !now.Before(due) || due.After(now.Add(maxLater))
	}
	return first, is, nil
}

// later is the key of the job's first or last retry; nil: it has none.
func (w *work) later(last bool) []byte {
	own := w.key()
	if !last {
		key, _ := first(w.tx, bucketLater, own, own)
		return key
	}
	for key := range w.tx.ScanBack(bucketLater, jobKey(w.f.number+1)) {
		if bytes.HasPrefix(key, own) {
			return key
		}
		break
	}
	return nil
}

// moveDue queues the retries that are due.
func (f *Frontier) moveDue() error {
	now := f.o.Now()
	return f.update(func(w *work) error {
		for _, key := range w.due(now) {
			if err := w.moveBack(key); err != nil {
				return err
			}
		}
		return nil
	})
}

// due returns the keys of retries that are due, a chunk of them.
func (w *work) due(now time.Time) (keys [][]byte) {
	return append(w.laterIn(w.key(), w.key(be64(millis(now)+1))), w.laterIn(w.key(be64(millis(now.Add(maxLater))+1)), jobKey(w.f.number+1))...)
}

// laterIn returns the keys of the job's retries from one on and below another, a chunk of them.
func (w *work) laterIn(from, below []byte) (keys [][]byte) {
	for key := range w.tx.Scan(bucketLater, from) {
		if bytes.Compare(key, below) >= 0 || len(keys) == moveChunk {
			break
		}
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}

func (w *work) moveBack(key []byte) error {
	e, err := decodeEntry(w.tx.Get(bucketLater, key))
	if err != nil {
		return &DamagedError{bucketLater}
	}
	if err := w.tx.Delete(bucketLater, key); err != nil {
		return err
	}
	w.pending--
	w.sequence++
	return w.enqueue(e.host(), e, w.sequence)
}
