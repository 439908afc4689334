package guard

import (
	"cmp"
	"crypto/tls"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http2"
)

// inside is a tunnel that is read, since the lease records or judges, or Access knows the site, instead of only copying what is in it.
type inside struct {
	addr    string    // the CONNECT target
	secure  bool      // the browser speaks TLS, and so do we with the site
	dialed  *metered  // the tunnel's own connection, until a request goes over it; nil: one is made for the first that isn't refused
	greeted *tls.Conn // TLS over dialed, once it has begun
	failed  error     // why it couldn't
}

// reads reports whether tunnels are read.
func (o *LeaseOptions) reads() bool { return o.Record != nil || o.Judge != nil }

// buffered is a connection of which something has been read ahead.
type buffered struct {
	net.Conn
	r io.Reader
}

func (b buffered) Read(p []byte) (int, error) { return b.r.Read(p) }

// intercept serves the requests inside a tunnel and reports whether that was possible: what is neither TLS nor HTTP is only copied.
func (p *peer) intercept(hostport string, up *metered) bool {
	p.setDeadline(idleTimeout)
	first, err := p.in.br.Peek(1)
	if err != nil {
		return true // there is nothing to copy either
	}
	const clientHello = 0x16
	within := &inside{addr: hostport, secure: first[0] == clientHello, dialed: up}
	var conn net.Conn = buffered{p.conn, p.in.br}
	switch {
	case within.secure:
		c, err := p.impersonate(conn, within)
		if err != nil {
			p.lease.guard.opt.Logger.Debug("guard: no TLS with the browser", "err", err)
			return true
		}
		defer c.Close() // says that nothing follows
		if conn = c; c.ConnectionState().NegotiatedProtocol == http2.NextProtoTLS {
			p.lease.relay(c, within.greeted)
			return true
		}
	case first[0] < 'A' || first[0] > 'Z':
		return false
	}
	q := &peer{lease: p.lease, conn: conn, in: newIncoming(conn), inside: within}
	defer q.leaveSite()
	for q.next() {
	}
	return true
}

// impersonate begins TLS with the browser in the name of a site. A lease that only judges lets the site choose the version of HTTP.
func (p *peer) impersonate(conn net.Conn, within *inside) (*tls.Conn, error) {
	host, _, _ := net.SplitHostPort(within.addr)
	cert, err := p.lease.guard.opt.Interceptor.Certificate(host)
	if err != nil {
		return nil, err
	}
	cfg := &tls.Config{Certificates: []tls.Certificate{*cert}, NextProtos: []string{http1}, SessionTicketsDisabled: true,
		CurvePreferences: []tls.CurveID{tls.X25519}} // between two processes of this machine
	if within.dialed != nil && p.lease.options().Record == nil && !p.lease.knows(within.addr) {
		cfg.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			like := cfg.Clone()
			like.NextProtos = []string{p.greet(within, hello.SupportedProtos)}
			return like, nil
		}
	}
	p.setDeadline(headTimeout)
	c := tls.Server(conn, cfg)
	return c, c.HandshakeContext(p.lease.ctx)
}

const http1 = "http/1.1"

// greet begins TLS with the site and returns its choice of the browser's protocols.
func (p *peer) greet(within *inside, offered []string) string {
	known := slices.DeleteFunc(slices.Clone(offered), func(proto string) bool { return proto != http2.NextProtoTLS && proto != http1 })
	if len(known) == 0 {
		known = []string{http1}
	}
	if within.greeted, within.failed = p.handshake(within.addr, within.dialed, false, known...); within.failed != nil {
		return http1 // over which the browser learns that it failed
	}
	return cmp.Or(within.greeted.ConnectionState().NegotiatedProtocol, http1)
}

// handshake begins TLS with a site over c, which is closed where that fails.
func (p *peer) handshake(addr string, c *metered, trusted bool, protos ...string) (*tls.Conn, error) {
	t, err := p.lease.guard.opt.Dialer.Handshake(p.lease.ctx, c, c.Conn, addr, p.lease.options().SkipTLSVerify, trusted, protos...)
	if err != nil {
		p.lease.turn.Load().failures.note(addr, err)
		p.lease.logFailure(err)
		p.lease.drop(c)
		return nil, err
	}
	return t, nil
}

// place is where a request goes: the address to dial, the Host header and the path.
func (p *peer) place(h *head) (addr, host, path string, ok bool) {
	if p.inside == nil {
		return splitTarget(h.target)
	}
	host = p.inside.addr
	if names := h.header["Host"]; len(names) == 1 {
		host = names[0]
	}
	return p.inside.addr, host, h.target, strings.HasPrefix(h.target, "/")
}

// reachInside connects to the site of the tunnel.
func (p *peer) reachInside(addr string) (*site, error) {
	c, secure, err := p.inside.dialed, p.inside.greeted, p.inside.failed
	if p.inside.dialed, p.inside.greeted = nil, nil; err != nil {
		return nil, err
	}
	if c == nil {
		if c, err = p.lease.dial(addr); err != nil {
			return nil, err
		}
	}
	s := &site{addr: addr, conn: c, wire: c, trusted: p.trusted}
	if p.inside.secure {
		if secure == nil {
			if secure, err = p.handshake(addr, c, s.trusted, http1); err != nil {
				return nil, err
			}
		}
		s.wire = secure
	}
	_ = c.SetDeadline(time.Time{})
	s.in = newIncoming(s.wire)
	p.site = s
	return s, nil
}
