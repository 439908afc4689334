package fetch

import (
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// allowedHost is one entry of Policy.AllowHosts.
type allowedHost struct {
	name string // canonical
	wild bool   // names below name
	port uint16 // 0: any
}

var errHostForm = errors.New(`want "name", "name:port", "*.suffix", "ip", "ip:port" or "[ip6]:port"`)

// parseAllowedHost reads one entry of Policy.AllowHosts.
func parseAllowedHost(s string) (allowedHost, error) {
	var a allowedHost
	host, port := s, ""
	if _, err := netip.ParseAddr(strings.Trim(s, "[]")); err != nil && strings.Contains(s, ":") {
		if host, port, err = net.SplitHostPort(s); err != nil {
			return a, errHostForm
		}
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return a, errHostForm
		}
		a.port = uint16(n)
	}
	host, a.wild = strings.CutPrefix(host, "*.")
	a.name = canonicalHost(host)
	if a.name == "" || strings.ContainsAny(a.name, "*/@ ") {
		return a, errHostForm
	}
	return a, nil
}

// hostAllowed reports whether the caller allowed the host by name, and whether with this very port.
func (p *Policy) hostAllowed(host string, port uint16) (byHost, byPort bool) {
	if p == nil || host == "" {
		return false, false
	}
	for _, s := range p.AllowHosts {
		a, err := parseAllowedHost(s)
		if err != nil || !a.matches(host) {
			continue
		}
		byHost = byHost || a.port == 0
		byPort = byPort || a.port == port && port != 0
	}
	return byHost, byPort
}

func (a allowedHost) matches(host string) bool {
	if a.wild {
		return strings.HasSuffix(host, "."+a.name)
	}
	return host == a.name
}

// CanonicalHost returns a host, as it stands in a URL without its port, in the one form in which hosts are compared: lower
// case, punycode, no brackets, no zone, no trailing dot, IP literals as netip writes them.
func CanonicalHost(host string) string { return canonicalHost(host) }

func canonicalHost(h string) string {
	h = strings.TrimSuffix(strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(h, "["), "]")), ".")
	if a, err := netip.ParseAddr(h); err == nil {
		return a.Unmap().WithZone("").String()
	}
	if isASCII(h) {
		return h
	}
	if p, err := idna.Lookup.ToASCII(h); err == nil {
		return p
	}
	return h
}

// loopback are the addresses of names that mean this machine.
var loopback = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}

// isLocalhost reports a name that means this machine whatever name servers say (RFC 6761 §6.3): localhost and the
// names below it. Host is canonical.
func isLocalhost(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
