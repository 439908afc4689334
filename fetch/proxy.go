package fetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"

	"golang.org/x/net/proxy"
)

// maxProxiedAddrs bounds how many addresses of a name are requested from a proxy, one after the other.
const maxProxiedAddrs = 3

// DialVia connects to host:port through a proxy, by CONNECT or SOCKS. The name is resolved and checked here and the proxy
// receives the checked ip:port, so that the proxy's own resolution of the name can't bypass the policy; with
// Proxy.Resolve the proxy receives the name, and the policy is applied to that. The proxy itself is
// exempt from the policy, unless Proxy.Policy is set. Errors: those of DialContext, and *ProxyError for failures at
// the proxy. Bounded by the client's ConnectTimeout. Virtual hosts are reached as by DialContext, without the
// proxy.
func (d *Dialer) DialVia(ctx context.Context, p Proxy, hostport string) (net.Conn, error) {
	c, _, err := d.dialVia(ctx, p, hostport, upstream.reach)
	return c, err
}

// DialPlain is DialVia for plain http requests. With a Forward, the connection ends at the proxy, and requests for this
// host and port are sent over it in absolute form; nil: it leads to the site. Only HTTP proxies with Proxy.Resolve are used so.
func (d *Dialer) DialPlain(ctx context.Context, p Proxy, hostport string) (net.Conn, *Forward, error) {
	return d.dialVia(ctx, p, hostport, upstream.reachPlain)
}

// reach makes the connection of a DialVia.
type reach func(upstream, context.Context, *Dialer, target) (net.Conn, *Forward, error)

func (d *Dialer) dialVia(ctx context.Context, p Proxy, hostport string, how reach) (net.Conn, *Forward, error) {
	up, err := parseProxy(p)
	if err != nil {
		return nil, nil, err
	}
	if host, _, err := splitHostPort(hostport); err == nil && d.virtual.Has(host) {
		c, err := d.DialContext(ctx, "tcp", hostport)
		return c, nil, err
	}
	inner, cancel := d.bound(ctx)
	defer cancel()
	t, err := d.proxied(inner, p, hostport)
	if err != nil {
		return nil, nil, ended(ctx, inner, err)
	}
	c, forward, err := how(up, inner, d, t)
	if err != nil {
		if err = ended(ctx, inner, err); ctx.Err() == nil {
			err = &ProxyError{Proxy: up.name(), Err: err}
		}
		return nil, nil, err
	}
	return c, forward, nil
}

// proxied is the target as the proxy gets it.
func (d *Dialer) proxied(ctx context.Context, p Proxy, hostport string) (target, error) {
	if p.Resolve {
		return d.named(hostport)
	}
	return d.target(ctx, "tcp", hostport)
}

// reachPlain connects to the proxy alone where plain requests go there in absolute form.
func (u upstream) reachPlain(ctx context.Context, d *Dialer, t target) (net.Conn, *Forward, error) {
	if !u.forwards() {
		return u.reach(ctx, d, t)
	}
	c, err := d.dialProxy(ctx, u)
	if err != nil {
		return nil, nil, err
	}
	return &checkedConn{c, t.host, t.addrs[0]}, u.forward(t), nil
}

// reach requests one address after the other from the proxy.
func (u upstream) reach(ctx context.Context, d *Dialer, t target) (net.Conn, *Forward, error) {
	var first error
	for _, ap := range t.addrs[:min(len(t.addrs), maxProxiedAddrs)] {
		raw, err := d.dialProxy(ctx, u)
		if err != nil {
			return nil, nil, err
		}
		c, err := u.openTunnel(ctx, raw, t.wire(ap))
		if err == nil {
			return &checkedConn{c, t.host, ap}, nil, nil
		}
		raw.Close()
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, nil, first
}

// dialProxy connects to the proxy, with TLS where it wants TLS.
func (d *Dialer) dialProxy(ctx context.Context, up upstream) (net.Conn, error) {
	t, err := d.proxyTarget(ctx, up)
	if err != nil {
		return nil, err
	}
	c, err := d.connect(ctx, "tcp", t)
	if err != nil {
		return nil, err
	}
	if up.scheme != "https" {
		return c, nil
	}
	return handshake(ctx, c, &tls.Config{ServerName: t.host, RootCAs: d.roots})
}

// proxyTarget is the proxy with those of its addresses that its own policy allows.
func (d *Dialer) proxyTarget(ctx context.Context, up upstream) (target, error) {
	if up.Policy != nil {
		return d.allowed(ctx, "tcp", up.addr, up.Policy)
	}
	host, port, err := splitHostPort(up.addr)
	if err != nil {
		return target{}, err
	}
	addrs, err := d.resolve(ctx, "tcp", host)
	if err != nil {
		return target{}, err
	}
	t := target{host: host}
	for _, a := range addrs {
		t.addrs = append(t.addrs, netip.AddrPortFrom(a, port))
	}
	return t, nil
}

// openTunnel makes the proxy open a tunnel to host:port over the connection c. It doesn't close c.
func (u upstream) openTunnel(ctx context.Context, c net.Conn, hostport string) (net.Conn, error) {
	if u.scheme != "socks5" {
		return u.connectHTTP(ctx, c, hostport)
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
	if _, err := s.(proxy.ContextDialer).DialContext(ctx, "tcp", hostport); err != nil {
		return nil, err
	}
	// The connection itself, not the wrapper that SOCKS5 returns: it can close one direction.
	return c, nil
}

// given is a proxy.Dialer that has its connection already.
type given struct{ c net.Conn }

func (g given) Dial(string, string) (net.Conn, error) { return g.c, nil }

func (g given) DialContext(context.Context, string, string) (net.Conn, error) { return g.c, nil }
