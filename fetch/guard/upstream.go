package guard

import (
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/auth"
)

// site is a connection to a site that plain requests go over.
type site struct {
	addr string
	conn *metered
	wire net.Conn // conn, or TLS over it
	in   *incoming
	used bool // an exchange has been made over it

	trusted bool      // made for requests that may be sent with credentials
	agreed  auth.Conn // by a login
}

// reach returns a connection to a site: the last one when it goes there and may be used again, else a new one.
// Only a request that can be sent twice goes over a used connection, which may have been closed meanwhile.
func (p *peer) reach(addr string, h *head) (*site, error) {
	if s := p.site; s != nil && s.addr == addr && h.repeatable() && s.trusted == p.trusted {
		// The policy is checked for each request, not only for each connection.
		if err := p.lease.guard.opt.Dialer.Recheck(s.conn.Conn); err != nil {
			p.leaveSite()
			p.lease.turn.Load().failures.note(addr, err)
			p.lease.logFailure(err)
			return nil, err
		}
		return s, nil
	}
	p.leaveSite()
	if p.inside != nil {
		return p.reachInside(addr)
	}
	dial := p.lease.dialPlain
	if upgrade(h.header) != "" {
		dial = p.lease.dial // what the connection changes to is no longer for a proxy to read
	}
	c, err := dial(addr)
	if err != nil {
		return nil, err
	}
	p.site = &site{addr: addr, conn: c, wire: c, in: newIncoming(c), trusted: p.trusted}
	return p.site, nil
}

// leaveSite closes the connection to the last site.
func (p *peer) leaveSite() {
	if p.site != nil {
		p.lease.drop(p.site.conn)
		p.site = nil
	}
}

// exchange sends a request head and body and reads the head of the response.
func (s *site) exchange(head string, body func(io.Writer) error, method string) (*http.Response, error) {
	s.setDeadline()
	s.conn.nextResponse()
	if _, err := io.WriteString(s.wire, head); err != nil {
		return nil, s.broken(err)
	}
	sent := &upload{w: s.wire, rest: maxResent}
	if err := body(sent); err != nil && sent.err == nil {
		return nil, s.broken(err)
	}
	if errors.Is(sent.err, ErrLimit) {
		return nil, sent.err
	}
	resp, err := s.answer(method)
	if sent.err == nil {
		return resp, err
	}
	return s.early(resp, err, sent.err)
}

// answer reads the head of the response.
func (s *site) answer(method string) (*http.Response, error) {
	s.in.capped.left = maxHead
	defer func() { s.in.capped.left = -1 }()
	for {
		// ReadResponse calls both ends of a connection unexpected; only the one within a head is.
		if _, err := s.in.br.Peek(1); err != nil {
			return nil, s.broken(err)
		}
		resp, err := http.ReadResponse(s.in.br, &http.Request{Method: method})
		if err != nil {
			return nil, s.broken(err)
		}
		// The browser would take the guard for the proxy that wants credentials.
		if err := s.conn.forward.Check(resp.StatusCode); err != nil {
			return nil, err
		}
		// Interim answers are for the next hop only, except the change of protocol.
		if resp.StatusCode/100 != 1 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, nil
		}
	}
}

// early is the outcome of a request whose body could not be sent: a site may say why it doesn't want it, and close (RFC 9112, section 9.5).
// What isn't such an answer doesn't stand for a request that the site has not read.
func (s *site) early(resp *http.Response, err, sent error) (*http.Response, error) {
	if err != nil || resp.StatusCode < 400 {
		return nil, s.broken(sent)
	}
	resp.Close = true
	return resp, nil
}

// upload writes a request's body to a site. What the site doesn't take any more is read nevertheless, if it isn't long: a browser that
// can't send all of its request may not look for the answer.
type upload struct {
	w    io.Writer
	err  error // of the site
	rest int   // bytes that may still be passed over
}

func (u *upload) Write(b []byte) (int, error) {
	if u.err == nil {
		if _, u.err = u.w.Write(b); u.err == nil {
			return len(b), nil
		}
	}
	if u.rest -= len(b); u.rest < 0 {
		return 0, u.err
	}
	return len(b), nil
}

func (s *site) setDeadline() { _ = s.conn.SetDeadline(time.Now().Add(idleTimeout)) }

// broken converts an error of an exchange to the type that the HTTP client would return.
func (s *site) broken(err error) error {
	if errors.Is(err, ErrLimit) {
		return err
	}
	if errors.Is(err, errHeadTooBig) {
		return &fetch.ConnectError{Addr: s.addr, Net: "ERR_RESPONSE_HEADERS_TOO_BIG", Err: err}
	}
	if ne := net.Error(nil); errors.As(err, &ne) && ne.Timeout() {
		return &fetch.TimeoutError{Phase: "headers", After: idleTimeout}
	}
	return fetch.Classify(s.addr, err)
}
