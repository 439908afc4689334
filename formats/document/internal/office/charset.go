package office

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// decodeText brings a text to UTF-8: by its byte order mark, by the declared charset, or as detected.
func decodeText(body []byte, declared string) ([]byte, error) {
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return validUTF8(body[3:]), nil
	case bytes.HasPrefix(body, []byte{0xFE, 0xFF}), bytes.HasPrefix(body, []byte{0xFF, 0xFE}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(body)
	case utf8.Valid(body):
		return withoutZeros(body), nil
	}
	if enc, name := charset.Lookup(declared); enc != nil && name != "utf-8" && name != "replacement" {
		return enc.NewDecoder().Bytes(body)
	}
	out, err := detectEncoding(body).NewDecoder().Bytes(body)
	return validUTF8(out), err
}

// detectEncoding guesses. Ambiguous text is windows-1252.
func detectEncoding(body []byte) encoding.Encoding {
	const window, sure, fair = 64 << 10, 80, 15
	sample := body[:min(len(body), window)]
	label := "windows-1252"
	best := statistics(sample)
	wide := detectWide(sample)
	switch {
	case best.Confidence >= sure:
		label = encodingLabel(best.Charset)
	case wide != "":
		label = wide
	case best.Confidence >= fair:
		label = encodingLabel(best.Charset)
	}
	if label == "UTF-8" {
		return encoding.Nop
	}
	if enc, name := charset.Lookup(label); enc != nil && name != "replacement" {
		return enc
	}
	return charmap.Windows1252
}

// statistics is the detector's best guess. Of equal ones, which it gives in any order, the first by name.
func statistics(sample []byte) chardet.Result {
	all, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil || len(all) == 0 {
		return chardet.Result{}
	}
	return slices.MinFunc(all, func(a, b chardet.Result) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Charset, b.Charset))
	})
}

// encodingLabel translates the detector's names.
func encodingLabel(name string) string {
	switch name {
	case "ISO-8859-1":
		return "windows-1252"
	case "ISO-8859-9":
		return "windows-1254"
	case "GB-18030":
		return "gb18030"
	}
	return name
}

// wideEncoding is an encoding of two bytes a character: the lead bytes of all its characters, and of the common ones.
type wideEncoding struct {
	label        string
	lead, common func(b byte) bool
	trail        func(b byte) bool
}

func within(lo, hi byte) func(byte) bool { return func(b byte) bool { return b >= lo && b <= hi } }

func either(a, b func(byte) bool) func(byte) bool {
	return func(c byte) bool { return a(c) || b(c) }
}

// wideEncodings in the order in which they are preferred when equally good.
var wideEncodings = []wideEncoding{
	{"shift_jis", either(within(0x81, 0x9F), within(0xE0, 0xFC)), within(0x81, 0x98), either(within(0x40, 0x7E), within(0x80, 0xFC))},
	{"euc-jp", within(0xA1, 0xFE), within(0xA4, 0xA5), within(0xA1, 0xFE)},
	{"euc-kr", within(0xA1, 0xFE), within(0xB0, 0xC8), within(0xA1, 0xFE)},
	{"gb18030", within(0x81, 0xFE), either(within(0xA1, 0xA3), within(0xB0, 0xD7)), either(within(0x40, 0x7E), within(0x80, 0xFE))},
	{"big5", within(0x81, 0xFE), either(within(0xA1, 0xA3), within(0xA4, 0xC6)), either(within(0x40, 0x7E), within(0xA1, 0xFE))},
}

// detectWide distinguishes encodings of East Asia in texts too short for statistics, by how many of their characters are common ones there.
func detectWide(sample []byte) string {
	best, bestShare := "", 0.85
	for _, w := range wideEncodings {
		if share := w.share(sample); share > bestShare {
			best, bestShare = w.label, share
		}
	}
	return best
}

// share is how many of the characters beyond ASCII are common ones, 0 when there are few or some can't be read.
func (w wideEncoding) share(sample []byte) float64 {
	const few = 4
	all, common, inWords, afterLetter := 0, 0, 0, false
	for i := 0; i < len(sample)-1; i++ {
		if sample[i] < 0x80 {
			afterLetter = isLetter(sample[i])
			continue
		}
		if !w.lead(sample[i]) || !w.trail(sample[i+1]) {
			return 0
		}
		if all++; w.common(sample[i]) {
			common++
		}
		if afterLetter {
			inWords++ // as accents and apostrophes stand in words of the Latin alphabet
		}
		afterLetter = false
		i++
	}
	if all < few || inWords*10 > all {
		return 0
	}
	return float64(common) / float64(all)
}

func validUTF8(b []byte) []byte {
	return withoutZeros(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// withoutZeros is mostly b itself.
func withoutZeros(b []byte) []byte {
	if bytes.IndexByte(b, 0) < 0 {
		return b
	}
	return bytes.ReplaceAll(b, []byte{0}, nil)
}

var declaredXML = regexp.MustCompile(`^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// decodeMarkup converts HTML or XHTML to UTF-8, by its own declaration.
func decodeMarkup(data []byte) []byte {
	declared := ""
	if m := declaredXML.FindSubmatch(data[:min(len(data), 256)]); m != nil {
		declared = string(m[1])
	} else if _, name, _ := charset.DetermineEncoding(data[:min(len(data), 1024)], "text/html"); name != "windows-1252" {
		declared = name
	}
	text, err := decodeText(data, declared)
	if err != nil {
		return validUTF8(data)
	}
	return text
}

// dingbats are the signs of the fonts Wingdings and Symbol that occur in texts, by their code there.
var dingbats = map[string]map[uint64]string{
	"wingdings": {
		0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0x9F: "•", 0xA7: "▪", 0xA8: "☐",
		0xD8: "➢", 0xE0: "→", 0xDF: "←", 0xE1: "↑", 0xE2: "↓", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑", 0x4A: "☺", 0x4C: "☹",
	},
	"symbol": {
		0x61: "α", 0x62: "β", 0x63: "χ", 0x64: "δ", 0x65: "ε", 0x66: "φ", 0x67: "γ", 0x68: "η", 0x69: "ι", 0x6B: "κ", 0x6C: "λ", 0x6D: "μ",
		0x6E: "ν", 0x6F: "ο", 0x70: "π", 0x71: "θ", 0x72: "ρ", 0x73: "σ", 0x74: "τ", 0x75: "υ", 0x77: "ω", 0x78: "ξ", 0x79: "ψ", 0x7A: "ζ",
		0x44: "Δ", 0x46: "Φ", 0x47: "Γ", 0x4C: "Λ", 0x50: "Π", 0x51: "Θ", 0x53: "Σ", 0x57: "Ω", 0x58: "Ξ", 0x59: "Ψ",
		0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•",
		0xB9: "≠", 0xBB: "≈", 0xD6: "√", 0xE5: "∑", 0xF2: "∫", 0xA9: "©", 0xD2: "®", 0xD4: "™", 0xBE: "—", 0x2D: "−",
	},
}

// symbol is the character that a code in a symbol font shows; "" when it isn't known.
func symbol(font, code string) string {
	n, err := strconv.ParseUint(code, 16, 32)
	if err != nil {
		return ""
	}
	if table := dingbats[strings.ToLower(font)]; table != nil {
		return table[n&0xFF]
	}
	if n >= 0xE000 && n <= 0xF8FF || n < ' ' || n > 0x10FFFF { // private use: only the font knows
		return ""
	}
	return string(rune(n))
}
