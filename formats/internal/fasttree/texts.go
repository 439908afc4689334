package fasttree

import (
	"bytes"

	"golang.org/x/net/html"
)

// texts makes strings of bytes. Short ones that occur again are made once.
type texts struct {
	made    [512]string
	scratch []byte
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

// attrValue is the value of an attribute. References without a semicolon have rules of their own there.
func (s *texts) attrValue(b []byte) string {
	if bytes.IndexByte(b, '&') < 0 {
		return s.common(b)
	}
	if allEnd(b) {
		return html.UnescapeString(string(b))
	}
	return unescapedByTokenizer(b)
}

// allEnd reports whether each & begins &amp;, the reference of most addresses, a number, or no reference at all: the rules are the same
// then.
func allEnd(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			return true
		}
		b = b[i+1:]
		if !bytes.HasPrefix(b, []byte("amp;")) && len(b) > 0 && (isLetter(b[0]) || isDigit(b[0])) {
			return false
		}
	}
}

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
