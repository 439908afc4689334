package pagedata

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Repair returns JSON that can be read. Pages break it by comments around it, line breaks within strings, and commas before closing
// brackets; what is broken otherwise comes out as it is.
func Repair(s string) []byte {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "\uFEFF"))
	for _, mark := range [][2]string{{"<!--", "-->"}, {"//<![CDATA[", "//]]>"}, {"/*<![CDATA[*/", "/*]]>*/"}, {"<![CDATA[", "]]>"}} {
		s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, mark[0]), mark[1]))
	}
	s = strings.TrimRight(s, "; \t\r\n")
	if json.Valid([]byte(s)) {
		return []byte(s)
	}
	return replaceBroken(s)
}

func replaceBroken(s string) []byte {
	out := make([]byte, 0, len(s)+64)
	inside := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case inside && c == '\\' && i+1 < len(s):
			out = appendEscape(out, s[i+1])
			i++
			continue
		case c == '"':
			inside = !inside
		case inside && c < ' ':
			out = append(out, ' ')
			continue
		case !inside && (c == '}' || c == ']'):
			out = dropComma(out)
		}
		out = append(out, c)
	}
	return out
}

// appendEscape keeps an escape that JSON knows; of all others the character stays.
func appendEscape(out []byte, c byte) []byte {
	switch {
	case strings.IndexByte(`"\/bfnrtu`, c) >= 0:
		return append(out, '\\', c)
	case c < ' ':
		return append(out, ' ')
	}
	return append(out, c)
}

func dropComma(out []byte) []byte {
	trimmed := bytes.TrimRight(out, " \t\r\n")
	if len(trimmed) > 0 && trimmed[len(trimmed)-1] == ',' {
		return trimmed[:len(trimmed)-1]
	}
	return out
}
