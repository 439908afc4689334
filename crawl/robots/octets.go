package robots

import "strings"

// Two spellings of one path must compare equal, however each was encoded (RFC 9309 section 2.2.2, RFC 3986 section 6.2.2):
// octets that may not stand in a URL are encoded, unreserved ones decoded, hex digits in upper case.
// Reserved ones stay as they are: "%2F" is not "/".
//
// On encoded letters and digits ("%62" for "b") the RFC and the most used parser disagree, which compares them as written.
// A disallow rule takes the RFC's reading and an allow rule the other one, so in doubt the page isn't fetched.

// spelling says how a path is spelt.
type spelling struct {
	pattern    bool // "*" has a meaning and stays
	plainAlnum bool // encoded letters and digits are decoded
}

func patternSpelling(allow bool) spelling { return spelling{pattern: true, plainAlnum: !allow} }

// target is a path with its query in the spellings that rules of either kind compare with.
type target struct {
	allow, disallow string
}

func newTarget(path string) target {
	t := target{allow: spell(path, spelling{})}
	t.disallow = t.allow
	if strings.Contains(t.allow, "%") {
		t.disallow = spell(path, spelling{plainAlnum: true})
	}
	return t
}

func (t target) forRule(r *rule) string {
	if r.allow {
		return t.allow
	}
	return t.disallow
}

// isRobotsTxt reports whether this is the file itself, with any query.
func (t target) isRobotsTxt() bool {
	path, _, _ := strings.Cut(t.disallow, "?")
	return path == "/robots.txt"
}

// spell returns s itself if it is spelt right already, as nearly all are.
func spell(s string, how spelling) string {
	n := 0
	for n < len(s) && how.keeps(s[n]) {
		n++
	}
	if n == len(s) {
		return s
	}
	b := make([]byte, n, len(s)+16)
	copy(b, s)
	for i := n; i < len(s); i++ {
		c, encoded := octet(s, i)
		if encoded {
			i += 2
		}
		b = how.append(b, c, encoded)
	}
	return string(b)
}

// octet reads the octet at i; encoded: it is written as three. A "%" without two hex digits behind it is itself.
func octet(s string, i int) (c byte, encoded bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return s[i], false
	}
	high, low := hexValue(s[i+1]), hexValue(s[i+2])
	if high < 0 || low < 0 {
		return '%', false
	}
	return byte(high<<4 | low), true
}

func (how spelling) append(b []byte, c byte, encoded bool) []byte {
	asIs := how.keeps(c)
	if encoded {
		asIs = isMark(c) || how.plainAlnum && isAlnum(c)
	}
	if asIs {
		return append(b, c)
	}
	const digits = "0123456789ABCDEF"
	return append(b, '%', digits[c>>4], digits[c&15])
}

// keeps reports whether an octet that isn't encoded stays so. "'" doesn't, since browsers encode it in queries;
// "%" is none of them: it begins an encoded octet or is encoded itself.
func (how spelling) keeps(c byte) bool {
	return isAlnum(c) || isMark(c) || c == '*' && how.pattern || strings.IndexByte("/?&=:@!(),;+[]", c) >= 0
}

func isAlnum(c byte) bool {
	c = lower(c)
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// isMark: the unreserved octets that are neither letters nor digits.
func isMark(c byte) bool { return c == '-' || c == '.' || c == '_' || c == '~' }

func hexValue(c byte) int {
	switch c = lower(c); {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
