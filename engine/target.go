package engine

import (
	"net/netip"
	"strings"

	"github.com/winnow-go/winnow/formats/weburl"
)

// longestURL is what browsers and servers handle in practice, with room.
const longestURL = 16 << 10

const wantURL = "an http or https URL with a host"

// parseTarget reads a URL as the service does: blanks around it are dropped, a
// missing scheme is http, a doubled scheme is a mistake; the rest are the WHATWG
// rules. Fragments stay: pages may route by them.
func parseTarget(raw string) (string, error) {
	s := strings.TrimSpace(raw)
	switch {
	case s == "":
		return "", badURL(raw, nil)
	case len(s) > longestURL:
		return "", &OptionError{Field: "url", Value: raw, Want: "at most 16 KiB"}
	}
	if !hasScheme(s) {
		s = "http://" + s
	}
	rest, ok := cutWebScheme(s)
	if !ok || hasWebScheme(rest) {
		return "", badURL(raw, nil)
	}
	href, err := weburl.Parse(s)
	if err != nil {
		return "", badURL(raw, err)
	}
	if !plausibleHost(hostOf(href)) {
		return "", badURL(raw, nil)
	}
	return href, nil
}

func badURL(raw string, err error) error {
	return &OptionError{Field: "url", Value: raw, Want: wantURL, Err: err}
}

// hasScheme tells "mailto:x" and "ftp://x" from "host:8080/path".
func hasScheme(s string) bool {
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

// plausibleHost accepts IP literals and names. One-label names are accepted too:
// intranets have them, and whether they may be contacted is the policy's matter.
func plausibleHost(host string) bool {
	name := host
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		name = host[i+1:]
	}
	if strings.HasPrefix(name, "[") {
		literal, _, _ := strings.Cut(name[1:], "]")
		_, err := netip.ParseAddr(literal)
		return err == nil
	}
	name, _, _ = strings.Cut(name, ":")
	return name != "" && !strings.Contains(strings.TrimSuffix(name, "."), "..") && strings.Trim(name, ".") != ""
}
