package relevance

import (
	"strings"

	"golang.org/x/net/idna"
)

// addressText is the text in a URL: without scheme and "www.", names in their own
// script, and nothing percent-encoded.
func addressText(url string) string {
	if scheme, rest, ok := strings.Cut(url, "://"); ok && !strings.ContainsAny(scheme, "/?#") {
		url = rest
	}
	if len(url) > 4 && strings.EqualFold(url[:4], "www.") {
		url = url[4:]
	}
	if strings.Contains(url, "xn--") {
		end := strings.IndexAny(url+"/", "/?#:")
		if host, err := idna.Punycode.ToUnicode(url[:end]); err == nil {
			url = host + url[end:]
		}
	}
	if strings.Contains(url, "%") {
		return unescape(url)
	}
	return url
}

// unescape decodes what is encoded well, and leaves the rest.
func unescape(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, low := hex(s[i+1]), hex(s[i+2])
			if high < 16 && low < 16 {
				out.WriteByte(high<<4 | low)
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// hex is the value of a digit; 16: it is none.
func hex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 16
}
