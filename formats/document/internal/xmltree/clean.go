package xmltree

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

var declared = regexp.MustCompile(`^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// toUTF8 is data in UTF-8, without the bytes and control characters that XML may not hold. Mostly that is data itself.
func toUTF8(data []byte) []byte {
	if enc := encodingOf(data); enc != nil {
		if decoded, err := enc.NewDecoder().Bytes(data); err == nil {
			data = decoded
		}
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if utf8.Valid(data) && !bytes.ContainsFunc(data, forbidden) {
		return data
	}
	return bytes.Map(func(r rune) rune {
		if forbidden(r) {
			return ' '
		}
		return r
	}, bytes.ToValidUTF8(data, []byte("\uFFFD")))
}

// readUTF8 is toUTF8 for what is read bit by bit.
func readUTF8(in io.Reader) io.Reader {
	const window = 256
	b := bufio.NewReader(in)
	head, _ := b.Peek(window) // an error comes again
	cleaning := transform.Chain(unicode.UTF8BOM.NewDecoder(), runes.Map(func(r rune) rune {
		if forbidden(r) {
			return ' '
		}
		return r
	}))
	if enc := encodingOf(head); enc != nil {
		cleaning = transform.Chain(enc.NewDecoder(), cleaning)
	}
	return transform.NewReader(b, cleaning)
}

// encodingOf is nil for UTF-8.
func encodingOf(data []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}), bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(data, []byte("<\x00?\x00")):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case bytes.HasPrefix(data, []byte("\x00<\x00?")):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	m := declared.FindSubmatch(data[:min(len(data), 256)])
	if m == nil {
		return nil
	}
	enc, name := charset.Lookup(string(m[1]))
	if enc == nil || name == "utf-8" || name == "utf-16le" || name == "utf-16be" || name == "replacement" {
		return nil
	}
	return enc
}

// forbidden reports what is no character of XML 1.0.
func forbidden(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}
