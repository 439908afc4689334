package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"time"

	"github.com/winnow-go/winnow/fetch/auth"
)

// Resolver looks names up. *net.Resolver is one. It must honor ctx.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// maxAddrs bounds how many addresses of one name are tried, whatever a name server answers.
const maxAddrs = 10

// stagger is how long an address may take before the next one is tried beside it (RFC 8305 recommends 250 ms).
const stagger = 250 * time.Millisecond

// Dialer makes every outgoing connection of the process. It resolves a name, checks each of its addresses against the
// Policy and dials only those that pass, so that what is checked is what is dialed, however the name's answer
// changes. Client.Dialer returns it. It is safe for concurrent use; after Client.Close it refuses to dial.
type Dialer struct {
	policy   *Policy
	resolver Resolver
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	timeout  time.Duration
	own      func() ([]net.Addr, error)
	roots    *x509.CertPool
	virtual  *Virtual        // nil: none
	access   *auth.Access    // nil: none
	ctx      context.Context // the client's own; done at Client.Close

	transports *transports
}

// DialContext connects to host:port over TCP. Network is "tcp", "tcp4" or "tcp6". The whole of it, lookup
// included, is bounded by the client's ConnectTimeout. Errors: *BlockedError when no address is allowed,
// *DNSError, *ConnectError, *TimeoutError, or one that wraps ctx's. A virtual host is reached only with a
// context of WithVirtual.
func (d *Dialer) DialContext(ctx context.Context, network, hostport string) (net.Conn, error) {
	inner, cancel := d.bound(ctx)
	defer cancel()
	c, err := d.reach(inner, network, hostport)
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	return c, nil
}

// Access returns the client's Options.Access.
func (d *Dialer) Access() *auth.Access { return d.access }

// Through returns what sends requests by a proxy, the zero value for none, to origins that get credentials of Access: logins of a guard.
func (d *Dialer) Through(p Proxy) http.RoundTripper {
	return rechecked{d, d.transports.get(transportKey{proxy: p, trusted: true})}
}

// rechecked sends requests over connections that the policy still allows; others are closed, so that they can't carry any.
type rechecked struct {
	dialer *Dialer
	http.RoundTripper
}

func (c rechecked) RoundTrip(r *http.Request) (*http.Response, error) {
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { _ = c.dialer.Recheck(info.Conn) }}
	return c.RoundTripper.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
}

// reach connects to a virtual host or to an address that may be dialed.
func (d *Dialer) reach(ctx context.Context, network, hostport string) (net.Conn, error) {
	if host, _, err := splitHostPort(hostport); err == nil && d.virtual.Has(host) {
		return d.virtual.dial(ctx, host, hostport)
	}
	t, err := d.target(ctx, network, hostport)
	if err != nil {
		return nil, err
	}
	c, err := d.connect(ctx, network, t)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Recheck checks a connection that the Dialer has made against the policy once more, for another request
// over it: what was allowed when it was dialed may have become an address of this machine since. A
// connection that no longer passes is closed, so that it can't carry anything. The error is a *BlockedError.
func (d *Dialer) Recheck(c net.Conn) error {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if _, ok := c.(*virtualConn); ok {
		return nil // access was checked when it was dialed
	}
	checked, ok := c.(*checkedConn)
	if !ok {
		return errors.New("fetch: not a connection of this Dialer")
	}
	err := d.policy.checkTarget(checked.host, checked.addr, d.own)
	if err != nil {
		checked.Close()
	}
	return err
}

// bound derives the context of one dial: it ends with ctx, with the client, or after the connect timeout.
func (d *Dialer) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if d.ctx.Err() != nil {
		cancel(ErrClosed) // AfterFunc runs on its own goroutine, which a quick dial would outrun
	}
	stop := context.AfterFunc(d.ctx, func() { cancel(ErrClosed) })
	inner, release := context.WithTimeoutCause(ctx, d.timeout, &TimeoutError{Phase: "connect", After: d.timeout})
	return inner, func() {
		stop()
		release()
		cancel(nil)
	}
}

// ended replaces err by the reason why a context ended, if one has: the caller's first, then the dialer's own bound.
func ended(caller, inner context.Context, err error) error {
	if caller.Err() != nil {
		return contextError(caller)
	}
	if inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// contextError is the caller's context error, with the cause if there is another one.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == err {
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// target is a host with the addresses that may be dialed for it.
type target struct {
	host  string
	addrs []netip.AddrPort // at least one; a zero address where a proxy resolves the host
}

// wire is the host:port that a proxy gets: one of the addresses, or the name.
func (t target) wire(ap netip.AddrPort) string {
	if ap.Addr().IsValid() {
		return ap.String()
	}
	return net.JoinHostPort(t.host, strconv.Itoa(int(ap.Port())))
}

// target resolves host:port and keeps the addresses that the policy allows.
func (d *Dialer) target(ctx context.Context, network, hostport string) (target, error) {
	return d.allowed(ctx, network, hostport, d.policy)
}

// allowed is target with a policy of its own.
func (d *Dialer) allowed(ctx context.Context, network, hostport string, policy *Policy) (target, error) {
	host, port, err := splitHostPort(hostport)
	if err != nil {
		return target{}, err
	}
	addrs, err := d.resolve(ctx, network, host)
	if err != nil {
		return target{}, err
	}
	t := target{host: host}
	var refused error
	for _, a := range addrs {
		ap := netip.AddrPortFrom(a, port)
		if err := policy.check(host, ap, d.own); err == nil {
			t.addrs = append(t.addrs, ap)
		} else if refused == nil {
			refused = err
		}
	}
	if t.addrs == nil {
		return target{}, refused
	}
	return t, nil
}

// resolve returns up to maxAddrs addresses of a host in the order in which to try them. Names of this machine are
// not sent to a name server.
func (d *Dialer) resolve(ctx context.Context, network, host string) ([]netip.Addr, error) {
	addrs := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		addrs = append(addrs, a)
	} else if isLocalhost(canonicalHost(host)) {
		addrs = loopback
	} else if addrs, err = d.resolver.LookupNetIP(ctx, "ip", host); err != nil {
		return nil, &DNSError{Host: host, Err: err}
	}
	addrs = interleave(addrs, network)
	if len(addrs) == 0 {
		return nil, &DNSError{Host: host}
	}
	return addrs[:min(len(addrs), maxAddrs)], nil
}

// interleave sorts the two families alternately, beginning with the family of the first answer, so that a
// broken IPv6 costs one stagger and not many. A family that network excludes is left out.
func interleave(addrs []netip.Addr, network string) []netip.Addr {
	var first, second []netip.Addr
	for _, a := range addrs {
		a = a.Unmap()
		if network == "tcp4" && !a.Is4() || network == "tcp6" && a.Is4() {
			continue
		}
		if len(first) == 0 || first[0].Is4() == a.Is4() {
			first = append(first, a)
		} else {
			second = append(second, a)
		}
	}
	mixed := make([]netip.Addr, 0, len(first)+len(second))
	for i := range max(len(first), len(second)) {
		if i < len(first) {
			mixed = append(mixed, first[i])
		}
		if i < len(second) {
			mixed = append(mixed, second[i])
		}
	}
	return mixed
}

func splitHostPort(hostport string) (string, uint16, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: %w", hostport, err)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || host == "" {
		return "", 0, fmt.Errorf("address %q: want host:port with a port of 0 to 65535", hostport)
	}
	return host, uint16(n), nil
}
