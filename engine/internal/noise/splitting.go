package noise

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
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
			first, _, _ := strings.Cut(name, "-")
			words[first] = true
		}
	}
	return words
}()

const minOpaque = 10 // characters of a token that says nothing

// parts splits a masked text, as partPattern does. It finds most without it.
func parts(text string) (list []part) {
	for at := 0; at < len(text); {
		n, class := plainPart(text[at:])
		if n == 0 {
			list = append(list, partsAt(text, at)...)
		} else {
			list = append(list, part{class, at, at + n, text[at : at+n]})
		}
		at = list[len(list)-1].end
	}
	return list
}

// plainPart is the length and class of what a text begins with where that is evident; 0 if partPattern has to say what it is.
func plainPart(text string) (int, class) {
	switch c := text[0]; {
	case isLetter(c):
		return plainWord(text)
	case isDigit(c):
		return plainNumber(text), numeral
	case isSpace(c):
		return runOf(text, isSpace), word
	case c >= utf8.RuneSelf:
		return plainMark(text), word
	case strings.IndexByte(opening+"?&-_", c) >= 0:
		return 0, word
	}
	return 1, word
}

// plainWord knows words and tokens of ASCII that begin with a letter and are no name of a day or month.
func plainWord(text string) (int, class) {
	letters, all := runOf(text, isLetter), runOf(text, inToken)
	switch {
	case named[strings.ToLower(text[:letters])], all < len(text) && text[all] >= utf8.RuneSelf:
		return 0, word
	case !strings.ContainsAny(text[:all], "0123456789"):
		return letters, word
	}
	return all, tokenClass(all)
}

func tokenClass(length int) class {
	if length < minOpaque {
		return word
	}
	return opaque
}

// plainNumber knows a number of digits alone, behind which no unit, fraction, group of digits or name of a month comes.
func plainNumber(text string) int {
	n := runOf(text, isDigit)
	if n == len(text) || strings.IndexByte("()[]|%*!;\"", text[n]) >= 0 {
		return n
	}
	spaces := runOf(text[n:], isSpace)
	rest := text[n+spaces:]
	letters := runOf(rest, isLetter)
	if name := strings.ToLower(rest[:letters]); spaces == 0 || letters == 0 || name == "de" || named[name] ||
		letters < len(rest) && rest[letters] >= utf8.RuneSelf {
		return 0
	}
	return n
}

// plainMark knows a character that is no letter: those of ASCII alone have a meaning of their own.
func plainMark(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if unicode.In(r, unicode.L, unicode.M) {
		return 0
	}
	return n
}

func runOf(text string, of func(byte) bool) int {
	n := 0
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func inToken(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' || c == '_' }

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
	if p.class == opaque {
		p.class = tokenClass(len(p.text))
	}
	return []part{p}
}
