package engine

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/locale"
)

// Proxy is an upstream proxy that the operator has configured.
type Proxy struct {
	// URL is an http, https, socks5 or socks5h URL; it may carry credentials.
	URL string
	// Tier is ProxyBasic or ProxyEnhanced. Empty is basic.
	Tier ProxyTier
	// Country is where the proxy comes out, an ISO 3166-1 alpha-2 code; a request's
	// location picks by it. Empty: unknown.
	Country string
}

func (p Proxy) check(i int) error {
	field := fmt.Sprintf("Proxies[%d]", i)
	if !proxyURL(p.URL) {
		return &OptionError{Field: field + ".URL", Value: secret, Want: wantProxyURL}
	}
	if p.Tier != "" && p.Tier != ProxyBasic && p.Tier != ProxyEnhanced {
		return &OptionError{Field: field + ".Tier", Value: string(p.Tier), Want: `"basic" or "enhanced"`}
	}
	if p.Country == "" {
		return nil
	}
	if _, err := locale.Country(p.Country); err != nil {
		return &OptionError{Field: field + ".Country", Value: p.Country, Want: "an ISO 3166-1 alpha-2 code"}
	}
	return nil
}

const (
	wantProxyURL = "an http, https, socks5 or socks5h URL"
	secret       = "(kept secret)" // instead of a value that may hold a password
)

func proxyURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}

// proxyPlan is what a request's tier comes to with the configured proxies.
type proxyPlan struct {
	first    string    // the proxy to begin with; "" is a direct connection
	tier     ProxyTier // of first
	fallback string    // the enhanced proxy that "auto" retries with; "" for none
}

// planProxies gives a plan its proxies.
func (e *Engine) planProxies(p *plan, o ScrapeOptions) error {
	all, err := e.proxiesFor(o)
	p.Proxy, p.Fallback, p.Tier, p.FallbackTier = all.first, all.fallback, string(all.tier), string(ProxyStealth)
	return err
}

// proxiesFor gives the proxies of a request: its own, or those of its tier.
func (e *Engine) proxiesFor(o ScrapeOptions) (proxyPlan, error) {
	switch {
	case o.ProxyURL == "":
		return planProxy(e.options.Proxies, o.Proxy, countryOf(o.Location))
	case o.Proxy != "":
		return proxyPlan{}, &OptionError{Field: "proxy", Value: string(o.Proxy), Want: "unset beside ProxyURL"}
	case !proxyURL(o.ProxyURL):
		return proxyPlan{}, &OptionError{Field: "proxyURL", Value: secret, Want: wantProxyURL}
	}
	return proxyPlan{first: o.ProxyURL, tier: ProxyBasic}, nil
}

// planProxy picks proxies for a tier and a country. A direct connection is the
// basic tier where no basic proxy is configured.
func planProxy(all []Proxy, tier ProxyTier, country string) (proxyPlan, error) {
	basic, _ := pickProxy(all, ProxyBasic, country)
	enhanced, ok := pickProxy(all, ProxyEnhanced, country)
	switch tier {
	case "", ProxyAuto:
		return proxyPlan{first: basic, tier: ProxyBasic, fallback: enhanced}, nil
	case ProxyBasic:
		return proxyPlan{first: basic, tier: ProxyBasic}, nil
	case ProxyEnhanced, ProxyStealth:
		if !ok {
			return proxyPlan{}, &Error{Code: CodeProxy, Err: &OptionError{Field: "proxy", Value: string(tier), Want: "a tier for which Options.Proxies has a proxy"}}
		}
		return proxyPlan{first: enhanced, tier: ProxyStealth}, nil
	}
	return proxyPlan{}, &OptionError{Field: "proxy", Value: string(tier), Want: `"basic", "enhanced", "stealth" or "auto"`}
}

// pickProxy prefers one that comes out in the asked country, then one without
// a country, then the first of the tier.
func pickProxy(all []Proxy, tier ProxyTier, country string) (string, bool) {
	var best string
	rank := 0
	for _, p := range all {
		if cmp.Or(p.Tier, ProxyBasic) != tier {
			continue
		}
		if r := proxyRank(p.Country, country); r > rank {
			best, rank = p.URL, r
		}
	}
	return best, rank > 0
}

func proxyRank(have, want string) int {
	switch {
	case want != "" && strings.EqualFold(have, want):
		return 3
	case have == "":
		return 2
	}
	return 1
}

// countryOf is the code that proxies are picked by, "" without a location.
func countryOf(l *Location) string {
	if l == nil {
		return ""
	}
	code, _ := locale.Country(l.Country) // "" beside an error
	return code
}
