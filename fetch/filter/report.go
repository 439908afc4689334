package filter

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Reason is why a line of a list was skipped.
type Reason string

// The reasons. A rule with an option that is known but not supported has the
// reason "unsupported option: " and the option's name. RegexRule is what package regexp can't read, as a look ahead; others are applied.
const (
	Malformed        Reason = "malformed"
	LineTooLong      Reason = "line too long"
	PatternTooLong   Reason = "pattern too long"
	TooGeneral       Reason = "too general"
	International    Reason = "host not in ASCII"
	Duplicate        Reason = "duplicate"
	OverLimit        Reason = "over the limit of rules"
	RegexRule        Reason = "unsupported regular expression"
	ExtendedHiding   Reason = "extended hiding"
	StyleRule        Reason = "style rule"
	Scriptlet        Reason = "scriptlet"
	Conditional      Reason = "conditional"
	MarkupRule       Reason = "markup rule"
	BadSelector      Reason = "selector not safe"
	UnknownOption    Reason = "unknown option"
	unsupportedStart Reason = "unsupported option: "
)

// Report describes how one list was read.
type Report struct {
	Name    string // of the list, as in Options
	Lines   int    // lines read, empty ones and comments included
	Rules   int    // request rules taken, exceptions included
	Hiding  int    // hiding rules taken, exceptions included
	Skipped map[Reason]int
	// Examples are the first skipped lines, at most 20 of a list.
	Examples []SkippedLine
	// Truncated is true when the list goes on after Options.MaxBytes; the rest
	// was not read, nor was the line that contains the limit.
	Truncated bool
}

// Summary is the report in a line, with the reasons why lines have no effect, the most frequent first.
func (r Report) Summary() string {
	text := fmt.Sprintf("%s: %d request rules, %d hiding rules", r.Name, r.Rules, r.Hiding)
	total, kinds := 0, []string{}
	for _, why := range slices.SortedFunc(maps.Keys(r.Skipped), r.byCount) {
		total += r.Skipped[why]
		kinds = append(kinds, fmt.Sprintf("%s %d", why, r.Skipped[why]))
	}
	if total > 0 {
		text += fmt.Sprintf("; %d lines have no effect: %s", total, strings.Join(kinds, ", "))
	}
	if r.Truncated {
		text += "; the rest is over the limit of bytes"
	}
	return text
}

func (r Report) byCount(a, b Reason) int { return cmp.Or(r.Skipped[b]-r.Skipped[a], cmp.Compare(a, b)) }

// SkippedLine is a line of a list that has no effect.
type SkippedLine struct {
	Line   int // from 1
	Reason Reason
	Text   string // the first 200 bytes
}

const (
	maxExamples    = 20
	maxExampleText = 200
)

// skip counts a line that has no effect.
func (r *Report) skip(line int, text string, why Reason) {
	r.Skipped[why]++
	if len(r.Examples) < maxExamples {
		short := strings.Clone(text[:min(len(text), maxExampleText)])
		r.Examples = append(r.Examples, SkippedLine{Line: line, Reason: why, Text: short})
	}
}

// Reports returns a report for each list of Options.Lists, in their order. The
// caller may change the slice.
func (s *Set) Reports() []Report {
	reports := slices.Clone(s.reports)
	for i := range reports {
		reports[i].Skipped = maps.Clone(reports[i].Skipped)
		reports[i].Examples = slices.Clone(reports[i].Examples)
	}
	return reports
}
