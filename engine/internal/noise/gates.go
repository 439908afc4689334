package noise

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gate stands for words of which a text has to have one before a group of patterns is worth being tried. Most texts have none.
type gate uint32

const (
	unitGate gate = 1 << iota // units of time
	dayGate                   // yesterday, today
	monthGate
	durationGate
	countdownGate
	requestGate
	pictogramGate
	verbGate
	counterGates // the first of several
)

// gates are the beginnings of words, with what they open.
var gates = buildGates()

// maxBeginning bounds the beginnings of words, in runes.
const maxBeginning = 8

func buildGates() map[string]gate {
	all := map[string]gate{}
	add := func(g gate, words string) {
		for _, w := range strings.Fields(words) {
			if w = beginning(w); w != "" {
				all[w] |= g
			}
		}
	}
	for _, u := range units {
		add(unitGate, u.words)
	}
	for i, names := range monthNames {
		add(monthGate, english[i]+" "+strings.Join(names, " "))
	}
	for i, c := range counterWords {
		add(counterGates<<i, strings.ReplaceAll(strings.ReplaceAll(c.words, `(?:other_)?(?:people|persons|shoppers|customers|users|visitors|guests|readers|viewers|travell?ers|others)_`,
			"people persons shoppers customers users visitors guests readers viewers travel others "), `(?:users?_|members?_|guests?_)?online`, "users members guests online "))
	}
	add(dayGate, "just moments moment seconds gerade instant ahora proprio agora zojuist только vorgestern avant anteayer позавчера yesterday gestern hier ayer ieri ontem gisteren вчера "+
		"wczoraj igår går dün today heute aujourd hoy oggi hoje vandaag сегодня dzisiaj idag dag bugün tomorrow morgen demain mañana domani amanhã завтра jutro imorgon yarın")
	add(durationGate, "generated rendered loaded served created found took result erzeugt geladen")
	add(countdownGate, "end start close expire begin noch left remaining go")
	add(verbGate, "viewed read watched played seen visited downloaded shared saved liked bought sold used rated")
	add(requestGate, "request ray trace session correlation csrf visit instance")
	return all
}

var notLetter = regexp.MustCompile(`[^\pL].*$`)

// beginning is how the words begin that a pattern is for. A letter that is optional in it is none of it.
func beginning(pattern string) string {
	start := notLetter.ReplaceAllString(strings.TrimPrefix(pattern, "(?:"), "")
	if strings.HasPrefix(pattern[min(len(start), len(pattern)):], "?") {
		_, size := utf8.DecodeLastRuneInString(start)
		start = start[:len(start)-size]
	}
	runes := []rune(start)
	return string(runes[:min(len(runes), maxBeginning)])
}

// openGates are the gates of a text. Where words aren't written apart, all are open.
func openGates(text string) (open gate) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		n := 0
		for i, r := range word {
			if unspaced(r) {
				return ^gate(0)
			}
			if n++; n > maxBeginning {
				break
			}
			open |= gates[word[:i+utf8.RuneLen(r)]]
		}
	}
	if pictogram.MatchString(text) {
		open |= pictogramGate
	}
	return open
}
