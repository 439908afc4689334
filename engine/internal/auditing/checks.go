package auditing

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Bounds of the audits of pages that are done: each looks at the last page of a template of which many are open, so that a site that
// changes is noticed. Half of them come while the job goes on, and half at its end.
const (
	checkFrom  = 10  // open pages
	checkShare = 300 // one in so many pages that HTTP gave
)

// checkDue queues one of them as often as pages have come.
func (b *Book) checkDue(tx jobs.Tx) error {
	var t totals
	if err := read(tx, jobBucket, keyOf(b.job), &t); err != nil || t.HTTP < 2*checkShare*(t.Checks+1) {
		return err
	}
	return b.checkMost(tx, t, 1)
}

// Last implements [work.Corrections]: when all else is done, the rest of them are queued. There is more as long as a row is left, also
// one whose host needs a pause.
func (b *Book) Last() (more bool, err error) {
	err = b.db.Update(func(tx jobs.Tx) error {
		var t totals
		if err := read(tx, jobBucket, keyOf(b.job), &t); err != nil {
			return err
		}
		if !t.Last {
			t.Last = true
			if err := b.checkMost(tx, t, (t.HTTP+checkShare-1)/checkShare-t.Checks); err != nil {
				return err
			}
		}
		left, _ := rows(tx, againBucket, keyOf(b.job), 1)
		more = len(left) > 0
		return nil
	})
	return more, err
}

// checkMost queues n audits, of the templates where most may be missing. t is written with their number.
func (b *Book) checkMost(tx jobs.Tx, t totals, n int) error {
	for _, digest := range b.riskiest(tx, n) {
		if err := b.check(tx, digest); err != nil {
			return err
		}
	}
	t.Checks += max(n, 0)
	return write(tx, jobBucket, keyOf(b.job), t)
}

// minRisk is that of pages whose evidence shows none: it may be wrong, too.
const minRisk = 0.02

// riskiest are the digests of the templates of whose open pages most may need a browser.
func (b *Book) riskiest(tx jobs.Tx, n int) (digests [][]byte) {
	type open struct {
		digest []byte
		pages  float64 // that may need one
	}
	var list []open
	prefix := keyOf(b.job)
	for k, row := range tx.Scan(templateBucket, prefix) {
		var t template
		if !bytes.HasPrefix(k, prefix) {
			break
		}
		if decode(row, &t) == nil && t.Open >= checkFrom {
			list = append(list, open{bytes.Clone(k[len(prefix):]), float64(t.Open) * max(t.Risk, minRisk)})
		}
	}
	slices.SortFunc(list, func(x, y open) int { return cmp.Or(cmp.Compare(y.pages, x.pages), bytes.Compare(x.digest, y.digest)) })
	for _, o := range list[:max(0, min(n, len(list)))] {
		digests = append(digests, o.digest)
	}
	return digests
}

// check queues the last open page of a template, to be compared.
func (b *Book) check(tx jobs.Tx, digest []byte) error {
	prefix := keyOf(b.job, digest)
	var c work.Correction
	_, values := newest(tx, openBucket, prefix, lastNumber, 1)
	for _, row := range values {
		if err := decode(row, &c); err != nil {
			return err
		}
	}
	c.Check = true
	return write(tx, againBucket, keyOf(b.job, number(c.Sequence)), c)
}
