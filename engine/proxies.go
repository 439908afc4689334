package engine

import (
	"github.com/winnow-go/winnow/engine/internal/locale"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/proxies"
)

// Proxy is an upstream proxy that the operator has configured.
type Proxy struct {
	// URL is an http, https, socks5 or socks5h URL; it may carry credentials.
	URL string
	// Tier is ProxyBasic or ProxyEnhanced. Empty is basic.
	Tier ProxyTier
	// Country is where the proxy comes out, an ISO 3166-1 alpha-2 code; a request's
	// location picks by it. Empty: unknown. A document that was got by a proxy of another
	// country than its location asks for has a warning that names both.
	Country string
	// Resolve sends names to the proxy, which resolves them, and http:// pages as ordinary proxy
	// requests (GET http://host/), for HTTP and browser alike. It suits a proxy that allows CONNECT to
	// port 443 only, as Squid does by default, and hosts that only the proxy can resolve. False: names
	// are resolved here, and the proxy gets the checked address by CONNECT or SOCKS; socks5h is socks5.
	//
	// The risk: [Options.Policy] then judges names, not what they lead to. Literal private addresses and
	// names that can only be internal (localhost, one label, .local, .internal, .home.arpa and the like) are refused
	// unless the policy allows them, by AllowHosts or AllowPrivate; a public name that leads
	// to an address behind the proxy is for the proxy to refuse. Where a proxy answers for a page that it can't
	// get, its answer is the document.
	Resolve bool
}

// proxyList are the proxies that the operator has configured.
func proxyList(configured []Proxy) (list proxies.List) {
	for _, p := range configured {
		list = append(list, proxies.Proxy{URL: p.URL, Tier: string(p.Tier), Country: p.Country, Resolve: p.Resolve})
	}
	return list
}

// planProxies gives a plan its proxies.
func (e *Engine) planProxies(p *plan, o ScrapeOptions) error {
	r := proxies.Request{URL: o.ProxyURL, Policy: e.options.ProxyPolicy, Tier: string(o.Proxy), Country: countryOf(o.Location)}
	all, err := e.proxies.Plan(r)
	p.Proxy, p.Fallback, p.Tier, p.FallbackTier = all.First, all.Fallback, all.Tier, proxies.Stealth
	p.From = page.From{Proxy: all.Country, Fallback: all.FallbackCountry}
	if o.Location != nil && o.Location.Country != "" {
		p.From.Asked = countryOf(o.Location)
	}
	return proxyError(err)
}

// countryOf is the code that proxies are picked by, "" without a location.
func countryOf(l *Location) string {
	if l == nil {
		return ""
	}
	code, _ := locale.Country(l.Country) // "" beside an error
	return code
}
