package crawl

import (
	"bytes"
	"encoding/binary"
	"time"
)

// moveChunk is how many retries are queued again in one transaction.
const moveChunk = 100

// postpone keeps an entry out of the queue until a time.
func (w *work) postpone(e entry, at time.Time) error {
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

// moveDue queues the retries that are due.
func (f *Frontier) moveDue() error {
	now := millis(f.o.Now())
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
func (w *work) due(now uint64) (keys [][]byte) {
	own, past := w.key(), w.key(be64(now+1))
	for key := range w.tx.Scan(bucketLater, own) {
		if !bytes.HasPrefix(key, own) || bytes.Compare(key, past) >= 0 || len(keys) == moveChunk {
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
