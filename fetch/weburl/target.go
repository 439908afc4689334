package weburl

import (
	"fmt"
	"net/netip"
	"strings"
)

// ErrNotWeb is returned by Target for a text that is not an http or https URL with a host; it is an ErrInvalid too.
var ErrNotWeb = fmt.Errorf("%w: not an http or https URL with a host", ErrInvalid)

// Target reads a web address as a person writes it: white space around it is dropped, a missing scheme is http, a doubled
// scheme is a mistake; the rest are the rules of Parse. The fragment is kept: pages may route by it. The error wraps
// ErrInvalid, and ErrNotWeb or ErrTooLong where that is the reason.
func Target(raw string) (string, error) {
	s := strings.TrimSpace(raw)
	switch {
	case s == "":
		return "", ErrNotWeb
	case len(s) > MaxLength:
		return "", ErrTooLong
	}
	if !namesScheme(s) {
		s = "http://" + s
	}
	rest, ok := cutWebScheme(s)
	if !ok || hasWebScheme(rest) {
		return "", ErrNotWeb
	}
	href, err := Parse(s)
	if err != nil {
		return "", err
	}
	if !plausibleHost(Host(href)) {
		return "", ErrNotWeb
	}
	return href, nil
}

// namesScheme distinguishes "mailto:x" and "ftp://x" from "host:8080/path".
func namesScheme(s string) bool {
	name, rest, ok := strings.Cut(s, ":")
	if !ok || strings.ContainsAny(name, "./?#@[") || name == "" {
		return false
	}
	port, _, _ := strings.Cut(rest, "/")
	return !digits(port)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func cutWebScheme(s string) (rest string, ok bool) {
	for _, scheme := range []string{"http:", "https:"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return strings.TrimLeft(s[len(scheme):], `/\`), true
		}
	}
	return "", false
}

func hasWebScheme(s string) bool {
	_, ok := cutWebScheme(s)
	return ok
}

// plausibleHost accepts IP literals and names. One-label names are accepted too: intranets have them, and whether
// they may be contacted is decided by the egress policy.
func plausibleHost(host string) bool {
	if strings.HasPrefix(host, "[") {
		literal, _, _ := strings.Cut(host[1:], "]")
		_, err := netip.ParseAddr(literal)
		return err == nil
	}
	name, _, _ := strings.Cut(host, ":")
	return name != "" && !strings.Contains(strings.TrimSuffix(name, "."), "..") && strings.Trim(name, ".") != ""
}
