package fetch

import "net/netip"

var (
	nat64Prefix  = netip.MustParsePrefix("64:ff9b::/96")   // RFC 6052
	nat64Local   = netip.MustParsePrefix("64:ff9b:1::/48") // RFC 8215
	sixToFour    = netip.MustParsePrefix("2002::/16")      // RFC 3056
	teredo       = netip.MustParsePrefix("2001::/32")      // RFC 4380
	v4Compatible = netip.MustParsePrefix("::/96")          // RFC 4291, deprecated
	loopback6    = netip.IPv6Loopback()
	unspecified6 = netip.IPv6Unspecified()
	unspecified4 = netip.IPv4Unspecified()
)

// embedded returns the IPv4 addresses that packets to an IPv6 address end up at: those inside v4-mapped,
// v4-compatible, NAT64, 6to4 and Teredo addresses. Nil: it holds none. Where the form is ambiguous or holds
// two addresses all are given, and all of them have to be allowed.
func embedded(a netip.Addr) []netip.Addr {
	if a.Is4() {
		return nil
	}
	b := a.As16()
	switch {
	case a.Is4In6():
		return []netip.Addr{a.Unmap()}
	case nat64Prefix.Contains(a):
		return []netip.Addr{v4(b[12:16])}
	case nat64Local.Contains(a):
		return nat64LocalEmbedded(b)
	case sixToFour.Contains(a):
		return []netip.Addr{v4(b[2:6])}
	case teredo.Contains(a):
		return []netip.Addr{v4(b[4:8]), v4([]byte{^b[12], ^b[13], ^b[14], ^b[15]})}
	case v4Compatible.Contains(a) && a != loopback6 && a != unspecified6:
		return []netip.Addr{v4(b[12:16])}
	}
	return nil
}

// nat64LocalEmbedded reads an address of the local-use prefix in each way RFC 6052 allows within a /48
// (prefix lengths 48, 56, 64 and 96; byte 8 is skipped), since which of them the network uses isn't known.
// With zeros up to the last four bytes there is only one sensible reading.
func nat64LocalEmbedded(b [16]byte) []netip.Addr {
	last := v4(b[12:16])
	if [6]byte(b[6:12]) == [6]byte{} {
		return []netip.Addr{last}
	}
	found := []netip.Addr{
		v4([]byte{b[6], b[7], b[9], b[10]}),
		v4([]byte{b[7], b[9], b[10], b[11]}),
		v4([]byte{b[9], b[10], b[11], b[12]}),
	}
	if last != unspecified4 {
		found = append(found, last)
	}
	return found
}

func v4(b []byte) netip.Addr { return netip.AddrFrom4([4]byte(b)) }
