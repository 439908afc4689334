package auditing

import (
	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Next implements [work.Corrections]. The newest pages come first: a template that has changed has changed for those.
func (b *Book) Next() (c work.Correction, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	err = b.db.View(func(tx jobs.Tx) error {
		_, values := newest(tx, againBucket, keyOf(b.job), lastNumber, len(b.inHand)+1)
		for _, row := range values {
			c = work.Correction{}
			if err := decode(row, &c); err != nil {
				return err
			}
			if ok = !b.inHand[c.Sequence]; ok {
				return nil
			}
		}
		return nil
	})
	if err != nil || !ok {
		return work.Correction{}, false, err
	}
	b.inHand[c.Sequence] = true
	return c, true, nil
}

// Done implements [work.Corrections].
func (b *Book) Done(c work.Correction) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.inHand, c.Sequence)
}

// InHand implements [work.Corrections].
func (b *Book) InHand() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.inHand)
}

// Bounds of what is kept of pages that could not be got again.
const (
	maxKept   = 100
	maxReason = 300 // bytes
)

// Keep implements [work.Corrections].
func (b *Book) Keep(c work.Correction, why error) func(jobs.Tx) error {
	settle := b.settling(c, nil, why.Error())
	return func(tx jobs.Tx) error { return settle(tx, 0, 0) }
}

// Settle returns what ends a correction, in the transaction in which its page is replaced, or stays, since there was no more to see: then
// results are 0. r has what a comparison showed; nil for none.
func (b *Book) Settle(c work.Correction, r *page.Route) func(tx jobs.Tx, first uint64, results int) error {
	return b.settling(c, r, "")
}

func (b *Book) settling(c work.Correction, r *page.Route, why string) func(tx jobs.Tx, first uint64, results int) error {
	return func(tx jobs.Tx, _ uint64, results int) error {
		if err := tx.Delete(againBucket, keyOf(b.job, number(c.Sequence))); err != nil {
			return err
		}
		if err := b.change(tx, func(t *totals) { t.settle(c, why, results) }); err != nil {
			return err
		}
		return b.changeTemplate(tx, c.Template, func(t *template, digest []byte) error {
			switch {
			case results > 0:
				t.HTTP--
				t.Same = 0
			case why == "" && !c.Check:
				t.Same++
			}
			if t.Same >= enoughSame {
				t.Same = 0
				if err := b.letStand(tx, c.Template); err != nil {
					return err
				}
			}
			return b.settle(tx, t, digest, c, r)
		})
	}
}

// enoughSame is how many pages of a template have to show no more, one after the other, until the older ones are taken to be right: they
// were got before it changed.
const enoughSame = 5

// letStand takes what is left of a template off the list.
func (b *Book) letStand(tx jobs.Tx, digest string) error {
	keys, values := rows(tx, againBucket, keyOf(b.job), maxOpen)
	for i, key := range keys {
		var c work.Correction
		if err := decode(values[i], &c); err != nil {
			return err
		}
		if c.Template != digest || c.Check {
			continue
		}
		if err := tx.Delete(againBucket, key); err != nil {
			return err
		}
	}
	return nil
}

func (t *totals) settle(c work.Correction, why string, results int) {
	switch {
	case results > 0:
		t.Corrected += results
		t.HTTP, t.Browser = t.HTTP-results, t.Browser+results
	case why != "" && len(t.Kept) < maxKept:
		if t.Kept == nil {
			t.Kept = map[string]string{}
		}
		t.Kept[c.Found.URL] = clip.Bytes(why, maxReason)
	}
}

// settle takes up what the last audit of a template has shown. Its page is closed by that, too.
func (b *Book) settle(tx jobs.Tx, t *template, digest []byte, c work.Correction, r *page.Route) error {
	own := keyOf(b.job, digest, number(c.Sequence))
	if tx.Get(openBucket, own) != nil {
		t.Open--
		if err := tx.Delete(openBucket, own); err != nil {
			return err
		}
	}
	if !c.Check || r == nil || r.Compared == nil {
		return nil
	}
	return b.compared(tx, t, digest, &page.Route{Both: true, Compared: r.Compared}, c.Sequence)
}
