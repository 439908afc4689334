package charset

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// Sent is a body as the site sent it, from what the browser gives of it: a text it gives decoded, by the charset of the header or,
// where that names none, as windows-1252; only JSON, XML and scripts as UTF-8. What can't be undone stays as it is.
func Sent(contentType string, body []byte) []byte {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, params = strings.ToLower(contentType), nil
	}
	if !isText(media) || !utf8.Valid(body) || bytes.ContainsRune(body, utf8.RuneError) {
		return body
	}
	if label := params["charset"]; label != "" {
		return encoded(body, label)
	}
	if raw, ok := encodedSingly(body, charmap.Windows1252); ok && (utf8.Valid(raw) || !isStructured(media)) {
		return raw
	}
	return body
}

// isText reports the types that the browser decodes, among them no type at all.
func isText(media string) bool {
	return media == "" || strings.HasPrefix(media, "text/") || isStructured(media)
}

// isStructured reports JSON, XML and scripts.
func isStructured(media string) bool {
	for _, part := range []string{"json", "xml", "javascript", "ecmascript"} {
		if strings.Contains(media, part) {
			return true
		}
	}
	return false
}

// encoded is a text in the charset of a label; the text itself for a label that is unknown, and where the charset lacks its characters.
func encoded(text []byte, label string) []byte {
	e, err := htmlindex.Get(label)
	if err != nil {
		return text
	}
	if single, ok := e.(*charmap.Charmap); ok {
		if raw, ok := encodedSingly(text, single); ok {
			return raw
		}
		return text
	}
	raw, err := e.NewEncoder().Bytes(text)
	if err != nil {
		return text
	}
	return raw
}

// encodedSingly is a text in an encoding of single bytes. Those from 0x80 to 0x9F that stand for no character stand for controls.
func encodedSingly(text []byte, e *charmap.Charmap) ([]byte, bool) {
	raw := make([]byte, 0, len(text))
	for _, r := range string(text) {
		b, ok := e.EncodeRune(r)
		switch {
		case ok:
			raw = append(raw, b)
		case r >= 0x80 && r < 0xa0:
			raw = append(raw, byte(r))
		default:
			return nil, false
		}
	}
	return raw, true
}
