package guard

import (
	"crypto/tls"
	"io"
	"net"
	"strings"
	"time"
)

// inside is a tunnel that is read, since the lease records or Access knows the site, instead of only copying what is in it.
type inside struct {
	addr   string   // the CONNECT target
	secure bool     // the browser speaks TLS, and so do we with the site
	dialed *metered // the tunnel's own connection, until a request goes over it
}

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
		if conn, err = p.impersonate(conn, hostport); err != nil {
			p.lease.guard.opt.Logger.Debug("guard: no TLS with the browser", "err", err)
			return true
		}
		defer conn.Close() // says that nothing follows
	case first[0] < 'A' || first[0] > 'Z':
		return false
	}
	q := &peer{lease: p.lease, conn: conn, in: newIncoming(conn), inside: within}
	defer q.leaveSite()
	for q.next() {
	}
	return true
}

// impersonate begins TLS with the browser in the name of a site.
func (p *peer) impersonate(conn net.Conn, hostport string) (net.Conn, error) {
	host, _, _ := net.SplitHostPort(hostport)
	cert, err := p.lease.guard.opt.Interceptor.Certificate(host)
	if err != nil {
		return nil, err
	}
	p.setDeadline(headTimeout)
	c := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*cert}, NextProtos: []string{"http/1.1"}})
	return c, c.HandshakeContext(p.lease.ctx)
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
	c := p.inside.dialed
	if p.inside.dialed = nil; c == nil {
		var err error
		if c, err = p.lease.dial(addr); err != nil {
			return nil, err
		}
	}
	s := &site{addr: addr, conn: c, wire: c, trusted: p.trusted}
	if p.inside.secure {
		secure, err := p.lease.guard.opt.Dialer.Handshake(p.lease.ctx, c, c.Conn, addr, p.lease.options().SkipTLSVerify, s.trusted)
		if err != nil {
			p.lease.turn.Load().failures.note(addr, err)
			p.lease.logFailure(err)
			p.lease.drop(c)
			return nil, err
		}
		s.wire = secure
	}
	_ = c.SetDeadline(time.Time{})
	s.in = newIncoming(s.wire)
	p.site = s
	return s, nil
}
