package noise

import (
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// class is what a part of a block is that may vary.
type class string

const (
	word     class = ""
	numeral  class = "number"
	hourly   class = "time"
	daily    class = "date"
	opaque   class = "token"
	argument class = "parameter"
)

var classes = []class{word, numeral, hourly, daily, opaque, argument}

// part is a part of a block: a word, a number, a mark.
type part struct {
	class      class
	start, end int
	text       string
}

var partPattern = regexp.MustCompile(`(?i)` + opening + `[^` + closing + `]*` + closing +
	`|(?P<argument>[?&][\w.\-\[\]%]{1,40}=[^&#\s()<>"|]*)` +
	`|(?P<date>\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}(?:\.|st|nd|rd|th)?\s+(?:de\s+)?` + monthWords() + `\.?(?:,?\s+(?:de\s+)?\d{4})?|` + monthWords() + `\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?)` +
	`|(?P<time>\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?)` +
	`|(?P<token>[\da-z_-]*(?:\d[a-z_-]*[a-z]|[a-z][a-z_-]*\d)[\da-z_-]*)` +
	`|(?P<number>\d{1,3}(?:[.,'’ \x{a0}]\d{3})+|\d+(?:[.,]\d+)?)|[\pL\pM]+|\s+|.`)

func monthWords() string {
	var all []string
	for i, names := range monthNames {
		all = append(append(all, english[i]), names...)
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return `(?:` + strings.Join(all, "|") + `)\b`
}

const minOpaque = 10 // characters of a token that says nothing

// split returns the parts of a block, and its skeleton.
func (b *block) split() ([]part, string) {
	if b.parts == nil {
		b.parts = parts(b.masked)
		b.skeleton = skeleton(b.parts)
	}
	return b.parts, b.skeleton
}

// parts splits a masked text.
func parts(text string) (list []part) {
	for _, at := range partPattern.FindAllStringSubmatchIndex(text, -1) {
		p := part{start: at[0], end: at[1], text: text[at[0]:at[1]]}
		for i, c := range []class{argument, daily, hourly, opaque, numeral} {
			if at[2+2*i] >= 0 {
				p.class = c
			}
		}
		if p.class == opaque && len(p.text) < minOpaque {
			p.class = word
		}
		list = append(list, p)
	}
	return list
}

// skeleton is the text with the names of the classes in place of what may vary.
func skeleton(list []part) string {
	var out strings.Builder
	for _, p := range list {
		switch p.class {
		case word:
			out.WriteString(p.text)
		case argument:
			name, _, _ := strings.Cut(p.text, "=")
			out.WriteString(name + "=" + opening)
		default:
			out.WriteString(opening + string(p.class) + opening)
		}
	}
	return out.String()
}

// value is a place in a block whose values may vary.
type value struct {
	slot          uint64
	class         class
	before, after string
	guarded       bool // what stands there is never noise unless the caller accepts it
}

// valuesOf returns the places of a block, with nothing in after.
func valuesOf(b *block) (list []value) {
	if !varies(b) {
		return nil
	}
	all, frame := b.split()
	base := hash("value", b.section(), frame)
	for i, p := range all {
		if p.class != word {
			list = append(list, value{
				slot: hash("value", string(p.class), text(base), text(uint64(i))), class: p.class, before: p.text, guarded: isGuarded(b, p),
			})
		}
	}
	return list
}

func text(n uint64) string {
	var buf [8]byte
	for i := range buf {
		buf[i] = byte(n >> (8 * i))
	}
	return string(buf[:])
}

// section is the label of a block, but for the title of its page: pages of one template have others.
func (b *block) section() string {
	if strings.HasPrefix(b.label, "# ") {
		return ""
	}
	return b.label
}

// varies reports a block that may hold values.
func varies(b *block) bool {
	return len(b.masked) <= maxRead && strings.ContainsAny(b.masked, "0123456789=")
}

// differing returns the places in which two blocks differ; false when they differ in more than values.
func differing(before, after *block) (list []value, ok bool) {
	if before == nil || after == nil || before.kind != after.kind || !varies(before) || !varies(after) {
		return nil, false
	}
	_, frame := before.split()
	if _, other := after.split(); frame != other {
		return nil, false
	}
	from, to := valuesOf(before), valuesOf(after)
	for i := range min(len(from), len(to)) {
		if from[i].before != to[i].before {
			v := from[i]
			v.after, v.guarded = to[i].before, v.guarded || to[i].guarded
			list = append(list, v)
		}
	}
	return list, len(list) > 0
}

// isGuarded reports a value that means something because of its neighbours, or of the kind of its block.
func isGuarded(b *block, p part) bool {
	if b.kind == tracking.Heading || b.kind == tracking.Code || strings.Count(b.masked[:p.start], "`")%2 == 1 {
		return true
	}
	segment := segmentAt(b.masked, p.start)
	switch p.class {
	case numeral:
		return guarded(b.masked, p.start, p.end) || precious(segment) || precious(headerCell(b, p.start)) || digits(segment) > 12
	case daily, hourly:
		return dateLabel.MatchString(tail(b.masked[:p.start])) || goesOnAsRange(b.masked[p.end:]) || b.kind != tracking.Paragraph
	}
	return false
}

// digits counts those of a text: numbers of phones, accounts and articles have many.
func digits(text string) (n int) {
	for _, r := range marked.ReplaceAllString(text, "") {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

// segmentAt is the part of a text between separators that a place lies in.
func segmentAt(text string, at int) string {
	start, end := 0, len(text)
	for i, r := range text {
		if strings.ContainsRune("|·•;()", r) {
			if i < at {
				start = i
			} else {
				end = min(end, i)
			}
		}
	}
	return text[start:end]
}

// headerCell is the head of the column that a place in a row lies in.
func headerCell(b *block, at int) string {
	if b.kind != tracking.Row {
		return ""
	}
	cells := strings.Split(b.header, "|")
	return cells[min(strings.Count(b.masked[:at], "|"), len(cells)-1)]
}
