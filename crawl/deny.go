package crawl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
)

const (
	maxReasons  = 64   // distinct reasons; a further one counts as otherReason
	maxReason   = 64   // bytes of a reason
	maxDenied   = 1000 // URLs that are kept for each
	otherReason = "OTHER"
	reasonEnd   = 0
)

// Denied is a URL that was found and may not be fetched.
type Denied struct {
	// Reason groups them; at most 64 bytes count, without NUL.
	Reason string
	// URL as it was found.
	URL string
}

// Deny counts URLs by reason and keeps the first 1000 of each. One that is kept already isn't counted again; beyond those each occurrence
// counts. Prefer Page.Denied, which costs no transaction.
func (f *Frontier) Deny(ctx context.Context, denied ...Denied) error {
	for chunk := range slices.Chunk(denied, putChunk) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.update(func(w *work) error { return w.denyAll(chunk) }); err != nil {
			return err
		}
	}
	return nil
}

// tally is the row of a reason.
type tally struct{ count, kept uint64 }

func (t tally) encode() []byte {
	return seal(binary.AppendUvarint(binary.AppendUvarint(newRow(20), t.count), t.kept))
}

func decodeTally(row []byte) (t tally, err error) {
	r := openRow(row)
	t.count, t.kept = r.number(), r.number()
	return t, r.end()
}

// denyAll reads and writes the row of each reason once.
func (w *work) denyAll(denied []Denied) error {
	if len(denied) == 0 {
		return nil
	}
	tallies, err := w.tallies()
	if err != nil {
		return err
	}
	touched := map[string]bool{}
	for _, d := range denied {
		reason := reasonOf(d.Reason)
		if _, known := tallies[reason]; !known && len(tallies) >= maxReasons-1 {
			reason = otherReason
		}
		t := tallies[reason]
		if err := w.deny(reason, d.URL, &t); err != nil {
			return err
		}
		tallies[reason] = t
		touched[reason] = true
	}
	for reason := range touched {
		if err := w.tx.Put(bucketDenials, w.key([]byte(reason)), tallies[reason].encode()); err != nil {
			return err
		}
	}
	return nil
}

func reasonOf(s string) string {
	s = string(bytes.ReplaceAll([]byte(s[:min(len(s), maxReason)]), []byte{reasonEnd}, nil))
	return cmp.Or(s, otherReason)
}

func (w *work) deny(reason, url string, t *tally) error {
	name := known{reason, url}
	if w.f.recent.has(name) {
		return nil
	}
	key := w.key([]byte(reason), []byte{reasonEnd}, digest(url))
	if w.tx.Get(bucketDenied, key) != nil {
		w.made.certain = append(w.made.certain, name)
		return nil
	}
	t.count++
	if t.kept >= maxDenied || len(url) > maxURL {
		return nil
	}
	t.kept++
	w.denied++
	w.made.certain = append(w.made.certain, name)
	row := binary.AppendUvarint(newRow(len(url)+16), w.denied)
	return w.tx.Put(bucketDenied, key, seal(putText(row, url)))
}

func (w *work) tallies() (map[string]tally, error) {
	own, all := w.key(), map[string]tally{}
	for key, row := range w.tx.Scan(bucketDenials, own) {
		if !bytes.HasPrefix(key, own) {
			break
		}
		t, err := decodeTally(row)
		if err != nil {
			return nil, &DamagedError{bucketDenials}
		}
		all[string(key[8:])] = t
	}
	return all, nil
}

// DeniedURLs returns the URLs that were kept for a reason, in the order they were found: at most 1000.
func (f *Frontier) DeniedURLs(ctx context.Context, reason string) (urls []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	bySequence := map[uint64]string{}
	err = f.view(func(w *work) error {
		own := w.key([]byte(reasonOf(reason)), []byte{reasonEnd})
		for key, row := range w.tx.Scan(bucketDenied, own) {
			if !bytes.HasPrefix(key, own) {
				break
			}
			r := openRow(row)
			n, url := r.number(), r.text()
			if r.end() != nil {
				return &DamagedError{bucketDenied}
			}
			bySequence[n] = url
		}
		return nil
	})
	for _, n := range slices.Sorted(maps.Keys(bySequence)) {
		urls = append(urls, bySequence[n])
	}
	return urls, err
}

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
