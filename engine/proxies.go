package engine

import (
	"github.com/winnow-go/winnow/engine/internal/locale"
	"github.com/winnow-go/winnow/engine/internal/proxies"
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

// proxyList are the proxies that the operator has configured.
func proxyList(configured []Proxy) (list proxies.List) {
	for _, p := range configured {
		list = append(list, proxies.Proxy{URL: p.URL, Tier: string(p.Tier), Country: p.Country})
	}
	return list
}

// planProxies gives a plan its proxies.
func (e *Engine) planProxies(p *plan, o ScrapeOptions) error {
	all, err := e.proxies.Plan(proxies.Request{URL: o.ProxyURL, Tier: string(o.Proxy), Country: countryOf(o.Location)})
	p.Proxy, p.Fallback, p.Tier, p.FallbackTier = all.First, all.Fallback, all.Tier, proxies.Stealth
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
