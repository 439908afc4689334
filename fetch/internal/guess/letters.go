package guess

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// charmaps are the encodings of single bytes that are guessed, by their names in the standard.
var charmaps = map[string]*charmap.Charmap{
	Western: charmap.Windows1252, "windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1253": charmap.Windows1253,
	"windows-1254": charmap.Windows1254, "windows-1255": charmap.Windows1255, "windows-1256": charmap.Windows1256, "windows-1257": charmap.Windows1257,
	"windows-874": charmap.Windows874, "iso-8859-2": charmap.ISO8859_2, "iso-8859-5": charmap.ISO8859_5, "iso-8859-6": charmap.ISO8859_6,
	"iso-8859-7": charmap.ISO8859_7, "koi8-r": charmap.KOI8R, "koi8-u": charmap.KOI8U, "ibm866": charmap.CodePage866,
}

// language is what is known of languages that are written with single bytes: their letters beyond ASCII in lower case, the most frequent
// first, and the encodings that they are written in.
type language struct {
	letters   string
	latin     bool   // ASCII letters stand among the others
	encodings string // names
}

// languages are those of the web that single-byte encodings were made for. The order of their letters is that of article 1 of the
// Universal Declaration of Human Rights and of usual frequency tables, https://www.sttmedia.com/characterfrequencies.
func languages() []language {
	return []language{
		{"éèàçêùâîôûëïœ", true, Western}, {"äüöß", true, Western}, {"óíáéñúü¿¡", true, Western}, {"ãçáéóêíõâúàô", true, Western},
		{"àèéìòù", true, Western}, {"äåöéøæ", true, Western}, {"ëéïèöü", true, Western}, {"áíðéóæöþúý", true, Western},
		{"íáéěřýčžšůúťňďó", true, "windows-1250 iso-8859-2"}, {"łąęóżśćńź", true, "windows-1250 iso-8859-2"},
		{"áéőöüíóűú", true, "windows-1250 iso-8859-2"}, {"áíčéžýšúľťôňóäďŕĺ", true, "windows-1250 iso-8859-2"},
		{"ăîşţâ", true, "windows-1250 iso-8859-2"}, {"čšžćđ", true, "windows-1250 iso-8859-2"}, {"ıüşçöğâî", true, "windows-1254"},
		{"āīēšņūļķģčž", true, "windows-1257"}, {"ėųšžįūčąę", true, "windows-1257"}, {"äõüöšž", true, "windows-1257"},
		{"оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", false, "windows-1251 koi8-r ibm866 iso-8859-5"},
		{"оаиніветрслкдмпузяьбгчйхцжїюєшщфґ", false, "windows-1251 koi8-u iso-8859-5"}, {"аиоетнрсвлкдпмъзгяубчщжцшйюхфь", false, "windows-1251"},
		{"αοιετσνηυρπκμλςίόάγέήδχώθφβύξζψϊϋ", false, "windows-1253 iso-8859-7"}, {"יוהלארתמבשנכעדםחקפסטןגזצךץף", false, "windows-1255"},
		{"اليمنوتربعدسفهكقةأحجشصطىخذزضثغءئظإؤآ", false, "windows-1256 iso-8859-6"},
		{"าน่รอก้เงิวมัยลดท์สตะปบคหแพีจำขุใชไึผโู็ถซื๊ธศณษฐฎญภ", false, "windows-874"},
	}
}

// Shares of what is beyond ASCII in a text: the rest are the language's letters in lower case.
const (
	upperShare  = 0.06
	markShare   = 0.07
	otherShare  = 0.004 // letters of other languages
	symbolShare = 0.001
	unsaidShare = 1e-9 // controls, and bytes that stand for nothing
)

// marks are what texts have beside letters, the most frequent first.
const marks = "\u00a0–’“”«»—„…‘·°№§©®€£•½²"

// Logarithms of how probable it is that characters stand beside each other.
var (
	neighbor   = math.Log(0.06) // a letter beyond ASCII beside another one in a Latin script, or beside an ASCII one in another script
	capitalize = math.Log(0.02) // an upper-case letter behind a lower-case one
	numbered   = math.Log(0.1)  // a letter beside a digit
)

// letterGuesser is one encoding of one language.
type letterGuesser struct {
	name    string
	latin   bool
	weights [128]float64
	kinds   [128]letterKind
}

type letterKind uint8

const (
	noLetter letterKind = iota
	digit
	lowerLetter
	upperLetter
)

func letterGuessers() (list []guesser) {
	for _, l := range languages() {
		for name := range strings.FieldsSeq(l.encodings) {
			list = append(list, l.in(name))
		}
	}
	return list
}

// in makes the tables for an encoding.
func (l language) in(name string) *letterGuesser {
	g := &letterGuesser{name: name, latin: l.latin}
	ranks, total := ranksOf(l.letters)
	for i := range g.weights {
		r := charmaps[name].DecodeByte(byte(0x80 + i))
		g.weights[i] = math.Log(share(r, ranks, total))
		switch {
		case unicode.IsUpper(r):
			g.kinds[i] = upperLetter
		case unicode.IsLetter(r) || unicode.IsMark(r):
			g.kinds[i] = lowerLetter
		}
	}
	return g
}

// ranksOf gives each letter a share that falls with its rank.
func ranksOf(letters string) (shares map[rune]float64, total float64) {
	shares = map[rune]float64{}
	for _, r := range letters {
		s := 1 / float64(len(shares)+4)
		shares[r], total = s, total+s
	}
	return shares, total
}

// share is how much of what is beyond ASCII a character makes.
func share(r rune, letters map[rune]float64, total float64) float64 {
	lower := unicode.ToLower(r)
	own, isOwn := letters[lower]
	mark := strings.IndexRune(marks, r)
	switch {
	case isOwn && lower == r:
		return (1 - upperShare - markShare) * own / total
	case isOwn:
		return upperShare * own / total
	case mark >= 0:
		return markShare / float64(mark+3)
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return otherShare / 60
	case unicode.IsControl(r), r == unicode.ReplacementChar:
		return unsaidShare
	}
	return symbolShare / 60
}

func (g *letterGuesser) encoding() string { return g.name }

func (g *letterGuesser) score(text []byte) (sum float64) {
	before, beyond := noLetter, false
	for _, b := range text {
		kind, high := g.kind(b), b >= 0x80
		if high {
			sum += g.weights[b-0x80]
		}
		if high || beyond {
			sum += g.beside(before, kind, high == beyond)
		}
		before, beyond = kind, high
	}
	return sum
}

// beside is the weight of two neighbors one of which is beyond ASCII, at least.
func (g *letterGuesser) beside(before, kind letterKind, both bool) (sum float64) {
	if before == noLetter || kind == noLetter {
		return 0
	}
	if before == digit || kind == digit {
		return numbered
	}
	if g.latin == both {
		sum += neighbor
	}
	if before == lowerLetter && kind == upperLetter {
		sum += capitalize
	}
	return sum
}

func (g *letterGuesser) kind(b byte) letterKind {
	switch {
	case b >= 0x80:
		return g.kinds[b-0x80]
	case b >= 'A' && b <= 'Z':
		return upperLetter
	case b >= 'a' && b <= 'z':
		return lowerLetter
	case b >= '0' && b <= '9':
		return digit
	}
	return noLetter
}
