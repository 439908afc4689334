package scope

import "strings"

// normal is a part of a URL with its percent-encoding in the normal form of RFC 3986 (§6.2.2.1 and §6.2.2.2): letters, digits and -._~ as
// they are, all else with upper-case digits. From a percent sign that encodes nothing on it stays as it is: what that means is the server's
// to say.
func normal(part string) string {
	if !strings.Contains(part, "%") {
		return part
	}
	var b strings.Builder
	for {
		plain, rest, found := strings.Cut(part, "%")
		b.WriteString(plain)
		if !found {
			return b.String()
		}
		if len(rest) < 2 || !isHex(rest[0]) || !isHex(rest[1]) {
			return b.String() + "%" + rest
		}
		if c := unhex(rest[0])<<4 | unhex(rest[1]); isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(rest[:2]))
		}
		part = rest[2:]
	}
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

func isUnreserved(c byte) bool {
	return isLetter(c) || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
