package guard

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch/auth"
)

// forward serves a plain http request in absolute form and reports whether another may follow.
func (p *peer) forward(h *head) bool {
	addr, host, path, ok := p.place(h)
	if !ok {
		return p.answer(400, "request", false)
	}
	if p.refusesPlain(h, host, path) {
		return p.refuse(errUnwanted, h.keepAlive() && h.length == 0)
	}
	p.trusted = trusts(p, h, addr, host)
	p.tape = p.tapeFor(h, addr, host, path)
	defer p.tape.done()
	resp, err := p.send(h, addr, host, path)
	if err != nil {
		// Of a body that wasn't read to its end the rest would be taken for a request.
		return p.refuse(err, h.keepAlive() && h.length == 0)
	}
	defer resp.Body.Close()
	p.tape.receiving(resp, p.site, bodyless(h, resp))
	if resp.StatusCode == http.StatusSwitchingProtocols {
		p.switchProtocols(resp)
		return false
	}
	return p.deliver(h, resp)
}

// refusesPlain judges a request of HTTP/1.1.
func (p *peer) refusesPlain(h *head, host, path string) bool {
	return p.lease.unwantedRequest(h.method, p.scheme("http")+"://"+host+path, h.header.Get)
}

// splitTarget takes an absolute-form target apart: address to dial, Host header, origin-form path.
func splitTarget(target string) (addr, host, path string, ok bool) {
	const scheme = "http://"
	if len(target) < len(scheme) || !strings.EqualFold(target[:len(scheme)], scheme) {
		return "", "", "", false
	}
	rest := target[len(scheme):]
	end := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		end = i
	}
	host, path = rest[:end], rest[end:]
	path, _, _ = strings.Cut(path, "#")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	addr = host
	if _, _, err := net.SplitHostPort(host); err != nil {
		addr = net.JoinHostPort(strings.Trim(host, "[]"), "80")
	}
	return addr, host, path, validAuthority(addr)
}

// send sends the request to the site. When a kept connection turns out to be dead, it is sent once more over a
// new one.
func (p *peer) send(h *head, addr, host, path string) (*http.Response, error) {
	failures := &p.lease.turn.Load().failures
	for {
		s, err := p.reach(addr, h)
		if err != nil {
			return nil, err
		}
		resp, err := exchange(p, s, h, host, path)
		if err == nil {
			return resp, nil
		}
		refused, _ := errors.AsType[*auth.LoginError](err)
		stale := s.used && !errors.Is(err, ErrLimit) && refused == nil
		p.leaveSite()
		if !stale {
			failures.note(addr, err)
			return nil, err
		}
	}
}

// head is a request as the site gets it, or, in absolute form and with its credentials, the upstream proxy.
func (s *site) head(h *head, host, path string) string {
	f := s.conn.forward
	if f == nil {
		return requestHead(h, host, path, "")
	}
	return requestHead(h, strings.TrimPrefix(f.Origin, "http://"), f.Origin+path, f.Authorization)
}

// requestHead is a request with a target; secret is for the upstream proxy, "" for none.
func requestHead(h *head, host, target, secret string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", h.method, target, host)
	if secret != "" {
		b.WriteString("Proxy-Authorization: " + secret + "\r\n")
	}
	through := map[string][]string(h.header)
	delete(through, "Host")
	writeHeader(&b, through)
	switch {
	case h.length < 0:
		b.WriteString("Transfer-Encoding: chunked\r\n")
	case len(h.header["Content-Length"]) > 0:
		fmt.Fprintf(&b, "Content-Length: %d\r\n", h.length)
	}
	if proto := upgrade(h.header); proto != "" {
		b.WriteString("Connection: Upgrade\r\nUpgrade: " + proto + "\r\n")
	}
	b.WriteString("\r\n")
	return b.String()
}

// body returns the function that copies the request's body to the site. Where that fails, the rest of it is still to come.
func (p *peer) body(h *head) func(io.Writer) error {
	return func(w io.Writer) error {
		err := p.copyUp(w, h)
		h.cut = err != nil
		return err
	}
}

func (p *peer) copyUp(w io.Writer, h *head) error {
	if h.length == 0 {
		return nil
	}
	if hasToken(h.header["Expect"], "100-continue") {
		if _, err := io.WriteString(p.conn, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return err
		}
	}
	if h.length > 0 {
		_, err := io.CopyN(w, p.tape.sending(alive{p.in.br, p.conn}), h.length)
		return err
	}
	return p.chunkedBody(w)
}

func (p *peer) chunkedBody(w io.Writer) error {
	out := httputil.NewChunkedWriter(w)
	if _, err := io.Copy(out, p.tape.sending(alive{httputil.NewChunkedReader(p.in.br), p.conn})); err != nil {
		return err
	}
	if _, err := textproto.NewReader(p.in.br).ReadMIMEHeader(); err != nil { // trailers end here
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\r\n")
	return err
}

// alive is a reader that extends its connection's deadline with each read.
type alive struct {
	r io.Reader
	c net.Conn
}

func (a alive) Read(b []byte) (int, error) {
	_ = a.c.SetDeadline(time.Now().Add(idleTimeout))
	return a.r.Read(b)
}
