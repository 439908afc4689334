package content

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words counts the words of s: runs of letters, digits and marks. In scripts written without spaces
// (Han, kana, Thai, Lao, Khmer, Burmese) every letter counts as half a word.
func Words(s string) int {
	words, halves, in := 0, 0, false
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			w := isASCIIWord(c)
			if w && !in {
				words++
			}
			in = w || in && (c == '\'' || c == '-')
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
	b     strings.Builder
	space bool // a space is due before the next visible character
}

func (f *folder) gap() { f.space = true }

func (f *folder) text(s string) {
	for len(s) > 0 {
		i := strings.IndexFunc(s, unicode.IsSpace)
		if i != 0 {
			word := s
			if i > 0 {
				word = s[:i]
			}
			if f.space && f.b.Len() > 0 {
				f.b.WriteByte(' ')
			}
			f.space = false
			f.b.WriteString(word)
			s = s[len(word):]
			continue
		}
		f.space = true
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
}
