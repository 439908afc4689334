package serving

import (
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/engine"
)

// parseProxies reads the values of -proxy.
func parseProxies(values []string) (list []engine.Proxy, err error) {
	for i, value := range values {
		p, err := parseProxy(value)
		if err != nil {
			return nil, fmt.Errorf("-proxy, number %d: %w", i+1, err)
		}
		list = append(list, p)
	}
	return list, nil
}

// flagOf puts the flag's name in place of the option that the engine refuses.
func flagOf(err error) error {
	if opt, ok := errors.AsType[*engine.OptionError](err); ok && strings.HasPrefix(opt.Field, "Proxies[") {
		return fmt.Errorf("-proxy: want %s", opt.Want)
	}
	return err
}

// parseProxy reads a value of -proxy: a URL, and after it, where wanted, its tier, its country and "resolve" in any order.
//
//	http://user:secret@proxy.example:3128,enhanced,de,resolve
//
// The error repeats nothing of the URL, which may carry a password; the engine checks the URL itself.
func parseProxy(value string) (engine.Proxy, error) {
	parts := strings.Split(value, ",")
	p := engine.Proxy{URL: parts[0]}
	if p.URL == "" {
		return p, errors.New("want URL[,tier][,country][,resolve]")
	}
	for _, part := range parts[1:] {
		tier := engine.ProxyTier(part)
		switch {
		case p.Tier == "" && (tier == engine.ProxyBasic || tier == engine.ProxyEnhanced):
			p.Tier = tier
		case p.Country == "" && len(part) == 2:
			p.Country = part
		case !p.Resolve && part == "resolve":
			p.Resolve = true
		default:
			return p, fmt.Errorf("%q after the URL: want a tier (basic or enhanced), a country of two letters and resolve, each once", part)
		}
	}
	return p, nil
}
