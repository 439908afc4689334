package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/proxy"
)

// maxProxiedAddrs bounds how many addresses of a name are requested from a proxy, one after the other.
const maxProxiedAddrs = 3

// upstream is a parsed proxy URL.
type upstream struct {
	scheme string // http, https, socks5
	host   string
	addr   string // host:port
	user   *url.Userinfo
}

// parseProxy reads a proxy URL. The error never holds its credentials.
func parseProxy(raw string) (upstream, error) {
	u, err := url.Parse(raw)
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
	p := upstream{strings.TrimSuffix(u.Scheme, "h"), u.Hostname(), net.JoinHostPort(u.Hostname(), port), u.User}
	if _, _, err := splitHostPort(p.addr); err != nil {
		return upstream{}, fmt.Errorf("proxy URL: %w", err)
	}
	return p, nil
}

// ValidateProxy reports whether a proxy URL can be used: http, https, socks5 or socks5h, with a host. The error
// never holds the URL's credentials.
func ValidateProxy(proxyURL string) error {
	_, err := parseProxy(proxyURL)
	return err
}

// name is the proxy for error messages.
func (u upstream) name() string { return u.scheme + "://" + u.addr }

// DialVia connects to host:port through a proxy (http, https, socks5 or socks5h URL, credentials allowed).
// The name is resolved and checked here and the proxy receives the checked ip:port, by CONNECT or SOCKS,
// so that the proxy's own resolution of the name can't bypass the policy. The proxy itself is the operator's
// choice and exempt from the policy. Errors: those of DialContext, and *ProxyError for failures at
// the proxy. Bounded by the client's ConnectTimeout. Virtual hosts are reached as by DialContext, without the
// proxy.
func (d *Dialer) DialVia(ctx context.Context, proxyURL, hostport string) (net.Conn, error) {
	up, err := parseProxy(proxyURL)
	if err != nil {
		return nil, err
	}
	if host, _, err := splitHostPort(hostport); err == nil && d.virtual.Has(host) {
		return d.DialContext(ctx, "tcp", hostport)
	}
	inner, cancel := d.bound(ctx)
	defer cancel()
	t, err := d.target(inner, "tcp", hostport)
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	c, err := d.tunnel(inner, up, t)
	if err != nil {
		if err = ended(ctx, inner, err); ctx.Err() == nil {
			err = &ProxyError{Proxy: up.name(), Err: err}
		}
		return nil, err
	}
	return c, nil
}

// tunnel requests one address after the other from the proxy.
func (d *Dialer) tunnel(ctx context.Context, up upstream, t target) (net.Conn, error) {
	var first error
	for _, ap := range t.addrs[:min(len(t.addrs), maxProxiedAddrs)] {
		raw, err := d.dialProxy(ctx, up)
		if err != nil {
			return nil, err
		}
		c, err := up.openTunnel(ctx, raw, ap)
		if err == nil {
			return &checkedConn{c, t.host, ap}, nil
		}
		raw.Close()
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, first
}

// dialProxy connects to the proxy, with TLS where it wants TLS.
func (d *Dialer) dialProxy(ctx context.Context, up upstream) (net.Conn, error) {
	host, port, err := splitHostPort(up.addr)
	if err != nil {
		return nil, err
	}
	addrs, err := d.resolve(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	t := target{host: host}
	for _, a := range addrs {
		t.addrs = append(t.addrs, netip.AddrPortFrom(a, port))
	}
	c, err := d.connect(ctx, "tcp", t)
	if err != nil || up.scheme != "https" {
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	return handshake(ctx, c, &tls.Config{ServerName: host, RootCAs: d.roots})
}

// openTunnel makes the proxy open a tunnel to one address over the connection c. It doesn't close c.
func (u upstream) openTunnel(ctx context.Context, c net.Conn, ap netip.AddrPort) (net.Conn, error) {
	if u.scheme != "socks5" {
		return u.connectHTTP(ctx, c, ap)
	}
	var auth *proxy.Auth
	if u.user != nil {
		password, _ := u.user.Password()
		auth = &proxy.Auth{User: u.user.Username(), Password: password}
	}
	s, err := proxy.SOCKS5("tcp", u.addr, auth, given{c})
	if err != nil {
		return nil, err
	}
	if _, err := s.(proxy.ContextDialer).DialContext(ctx, "tcp", ap.String()); err != nil {
		return nil, err
	}
	// The connection itself, not the wrapper that SOCKS5 returns: it can close one direction.
	return c, nil
}

// given is a proxy.Dialer that has its connection already.
type given struct{ c net.Conn }

func (g given) Dial(string, string) (net.Conn, error) { return g.c, nil }

func (g given) DialContext(context.Context, string, string) (net.Conn, error) { return g.c, nil }
