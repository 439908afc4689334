package auditing

import (
	"bytes"
	"math"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Report is what a job says of how it got its pages. Its fields are those of the engine's type.
type Report struct {
	HTTP, Browser, Cache         int               // documents by how they came
	Oldest                       time.Time         // when the oldest document from the cache was stored; zero without any
	Audits                       int               // pages got both ways though HTTP seemed enough
	Overturned                   []string          // patterns of the templates of which an audit showed more, the first hundred
	Corrected                    int               // documents that have taken the place of others
	Kept                         map[string]string // pages that could not be got again, each with the reason, the first hundred
	Missed, MissedMin, MissedMax float64           // the share of text that is missing in what HTTP gave: an estimate, and its bounds
}

// maxOverturned bounds how many templates a report names.
const maxOverturned = 100

// ReportOf reads the report of a job.
func ReportOf(db work.DB, job string) (r Report, err error) {
	err = db.View(func(tx jobs.Tx) error {
		var t totals
		if err := read(tx, jobBucket, keyOf(job), &t); err != nil {
			return err
		}
		r = Report{HTTP: t.HTTP, Browser: t.Browser, Cache: t.Cache, Oldest: t.Oldest, Corrected: t.Corrected, Kept: t.Kept}
		var s sums
		prefix := keyOf(job)
		for k, row := range tx.Scan(templateBucket, prefix) {
			var one template
			if !bytes.HasPrefix(k, prefix) {
				break
			}
			if err := decode(row, &one); err != nil {
				return err
			}
			r.add(one)
			s.add(one)
		}
		r.Missed, r.MissedMin, r.MissedMax = s.estimate()
		return nil
	})
	return r, err
}

func (r *Report) add(t template) {
	r.Audits += t.Audits
	if t.Overturned > 0 && len(r.Overturned) < maxOverturned {
		r.Overturned = append(r.Overturned, t.Pattern)
	}
}

// sums are what an estimate is made of.
type sums struct{ pages, audits, overturned, words, missed int }

// add leaves out templates whose pages came by the browser in the end: nothing is missing there.
func (s *sums) add(t template) {
	if t.HTTP == 0 {
		return
	}
	s.pages, s.audits, s.words, s.missed = s.pages+t.HTTP, s.audits+t.Audits, s.words+t.Words, s.missed+t.Missed
	if !t.Dynamic { // the pages of others were got again
		s.overturned += t.Overturned
	}
}

// estimate: the words that agreeing audits missed all the same, and between none and as many pages as a share of the audits whose true
// value would make them improbable (Wilson's interval), each without any of its text.
func (s sums) estimate() (share, low, high float64) {
	switch {
	case s.pages == 0:
		return 0, 0, 0
	case s.audits == 0:
		return 0, 0, 1
	case s.words > 0:
		share = float64(s.missed) / float64(s.words)
	}
	low, high = wilson(s.overturned, s.audits)
	return share, min(low, share), max(high, share)
}

// wilson returns the bounds of a share of which k in n were seen, with a probability of 95 % (E. B. Wilson, JASA 22, 1927).
func wilson(k, n int) (low, high float64) {
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, centre-half), min(1, centre+half)
}
