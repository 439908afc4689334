package tracking

import (
	"unicode"
	"unicode/utf8"
)

// fold makes every run of white space one space, none at the ends, and drops
// zero-width characters. "foo<zero-width space>bar" thus equals "foobar".
func fold(line string) string {
	if folded(line) {
		return line
	}
	out, space := make([]byte, 0, len(line)), false
	for _, r := range line {
		switch {
		case unicode.IsSpace(r):
			space = len(out) > 0
		case zeroWidth(r):
		default:
			if space {
				out, space = append(out, ' '), false
			}
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// folded reports whether fold has nothing to do, as with most lines.
func folded(line string) bool {
	space := true // as if one stood before the line
	for _, r := range line {
		switch {
		case r > ' ' && r < 0x80: // nearly always
			space = false
		case r == ' ' && !space:
			space = true
		case r == ' ', unicode.IsSpace(r), zeroWidth(r):
			return false
		default:
			space = false
		}
	}
	return !space || line == ""
}

// zeroWidth are the characters that take no room of their own: joiners, marks of
// direction, soft hyphens. Those that distinguish one flag or one letter from another,
// variation selectors and tags, are not among them.
func zeroWidth(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x61C, r == 0x180E, r == 0xFEFF:
		return true
	}
	return r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F
}
