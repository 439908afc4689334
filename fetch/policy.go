package fetch

import (
	"fmt"
	"net"
	"net/netip"
)

// Policy decides which addresses may be contacted. It is an allow-list: the zero value and a nil *Policy allow
// nothing but globally routable unicast addresses, judged by the IPv4 address inside where an IPv6 address
// carries one, without those of the machine's own interfaces and without the ports that browsers block.
//
// A name that a proxy resolves (Proxy.Resolve) has no address here. It is refused if it can only be internal: localhost, a
// name of one label, or one below .local, .internal, .home.arpa, .localdomain, .intranet, .private, .corp, .home or .lan.
// AllowHosts and AllowPrivate allow it all the same; AllowNetworks counts for localhost and literal addresses only.
//
// NAT64 prefixes that a network has chosen for itself are indistinguishable from other addresses; on such a network
// name them with care or keep IPv6 out of the resolver. A Policy must not change once a Client uses it; then
// it is safe for concurrent use.
type Policy struct {
	// AllowPrivate lifts all checks of addresses: loopback, private, link-local (cloud metadata too) and all
	// other special ranges may be contacted. Blocked ports stay blocked.
	AllowPrivate bool
	// AllowHosts names hosts whose addresses aren't checked, as they stand in the URL: "name", "name:port",
	// "*.suffix" (names below it, not itself), "ip", "ip:port", "[ip6]:port". Without a port all ports but
	// the blocked ones are meant; an entry with a port allows even a blocked one.
	AllowHosts []string
	// AllowNetworks adds address ranges, by whatever name they are reached.
	AllowNetworks []netip.Prefix
}

// Validate reports whether every entry of the policy is valid. An invalid entry never matches.
func (p *Policy) Validate() error {
	if p == nil {
		return nil
	}
	for i, h := range p.AllowHosts {
		if _, err := parseAllowedHost(h); err != nil {
			return &OptionError{fmt.Sprintf("Policy.AllowHosts[%d]", i), h, "a host, *.suffix or address, with or without a port", err}
		}
	}
	for i, n := range p.AllowNetworks {
		if !n.IsValid() {
			return &OptionError{fmt.Sprintf("Policy.AllowNetworks[%d]", i), n, "a valid prefix", nil}
		}
	}
	return nil
}

// CheckAddr reports whether host, which resolved to ap, may be contacted. Host is the name or IP literal as in
// the URL, with or without brackets. The error is a *BlockedError.
func (p *Policy) CheckAddr(host string, ap netip.AddrPort) error {
	return p.check(host, ap, net.InterfaceAddrs)
}

// check is CheckAddr with the machine's own addresses as a parameter, for tests.
func (p *Policy) check(host string, ap netip.AddrPort, own func() ([]net.Addr, error)) error {
	host = canonicalHost(host)
	byHost, byPort := p.hostAllowed(host, ap.Port())
	if byPort {
		return nil
	}
	refuse := func(reason string) error {
		return &BlockedError{Host: host, Addr: ap.Addr(), Port: ap.Port(), Reason: reason}
	}
	if _, bad := badPorts[ap.Port()]; bad {
		return refuse("port that browsers block")
	}
	if byHost || p.addrAllowed(ap.Addr()) {
		return nil
	}
	if reason := refusal(ap.Addr(), own); reason != "" {
		return refuse(reason)
	}
	return nil
}

// refusal returns the reason why an address isn't on the public internet, or "".
func refusal(a netip.Addr, own func() ([]net.Addr, error)) string {
	if !a.IsValid() {
		return "no address"
	}
	a = a.WithZone("")
	judged := embedded(a)
	if judged == nil {
		judged = []netip.Addr{a}
	}
	for _, j := range judged {
		if reason := special(j); reason != "" {
			return reason
		}
	}
	return ownAddress(append(judged, a), own)
}

// ownAddress returns a reason when one of the addresses is the machine's own. A machine that doesn't know its
// own addresses refuses all, since the alternative is to let a page talk to it.
func ownAddress(addrs []netip.Addr, own func() ([]net.Addr, error)) string {
	list, err := own()
	if err != nil {
		return "the machine's own addresses are unknown"
	}
	for _, o := range list {
		n, ok := o.(*net.IPNet)
		if !ok {
			continue
		}
		ip, _ := netip.AddrFromSlice(n.IP)
		for _, a := range addrs {
			if ip.Unmap() == a.Unmap() {
				return "address of this machine"
			}
		}
	}
	return ""
}

// addrAllowed reports whether the caller allowed the address itself.
func (p *Policy) addrAllowed(a netip.Addr) bool {
	if p == nil {
		return false
	}
	if p.AllowPrivate {
		return a.IsValid()
	}
	a = a.WithZone("")
	for _, n := range p.AllowNetworks {
		if n.Contains(a) || n.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}
