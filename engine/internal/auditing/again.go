package auditing

import (
	"bytes"
	"cmp"
	"slices"

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
		_, values := newest(tx, againBucket, keyOf(b.job), sequenceSize, len(b.inHand)+1)
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

// Bounds of the audits at the end of a job: each looks at the last page of a template of which many pages are open.
const (
	lastFrom  = 10  // open pages
	lastShare = 200 // one in so many pages that HTTP gave
)

// Last implements [work.Corrections]: when all else is done, the templates with the most open pages are audited once more, so that a site
// that has changed halfway is noticed.
func (b *Book) Last() (more bool, err error) {
	err = b.db.Update(func(tx jobs.Tx) error {
		more = false
		var t totals
		if err := read(tx, jobBucket, keyOf(b.job), &t); err != nil {
			return err
		}
		if t.Last {
			left, _ := rows(tx, againBucket, keyOf(b.job), 1)
			more = len(left) > 0
			return nil
		}
		t.Last = true
		if err := write(tx, jobBucket, keyOf(b.job), t); err != nil {
			return err
		}
		for _, digest := range b.fullest(tx, (t.HTTP+lastShare-1)/lastShare) {
			if err := b.check(tx, digest); err != nil {
				return err
			}
			more = true
		}
		return nil
	})
	return more, err
}

// fullest are the digests of the templates with the most open pages.
func (b *Book) fullest(tx jobs.Tx, n int) (digests [][]byte) {
	type open struct {
		digest []byte
		pages  int
	}
	var list []open
	prefix := keyOf(b.job)
	for k, row := range tx.Scan(templateBucket, prefix) {
		var t template
		if !bytes.HasPrefix(k, prefix) {
			break
		}
		if decode(row, &t) == nil && t.Open >= lastFrom {
			list = append(list, open{bytes.Clone(k[len(prefix):]), t.Open})
		}
	}
	slices.SortFunc(list, func(x, y open) int { return cmp.Or(y.pages-x.pages, bytes.Compare(x.digest, y.digest)) })
	for _, o := range list[:min(n, len(list))] {
		digests = append(digests, o.digest)
	}
	return digests
}

// check queues the last open page of a template, to be compared.
func (b *Book) check(tx jobs.Tx, digest []byte) error {
	prefix := keyOf(b.job, digest)
	var c work.Correction
	_, values := newest(tx, openBucket, prefix, sequenceSize, 1)
	for _, row := range values {
		if err := decode(row, &c); err != nil {
			return err
		}
	}
	c.Check = true
	return write(tx, againBucket, keyOf(b.job, number(c.Sequence)), c)
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
	return b.compared(tx, t, digest, &page.Route{Both: true, Compared: r.Compared})
}
