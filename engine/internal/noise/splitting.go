package noise

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

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
	`|(?P<weekday>` + weekdayWords() + `)` +
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

// weekdayNames are the names of the days of the week, and their short forms in English and German.
var weekdayNames = strings.Fields(`sunday monday tuesday wednesday thursday friday saturday
	sonntag montag dienstag mittwoch donnerstag freitag samstag sonnabend
	dimanche lundi mardi mercredi jeudi vendredi samedi domingo lunes martes miércoles jueves viernes sábado
	domenica lunedì martedì mercoledì giovedì venerdì sabato segunda-feira terça-feira quarta-feira quinta-feira sexta-feira
	zondag maandag dinsdag woensdag donderdag vrijdag zaterdag воскресенье понедельник вторник среда четверг пятница суббота
	niedziela poniedziałek wtorek środa czwartek piątek sobota söndag måndag tisdag onsdag torsdag fredag lördag
	pazartesi salı çarşamba perşembe cumartesi cuma pazar
	sun mon tue wed thu fri sat so mo di mi do fr sa`)

func weekdayWords() string {
	return `(?:` + strings.Join(weekdayNames, "|") + `|[日月火水木金土]曜日?|星期[日一二三四五六])\b`
}

// named are the words in ASCII that are, or begin, the name of a day or month.
var named = func() map[string]bool {
	words := map[string]bool{}
	for _, list := range append(monthNames[:], english, weekdayNames) {
		for _, name := range list {
			words[name] = true
		}
	}
	return words
}()

const minOpaque = 10 // characters of a token that says nothing

// parts splits a masked text. What partPattern takes for a word at its first look is most of a text, and is found without it.
func parts(text string) (list []part) {
	for at := 0; at < len(text); {
		if n := plainLength(text[at:]); n > 0 {
			list = append(list, part{start: at, end: at + n, text: text[at : at+n]})
			at += n
			continue
		}
		next := partsAt(text, at)
		list = append(list, next...)
		at = next[len(next)-1].end
	}
	return list
}

// plainLength is the length of what a text begins with where that is surely nothing but a word, white space or a mark; 0 if partPattern has
// to say what it is.
func plainLength(text string) int {
	switch c := text[0]; {
	case isLetter(c):
		n := runOf(text, isLetter)
		if named[strings.ToLower(text[:n])] || n < len(text) && goesOn(text[n]) {
			return 0
		}
		return n
	case isSpace(c):
		return runOf(text, isSpace)
	case c >= utf8.RuneSelf, isDigit(c), strings.IndexByte(opening+"?&-_", c) >= 0:
		return 0
	}
	return 1
}

// goesOn reports what a word or token may go on with behind letters of ASCII.
func goesOn(c byte) bool { return c >= utf8.RuneSelf || c == '-' || c == '_' || isDigit(c) }

func runOf(text string, of func(byte) bool) int {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\v' }

// partsAt is what partPattern finds at a place of a text. It looks back no further, so what is before needn't be shown to it.
func partsAt(text string, from int) []part {
	at := partPattern.FindStringSubmatchIndex(text[from:])
	p := part{start: from, end: from + at[1], text: text[from : from+at[1]]}
	for i, c := range []class{argument, daily, hourly, dayName, word, opaque, numeral} {
		if at[2+2*i] >= 0 {
			p.class = c
		}
	}
	if at[10] >= 0 { // "16d": a number and its unit
		n := strings.IndexFunc(p.text, func(r rune) bool { return r > '9' })
		return []part{{numeral, p.start, p.start + n, p.text[:n]}, {word, p.start + n, p.end, p.text[n:]}}
	}
	if p.class == opaque && len(p.text) < minOpaque {
		p.class = word
	}
	return []part{p}
}
