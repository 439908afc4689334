package fetch

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// maxName bounds a host name, and maxLabel each part of it, in bytes (RFC 1035 §2.3.4).
const (
	maxName  = 253
	maxLabel = 63
)

// privateDomains are never delegated in the public DNS (RFC 6761, 6762, 8375; ICANN's .internal) or were kept back because
// networks use them inside. It is read only.
var privateDomains = []string{
	"localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "home.arpa",
}

// named is the target of a host whose name is left to a proxy to resolve, if the policy allows that. A literal address,
// however it is spelled, is judged as an address.
func (d *Dialer) named(hostport string) (target, error) {
	host, port, err := splitHostPort(hostport)
	if err != nil {
		return target{}, err
	}
	name := plainName(host)
	if name == "" {
		return target{}, &BlockedError{Host: canonicalHost(host), Port: port, Reason: "not a host name"}
	}
	addr, _ := netip.ParseAddr(name) // zero for a name
	ap := netip.AddrPortFrom(addr, port)
	return target{host: name, addrs: []netip.AddrPort{ap}}, d.policy.checkTarget(name, ap, d.own)
}

// checkTarget checks an address, or a name that a proxy resolves, whose address is zero.
func (p *Policy) checkTarget(host string, ap netip.AddrPort, own func() ([]net.Addr, error)) error {
	if ap.Addr().IsValid() {
		return p.check(host, ap, own)
	}
	return p.checkName(host, ap.Port(), own)
}

// checkName checks a name that a proxy resolves. Names of this machine are judged by the addresses that they mean.
func (p *Policy) checkName(host string, port uint16, own func() ([]net.Addr, error)) error {
	host = canonicalHost(host)
	if isLocalhost(host) {
		return p.check(host, netip.AddrPortFrom(loopback[0], port), own)
	}
	byHost, byPort := p.hostAllowed(host, port)
	_, bad := badPorts[port]
	switch {
	case byPort:
		return nil
	case bad:
		return &BlockedError{Host: host, Port: port, Reason: "port that browsers block"}
	case byHost, p != nil && p.AllowPrivate, !isPrivateName(host):
		return nil
	}
	return &BlockedError{Host: host, Port: port, Reason: "name of a private network"}
}

// isPrivateName reports whether a canonical name can't be one of the public internet: it has one label only, or a private
// domain.
func isPrivateName(host string) bool {
	return !strings.Contains(host, ".") || slices.ContainsFunc(privateDomains, func(domain string) bool {
		return host == domain || strings.HasSuffix(host, "."+domain)
	})
}

// plainName is a host as every proxy reads it alike: a name of letters, digits, "-" and "_" in lower case, or an address as
// netip writes it. It is "" for all else. Spellings of addresses that only some readers take for one, such as 0x7f.1, become
// the address.
func plainName(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return canonicalHost(host)
	}
	if len(host) > maxAuthority || strings.ContainsAny(host, `/\?#@:[]`) {
		return ""
	}
	w, err := whatwg.Parse("http://" + host + "/")
	if err != nil {
		return ""
	}
	name := canonicalHost(w.Hostname())
	if !isName(name) {
		return ""
	}
	return name
}

// isName reports whether every label of a name is one.
func isName(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > maxLabel || strings.ContainsFunc(label, notInName) {
			return false
		}
	}
	return len(name) <= maxName
}

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
