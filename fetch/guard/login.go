package guard

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/textproto"
	"strings"

	"github.com/winnow-go/winnow/fetch/auth"
)

// maxResent is how many bytes of a body are kept, so that it can be sent again after a challenge.
const maxResent = 1 << 20

// knows reports whether the tunnel to an address has to be read, since the site gets more than the browser can give.
func (l *Lease) knows(hostport string) bool {
	host, port, _ := net.SplitHostPort(hostport)
	return l.guard.opt.Interceptor != nil && l.guard.opt.Dialer.Access().Knows(auth.Origin{Scheme: "https", Host: host, Port: port})
}

// trusted reports whether requests to an address may be sent with credentials. Where any process of the machine may connect none are.
func (p *peer) trusted(addr string) bool {
	l := p.lease
	return l.guard.opt.Dialer.Access() != nil && (l.unix() || l.guard.opt.Peer != nil) && l.turn.Load().mayLogIn(p.origin(addr).String()+"/")
}

func (p *peer) origin(addr string) auth.Origin {
	host, port, _ := net.SplitHostPort(addr)
	return auth.Origin{Scheme: p.scheme("http"), Host: host, Port: port}
}

// login is what a request to a site gets; nil for nothing. A request with an authorization of its own gets nothing, nor one to another host
// of the same server, nor what a page of another site embeds or calls.
func (p *peer) login(s *site, h *head, host string) *auth.Login {
	switch {
	case !s.trusted, len(h.header["Authorization"]) > 0, !strings.EqualFold(named(host, p.usualPort()), s.addr):
		return nil
	case hasToken(h.header["Sec-Fetch-Site"], "cross-site") && !hasToken(h.header["Sec-Fetch-Dest"], "document"):
		return nil
	}
	return p.lease.guard.opt.Dialer.Access().Login(p.origin(s.addr))
}

// named is the address that a Host header names.
func named(host, usualPort string) string {
	if _, _, err := net.SplitHostPort(host); err != nil {
		return net.JoinHostPort(strings.Trim(host, "[]"), usualPort[1:])
	}
	return host
}

// exchange sends a request to a site, with what the site gets.
func (p *peer) exchange(s *site, h *head, host, path string) (*http.Response, error) {
	login := p.login(s, h, host)
	if login == nil {
		return s.exchange(s.head(h, host, path), p.body(h), h.method)
	}
	body, whole, err := p.resendable(h)
	if err != nil {
		return nil, err
	}
	r := auth.Request{Method: h.method, Target: path, Cookie: strings.Join(h.header["Cookie"], "; "), UserAgent: h.header.Get("User-Agent"),
		Body: h.length != 0, Once: !whole, Conn: &s.agreed, Through: p.lease.guard.opt.Dialer.Through(p.lease.options().Upstream)}
	closes := false
	return login.Do(p.lease.ctx, r, func(more http.Header, bare bool) (*http.Response, error) {
		if closes {
			if err := p.replace(s, h); err != nil {
				return nil, err
			}
		}
		to, content := h.with(more), body
		if bare {
			to, content = to.bare(), func(io.Writer) error { return nil }
		}
		resp, err := s.exchange(s.head(to, host, path), content, h.method)
		closes = err == nil && (resp.Close || resp.ContentLength < 0 && len(resp.TransferEncoding) == 0 && !bodyless(h, resp))
		return resp, err
	})
}

// with is the head with more headers, in place of those of the same name.
func (h *head) with(more http.Header) *head {
	if more == nil {
		return h
	}
	changed := *h
	changed.header = maps.Clone(h.header)
	maps.Copy(changed.header, textproto.MIMEHeader(more))
	return &changed
}

// bare is the head of the same request without a body.
func (h *head) bare() *head {
	changed := *h
	changed.length, changed.header = 0, maps.Clone(h.header)
	changed.header["Content-Length"] = []string{"0"}
	return &changed
}

// replace connects a site again that has closed its connection after an answer.
func (p *peer) replace(s *site, h *head) error {
	p.leaveSite()
	fresh, err := p.reach(s.addr, h)
	if err == nil {
		*s = *fresh
		p.site = s
	}
	return err
}

// resendable is the function that copies the request's body to the site, as often as it is called where the body is whole: one that is
// longer than is kept, or whose length isn't known, is sent as it comes.
func (p *peer) resendable(h *head) (copyTo func(io.Writer) error, whole bool, err error) {
	if h.length < 0 || h.length > maxResent {
		return p.body(h), false, nil
	}
	var kept bytes.Buffer
	if err := p.body(h)(&kept); err != nil {
		return nil, false, errors.Join(errBody, err)
	}
	return func(w io.Writer) error {
		_, err := w.Write(kept.Bytes())
		return err
	}, true, nil
}

// errBody means that the browser has not sent all of a request.
var errBody = errors.New("the request ended before its body")
