package since

import (
	"github.com/winnow-go/winnow/crawl"
)

// Held is a page that went, or one that came and shows what a known page did: at the end it is known which of them have moved.
type Held struct {
	URL string `json:"url"`
	Key string `json:"key"`
	// Sum of what it shows.
	Sum string `json:"sum,omitempty"`
	// Data is the holder's.
	Data []byte `json:"data,omitempty"`
}

// Kinds of what is held.
const (
	gone = 'g'
	came = 'c'
	goal = 'm' // the address that a page has moved to
)

func (b *Book) heldRow(kind byte, key string) []byte { return b.row([]byte{kind}, hash(key)) }

// Led notes that a page has moved to where the page with a key is, which is none that came.
func (b *Book) Led(tx crawl.Tx, key string) error {
	return put(tx, bucketHeld, b.heldRow(goal, key), Held{Key: key})
}

func (b *Book) isLed(tx crawl.Tx, key string) bool {
	return tx.Get(bucketHeld, b.heldRow(goal, key)) != nil
}

// Gone holds a page that is there no longer.
func (b *Book) Gone(tx crawl.Tx, h Held) error { return put(tx, bucketHeld, b.heldRow(gone, h.Key), h) }

// Came holds a page that is new, where a known one showed the same, and reports whether it did. So it does for one that another has moved
// to.
func (b *Book) Came(tx crawl.Tx, h Held) (held bool, err error) {
	if b.isLed(tx, h.Key) {
		return true, nil
	}
	if like := b.bySum(tx, h.Sum); like == nil || like.key() == h.Key {
		return false, nil
	}
	return true, put(tx, bucketHeld, b.heldRow(came, h.Key), h)
}

// Settle takes one page out of what is held, and calls one of the functions for it, in one transaction: moved for a page that came where
// another with the same text went, added and removed for the others. It reports whether there was one.
func (b *Book) Settle(moved func(tx crawl.Tx, from, to Held) error, added, removed func(crawl.Tx, Held) error) (more bool, err error) {
	err = b.db.Update(func(tx crawl.Tx) error {
		more = false
		h, kind := b.firstHeld(tx)
		if kind == 0 {
			return nil
		}
		more = true
		switch {
		case kind == gone:
			return b.settleGone(tx, h, removed)
		case kind == goal:
			return tx.Delete(bucketHeld, b.heldRow(goal, h.Key))
		}
		return b.settleCame(tx, h, moved, added)
	})
	return more, err
}

// firstHeld returns those that came before those that went: what is left of these has not moved.
func (b *Book) firstHeld(tx crawl.Tx) (h Held, kind byte) {
	b.each(tx, bucketHeld, nil, func(key, row []byte) bool {
		if read(row, &h) {
			kind = key[0]
		}
		return kind == 0
	})
	return h, kind
}

func (b *Book) settleGone(tx crawl.Tx, h Held, removed func(crawl.Tx, Held) error) error {
	if err := tx.Delete(bucketHeld, b.heldRow(gone, h.Key)); err != nil {
		return err
	}
	if err := b.Delete(tx, h.Key); err != nil {
		return err
	}
	return removed(tx, h)
}

func (b *Book) settleCame(tx crawl.Tx, h Held, moved func(tx crawl.Tx, from, to Held) error, added func(crawl.Tx, Held) error) error {
	if err := tx.Delete(bucketHeld, b.heldRow(came, h.Key)); err != nil {
		return err
	}
	if b.isLed(tx, h.Key) {
		return nil
	}
	var from Held
	found := false
	b.each(tx, bucketHeld, []byte{gone}, func(key, row []byte) bool {
		found = key[0] == gone && read(row, &from) && from.Sum != "" && from.Sum == h.Sum
		return !found && key[0] == gone
	})
	if !found {
		return added(tx, h)
	}
	if err := tx.Delete(bucketHeld, b.heldRow(gone, from.Key)); err != nil {
		return err
	}
	if err := b.Delete(tx, from.Key); err != nil {
		return err
	}
	return moved(tx, from, h)
}
