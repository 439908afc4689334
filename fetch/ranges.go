package fetch

import "net/netip"

// specialRange is a block of addresses that doesn't belong to the public internet.
type specialRange struct {
	prefix netip.Prefix
	reason string
}

// specialRanges holds every block of the IANA special-purpose registries for IPv4 and IPv6, with its RFC.
// Blocks that the registries call globally reachable (AS112, AMT) are in it too: they are anycast services
// that a network may run by itself, and no web site lives there. A block inside another comes first, so that
// the reason is the closest one. It is read only.
var specialRanges = []specialRange{
	{netip.MustParsePrefix("0.0.0.0/32"), "unspecified address"},        // RFC 1122
	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},                // RFC 791
	{netip.MustParsePrefix("10.0.0.0/8"), "private network"},            // RFC 1918
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"},       // RFC 6598
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},                  // RFC 1122
	{netip.MustParsePrefix("168.63.129.16/32"), "cloud host service"},   // no RFC: a public address that Azure answers inside each machine
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},             // RFC 3927; cloud metadata lives here
	{netip.MustParsePrefix("172.16.0.0/12"), "private network"},         // RFC 1918
	{netip.MustParsePrefix("192.0.0.0/24"), "protocol assignments"},     // RFC 6890, with 7335, 7600, 7723, 8155, 8880
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},            // RFC 5737
	{netip.MustParsePrefix("192.31.196.0/24"), "AS112 service"},         // RFC 7535
	{netip.MustParsePrefix("192.52.193.0/24"), "multicast tunnelling"},  // RFC 7450
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay"},             // RFC 7526
	{netip.MustParsePrefix("192.168.0.0/16"), "private network"},        // RFC 1918
	{netip.MustParsePrefix("192.175.48.0/24"), "AS112 service"},         // RFC 7534
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmark network"},       // RFC 2544
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},         // RFC 5737
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},          // RFC 5737
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},                 // RFC 5771
	{netip.MustParsePrefix("255.255.255.255/32"), "broadcast"},          // RFC 8190
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},                  // RFC 1112
	{netip.MustParsePrefix("::/128"), "unspecified address"},            // RFC 4291
	{netip.MustParsePrefix("::1/128"), "loopback"},                      // RFC 4291
	{netip.MustParsePrefix("::ffff:0:0:0/96"), "translated IPv4"},       // RFC 2765
	{netip.MustParsePrefix("100::/64"), "discard only"},                 // RFC 6666
	{netip.MustParsePrefix("100:0:0:1::/64"), "dummy prefix"},           // RFC 9780
	{netip.MustParsePrefix("2001:2::/48"), "benchmark network"},         // RFC 5180
	{netip.MustParsePrefix("2001:3::/32"), "multicast tunnelling"},      // RFC 7450
	{netip.MustParsePrefix("2001:4:112::/48"), "AS112 service"},         // RFC 7535
	{netip.MustParsePrefix("2001:10::/28"), "cryptographic identifier"}, // RFC 4843
	{netip.MustParsePrefix("2001:20::/28"), "cryptographic identifier"}, // RFC 7343
	{netip.MustParsePrefix("2001:30::/28"), "drone identifier"},         // RFC 9374
	{netip.MustParsePrefix("2001::/23"), "protocol assignments"},        // RFC 2928
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},           // RFC 3849
	{netip.MustParsePrefix("2620:4f:8000::/48"), "AS112 service"},       // RFC 7534
	{netip.MustParsePrefix("3fff::/20"), "documentation"},               // RFC 9637
	{netip.MustParsePrefix("5f00::/16"), "segment identifier"},          // RFC 9602
	{netip.MustParsePrefix("fc00::/7"), "private network"},              // RFC 4193
	{netip.MustParsePrefix("fe80::/10"), "link-local"},                  // RFC 4291
	{netip.MustParsePrefix("fec0::/10"), "private network"},             // RFC 3879, site-local
	{netip.MustParsePrefix("ff00::/8"), "multicast"},                    // RFC 4291
}

// globalUnicast6 is the only part of IPv6 that is handed out for the public internet (RFC 3513).
var globalUnicast6 = netip.MustParsePrefix("2000::/3")

// special returns the reason why an address isn't one of the public internet, or "". The address has no
// zone and holds no other address (see embedded).
func special(a netip.Addr) string {
	for _, r := range specialRanges {
		if r.prefix.Contains(a) {
			return r.reason
		}
	}
	if a.Is6() && !globalUnicast6.Contains(a) {
		return "not global unicast"
	}
	return ""
}
