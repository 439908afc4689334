package weburl

import (
	"net"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// The functions here take an http or https URL in normalized form, as Target and Parse return it. net/url would refuse
// some of these.

// Origin is scheme, host and port, without a slash at the end.
func Origin(href string) string {
	scheme, _, _ := strings.Cut(href, "://")
	return scheme + "://" + Host(href)
}

// SameOrigin reports whether what is meant for the site of one URL may go to another: scheme, host and port are the same, or b is an
// upgrade of a from http to https on the default ports.
func SameOrigin(a, b string) bool {
	host := Host(a)
	upgrade := strings.HasPrefix(b, "https:") && host == Host(b) && strings.HasSuffix(HostPort(a), ":80")
	return upgrade || Origin(a) == Origin(b)
}

// Hostname is the host without brackets and port.
func Hostname(href string) string {
	name, _ := splitHost(href)
	return name
}

// HostPort is the host with its port, also where the URL leaves the scheme's own out.
func HostPort(href string) string {
	name, port := splitHost(href)
	switch {
	case port != "":
	case strings.HasPrefix(href, "https:"):
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(name, port)
}

// splitHost returns the host without brackets, and the port, "" where the URL has none.
func splitHost(href string) (name, port string) {
	name = Host(href)
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, ']') {
		name, port = name[:i], name[i+1:]
	}
	return strings.Trim(name, "[]"), port
}

// Split cuts a URL into authority and path, query and fragment, without their marks.
func Split(href string) (place, query, fragment string) {
	_, rest, _ := strings.Cut(href, "://")
	rest, fragment, _ = strings.Cut(rest, "#")
	place, query, _ = strings.Cut(rest, "?")
	return place, query, fragment
}

// HasCredentials reports a user name or password, also an empty one.
func HasCredentials(href string) bool {
	place, _, _ := Split(href)
	authority, _, _ := strings.Cut(place, "/")
	return strings.Contains(authority, "@")
}

// BareHost is a host without "www." where a name with a dot is left.
func BareHost(host string) string {
	if rest, ok := strings.CutPrefix(host, "www."); ok && strings.Contains(rest, ".") {
		return rest
	}
	return host
}

// Registrable is the registrable domain of a host, the public suffix and one label more, by the public suffix list:
// "" for an IP address, a single label and a public suffix itself, such as github.io.
func Registrable(host string) string {
	domain, _ := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, "."))
	return domain // "" beside an error
}
