package judge

import (
	"fmt"
	"strings"
	"time"
)

// Choice is what the evidence says.
type Choice string

// The choices.
const (
	Static  Choice = "static"  // plain HTTP gave the page
	Dynamic Choice = "dynamic" // scripts make the page, or a part of it
	Unsure  Choice = "unsure"
)

// Verdict is a choice with its reasons.
type Verdict struct {
	Choice Choice
	// Confidence is 0.5 to 1, by the weights of the evidence. It is not calibrated yet.
	Confidence float64
	Reasons    []string
	// Places are the parts of the page that scripts fill, as far as they are known.
	Places []Place
}

// String is the choice, its confidence, and why.
func (v Verdict) String() string {
	return fmt.Sprintf("%s (%.2f sure): %s", v.Choice, v.Confidence, strings.Join(v.Reasons, ", "))
}

// Sizes in words that the evidence is measured with.
const (
	fewWords  = 30  // less is a shell, a spinner, a "loading" line, or a short page
	someWords = 120 // less is a thin page
)

// lateTimer is the timer from which content comes later than a browser waits for by itself.
const lateTimer = 3 * time.Second

// Weights of evidence are decibans, ten times the logarithm of the odds: +10 makes a page that needs a browser ten times as probable.
const (
	prior        = -9 // one page in nine needs a browser
	certainly    = 20
	staticBelow  = -5
	dynamicAbove = 5
)

// Judge weighs the evidence. A page without scripts needs no weighing.
func Judge(e Evidence) Verdict {
	s := e.Signals
	if s.Scripts == 0 && s.MetaRefresh == "" && s.Wall == "" {
		return Verdict{Choice: Static, Confidence: 1, Reasons: []string{"no scripts"}}
	}
	v := Verdict{Places: e.Places}
	score := prior
	for _, sign := range signs(e, v.Places) {
		if sign.holds {
			score += sign.weight
			v.Reasons = append(v.Reasons, sign.name)
		}
	}
	if len(v.Reasons) == 0 {
		v.Reasons = []string{count(s.TextWords, "word") + ", and no script fills a place"}
	}
	v.Choice, v.Confidence = decide(score)
	return v
}

func decide(score int) (Choice, float64) {
	switch p := probability(score); {
	case score < staticBelow:
		return Static, 1 - p
	case score >= dynamicAbove:
		return Dynamic, p
	default:
		return Unsure, max(p, 1-p)
	}
}

// sign is one named piece of evidence with its weight.
type sign struct {
	name   string
	holds  bool
	weight int
}
