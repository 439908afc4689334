package crawl

import (
	"context"
	"slices"
)

// Retaken is a URL that was denied, and is fetched after all.
type Retaken struct {
	Found
	// Reason it was denied for. It counts there no longer.
	Reason string
	// Holder is the item that has claimed the key and has ended silently; 0: none has.
	Holder uint64
}

// Retake claims URLs that were denied, and queues them. One whose key another item has than Holder is known, so that it may be done twice.
// Large numbers go in several transactions.
func (f *Frontier) Retake(ctx context.Context, list []Retaken) error {
	for chunk := range slices.Chunk(list, putChunk) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.update(func(w *work) error { return w.retakeAll(chunk) }); err != nil {
			return err
		}
	}
	f.o.Pace.change.send()
	return nil
}

func (w *work) retakeAll(list []Retaken) error {
	for _, r := range list {
		name := known{key: r.key()}
		seen := w.key(digest(name.key))
		if holder := w.tx.Get(bucketSeen, seen); holder != nil && string(holder) != string(be64(r.Holder)) {
			continue
		}
		if err := w.admit(reasonOf(r.Reason), r.URL); err != nil {
			return err
		}
		if err := w.accept(r.Found, name, seen); err != nil {
			return err
		}
	}
	return nil
}

// admit undoes the denial of a URL.
func (w *work) admit(reason, url string) error {
	tally, listed := w.key([]byte(reason)), w.key([]byte(reason), []byte{reasonEnd}, digest(url))
	row := w.tx.Get(bucketDenials, tally)
	if row == nil {
		return nil
	}
	t, err := decodeTally(row)
	if err != nil {
		return &DamagedError{bucketDenials}
	}
	if w.tx.Get(bucketDenied, listed) != nil {
		t.kept -= min(t.kept, 1)
		if err := w.tx.Delete(bucketDenied, listed); err != nil {
			return err
		}
	}
	if t.count -= min(t.count, 1); t.count == 0 {
		return w.tx.Delete(bucketDenials, tally)
	}
	return w.tx.Put(bucketDenials, tally, t.encode())
}
