// Package proxies picks the proxies of a request among those that the operator has configured, by tier and country.
//
// List.Plan is for a request, List.Basic for what is fetched beside one.
package proxies

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/locale"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch"
)

// The tiers. Stealth is what results call Enhanced.
const (
	Auto     = "auto"
	Basic    = "basic"
	Enhanced = "enhanced"
	Stealth  = "stealth"
)

// Proxy is one that the operator has configured.
type Proxy struct {
	URL     string
	Tier    string // Basic, also when empty, or Enhanced
	Country string // where it comes out, an ISO 3166-1 alpha-2 code; "": unknown
	Resolve bool   // it resolves names
}

// upstream is the proxy as requests go through it.
func (p Proxy) upstream() fetch.Proxy { return fetch.Proxy{URL: p.URL, Resolve: p.Resolve} }

// code is the country's, "" for an unknown one. "us-generic" is US, as in requests.
func (p Proxy) code() string {
	if p.Country == "" {
		return ""
	}
	code, _ := locale.Country(p.Country) // Check has seen the error
	return code
}

// List are all that are configured.
type List []Proxy

// Request is what a request says of proxies.
type Request struct {
	URL     string        // of a proxy of its own; "" for none
	Policy  *fetch.Policy // of the address of that proxy; nil for none
	Tier    string        // "" is Auto
	Country string        // that the request is to come from; "" for any
}

// Plan is what a request comes to with the configured proxies.
type Plan struct {
	First    fetch.Proxy // the proxy to begin with; zero is a direct connection
	Tier     string      // of First: Basic or Stealth
	Fallback fetch.Proxy // the enhanced proxy that Auto retries with; zero for none
	// Country is where First comes out, and FallbackCountry where Fallback does, in upper case; "": unknown.
	Country, FallbackCountry string
}

// NoneError says that no proxy of the requested tier is configured. Err is an [*option.Error].
type NoneError struct{ Err error }

func (e *NoneError) Error() string { return e.Err.Error() }
func (e *NoneError) Unwrap() error { return e.Err }

const (
	wantURL = "an http, https, socks5 or socks5h URL"
	secret  = "(kept secret)" // instead of a value that may hold a password
)

// Check refuses proxies, and a policy for those of requests, that can't be used. The error is an [*option.Error].
func (l List) Check(policy *fetch.Policy) error {
	for i, p := range l {
		if err := p.check(fmt.Sprintf("Proxies[%d]", i)); err != nil {
			return err
		}
	}
	if err := policy.Validate(); err != nil {
		return &option.Error{Field: "ProxyPolicy", Want: "valid hosts and networks", Err: err}
	}
	return nil
}

func (p Proxy) check(field string) error {
	if !isURL(p.URL) {
		return &option.Error{Field: field + ".URL", Value: secret, Want: wantURL}
	}
	if p.Tier != "" && p.Tier != Basic && p.Tier != Enhanced {
		return &option.Error{Field: field + ".Tier", Value: p.Tier, Want: `"basic" or "enhanced"`}
	}
	if p.Country == "" {
		return nil
	}
	if _, err := locale.Country(p.Country); err != nil {
		return &option.Error{Field: field + ".Country", Value: p.Country, Want: "an ISO 3166-1 alpha-2 code"}
	}
	return nil
}

func isURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}

// Plan gives the proxies of a request: its own, or those of its tier and country. A direct connection is the basic tier
// where no basic proxy is configured. The error is an [*option.Error], or a [*NoneError].
func (l List) Plan(r Request) (Plan, error) {
	switch {
	case r.URL == "":
		return l.plan(r.Tier, r.Country)
	case r.Tier != "":
		return Plan{}, &option.Error{Field: "proxy", Value: r.Tier, Want: "unset beside ProxyURL"}
	case !isURL(r.URL):
		return Plan{}, &option.Error{Field: "proxyURL", Value: secret, Want: wantURL}
	}
	return Plan{First: fetch.Proxy{URL: r.URL, Policy: r.Policy}, Tier: Basic}, nil
}

func (l List) plan(tier, country string) (Plan, error) {
	basic, _ := l.pick(Basic, country)
	enhanced, ok := l.pick(Enhanced, country)
	switch tier {
	case "", Auto:
		return planOf(basic, Basic, enhanced), nil
	case Basic:
		return planOf(basic, Basic, Proxy{}), nil
	case Enhanced, Stealth:
		if !ok {
			return Plan{}, &NoneError{&option.Error{Field: "proxy", Value: tier, Want: "a tier for which Options.Proxies has a proxy"}}
		}
		return planOf(enhanced, Stealth, Proxy{}), nil
	}
	return Plan{}, &option.Error{Field: "proxy", Value: tier, Want: `"basic", "enhanced", "stealth" or "auto"`}
}

func planOf(first Proxy, tier string, fallback Proxy) Plan {
	return Plan{
		First: first.upstream(), Tier: tier, Country: first.code(), Fallback: fallback.upstream(), FallbackCountry: fallback.code(),
	}
}

// Basic is the proxy of a request that says nothing about one; zero is a direct connection.
func (l List) Basic(country string) fetch.Proxy {
	proxy, _ := l.pick(Basic, country)
	return proxy.upstream()
}

// pick prefers one that comes out in the requested country, then one without a country, then the first of the tier.
func (l List) pick(tier, country string) (Proxy, bool) {
	var best Proxy
	rank := 0
	for _, p := range l {
		if cmp.Or(p.Tier, Basic) != tier {
			continue
		}
		if r := rankOf(p.code(), country); r > rank {
			best, rank = p, r
		}
	}
	return best, rank > 0
}

func rankOf(have, want string) int {
	switch {
	case want != "" && have == want:
		return 3
	case have == "":
		return 2
	}
	return 1
}
