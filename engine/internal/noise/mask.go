package noise

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// mark is a part of a block that a built-in rule takes for noise.
type mark struct {
	rule, text string
	moment     time.Time     // that it means; zero: none is known
	slack      time.Duration // how exact the moment is
}

// masker replaces the parts of a text that rules take for noise.
type masker struct {
	version Version
	off     func(rule string) bool // rules that were taken back
	kind    tracking.BlockKind
	prose   bool // a long text: what stands in it is said of something
	digits  bool
	open    gate
	marks   []mark
}

// The signs around the name of a rule in a masked text. Pages have none: they are taken out before.
const (
	opening = "\x01"
	closing = "\x02"

	relativeSign = "relative"
)

// maxProse is how many words a block may have in which a number beside a word such as “comments” is a counter. Longer ones are texts in
// which such a number is a fact.
const maxProse = 30

// maxRead is how long a block may be, in bytes, in which more is looked for than addresses: no label, counter or card is as long.
const maxRead = 4096

// mask returns a block in which what the rules take for noise is replaced by the names of the rules.
func (m *masker) mask(text string) string {
	text = strings.NewReplacer(opening, "", closing, "").Replace(text)
	m.prose = len(strings.Fields(text)) > maxProse
	if m.kind == tracking.Code {
		return text
	}
	if len(text) > maxRead {
		return m.addresses(text)
	}
	m.digits, m.open = strings.ContainsAny(text, "0123456789"), openGates(text)
	var out strings.Builder
	for part, code := range tracking.Prose(text) {
		if !code {
			part = m.maskProse(part)
		}
		out.WriteString(part)
	}
	return out.String()
}

func (m *masker) maskProse(text string) string {
	text = m.addresses(text)
	if m.kind == tracking.Heading {
		return m.counters(text)
	}
	for _, step := range []func(string) string{m.requests, m.relatives, m.clocks, m.counters} {
		text = step(text)
	}
	return text
}

// put notes a mark and returns what stands for it.
func (m *masker) put(k mark) string {
	m.marks = append(m.marks, k)
	if kindOf(k.rule) == RelativeDate { // what is to come is past some days later
		return opening + relativeSign + closing
	}
	return opening + k.rule + closing
}

// plain visits the parts of a text that aren't masked yet and aren't addresses, and replaces them.
func plain(text string, replace func(string) string) string {
	var out strings.Builder
	for text != "" {
		start, end := nextFixed(text)
		out.WriteString(replace(text[:start]))
		out.WriteString(text[start:end])
		text = text[end:]
	}
	return out.String()
}

// nextFixed is where the next part stands that isn't to be changed: a mark, or the address of a link.
func nextFixed(text string) (start, end int) {
	for i := range len(text) {
		switch {
		case text[i] == opening[0]:
			return i, i + max(1, strings.IndexByte(text[i:], closing[0])+1)
		case strings.HasPrefix(text[i:], "]("):
			return i, i + 2 + addressLength(text[i+2:])
		case strings.HasPrefix(text[i:], "://"):
			return i, i + addressLength(text[i:])
		}
	}
	return len(text), len(text)
}

// addressLength is how far an address reaches: to white space, or a bracket that it hasn't opened.
func addressLength(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case ' ', '<', '>', '"', '|':
			return i
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(text)
}

// each replaces the matches of a pattern for which judge returns a mark. A match doesn't begin or end inside a word or a number.
func (m *masker) each(text string, pattern *regexp.Regexp, judge func(whole string, at []int) (mark, bool)) string {
	return plain(text, func(part string) string {
		var out strings.Builder
		done := 0
		for from := 0; from < len(part); {
			at := pattern.FindStringSubmatchIndex(part[from:])
			if at == nil {
				break
			}
			at = shifted(at, from)
			k, ok := mark{}, false
			if at[1] > at[0] && !inside(part, at[0]) && !inside(part, at[1]) {
				k, ok = judge(part, at)
			}
			if !ok || m.off(k.rule) {
				from = max(at[0]+runeLength(part[at[0]:]), from+1)
				continue
			}
			out.WriteString(part[done:at[0]])
			k.text = part[at[0]:at[1]]
			out.WriteString(m.put(k))
			done, from = at[1], at[1]
		}
		return out.String() + part[done:]
	})
}

func shifted(at []int, by int) []int {
	at = slices.Clone(at)
	for i := range at {
		if at[i] >= 0 {
			at[i] += by
		}
	}
	return at
}
