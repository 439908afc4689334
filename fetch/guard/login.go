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

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// maxResent is how many bytes of a body are kept, so that it can be sent again after a challenge.
const maxResent = 1 << 20

// knows reports whether the tunnel to an address has to be read, since the site gets more than the browser can give.
func (l *Lease) knows(hostport string) bool {
	host, port, _ := net.SplitHostPort(hostport)
	return l.guard.opt.Interceptor != nil && l.guard.opt.Dialer.Access().Knows(auth.Origin{Scheme: "https", Host: host, Port: port})
}

// trusts reports whether a request to an address may be sent with credentials: not where any process of the machine may connect, nor to
// another host of the same server, nor what a page of another site embeds or calls. Then it has a connection of its own, too: over others
// a client may have been certified or logged in.
func trusts(p *peer, h *head, addr, host string) bool {
	l := p.lease
	return l.guard.opt.Dialer.Access() != nil && (l.unix() || l.guard.opt.Peer != nil) && l.turn.Load().mayLogIn(originOf(p, addr).String()+"/") &&
		strings.EqualFold(named(host, p.usualPort()), addr) && !h.foreign(host)
}

func originOf(p *peer, addr string) auth.Origin {
	host, port, _ := net.SplitHostPort(addr)
	return auth.Origin{Scheme: p.scheme("http"), Host: host, Port: port}
}

// loginOf is what a request to a site gets; nil for nothing, as of a request with an authorization of its own.
func loginOf(p *peer, s *site, h *head) *auth.Login {
	if !s.trusted || len(h.header["Authorization"]) > 0 {
		return nil
	}
	return p.lease.guard.opt.Dialer.Access().Login(originOf(p, s.addr))
}

// foreign reports whether a page of another site has made the request; a link to a page is followed with credentials, as browsers do.
func (h *head) foreign(host string) bool {
	if len(h.header["Sec-Fetch-Site"]) > 0 {
		link := h.method == http.MethodGet && hasToken(h.header["Sec-Fetch-Dest"], "document")
		return hasToken(h.header["Sec-Fetch-Site"], "cross-site") && !link
	}
	from, to := weburl.Hostname(h.header.Get("Origin")), weburl.Hostname("http://"+host)
	same := from == "" || from == to || weburl.Registrable(from) != "" && weburl.Registrable(from) == weburl.Registrable(to)
	return !same
}

// named is the address that a Host header names.
func named(host, usualPort string) string {
	if _, _, err := net.SplitHostPort(host); err != nil {
		return net.JoinHostPort(strings.Trim(host, "[]"), usualPort[1:])
	}
	return host
}

// exchange sends a request to a site, with what the site gets.
func exchange(p *peer, s *site, h *head, host, path string) (*http.Response, error) {
	login := loginOf(p, s, h)
	if login == nil {
		return s.exchange(s.head(h, host, path), p.body(h), h.method)
	}
	body, whole, err := resendable(p, h)
	if err != nil {
		return nil, err
	}
	r := auth.Request{Method: h.method, Target: path, Cookie: strings.Join(h.header["Cookie"], "; "), UserAgent: h.header.Get("User-Agent"),
		Body: h.length != 0, Once: !whole, Conn: &s.agreed, Through: p.lease.guard.opt.Dialer.Through(p.lease.options().Upstream)}
	closes, ctx := false, p.lease.ctx
	if p.lease.turn.Load().mayReachVirtual(originOf(p, s.addr).Host) {
		ctx = fetch.WithVirtual(ctx)
	}
	return login.Do(ctx, r, func(more http.Header, bare bool) (*http.Response, error) {
		if closes {
			if err := replace(p, s, h); err != nil {
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
func replace(p *peer, s *site, h *head) error {
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
func resendable(p *peer, h *head) (copyTo func(io.Writer) error, whole bool, err error) {
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
