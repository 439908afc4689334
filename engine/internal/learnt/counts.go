package learnt

import (
	"fmt"
	"math"
	"time"

	"github.com/winnow-go/winnow/engine/internal/judge"
)

// Counts are what comparisons of a template's pages have shown. Both decay: with time, and each where the other one grows. They are kept
// as JSON in files.
type Counts struct {
	// Equal pages had the same text by HTTP and in the browser; of the others the browser showed More.
	Equal float64 `json:"equal"`
	More  float64 `json:"more"`
	// Risk is the highest probability that the evidence of a compared page alone gave: 1 where its scripts surely add something.
	Risk float64 `json:"risk,omitempty"`
	// At is when the last comparison was.
	At time.Time `json:"at"`
}

const (
	// halfLife is after how long a comparison counts half: sites are rebuilt.
	halfLife = 14 * 24 * time.Hour
	// A page that contradicts the earlier ones leaves this much of them. Text that was missed weighs more than a browser that was not needed.
	equalLeft, moreLeft = 0.5, 0.6
	// evidenceWeight is how many comparisons the evidence of a page counts as.
	evidenceWeight = 0.25
	// provenFrom is the sum of counts from which a template counts as proven.
	provenFrom = 0.5
	// staticBelow and dynamicFrom bound the probabilities that a proven template's pages need a browser.
	staticBelow, dynamicFrom = 0.1, 0.5
)

// at lets counts decay until now.
func (c Counts) at(now time.Time) Counts {
	age := now.Sub(c.At)
	if c.At.IsZero() || age <= 0 {
		return c
	}
	left := math.Exp2(-float64(age) / float64(halfLife))
	c.Equal, c.More = c.Equal*left, c.More*left
	return c
}

// with adds a comparison of a page with that risk.
func (c Counts) with(more bool, risk float64, now time.Time) Counts {
	c = c.at(now)
	c.At, c.Risk = now, max(c.Risk, risk)
	if more {
		c.More, c.Equal = c.More+1, c.Equal*equalLeft
	} else {
		c.Equal, c.More = c.Equal+1, c.More*moreLeft
	}
	return c
}

// Proven reports whether pages of the template have been compared of late.
func (c Counts) Proven() bool { return c.Equal+c.More >= provenFrom }

// dynamic is the probability that a page needs a browser, where its evidence alone gives prior.
func (c Counts) dynamic(prior float64) float64 {
	return (c.More + evidenceWeight*prior) / (c.Equal + c.More + evidenceWeight)
}

// Settles reports whether what is known leaves no doubt about a page of that verdict, whatever its scripts may do.
func (c Counts) Settles(v judge.Verdict) bool {
	return c.Proven() && c.Revise(v, Template{}).Choice != judge.Unsure
}

// Revise weighs the verdict of a page with what is known of its template. Of an unproven one it stays as it is.
func (c Counts) Revise(v judge.Verdict, t Template) judge.Verdict {
	if !c.Proven() {
		return v
	}
	p := c.dynamic(v.Dynamic())
	v.Reasons = append([]string{fmt.Sprintf("learnt of %s", t.Pattern)}, v.Reasons...)
	switch {
	case p < staticBelow:
		v.Choice, v.Confidence = judge.Static, 1-p
	case p >= dynamicFrom:
		v.Choice, v.Confidence = judge.Dynamic, p
	default:
		v.Choice, v.Confidence = judge.Unsure, p
	}
	return v
}
