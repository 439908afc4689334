package fetch

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/winnow-go/winnow/fetch/internal/guess"
)

const (
	utf8Name    = "utf-8"
	utf16leName = "utf-16le"
	utf16beName = "utf-16be"
)

// Text converts a body to valid UTF-8 without a byte order mark and returns the name of its original encoding, as
// the WHATWG Encoding standard writes it. The first of these sources that is present decides: byte order mark,
// charset of the Content-Type header, XML declaration, meta element (both only where the type is markup or
// unknown; in text/html the other way round, as in browsers), valid UTF-8, detection over a bounded sample,
// windows-1252. Unknown labels are ignored, and so are declarations that the bytes contradict: UTF-8 for bytes that
// are none, and an encoding of single bytes where all beyond ASCII are characters of UTF-8. Bytes that are invalid
// in the encoding become U+FFFD. It never fails; the result may share body's memory.
func Text(body []byte, contentType string) (text []byte, charset string) {
	name := charsetOf(body, contentType)
	return decodeText(body, name), name
}

// Guessed returns the encoding that Text takes a body for that declares none or another one; "" for one that is in the encoding it
// declares, and for one that is all ASCII and declares none. Browsers guess by other rules, and believe what is declared.
func Guessed(body []byte, contentType string) string {
	declared := declaredCharset(body, contentType)
	if declared == "" && !bytes.ContainsFunc(body, guess.IsBeyondASCII) && undeclared(body) == "" {
		return ""
	}
	if name := charsetOf(body, contentType); name != declared {
		return name
	}
	return ""
}

// Misread reports a text that a browser may have decoded wrongly, which Guessed can say of its bytes alone: one that declares no
// encoding, one that declares UTF-8 and has characters that could not be read, and one that declares an encoding of single bytes and has
// words that are UTF-8 in it.
func Misread(text []byte, contentType string) bool {
	switch name := declaredCharset(text, contentType); {
	case name == "":
		return bytes.ContainsFunc(text, guess.IsBeyondASCII) || shifts(text)
	case name == utf8Name:
		return bytes.ContainsRune(text, utf8.RuneError)
	default:
		single := singleBytes(name)
		return single != nil && hasUTF8Words(text, single)
	}
}

func charsetOf(body []byte, contentType string) string {
	name := declaredCharset(body, contentType)
	if name != "" && !contradicts(body, name) {
		return name
	}
	if name == "" && undeclared(body) != "" {
		return undeclared(body)
	}
	if isUTF8(body) {
		return utf8Name
	}
	return detect(body)
}

// declaredCharset is what byte order mark, header or document say; "" for nothing. In UTF-16 a document can't say anything.
func declaredCharset(body []byte, contentType string) string {
	if name := cmp.Or(fromBOM(body), canonical(charsetParam(contentType))); name != "" {
		return name
	}
	declared := declaredType(contentType)
	if declared != "" && declared != octetStream && !isMarkup(declared) || wideASCII(body) != "" {
		return ""
	}
	return declaredInside(body, declared)
}

func fromBOM(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return utf8Name
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return utf16leName
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return utf16beName
	}
	return ""
}

func isMarkup(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "text/xml" || mediaType == "application/xml" || strings.HasSuffix(mediaType, "+xml")
}

// charsetParam is the charset of a Content-Type header. It is read by hand, since real headers repeat it,
// quote it with the wrong quotes and have other broken parameters beside it.
func charsetParam(contentType string) string {
	_, params, _ := strings.Cut(contentType, ";")
	for p := range strings.SplitSeq(params, ";") {
		key, value, ok := strings.Cut(p, "=")
		if ok && strings.EqualFold(strings.TrimSpace(key), "charset") {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}

// canonical returns the standard's name for a label, or "" for an unknown one.
func canonical(label string) string {
	if label == "" {
		return ""
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return ""
	}
	return name
}

// decodeText turns a body into UTF-8. Name is canonical.
func decodeText(body []byte, name string) []byte {
	if name == utf8Name && utf8.Valid(body) {
		return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	}
	out, err := decoder(name).Bytes(body)
	if bytes.ContainsRune(out, utf8.RuneError) {
		out = withControls(out, body, name)
	}
	if err != nil || !utf8.Valid(out) {
		out = bytes.ToValidUTF8(out, []byte("\ufffd"))
	}
	return bytes.TrimPrefix(out, []byte("\xef\xbb\xbf"))
}

// withControls decodes bytes from 0x80 to 0x9F that an encoding of single bytes has no character for as the standard says: as the controls
// of the same number.
func withControls(decoded, body []byte, name string) []byte {
	single := singleBytes(name)
	if single == nil {
		return decoded
	}
	decoded = decoded[:0]
	for _, b := range body {
		r := single.DecodeByte(b)
		if r == utf8.RuneError && b < 0xa0 {
			r = rune(b)
		}
		decoded = utf8.AppendRune(decoded, r)
	}
	return decoded
}

func decoder(name string) *encoding.Decoder {
	switch name {
	case utf16leName:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
	case utf16beName:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return unicode.UTF8.NewDecoder()
	}
	return e.NewDecoder()
}
