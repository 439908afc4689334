package page

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/formats"
)

// Choice is what the signals of a plain page say.
type Choice string

// The choices.
const (
	Static  Choice = "static"  // plain HTTP gave the page
	Dynamic Choice = "dynamic" // scripts make the page
	Unsure  Choice = "unsure"
)

// Verdict is a choice with its reasons and how sure it is, 0.5 to 1.
type Verdict struct {
	Choice  Choice
	reasons []string
	sure    float64
}

// String is the choice, how sure it is, and why.
func (v Verdict) String() string {
	return fmt.Sprintf("%s (%.2f sure): %s", v.Choice, v.sure, strings.Join(v.reasons, ", "))
}

// Scores at which the choice is clear; between them it is not.
const (
	staticBelow  = 0.25
	dynamicAbove = 0.6
)

// Sizes in words and bytes that the signals are measured with.
const (
	fewWords    = 30  // less is a shell, a spinner, a "loading" line
	someWords   = 120 // less is a thin page
	heavyScript = 50  // inline script bytes per word of text
)

// Judge scores the named signals of a plain HTML page. Each adds or takes
// evidence that scripts make its content; a page without scripts needs no scoring.
func Judge(status int, s formats.Signals) Verdict {
	if s.Scripts == 0 && s.MetaRefresh == "" && s.Wall == "" {
		return Verdict{Choice: Static, sure: 1, reasons: []string{"no scripts"}}
	}
	score, reasons := 0.1, []string(nil)
	for _, e := range evidence(status, s) {
		if e.holds {
			score += e.weight
			reasons = append(reasons, e.name)
		}
	}
	if len(reasons) == 0 {
		reasons = []string{fmt.Sprintf("%d words", s.TextWords)}
	}
	return decide(score, reasons)
}

func decide(score float64, reasons []string) Verdict {
	switch {
	case score < staticBelow:
		return Verdict{Static, reasons, min(0.75+(staticBelow-score), 1)}
	case score >= dynamicAbove:
		return Verdict{Dynamic, reasons, min(0.7+(score-dynamicAbove)/2, 1)}
	}
	return Verdict{Unsure, reasons, 0.5}
}

// sign is one named signal and its weight.
type sign struct {
	name   string
	holds  bool
	weight float64
}

func evidence(status int, s formats.Signals) []sign {
	return []sign{
		{"wall: " + s.Wall, s.Wall != "", 0.8},
		{"meta refresh", s.MetaRefresh != "", 0.6},
		{"empty mount node #" + s.EmptyMount, s.EmptyMount != "", 0.5},
		{"asks for JavaScript", s.NoscriptAsks, 0.4},
		{fmt.Sprintf("only %d words", s.TextWords), s.TextWords < fewWords, 0.5},
		{fmt.Sprintf("thin: %d words", s.TextWords), s.TextWords >= fewWords && s.TextWords < someWords, 0.2},
		{s.Framework + " without server-rendered text", s.Framework != "" && !s.ServerRendered, 0.4},
		{s.Framework + " with server-rendered text", s.Framework != "" && s.ServerRendered, -0.1},
		{"main content empty", s.MainWords == 0 && s.TextWords >= fewWords, 0.3},
		{"placeholders for content to come", s.LazyContent > 0, 0.15},
		{"more script than text", s.ScriptBytes > heavyScript*max(s.TextWords, fewWords) && s.TextWords < 4*someWords, 0.15},
		{fmt.Sprintf("status %d", status), guardedStatus(status), 0.3},
		{fmt.Sprintf("%d words of main content", s.MainWords), s.MainWords >= 2*someWords, -0.3},
	}
}

// guardedStatus are the answers that walls give to clients they take for robots.
func guardedStatus(status int) bool {
	switch status {
	case http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	}
	return false
}

// TokenRecall is the share of want's words, counted with repeats, that have has.
func TokenRecall(have, want string) float64 {
	left := map[string]int{}
	for _, w := range strings.Fields(have) {
		left[w]++
	}
	found, total := 0, 0
	for _, w := range strings.Fields(want) {
		total++
		if left[w] > 0 {
			left[w]--
			found++
		}
	}
	return share(found, total)
}

// SetRecall is the share of want that is in have.
func SetRecall(have, want []string) float64 {
	in := make(map[string]bool, len(have))
	for _, h := range have {
		in[h] = true
	}
	found := 0
	for _, w := range want {
		if in[w] {
			found++
		}
	}
	return share(found, len(want))
}

func share(found, total int) float64 {
	if total == 0 {
		return 1
	}
	return float64(found) / float64(total)
}
