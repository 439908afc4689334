package reader

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// Drawn fonts (Type 3) of TeX and of some printers name a glyph by its code: pdfTeX and Ghostscript "a65", others "G41" in hexadecimal
// digits, dvips "BT", which is 65+360 to the base of 36. Such a name says which code was drawn, if not in which encoding.

// numberedTexts are the texts of glyphs by code, where all names are numbers in one of these ways; nil where they aren't. A glyph that
// was only counted has none.
func numberedTexts(names map[byte]string) map[byte]string {
	dvips := numbered(names, dvipsNumber)
	if !dvips && !numbered(names, decimalNumber) && !numbered(names, hexNumber) {
		return nil
	}
	text := windowsText
	switch {
	case counted(names):
		text = func(byte) string { return "" }
	case hasCode(names, 27, 31) && !hasCode(names, 11, 15) || dvips && hasCode(names, 128, 255):
		text = corkText
	case dvips || hasCode(names, 11, 15):
		text = oldTeXText
	}
	out := map[byte]string{}
	for c := range names {
		out[c] = text(c)
	}
	return out
}

// numbered reports whether each name is the number of its code.
func numbered(names map[byte]string, number func(string) (uint64, error)) bool {
	for c, n := range names {
		if got, err := number(n); err != nil || got != uint64(c) {
			return false
		}
	}
	return true
}

func decimalNumber(n string) (uint64, error) {
	digits := strings.TrimLeft(n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return strconv.ParseUint(digits, 10, 8)
}

func hexNumber(n string) (uint64, error) {
	if len(n) != 3 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseUint(n[1:], 16, 8)
}

func dvipsNumber(n string) (uint64, error) {
	v, err := strconv.ParseUint(n, 36, 16)
	return v - 360, err
}

// counted reports whether the codes are those of glyphs that were counted as they came, which says nothing of their characters:
// without a gap, or from the first codes on.
func counted(names map[byte]string) bool {
	const few = 8
	low, high, controls := 255, 0, 0
	for c := range names {
		low, high = min(low, int(c)), max(high, int(c))
		if c < 11 {
			controls++
		}
	}
	return controls*4 > len(names) || len(names) > few && high-low+1 == len(names) && high < '~'
}

func hasCode(names map[byte]string, low, high byte) bool {
	for c := range names {
		if c >= low && c <= high {
			return true
		}
	}
	return false
}

func windowsText(c byte) string {
	if r := charmap.Windows1252.DecodeByte(c); c >= ' ' && c != 0x7f {
		return string(r)
	}
	return ""
}

// oldTeXText is TeX's first encoding of text, OT1.
func oldTeXText(c byte) string {
	low := []string{
		"Γ", "Δ", "Θ", "Λ", "Ξ", "Π", "Σ", "Υ", "Φ", "Ψ", "Ω", "ff", "fi", "fl", "ffi", "ffl",
		"ı", "ȷ", "`", "´", "ˇ", "˘", "¯", "˚", "¸", "ß", "æ", "œ", "ø", "Æ", "Œ", "Ø",
	}
	other := map[byte]string{
		'"': "”", '\'': "’", '<': "¡", '>': "¿", '\\': "“", '_': "˙", '`': "‘", '{': "–", '|': "—", '}': "˝", '~': "˜", 127: "¨",
	}
	switch t, has := other[c]; {
	case int(c) < len(low):
		return low[c]
	case has:
		return t
	case c < 128:
		return string(rune(c))
	}
	return ""
}

// corkText is TeX's later one, T1; its accented capitals and small letters stand where Latin-1 has them.
func corkText(c byte) string {
	low := []string{
		"`", "´", "ˆ", "˜", "¨", "˝", "˚", "ˇ", "˘", "¯", "˙", "¸", "˛", "‚", "‹", "›",
		"“", "”", "„", "«", "»", "–", "—", "", "₀", "ı", "ȷ", "ff", "fi", "fl", "ffi", "ffl",
	}
	other := map[byte]string{'\'': "’", '`': "‘", 127: "-", 215: "Œ", 223: "SS", 247: "œ", 255: "ß"}
	switch t, has := other[c]; {
	case int(c) < len(low):
		return low[c]
	case has:
		return t
	case c < 128 || c >= 192:
		return string(rune(c))
	}
	return ""
}
