package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Words counts the words of s: runs of letters, digits and marks. In scripts written without spaces
// (Han, kana, Thai, Lao, Khmer, Burmese) every letter counts as half a word.
func Words(s string) int {
	words, halves, in := 0, 0, false
	for i := 0; i < len(s); {
		if k := wordKinds[s[i]]; k != beyondASCII {
			if k == ofWord && !in {
				words++
			}
			in = k == ofWord || in && k == inWord
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unspaced(r):
			halves++
			in = false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if !in {
				words++
			}
			in = true
		default:
			in = in && r == '’'
		}
	}
	return words + (halves+1)/2
}

// wordKinds says of each byte what it is to a word.
var wordKinds = func() (kinds [256]uint8) {
	for c := range kinds {
		switch {
		case c >= utf8.RuneSelf:
			kinds[c] = beyondASCII
		case isASCIIWord(byte(c)):
			kinds[c] = ofWord
		case c == '\'' || c == '-':
			kinds[c] = inWord
		}
	}
	return kinds
}()

const (
	ofWord      = 1 + iota
	inWord      // it does not end one
	beyondASCII // part of a longer character
)

func isASCIIWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// unspaced reports a letter of a script that puts no spaces between words.
func unspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r < 0x0F00: // Thai, Lao
		return unicode.IsLetter(r)
	case r >= 0x1000 && r < 0x10A0, r >= 0x1780 && r < 0x1800: // Burmese, Khmer
		return unicode.IsLetter(r)
	case r >= 0x3040 && r < 0xA000: // kana, Han
		return unicode.IsLetter(r)
	}
	return r >= 0xF900 && r < 0xFB00 || r >= 0x20000 && r < 0x32000
}

// sentences counts marks that end a sentence, in any script. A point counts only where a word ends with it.
func sentences(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c > '?' && c < 0xD8: // most are letters
		case c == '.' || c == '!' || c == '?':
			if i+1 == len(s) || s[i+1] <= ' ' || s[i+1] == '"' || s[i+1] == '\'' || s[i+1] == ')' || s[i+1] >= utf8.RuneSelf {
				n++
			}
		case c >= 0xD8 && endsSentence(s[i:]):
			n++
		}
	}
	return n
}

// endsSentence reports whether s begins with a mark beyond ASCII that ends a sentence.
func endsSentence(s string) bool {
	switch s[0] {
	case 0xD8: // Arabic question mark
		return strings.HasPrefix(s, "؟")
	case 0xDB: // Urdu full stop
		return strings.HasPrefix(s, "۔")
	case 0xE0: // danda
		return strings.HasPrefix(s, "।")
	case 0xE1: // Ethiopic, Khmer and Burmese full stops
		return strings.HasPrefix(s, "።") || strings.HasPrefix(s, "។") || strings.HasPrefix(s, "။")
	case 0xE2:
		return strings.HasPrefix(s, "…")
	case 0xE3:
		return strings.HasPrefix(s, "。")
	case 0xEF:
		return strings.HasPrefix(s, "！") || strings.HasPrefix(s, "？") || strings.HasPrefix(s, "｡")
	}
	return false
}

// folder writes text with every run of white space folded to one space.
type folder struct {
	b     []byte
	from  int  // where the text begins; what is before it in b is another one
	space bool // a space is due before the next visible character
}

func (f *folder) gap() { f.space = true }

func (f *folder) text(s string) {
	for from := 0; from < len(s); {
		to, size := nodes.NextFold(s, from)
		if to > from {
			if f.space && len(f.b) > f.from {
				f.b = append(f.b, ' ')
			}
			f.space = false
			f.b = append(f.b, s[from:to]...)
		}
		f.space = f.space || size > 0
		from = to + size
	}
}

func (f *folder) String() string { return string(f.b) }

// next begins another text.
func (f *folder) next() { f.from, f.space = len(f.b), false }

// lower puts the text in lower case.
func (f *folder) lower() {
	text := f.b[f.from:]
	for i, c := range text {
		if c >= utf8.RuneSelf {
			f.b = append(f.b[:f.from], strings.ToLower(string(text))...)
			return
		}
		if c >= 'A' && c <= 'Z' {
			text[i] = c + 'a' - 'A'
		}
	}
}
