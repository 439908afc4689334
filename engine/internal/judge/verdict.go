package judge

import (
	"fmt"
	"slices"
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
	// Confidence is the probability that the choice is right: of a static page that a browser shows no more, of others that it does.
	Confidence float64
	Reasons    []string
	// Places are the parts of the page that scripts fill, as far as they are known, and Added those that they add to.
	Places, Added []Place

	dynamic float64
}

// Late is the longest timer of seconds before what scripts write; 0 for none.
func (v Verdict) Late() (after time.Duration) {
	for _, p := range slices.Concat(v.Places, v.Added) {
		if p.Late() {
			after = max(after, p.After)
		}
	}
	return after
}

// Dynamic is the probability that the page needs a browser, by its own evidence.
func (v Verdict) Dynamic() float64 { return v.dynamic }

// String is the choice, its confidence, and why.
func (v Verdict) String() string {
	return fmt.Sprintf("%s (%.2f sure): %s", v.Choice, v.Confidence, strings.Join(v.Reasons, ", "))
}

// Sizes in words that the evidence is measured with.
const (
	fewWords  = 30  // less is a shell, a spinner, a "loading" line, or a short page
	someWords = 120 // less is a thin page
	manyWords = 300 // of main content: more is a page that stands by itself
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

// Judge weighs the evidence. A page without scripts that count needs no weighing.
func Judge(e Evidence) Verdict {
	s := e.Signals
	if e.Inert() {
		return Verdict{Choice: Static, Confidence: 1, Reasons: []string{"no scripts"}}
	}
	v := Verdict{Places: e.Places, Added: e.Added}
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
	v.dynamic = probability(score)
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
		return Unsure, p
	}
}

// sign is one named piece of evidence with its weight.
type sign struct {
	name   string
	holds  bool
	weight int
}
