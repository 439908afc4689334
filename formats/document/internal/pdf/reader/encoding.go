package reader

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/charmap"
)

// glyphNames turns names of glyphs into text. It is of one file and one goroutine.
type glyphNames map[string]string

// text is what a glyph name means, "" if nothing is known.
func (g glyphNames) text(n string) string {
	if t, ok := g[n]; ok {
		return t
	}
	t := nameText(n)
	if len(g) < 1<<16 {
		g[n] = t
	}
	return t
}

// nameText follows the Adobe Glyph List specification: what is before a dot counts, underscores part the components, and a
// component is a name of the list, or "uni" or "u" with code points in hexadecimal digits.
func nameText(n string) string {
	n, _, _ = strings.Cut(n, ".")
	var out strings.Builder
	for part := range strings.SplitSeq(n, "_") {
		out.WriteString(componentText(part))
	}
	return out.String()
}

func componentText(n string) string {
	if r, ok := listedRune(n); ok && r >= 0xe000 && r < 0xf900 {
		return variantText(n)
	} else if ok {
		return string(r)
	}
	if hex, ok := strings.CutPrefix(n, "uni"); ok && len(hex) >= 4 && len(hex)%4 == 0 {
		var out strings.Builder
		for ; len(hex) >= 4; hex = hex[4:] {
			r, err := strconv.ParseUint(hex[:4], 16, 32)
			if err != nil {
				return ""
			}
			out.WriteRune(rune(r))
		}
		return out.String()
	}
	if hex, ok := strings.CutPrefix(n, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		if r, err := strconv.ParseUint(hex, 16, 32); err == nil && utf8.ValidRune(rune(r)) {
			return string(rune(r))
		}
	}
	return ""
}

// variantText is the character that a glyph is a form of: the list gives small capitals, figures of the old style and the like
// characters of private use.
func variantText(n string) string {
	for _, suffix := range []string{"oldstyle", "inferior", "superior", "sans", "serif"} {
		if base, ok := strings.CutSuffix(n, suffix); ok {
			return componentText(strings.Replace(base, "register", "registered", 1))
		}
	}
	if base, ok := strings.CutSuffix(n, "small"); ok {
		return strings.ToLower(componentText(base))
	}
	return ""
}

// listedRune looks a name up in the glyph list of the object reader. The list is not exported, but a font whose
// Differences give a name to a code is decoded with it; so such a font is made, of one glyph.
func listedRune(n string) (rune, bool) {
	if len(n) == 1 && n[0] >= 'A' && n[0] <= 'z' {
		return rune(n[0]), true
	}
	if n == "" || len(n) > 40 || strings.ContainsFunc(n, func(r rune) bool { return r > '~' || r < '!' || isDelimiter(byte(r)) || r == '#' }) {
		return 0, false
	}
	const code = 1
	var b bytes.Buffer
	b.WriteString(overlayHeader)
	b.WriteString(strings.Repeat(" ", 100)) // the reader looks at the last 100 bytes and fails if there aren't as many
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 0\ntrailer\n<</Size 0/F<</Encoding<</Differences[%d/%s]>>>>>>\nstartxref\n%d\n%%%%EOF\n", code, n, at)
	out := rune(code)
	safely(func() {
		r, err := pdf.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			return
		}
		f := pdf.Font{V: r.Trailer().Key("F")}
		out, _ = utf8.DecodeRuneInString(f.Encoder().Decode(string(rune(code))))
	})
	return out, out != code
}

// standard is StandardEncoding (ISO 32000-1, annex D) where it differs from ASCII.
var standard = map[byte]rune{
	0x27: '’', 0x60: '‘', 0xA1: '¡', 0xA2: '¢', 0xA3: '£', 0xA4: '⁄', 0xA5: '¥', 0xA6: 'ƒ', 0xA7: '§', 0xA8: '¤',
	0xA9: '\'', 0xAA: '“', 0xAB: '«', 0xAC: '‹', 0xAD: '›', 0xAE: 'ﬁ', 0xAF: 'ﬂ', 0xB1: '–', 0xB2: '†', 0xB3: '‡',
	0xB4: '·', 0xB6: '¶', 0xB7: '•', 0xB8: '‚', 0xB9: '„', 0xBA: '”', 0xBB: '»', 0xBC: '…', 0xBD: '‰', 0xBF: '¿',
	0xC1: '`', 0xC2: '´', 0xC3: 'ˆ', 0xC4: '˜', 0xC5: '¯', 0xC6: '˘', 0xC7: '˙', 0xC8: '¨', 0xCA: '˚', 0xCB: '¸',
	0xCD: '˝', 0xCE: '˛', 0xCF: 'ˇ', 0xD0: '—', 0xE1: 'Æ', 0xE3: 'ª', 0xE8: 'Ł', 0xE9: 'Ø', 0xEA: 'Œ', 0xEB: 'º',
	0xF1: 'æ', 0xF5: 'ı', 0xF8: 'ł', 0xF9: 'ø', 0xFA: 'œ', 0xFB: 'ß',
}

// symbol is the encoding of the font Symbol, 0 where it has no character.
var symbol = func() (t [256]rune) {
	copy(t[0x20:], []rune(" !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"))
	copy(t[0xA0:], []rune("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"))
	copy(t[0xF1:], []rune("〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"))
	return t
}()

// dingbats is the encoding of the font ZapfDingbats for the marks that texts use; the rest are ornaments.
var dingbats = func() (t [256]rune) {
	for c := 0x21; c <= 0x7E; c++ {
		t[c] = rune(0x2700 + c - 0x20)
	}
	t[' '], t['l'], t['m'], t['n'], t['o'], t['u'], t['w'] = ' ', '●', '❍', '■', '❏', '◆', '◗'
	return t
}()

// baseEncoding is the table of a named encoding.
func baseEncoding(n string) (t [256]rune) {
	var cm *charmap.Charmap
	switch n {
	case "WinAnsiEncoding":
		cm = charmap.Windows1252
	case "MacRomanEncoding":
		cm = charmap.Macintosh
	case "Symbol":
		return symbol
	case "ZapfDingbats":
		return dingbats
	default:
		for c := 0x20; c < 0x7f; c++ {
			t[c] = rune(c)
		}
		for c, r := range standard {
			t[c] = r
		}
		return t
	}
	for c := range 256 {
		if r := cm.DecodeByte(byte(c)); r >= ' ' && r != utf8.RuneError && (r < 0x7f || r >= 0xa0) {
			t[c] = r
		}
	}
	if n == "WinAnsiEncoding" {
		for c := 0x7f; c < 0xa0; c++ {
			if t[c] == 0 {
				t[c] = '•' // the standard's filling for unused codes
			}
		}
	}
	return t
}
