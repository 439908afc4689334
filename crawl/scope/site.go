package scope

import (
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
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

// social names the network that a host belongs to, under whatever top-level domain; "" if none.
func social(host string) string {
	name, _, _ := strings.Cut(weburl.Registrable(host), ".")
	switch name {
	case "facebook", "twitter", "linkedin", "instagram", "pinterest", "github", "calendly", "discord":
		return name
	}
	return ""
}
