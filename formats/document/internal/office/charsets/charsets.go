// Package charsets brings the texts of files to UTF-8. Where nothing is declared, the bytes decide. Start from Decode, or
// Markup for pages.
//
//	charsets.go  by byte order mark, declaration, or statistics
package charsets

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Decode brings a text to UTF-8: by its byte order mark, by the declared charset, or as detected.
func Decode(body []byte, declared string) ([]byte, error) {
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return Valid(body[3:]), nil
	case bytes.HasPrefix(body, []byte{0xFE, 0xFF}), bytes.HasPrefix(body, []byte{0xFF, 0xFE}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(body)
	case utf8.Valid(body):
		return withoutZeros(body), nil
	}
	if enc, name := charset.Lookup(declared); enc != nil && name != "utf-8" && name != "replacement" {
		return enc.NewDecoder().Bytes(body)
	}
	out, err := detectEncoding(body).NewDecoder().Bytes(body)
	return Valid(out), err
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

// Valid is b with replacement characters for what is no UTF-8, and without zeros.
func Valid(b []byte) []byte {
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

// Markup converts HTML or XHTML to UTF-8, by its own declaration.
func Markup(data []byte) []byte {
	declared := ""
	if m := declaredXML.FindSubmatch(data[:min(len(data), 256)]); m != nil {
		declared = string(m[1])
	} else if _, name, _ := charset.DetermineEncoding(data[:min(len(data), 1024)], "text/html"); name != "windows-1252" {
		declared = name
	}
	text, err := Decode(data, declared)
	if err != nil {
		return Valid(data)
	}
	return text
}

// isLetter reports one of ASCII.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
