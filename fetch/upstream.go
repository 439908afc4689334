package fetch

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Proxy is an upstream proxy and how it is used. The zero value is no proxy. Two values are the same proxy if they are
// equal.
type Proxy struct {
	// URL is an http, https, socks5 or socks5h URL, credentials allowed. socks5 and socks5h mean the same here:
	// Resolve decides who resolves names.
	URL string
	// Resolve sends names to the proxy, which resolves them, and plain http requests to an HTTP proxy in absolute form
	// (GET http://host/) instead of through CONNECT. False: names are resolved and checked here, and the proxy gets the
	// checked ip:port by CONNECT or SOCKS, whose answer it can't change.
	//
	// The risk: the Policy then judges the name only. Names that can only be internal are refused, and literal addresses are
	// judged as ever; that a public name leads to an internal address behind the proxy, which its owner can bring about, is
	// for the proxy to prevent. The answer to a plain request may be the proxy's own; of these, only 407 is an error.
	Resolve bool
	// Policy is applied to the addresses of the proxy itself, for a URL that others than the operator choose. Nil: the proxy
	// is exempt from every policy.
	Policy *Policy
}

// Validate reports whether the proxy can be used: the URL has a known scheme and a host, and the policy is valid. The error
// never holds the URL's credentials.
func (p Proxy) Validate() error {
	if _, err := parseProxy(p); err != nil {
		return err
	}
	return p.Policy.Validate()
}

// none reports whether there is no proxy.
func (p Proxy) none() bool { return p.URL == "" }

// upstream is a Proxy whose URL has been parsed.
type upstream struct {
	Proxy
	scheme string // http, https, socks5
	host   string
	addr   string // host:port
	user   *url.Userinfo
}

// parseProxy reads a proxy's URL. The error never holds its credentials.
func parseProxy(p Proxy) (upstream, error) {
	u, err := url.Parse(p.URL)
	if err != nil || u.Hostname() == "" {
		return upstream{}, errors.New("proxy URL: want scheme://[user:password@]host[:port]")
	}
	ports := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}
	port, known := ports[u.Scheme]
	if !known {
		return upstream{}, fmt.Errorf("proxy URL: scheme %q: want http, https, socks5 or socks5h", u.Scheme)
	}
	if u.Port() != "" {
		port = u.Port()
	}
	up := upstream{p, strings.TrimSuffix(u.Scheme, "h"), u.Hostname(), net.JoinHostPort(u.Hostname(), port), u.User}
	if _, _, err := splitHostPort(up.addr); err != nil {
		return upstream{}, fmt.Errorf("proxy URL: %w", err)
	}
	return up, nil
}

// name is the proxy for error messages.
func (u upstream) name() string { return u.scheme + "://" + u.addr }

// forwards reports whether plain http requests are sent to the proxy in absolute form.
func (u upstream) forwards() bool { return u.Resolve && u.scheme != "socks5" }

// authorization is the value of Proxy-Authorization, "" without credentials.
func (u upstream) authorization() string {
	if u.user == nil {
		return ""
	}
	password, _ := u.user.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(u.user.Username()+":"+password))
}

// Forward says how plain http requests are sent over a connection that ends at the proxy. Its zero value is not useful:
// DialPlain makes one.
type Forward struct {
	// Origin begins the target of each request, http://host or http://host:port; path and query follow. The host is the
	// one that was checked, in the form of CanonicalHost.
	Origin string
	// Authorization is the value of Proxy-Authorization, "" for none. It is a secret of the proxy.
	Authorization string
	proxy         string
}

// forward describes how requests for a target are sent over a connection to the proxy.
func (u upstream) forward(t target) *Forward {
	host := strings.TrimSuffix(t.wire(t.addrs[0]), ":80")
	return &Forward{Origin: "http://" + host, Authorization: u.authorization(), proxy: u.name()}
}

// Check returns the *ProxyError that a status means which only the proxy itself answers: 407. Nil for all others, and for a nil
// Forward, whose answers are the site's.
func (f *Forward) Check(status int) error {
	if f == nil || status != http.StatusProxyAuthRequired {
		return nil
	}
	return &ProxyError{Proxy: f.proxy, Err: fmt.Errorf("returned status %d", status)}
}
