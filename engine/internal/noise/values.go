package noise

import (
	"regexp"
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
	dayName  class = "day"
)

var classes = []class{word, numeral, hourly, daily, opaque, argument, dayName}

// split returns the parts of a block, and its skeleton.
func (b *block) split() ([]part, string) {
	if b.parts == nil {
		b.parts = parts(b.masked)
		b.skeleton = skeleton(b.parts)
	}
	return b.parts, b.skeleton
}

// skeleton is the text with the names of the classes in place of what may vary.
func skeleton(list []part) string {
	var out strings.Builder
	for i, p := range list {
		switch p.class {
		case word:
			if i > 1 && list[i-2].class == numeral { // "1 bid", "2 bids"
				out.WriteString(strings.TrimRight(p.text, "sen"))
				continue
			}
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
	guard         guard
	strange       bool // of another order of magnitude than what stood there before
}

// valuesOf returns the places of a block, with nothing in after. The list is kept: it is read only.
func valuesOf(b *block) []value {
	if !varies(b) {
		return nil
	}
	if b.values == nil {
		b.values = b.readValues()
	}
	return b.values
}

func (b *block) readValues() []value {
	all, frame := b.split()
	base := hash("value", b.section(), frame)
	list := []value{}
	for i, p := range all {
		if p.class != word {
			list = append(list, value{
				slot: hash("value", string(p.class), text(base), text(uint64(i))), class: p.class, before: p.text, guard: guardOf(b, p),
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
	if !strings.ContainsAny(b.label, "0123456789") {
		return b.label
	}
	return skeleton(parts(b.label))
}

// varies reports a block that may hold values.
func varies(b *block) bool {
	return len(b.masked) <= maxRead && (strings.ContainsAny(b.masked, "0123456789=") || namesADay(b))
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
			v.after, v.guard = to[i].before, max(v.guard, to[i].guard)
			list = append(list, v)
		}
	}
	return list, len(list) > 0
}

// maxNaming is how long a block may be of which a day of the week is a value, in bytes: in longer ones it is a word.
const maxNaming = 120

var daysOfWeek = regexp.MustCompile(`(?i)` + weekdayWords())

func namesADay(b *block) bool {
	if len(b.masked) > maxNaming || b.kind == tracking.Code {
		return false
	}
	if b.day == 0 {
		b.day = -1
		if daysOfWeek.MatchString(b.masked) {
			b.day = 1
		}
	}
	return b.day > 0
}

// guard is how much evidence a value needs to be noise because of its neighbours, or of the kind of its block.
type guard int

const (
	free   guard = iota
	wary         // it has to vary at nearly every check
	always       // it always counts, unless the caller accepts it: money, stocks, measures, versions, dates of events, code
)

func guardOf(b *block, p part) guard {
	if b.kind == tracking.Code || strings.Count(b.masked[:p.start], "`")%2 == 1 {
		return always
	}
	segment, before := segmentAt(b.masked, p.start), tail(b.masked[:p.start])
	when := p.class == daily || p.class == hourly || p.class == dayName
	switch {
	case b.kind == tracking.Heading && !strings.HasSuffix(before, "("), when && dateLabel.MatchString(before):
		return always
	case p.class == numeral && (precious(segment) || precious(headerCell(b, p.start)) || digits(segment) > maxDigits ||
		preciousBefore.MatchString(before) || preciousAfter.MatchString(b.masked[p.end:]) && !hoursBefore.MatchString(before)):
		return always
	case b.kind == tracking.Heading, p.class == numeral && guarded(b.masked, p.start, p.end),
		when && (goesOnAsRange(b.masked[p.end:]) || b.kind != tracking.Paragraph):
		return wary
	}
	return free
}

// maxDigits is how many digits a part of a text has that is no number of a phone, an account or an article.
const maxDigits = 12

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
