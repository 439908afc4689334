package documenttest

import (
	"fmt"
	"strings"
)

var vocabulary = strings.Fields(`about across act added after again air along also among area around arrive ask autumn away bank basic bay because
before begin below bench between birch boat border both bridge brief bright broad brown build calm canal capital carry castle cause center change
charter clay clear climb cloud coast cold common copper corner cotton council count country course cover craft cross current daily dark dealer deep
depend design distance district double dozen draw dry during early earth east edge effort eight empty engine enough enter estimate evening event every
exchange expect express fabric factor fall family farm fast ferry field figure final finish firm fish flat flood floor follow forest formal forward
found fresh front frost further garden gather general glass gold grain granite grass gravel green ground grow guide half hall hand harbour hard harvest
heavy height hill history hold hour house human idea inch include income increase industry inland inner island join journey keep kind lake lamp land
large last late layer leave level light limit line little local long lower main manage many map market material matter measure member metal middle mile
mill modern month moor morning mountain narrow nature near need never next night north notice number observe offer often old only open orchard order
other outer over owner paint paper part pass path people period place plain plan plant point port power present produce public quarter quiet railway
rain raise rather reach reason record region remain repair report require rest result return ridge rise river road rock roof room round route rural
salt sand season second section seldom sell series settle several shallow share shelter ship shore short side signal silver simple since small smoke
soil source south space spring square stage stand state station steel still stone store storm street strong summer supply surface survey system table
tall temper thin third thread through tide timber toward tower town trade train travel tree under until upper urban valley value various vessel village
visit voice wagon wall water way weather weight west wheel whole wide wild wind winter within without wood work world yard year yellow young
administration agricultural circumstances communication considerable construction development electricity environment establishment
international investigation manufacturing opportunities organization particularly responsibility significantly transportation understanding`)

func (s *sheet) word() string { return vocabulary[s.IntN(len(vocabulary))] }

// sentence begins with a capital letter and ends with a stop.
func (s *sheet) sentence() string {
	words := make([]string, s.between(6, 18))
	for i := range words {
		words[i] = s.soft(s.word())
		if i > 2 && i < len(words)-1 && s.chance(8) {
			words[i] += ","
		}
	}
	return upper(strings.Join(words, " ")) + one(s, ".", ".", ".", ".", "?")
}

// soft parts a long word by a soft hyphen, where the page has some.
func (s *sheet) soft(w string) string {
	if !s.shy || len(w) < 9 {
		return w
	}
	at := len(w) / 2
	return w[:at] + "&shy;" + w[at:]
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// text is some sentences, now and then with a word in bold or italics, or a link.
func (s *sheet) text(sentences int) string {
	var out []string
	for range sentences {
		t := s.sentence()
		if s.chance(12) {
			first, rest, _ := strings.Cut(t, " ")
			t = fmt.Sprintf(one(s, "<b>%s</b> %s", "<i>%s</i> %s", `<a href="https://example.com/">%s</a> %s`), first, rest)
		}
		out = append(out, t)
	}
	return strings.Join(out, " ")
}

// title is a heading's text.
func (s *sheet) title() string {
	words := make([]string, s.between(2, 5))
	for i := range words {
		words[i] = s.word()
	}
	return upper(strings.Join(words, " "))
}

// item is a list item's text: a few words, or a sentence or two.
func (s *sheet) item() string {
	if s.chance(60) {
		return s.title()
	}
	return s.text(s.between(1, 2))
}

// name is one or two words with capitals.
func (s *sheet) name() string {
	if s.chance(50) {
		return upper(s.word())
	}
	return upper(s.word()) + " " + upper(s.word())
}

func (s *sheet) price() string {
	return fmt.Sprintf("%d.%02d", s.IntN(one(s, 10, 100, 1000)), s.IntN(100))
}

func (s *sheet) date() string {
	return fmt.Sprintf("20%02d-%02d-%02d", s.between(10, 29), s.between(1, 12), s.between(1, 28))
}
