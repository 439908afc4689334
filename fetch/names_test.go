package fetch

import (
	"net/netip"
	"strings"
	"testing"
)

func TestPlainName(t *testing.T) {
	for host, want := range map[string]string{
		"a.example": "a.example", "A.Example.": "a.example", "bücher.example": "xn--bcher-kva.example", "_x.a-b.example": "_x.a-b.example",
		"127.1": "127.0.0.1", "0x7f.1": "127.0.0.1", "2130706433": "127.0.0.1", "0177.0.0.1": "127.0.0.1", "127.0.0.1.": "127.0.0.1",
		"１２７.0.0.1": "127.0.0.1", "%31%32%37.0.0.1": "127.0.0.1", "::1": "::1", "::ffff:127.0.0.1": "127.0.0.1", "fe80::1%eth0": "fe80::1",
		"": "", ".": "", "a..example": "", "a.example..": "", "a b": "", "a/b": "", "a@b": "", "a:80": "", "256.1.1.1": "", "1.2.3.4.5": "",
		"a.0x1": "", "*.example": "", strings.Repeat("a", 64) + ".example": "", strings.Repeat("a.", 130) + "example": "",
	} {
		if got := plainName(host); got != want {
			t.Errorf("%q: got %q, want %q", host, got, want)
		}
	}
}

func TestPolicy_namesThatAProxyResolves(t *testing.T) {
	for _, c := range []struct {
		policy *Policy
		host   string
		port   uint16
		want   string // of the reason; "" is allowed
	}{
		{nil, "a.example", 80, ""},
		{nil, "A.EXAMPLE.", 443, ""},
		{nil, "localhost.example", 80, ""},
		{nil, "a.example", 25, "browsers block"},
		{nil, "localhost", 80, "loopback"},
		{nil, "a.LOCALHOST.", 80, "loopback"},
		{nil, "localhost.localdomain", 80, "private network"},
		{nil, "ip6-localhost", 80, "private network"},
		{nil, "intranet", 80, "private network"},
		{nil, "metadata.google.internal", 80, "private network"},
		{nil, "nas.home.arpa", 80, "private network"},
		{&Policy{AllowHosts: []string{"intranet"}}, "intranet", 80, ""},
		{&Policy{AllowHosts: []string{"intranet:8080"}}, "intranet", 80, "private network"},
		{&Policy{AllowHosts: []string{"a.example:25"}}, "a.example", 25, ""},
		{&Policy{AllowHosts: []string{"*.internal"}}, "wiki.internal", 80, ""},
		{&Policy{AllowHosts: []string{"localhost"}}, "localhost", 80, ""},
		{&Policy{AllowPrivate: true}, "intranet", 80, ""},
		{&Policy{AllowPrivate: true}, "intranet", 25, "browsers block"},
		{&Policy{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, "localhost", 80, ""},
		{&Policy{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}, "intranet", 80, "private network"},
	} {
		err := c.policy.checkName(c.host, c.port, noAddrs)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, %s:%d: %v, want %q", c.policy, c.host, c.port, err, c.want)
		}
	}
}

// What is left of a host is an address or a name of harmless letters, and stays what it is.
func FuzzPlainName(f *testing.F) {
	for _, host := range []string{"a.example", "127.1", "0x7f.1", "bücher.example", "%31.0.0.1", "[::1]", "a\r\nb", "a.example.", "１２７.1"} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		name := plainName(host)
		if name == "" {
			return
		}
		if _, err := netip.ParseAddr(name); err != nil && !isName(name) {
			t.Errorf("%q: %q", host, name)
		}
		if again := plainName(name); again != name {
			t.Errorf("%q: %q, then %q", host, name, again)
		}
	})
}
