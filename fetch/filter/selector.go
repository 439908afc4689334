package filter

import "strings"

const maxSelector = 4096

// safeSelector reports whether a selector can stand before "{display:none}" in a
// style sheet without meaning more than a selector: brackets and quotes are closed,
// and nothing ends the rule, begins a comment, an at-rule or markup. Whether the
// browser knows all of it is not checked: give it each selector as a rule of its
// own, since one that it doesn't know voids the whole rule.
func safeSelector(s string) bool {
	if s == "" || len(s) > maxSelector || strings.Contains(s, "/*") || strings.Contains(s, "</") {
		return false
	}
	var open []byte // closing brackets to come
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			end := quoteEnd(s, i)
			if end < 0 {
				return false
			}
			i = end
		case '\\':
			if i++; i == len(s) {
				return false
			}
		case '(', '[':
			open = append(open, closing(c))
		case ')', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
		default:
			if c < ' ' || c == 0x7f || strings.IndexByte("{};@<!", c) >= 0 {
				return false
			}
		}
	}
	return len(open) == 0
}

func closing(c byte) byte {
	if c == '(' {
		return ')'
	}
	return ']'
}

// quoteEnd returns the place of the quote that ends the string begun at i, -1 if none
// does.
func quoteEnd(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == '\\':
			j++
		case s[j] < ' ':
			return -1
		case s[j] == s[i]:
			return j
		}
	}
	return -1
}
