package noise

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	`|(?P<weekday>` + weekdayWords + `)` +
	`|(?P<short>\d+[a-z]{1,3}\b)` +
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

// weekdayWords are the names of the days of the week, and their short forms in English and German.
const weekdayWords = `(?:(?:sun|mon|tues|wednes|thurs|fri|satur)day|sonntag|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|` +
	`dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi|domingo|lunes|martes|miércoles|jueves|viernes|sábado|` +
	`domenica|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|` +
	`zondag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|воскресенье|понедельник|вторник|среда|четверг|пятница|суббота|` +
	`niedziela|poniedziałek|wtorek|środa|czwartek|piątek|sobota|söndag|måndag|tisdag|onsdag|torsdag|fredag|lördag|` +
	`pazartesi|salı|çarşamba|perşembe|cumartesi|cuma|pazar|[日月火水木金土]曜日?|星期[日一二三四五六]|sun|mon|tue|wed|thu|fri|sat|so|mo|di|mi|do|fr|sa)\b`

const minOpaque = 10 // characters of a token that says nothing

// split returns the parts of a block, and its skeleton.
func (b *block) split() ([]part, string) {
	if b.parts == nil {
		b.parts = parts(b.masked)
		b.skeleton = skeleton(b.parts)
	}
	return b.parts, b.skeleton
}

// parts splits a masked text. The pattern is tried only where it may find more than a word or white space: it took a third of all time.
func parts(text string) (list []part) {
	for at := 0; at < len(text); {
		if n := plainLength(text[at:]); n > 0 {
			list = append(list, part{word, at, at + n, text[at : at+n]})
			at += n
			continue
		}
		found := partPattern.FindStringSubmatchIndex(text[at:])
		list = appendPart(list, text, shifted(found, at))
		at += found[1]
	}
	return list
}

// appendPart adds what the pattern found.
func appendPart(list []part, text string, at []int) []part {
	p := part{start: at[0], end: at[1], text: text[at[0]:at[1]]}
	for i, c := range []class{argument, daily, hourly, dayName, word, opaque, numeral} {
		if at[2+2*i] >= 0 {
			p.class = c
		}
	}
	if at[10] >= 0 { // "16d": a number and its unit
		n := strings.IndexFunc(p.text, func(r rune) bool { return r > '9' })
		return append(list, part{numeral, p.start, p.start + n, p.text[:n]}, part{word, p.start + n, p.end, p.text[n:]})
	}
	if p.class == opaque && len(p.text) < minOpaque {
		p.class = word
	}
	return append(list, p)
}

// plainLength is how long the part is that a text begins with, where that is certainly white space, a word in ASCII that no name of a month
// or a day begins like, or a sign that begins no other part; else 0.
func plainLength(text string) (n int) {
	for n < len(text) && text[n] < utf8.RuneSelf && unicode.IsLetter(rune(text[n])) {
		n++
	}
	switch {
	case n == 0 && strings.IndexByte(" \t\n\f\r", text[0]) >= 0:
		return len(text) - len(strings.TrimLeft(text, " \t\n\f\r"))
	case n == 0 && strings.IndexByte("!\"#$%'()*+,./:;<=>@[\\]^`{|}~", text[0]) >= 0:
		return 1
	case n < len(text) && (text[n] >= utf8.RuneSelf || strings.IndexByte("0123456789_-", text[n]) >= 0) || namesBegin[nameBeginning(text[:n])]:
		return 0
	}
	return n
}

// namesBegin has the beginnings of the names of months and days.
var namesBegin = func() map[[3]byte]bool {
	all := map[[3]byte]bool{}
	for name := range strings.FieldsFuncSeq(monthWords()+" "+weekdayWords, func(r rune) bool { return !unicode.IsLetter(r) }) {
		all[nameBeginning(name)] = true
	}
	return all
}()

// nameBeginning is up to three letters of ASCII, in lower case.
func nameBeginning(word string) (b [3]byte) {
	for i := range min(len(b), len(word)) {
		b[i] = word[i] | 0x20
	}
	return b
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

var daysOfWeek = regexp.MustCompile(`(?i)` + weekdayWords)

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
