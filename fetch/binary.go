package fetch

import (
	"bytes"
	"strings"
)

// binaryShare is the share of control characters, one in so many bytes, from which the head of a body is no text.
// Compressed and encrypted bytes have one in ten.
const binaryShare = 20

// isBinary reports whether a body, whatever it is declared to be, is no text in any encoding: the head of a text has
// nearly none of the control characters of [binaryByte]. UTF-16 and what begins like markup are text.
func isBinary(contentType string, body []byte) bool {
	head := body[:min(len(body), sniffLen)]
	found := 0
	for _, b := range head {
		if binaryByte(b) {
			found++
		}
	}
	if found == 0 || found*binaryShare < len(head) {
		return false
	}
	return !wide(contentType, body) && textual(body) == "" && !bytes.Contains(bytes.ToLower(head), []byte("<html"))
}

// MayBeBinary reports whether a body under a text type, read as text by a caller that believed that type, shows
// signs of being binary: a signature that is made of text, or any control character in its head.
func MayBeBinary(text []byte) bool {
	return signature(text) != "" || bytes.ContainsFunc(text[:min(len(text), sniffLen)], func(r rune) bool { return r < ' ' && binaryByte(byte(r)) })
}

// binaryByte reports a "binary data byte" of the WHATWG MIME Sniffing standard (§3).
func binaryByte(b byte) bool {
	return b <= 0x08 || b == 0x0b || b >= 0x0e && b <= 0x1a || b >= 0x1c && b <= 0x1f
}

// wide reports a text in UTF-16: by its byte order mark, its declared charset or the zeros between its characters.
func wide(contentType string, body []byte) bool {
	name := or(fromBOM(body), or(canonical(charsetParam(contentType)), wideASCII(body)))
	return strings.HasPrefix(name, "utf-16")
}
