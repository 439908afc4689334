package fetch

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/winnow-go/winnow/fetch/internal/guess"
)

// contradicts reports a body that isn't in the encoding that it declares. Text in an encoding of single bytes is never UTF-8 by
// chance: each of its bytes beyond ASCII would have to be part of a right sequence. A byte order mark is believed.
func contradicts(body []byte, name string) bool {
	if fromBOM(body) != "" {
		return false
	}
	if name == utf8Name {
		return !isUTF8(body)
	}
	return singleBytes(name) != nil && bytes.ContainsFunc(body, guess.IsBeyondASCII) && isUTF8(body)
}

// isUTF8 reports valid UTF-8. Where other characters beyond ASCII show that it is, the end may be cut off within one.
func isUTF8(body []byte) bool {
	if whole := withoutCut(body); len(whole) < len(body) && bytes.ContainsFunc(whole, guess.IsBeyondASCII) {
		body = whole
	}
	return utf8.Valid(body)
}

// withoutCut is a body without the beginning of a character at its end.
func withoutCut(body []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(body); n++ {
		if last := body[len(body)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return body[:len(body)-n]
			}
			break
		}
	}
	return body
}

// singleBytes is an encoding of single bytes, nil for others.
func singleBytes(name string) *charmap.Charmap {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil
	}
	single, _ := e.(*charmap.Charmap)
	return single
}

// hasUTF8Words reports a text with a word that was UTF-8 and has been decoded byte by byte, among the first with letters beyond ASCII.
func hasUTF8Words(text []byte, single *charmap.Charmap) bool {
	for word := range bytes.FieldsFuncSeq(guess.Words(text), guess.IsSpace) {
		if raw := encodedSingly(word, single); raw != nil && isUTF8(raw) && bytes.ContainsFunc(raw, guess.IsBeyondASCII) {
			return true
		}
	}
	return false
}

// encodedSingly is a text in an encoding of single bytes, as withControls reads it; nil where the encoding lacks a character.
func encodedSingly(text []byte, single *charmap.Charmap) (raw []byte) {
	for _, r := range string(text) {
		b, ok := single.EncodeRune(r)
		switch {
		case ok:
			raw = append(raw, b)
		case r >= 0x80 && r < 0xa0:
			raw = append(raw, byte(r))
		default:
			return nil
		}
	}
	return raw
}

// undeclared is an encoding that is known by its zeros or its shifts, "" for none: all its bytes may be ASCII.
func undeclared(body []byte) string {
	if name := wideASCII(body); name != "" {
		return name
	}
	if shifts(body) {
		return "iso-2022-jp"
	}
	return ""
}

// shifts reports a text with the shifts of ISO-2022-JP to Japanese and back.
func shifts(body []byte) bool {
	const window = 64 << 10
	head := body[:min(len(body), window)]
	begins := bytes.Contains(head, []byte("\x1b$B")) || bytes.Contains(head, []byte("\x1b$@"))
	return begins && (bytes.Contains(head, []byte("\x1b(B")) || bytes.Contains(head, []byte("\x1b(J")))
}
