package llm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible drops the characters that people don't see and models read: zero width, bidirectional
// controls, tags, variation selectors, fillers, control characters other than tab and line ends.
// Joiners between two letters or signs outside ASCII stay, for some scripts and emoji need them.
// Bytes that aren't UTF-8 become U+FFFD. Text without such characters is returned as it is.
func Visible(text string) string {
	if isVisible(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	last := rune(-1)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if invisible(r) && (!joiner(r) || !joins(last, text[i:])) {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func isVisible(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, invisible) < 0
}

func joiner(r rune) bool { return r == '\u200C' || r == '\u200D' }

// joins reports whether a joiner has something to join: visible runes outside ASCII on both sides.
func joins(last rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if next == '\uFE0F' { // a heart is drawn in color by this selector, and joined after it
		return false
	}
	return last >= 0x80 && next >= 0x80 && next != utf8.RuneError && !invisible(last) && !invisible(next)
}

func invisible(r rune) bool {
	if r < 0x80 {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7F
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		r >= 0xE0000 && r <= 0xE0FFF
}
