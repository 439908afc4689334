package fetch

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestPolicy_zeroAllowsPublicUnicastOnly(t *testing.T) {
	for addr, want := range map[string]string{
		"8.8.8.8":                                "",
		"93.184.215.14":                          "",
		"1.1.1.1":                                "",
		"100.63.255.255":                         "",
		"100.128.0.0":                            "",
		"172.15.255.255":                         "",
		"172.32.0.0":                             "",
		"192.0.1.0":                              "",
		"198.17.255.255":                         "",
		"198.20.0.0":                             "",
		"223.255.255.255":                        "",
		"2606:2800:21f:cb07:6820:80da:af6b:8b2c": "",
		"2a00:1450:4001::1":                      "",
		"2001:200::1":                            "", // just above the protocol assignments
		"0.0.0.0":                                "unspecified address",
		"0.1.2.3":                                "this network",
		"10.255.255.255":                         "private network",
		"100.64.0.1":                             "carrier-grade NAT",
		"100.127.255.255":                        "carrier-grade NAT",
		"127.0.0.1":                              "loopback",
		"127.255.255.254":                        "loopback",
		"168.63.129.16":                          "cloud host service",
		"169.254.169.254":                        "link-local",
		"172.16.0.0":                             "private network",
		"172.31.255.255":                         "private network",
		"192.0.0.192":                            "protocol assignments",
		"192.0.2.1":                              "documentation",
		"192.31.196.1":                           "AS112 service",
		"192.52.193.1":                           "multicast tunnelling",
		"192.88.99.1":                            "6to4 relay",
		"192.168.1.1":                            "private network",
		"192.175.48.1":                           "AS112 service",
		"198.18.0.1":                             "benchmark network",
		"198.19.255.255":                         "benchmark network",
		"198.51.100.1":                           "documentation",
		"203.0.113.1":                            "documentation",
		"224.0.0.1":                              "multicast",
		"239.255.255.255":                        "multicast",
		"240.0.0.1":                              "reserved",
		"255.255.255.255":                        "broadcast",
		"::":                                     "unspecified address",
		"::1":                                    "loopback",
		"::2":                                    "this network", // v4-compatible 0.0.0.2
		"::ffff:0:1.2.3.4":                       "translated IPv4",
		"100::1":                                 "discard only",
		"100:0:0:1::1":                           "dummy prefix",
		"200::1":                                 "not global unicast",
		"1fff::1":                                "not global unicast",
		"4000::1":                                "not global unicast",
		"2001:1::1":                              "protocol assignments",
		"2001:2::1":                              "benchmark network",
		"2001:3::1":                              "multicast tunnelling",
		"2001:4:112::1":                          "AS112 service",
		"2001:10::1":                             "cryptographic identifier",
		"2001:20::1":                             "cryptographic identifier",
		"2001:30::1":                             "drone identifier",
		"2001:db8::1":                            "documentation",
		"2620:4f:8000::1":                        "AS112 service",
		"3fff::1":                                "documentation",
		"5f00::1":                                "segment identifier",
		"fc00::1":                                "private network",
		"fd00:ec2::254":                          "private network",
		"fe80::1":                                "link-local",
		"fe80::1%eth0":                           "link-local",
		"fec0::1":                                "private network",
		"ff02::1":                                "multicast",
		// addresses inside addresses
		"::ffff:8.8.8.8":                       "",
		"::ffff:127.0.0.1":                     "loopback",
		"::ffff:169.254.169.254":               "link-local",
		"::8.8.8.8":                            "",
		"::10.0.0.1":                           "private network",
		"64:ff9b::8.8.8.8":                     "",
		"64:ff9b::127.0.0.1":                   "loopback",
		"64:ff9b::a9fe:a9fe":                   "link-local",
		"64:ff9b:1::8.8.8.8":                   "",
		"64:ff9b:1::10.0.0.1":                  "private network",
		"64:ff9b:1:a00:0:100::":                "private network", // 10.0.0.1 within a /48
		"64:ff9b:1:a00:0:100:808:808":          "private network", // the same with 8.8.8.8 behind it
		"64:ff9b:1:a:00:1:a9fe:a9fe":           "this network",
		"64:ff9b:2::8.8.8.8":                   "not global unicast",
		"2002:808:808::1":                      "",
		"2002:a00:1::1":                        "private network",
		"2002:7f00:1::":                        "loopback",
		"2001:0:808:808:0:0:f7f7:f7f7":         "", // Teredo: server and client 8.8.8.8
		"2001:0:808:808:0:0:f5ff:fffe":         "private network",
		"2001:0:a00:1:0:0:f7f7:f7f7":           "private network",
		"2001:0:4136:e378:8000:63bf:3fff:fdd2": "documentation", // the RFC's own example, 192.0.2.45
	} {
		err := (*Policy)(nil).CheckAddr("h.example", netip.AddrPortFrom(netip.MustParseAddr(addr), 443))
		var e *BlockedError
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v, want it allowed", addr, err)
		case want != "" && (!errors.As(err, &e) || e.Reason != want || e.Host != "h.example" || e.Port != 443):
			t.Errorf("%s: %v, want %q", addr, err, want)
		}
	}
	if (*Policy)(nil).CheckAddr("h", netip.AddrPort{}) == nil {
		t.Error("no address at all is allowed")
	}
}

func TestPolicy_everySpecialRangeIsRefusedAtBothEnds(t *testing.T) {
	for _, r := range specialRanges {
		first := r.prefix.Masked().Addr()
		last := lastOf(r.prefix)
		for _, a := range []netip.Addr{first, last} {
			if refusal(a, noAddrs) == "" {
				t.Errorf("%s of %s is allowed", a, r.prefix)
			}
		}
		if first != r.prefix.Addr() {
			t.Errorf("%s has bits behind its length", r.prefix)
		}
	}
}

func lastOf(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

func noAddrs() ([]net.Addr, error) { return nil, nil }

func TestPolicy_ownAddressesAreRefused(t *testing.T) {
	own := func() ([]net.Addr, error) {
		return []net.Addr{
			&net.IPNet{IP: net.IPv4(93, 184, 215, 14), Mask: net.CIDRMask(24, 32)},
			&net.IPNet{IP: net.ParseIP("2a00:1450::1"), Mask: net.CIDRMask(64, 128)},
		}, nil
	}
	for addr, refused := range map[string]bool{
		"93.184.215.14": true, "93.184.215.15": false, "2a00:1450::1": true, "2a00:1450::2": false,
		"::ffff:93.184.215.14": true, "64:ff9b::93.184.215.14": true,
	} {
		err := (*Policy)(nil).check("h", netip.AddrPortFrom(netip.MustParseAddr(addr), 80), own)
		if (err != nil) != refused {
			t.Errorf("%s: %v, want refused %v", addr, err, refused)
		}
	}
	unknown := func() ([]net.Addr, error) { return nil, errors.New("no") }
	if (*Policy)(nil).check("h", netip.MustParseAddrPort("8.8.8.8:80"), unknown) == nil {
		t.Error("without knowing its own addresses it allows one")
	}
}

func TestPolicy_browsersBlockedPortsAreRefused(t *testing.T) {
	p := &Policy{AllowPrivate: true, AllowHosts: []string{"a.example", "b.example:22"}}
	for addr, refused := range map[string]bool{
		"a.example:22": true, "a.example:25": true, "a.example:6667": true, "a.example:0": true, "a.example:10080": true,
		"a.example:80": false, "a.example:443": false, "a.example:8080": false, "b.example:22": false, "b.example:25": true,
	} {
		host, port, _ := splitHostPort(addr)
		err := p.CheckAddr(host, netip.AddrPortFrom(netip.MustParseAddr("8.8.8.8"), port))
		if (err != nil) != refused {
			t.Errorf("%s: %v, want refused %v", addr, err, refused)
		}
	}
}

func TestPolicy_allowsWhatTheCallerNames(t *testing.T) {
	networks := []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00::/8")}
	hosts := func(h ...string) *Policy { return &Policy{AllowHosts: h} }
	for _, test := range []struct {
		policy  *Policy
		host    string
		addr    string
		allowed bool
	}{
		{&Policy{AllowPrivate: true}, "h", "127.0.0.1:80", true},
		{&Policy{AllowPrivate: true}, "h", "[::1]:80", true},
		{&Policy{AllowPrivate: true}, "h", "0.0.0.0:80", true},
		{&Policy{AllowNetworks: networks}, "h", "10.1.2.3:80", true},
		{&Policy{AllowNetworks: networks}, "h", "10.2.2.3:80", false},
		{&Policy{AllowNetworks: networks}, "h", "[::ffff:10.1.2.3]:80", true},
		{&Policy{AllowNetworks: networks}, "h", "[fd00::5]:80", true},
		{hosts("intra.example"), "intra.example", "10.0.0.1:80", true},
		{hosts("intra.example"), "INTRA.example.", "10.0.0.1:8080", true},
		{hosts("intra.example"), "www.intra.example", "10.0.0.1:80", false},
		{hosts("Intra.Example."), "intra.example", "10.0.0.1:80", true},
		{hosts("intra.example:8080"), "intra.example", "10.0.0.1:8080", true},
		{hosts("intra.example:8080"), "intra.example", "10.0.0.1:80", false},
		{hosts("*.intra.example"), "a.b.intra.example", "10.0.0.1:80", true},
		{hosts("*.intra.example"), "intra.example", "10.0.0.1:80", false},
		{hosts("*.intra.example"), "notintra.example", "10.0.0.1:80", false},
		{hosts("*.intra.example:81"), "a.intra.example", "10.0.0.1:81", true},
		{hosts("bücher.example"), "xn--bcher-kva.example", "10.0.0.1:80", true},
		{hosts("127.0.0.1"), "127.0.0.1", "127.0.0.1:9999", true},
		{hosts("127.0.0.1:81"), "127.0.0.1", "127.0.0.1:80", false},
		{hosts("127.0.0.1"), "localhost", "127.0.0.1:80", false}, // a name is something else than an address
		{hosts("localhost"), "localhost", "127.0.0.1:80", true},
		{hosts("::1"), "[::1]", "[::1]:80", true},
		{hosts("[::1]"), "::1", "[::1]:80", true},
		{hosts("[::1]:81"), "::1", "[::1]:81", true},
		{hosts("[::1]:81"), "::1", "[::1]:80", false},
		{hosts("0:0:0:0:0:0:0:1"), "::1", "[::1]:80", true},
		{hosts("::ffff:127.0.0.1"), "127.0.0.1", "127.0.0.1:80", true},
	} {
		err := test.policy.CheckAddr(test.host, netip.MustParseAddrPort(test.addr))
		if (err == nil) != test.allowed {
			t.Errorf("%+v %s at %s: %v, want allowed %v", *test.policy, test.host, test.addr, err, test.allowed)
		}
	}
}

func TestPolicy_validateNamesTheBadEntry(t *testing.T) {
	for _, bad := range []string{"", "a.example:", "a.example:http", "a.example:0", "a.example:65536", "http://a.example", "a.example/x", "*", "*.", "a*.example", "u@a.example", "a b"} {
		err := (&Policy{AllowHosts: []string{bad}}).Validate()
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("AllowHosts[0]: %q", bad)) {
			t.Errorf("%q: %v, want an error that names it", bad, err)
		}
		if byHost, byPort := (&Policy{AllowHosts: []string{bad}}).hostAllowed(bad, 80); byHost || byPort {
			t.Errorf("%q matches", bad)
		}
	}
	if err := (&Policy{AllowHosts: []string{"a", "*.b", "c:1", "1.2.3.4", "::1", "[::1]:2"}}).Validate(); err != nil {
		t.Error(err)
	}
}

func FuzzPolicy_unwrapping(f *testing.F) {
	for _, s := range []string{"8.8.8.8", "::ffff:127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1:a00:0:100::", "2002:7f00:1::", "2001:0:808:808::f5ff:fffe", "::1", "fe80::1"} {
		f.Add(netip.MustParseAddr(s).AsSlice())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		got := refusal(a, noAddrs)
		// Whatever an IPv4 address is wrapped in, it is no better than bare.
		for _, inner := range embedded(a) {
			if !inner.Is4() {
				t.Fatalf("%s holds %s", a, inner)
			}
			if special(inner) != "" && got == "" {
				t.Errorf("%s is allowed though it holds %s", a, inner)
			}
		}
		if a.Is4() {
			bare := a.As4()
			for _, wrapped := range wrappings(bare) {
				if (refusal(wrapped, noAddrs) == "") != (got == "") {
					t.Errorf("%s: %q, as %s: %q", a, got, wrapped, refusal(wrapped, noAddrs))
				}
			}
		}
		if a.Is6() && got == "" && len(embedded(a)) == 0 && !globalUnicast6.Contains(a) {
			t.Errorf("%s is allowed outside 2000::/3", a)
		}
	})
}

// wrappings returns an IPv4 address in each of the forms that have just one reading.
func wrappings(b [4]byte) []netip.Addr {
	mapped, nat64, local, six := [16]byte{10: 0xff, 11: 0xff}, [16]byte{1: 0x64, 2: 0xff, 3: 0x9b}, [16]byte{1: 0x64, 2: 0xff, 3: 0x9b, 5: 1}, [16]byte{0x20, 2}
	copy(mapped[12:], b[:])
	copy(nat64[12:], b[:])
	copy(local[12:], b[:])
	copy(six[2:], b[:])
	return []netip.Addr{netip.AddrFrom16(mapped), netip.AddrFrom16(nat64), netip.AddrFrom16(local), netip.AddrFrom16(six)}
}
