package fasttree

import (
	"bytes"

	"golang.org/x/net/html"
)

// texts makes strings of bytes. Short ones that occur again are made once.
type texts struct {
	made    [256]string
	scratch []byte
	value   []byte
}

// maxCommon is how long a string may be to be kept for the next of the same bytes.
const maxCommon = 40

// common is the string of the bytes.
func (s *texts) common(b []byte) string {
	n := len(b)
	if n == 0 {
		return ""
	}
	if n > maxCommon {
		return string(b)
	}
	slot := &s.made[(uint(b[0])+uint(b[n/2])*31+uint(b[n-1])*131+uint(n)*517)%uint(len(s.made))]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}

// lower is the bytes with the letters of ASCII in lower case, up to the next call.
func (s *texts) lower(b []byte) []byte {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			s.scratch = append(s.scratch[:0], b...)
			for ; i < len(b); i++ {
				if c := b[i]; 'A' <= c && c <= 'Z' {
					s.scratch[i] = c | 0x20
				}
			}
			return s.scratch
		}
	}
	return b
}

// unescaped is a text, its character references resolved.
func (s *texts) unescaped(b []byte) string {
	if bytes.IndexByte(b, '&') < 0 {
		return s.common(b)
	}
	return html.UnescapeString(string(b))
}

// attrValue is the value of an attribute, its character references resolved. These have rules of their own there, so that addresses with &
// in them are left alone: all but the usual are left to the other parser.
func (s *texts) attrValue(b []byte) string {
	next := bytes.IndexByte(b, '&')
	if next < 0 {
		return s.common(b)
	}
	s.value = s.value[:0]
	rest := b
	for ; next >= 0; next = bytes.IndexByte(rest, '&') {
		s.value, rest = append(s.value, rest[:next]...), rest[next:]
		n, isReference := reference(rest)
		switch {
		case n == 0:
			return unescapedByTokenizer(b)
		case isReference:
			s.value = append(s.value, html.UnescapeString(string(rest[:n]))...)
		default:
			s.value = append(s.value, rest[:n]...)
		}
		rest = rest[n:]
	}
	s.value = append(s.value, rest...)
	return s.common(s.value)
}

// reference is the length of a usual reference, which ends with a semicolon, or of what looks like one and isn't, since = follows; 0 for
// all others.
func reference(b []byte) (n int, is bool) {
	n = 1
	if n < len(b) && b[n] == '#' {
		n++
	}
	for n < len(b) && (isLetter(b[n]) || isDigit(b[n])) {
		n++
	}
	switch {
	case n == 1:
		return n, false
	case n < len(b) && b[n] == ';' && (b[1] == '#' || usual[string(b[1:n])]):
		return n + 1, true
	case n < len(b) && b[n] == '=' && b[1] != '#':
		return n, false
	}
	return 0, false
}

// usual are the names of most references in attributes.
var usual = map[string]bool{"amp": true, "quot": true, "apos": true, "lt": true, "gt": true, "nbsp": true}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// unescapedByTokenizer has the other parser read the value, in quotes that it doesn't have.
func unescapedByTokenizer(b []byte) string {
	quote := byte('"')
	if bytes.IndexByte(b, quote) >= 0 {
		if quote = '\''; bytes.IndexByte(b, quote) >= 0 {
			b = bytes.ReplaceAll(b, []byte("'"), []byte("&#39;"))
		}
	}
	tag := append(append([]byte("<a x="), quote), b...)
	z := html.NewTokenizer(bytes.NewReader(append(tag, quote, '>')))
	z.Next()
	_, value, _ := z.TagAttr()
	return string(value)
}
