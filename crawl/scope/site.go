package scope

import (
	"strings"

	"golang.org/x/net/publicsuffix"
)

// bare is a host without "www." and without the dot of the root.
func bare(host string) string {
	if strings.Contains(host, "..") || host == "." {
		return host // an empty label: leave it alone
	}
	host = strings.TrimSuffix(host, ".")
	for strings.HasPrefix(host, "www.") {
		host = host[len("www."):]
	}
	return host
}

// sameHost ignores "www.", and http beside https. Another port is another host.
func sameHost(a, b *address) bool {
	return a.port == b.port && bare(a.host) == bare(b.host)
}

// registrable is the domain that somebody registered: the public suffix and one label more. "" for an IP address, a single
// label and a public suffix itself, such as github.io, below which everybody has their own.
func registrable(host string) string {
	domain, _ := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, "."))
	return domain // "" beside an error
}

// social names the network that a host belongs to, under whatever top-level domain; "" if none.
func social(host string) string {
	name, _, _ := strings.Cut(registrable(host), ".")
	switch name {
	case "facebook", "twitter", "linkedin", "instagram", "pinterest", "github", "calendly", "discord":
		return name
	}
	return ""
}
