package filter

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// maxHost is the longest name that DNS knows.
const maxHost = 253

// normalHost returns a host in the form for matching: lower case, without port and final
// dot. What is too long for a name becomes "".
func normalHost(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && (strings.IndexByte(host, ':') == i || host[i-1] == ']') {
		host = host[:i]
	}
	host = lowerASCII(strings.TrimSuffix(host, "."))
	if len(host) > maxHost {
		return ""
	}
	return host
}

// parentHost returns the host without its first label, "" when there is no more.
func parentHost(host string) string {
	_, parent, _ := strings.Cut(host, ".")
	return parent
}

// within reports whether host is domain or a name below it.
func within(host, domain string) bool {
	rest, ok := strings.CutSuffix(host, domain)
	return ok && (rest == "" || rest[len(rest)-1] == '.')
}

// siteOf returns the registrable domain of a host, by the public suffix list; for
// addresses, and names that are public suffixes, the host itself.
func siteOf(host string) string {
	if isAddress(host) {
		return host
	}
	site, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return site
}

// isAddress distinguishes IP addresses from names; it parses only what can be one.
func isAddress(host string) bool {
	if host == "" || host[0] == '[' {
		return true
	}
	last := host[len(host)-1]
	if last < '0' || last > '9' {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// isHostName reports whether s can be a host or a part of one in a rule.
func isHostName(s string) bool {
	if s == "" || len(s) > maxHost || s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	for i := range len(s) {
		if !isHostByte(s[i]) {
			return false
		}
	}
	return true
}

func isHostByte(c byte) bool { return isAlnum(c) || c == '-' || c == '.' || c == '_' }

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// lowerASCII leaves every other byte, so that offsets stay.
func lowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return lowerFrom(s, i)
		}
	}
	return s
}

func lowerFrom(s string, first int) string {
	b := []byte(s)
	for i := first; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
