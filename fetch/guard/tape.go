package guard

import (
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive"
)

// tape records one exchange; nil where the lease records nothing. It belongs to the peer's goroutine.
type tape struct {
	to       fetch.Recorder
	exchange archive.Exchange
	request  *archive.Spool
	response *archive.Spool
	socket   string // names the websocket that the exchange may begin
	err      error  // of the spools
}

// rewritten are the headers of requests that a recording leaves out: an answer that refers to what the browser has already, and messages
// that are compressed, could not be read from it.
var rewritten = []string{"If-None-Match", "If-Modified-Since", "Sec-Websocket-Extensions"}

// tapeFor begins to record a request.
func (p *peer) tapeFor(h *head, addr, host, path string) *tape {
	to := p.lease.options().Record
	if to == nil {
		return nil
	}
	for _, name := range rewritten {
		delete(h.header, name)
	}
	t := &tape{to: to, request: archive.NewSpool(), response: archive.NewSpool(), socket: rand.Text()[:8]}
	sent := archive.Header{{Name: "Host", Value: host}}
	for _, f := range fetch.RecordedHeader(h.header) {
		if f.Name != "Host" && !strings.HasPrefix(f.Name, "Proxy-") {
			sent = append(sent, f)
		}
	}
	t.exchange.URL = p.scheme("http") + "://" + strings.TrimSuffix(addr, p.usualPort()) + path
	t.exchange.Request = &archive.Message{Line: h.method + " " + path + " HTTP/1.1", Header: sent}
	return t
}

// scheme is that of the request, from its name without TLS.
func (p *peer) scheme(plain string) string {
	if p.inside != nil && p.inside.secure {
		return plain + "s"
	}
	return plain
}

func (p *peer) usualPort() string {
	if p.inside != nil && p.inside.secure {
		return ":443"
	}
	return ":80"
}

// sending records a request's body as it is read.
func (t *tape) sending(r io.Reader) io.Reader {
	if t == nil {
		return r
	}
	return &taping{r: r, t: t, to: t.request}
}

// taping is a body that is recorded as it is read.
type taping struct {
	r   io.Reader
	t   *tape
	to  *archive.Spool
	end func(err error, n int64)
	n   int64
}

func (b *taping) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if _, failed := b.to.Write(p[:n]); failed != nil && b.t.err == nil {
		b.t.err = failed
	}
	b.n += int64(n)
	if b.end != nil {
		b.end(err, b.n)
	}
	return n, err
}

// tapedBody is a response's body that is recorded.
type tapedBody struct {
	io.Reader
	io.Closer
}

// receiving records the response, its body as it is read.
func (t *tape) receiving(resp *http.Response, s *site, bodyless bool) {
	if t == nil {
		return
	}
	t.exchange.Response = &archive.Message{Line: "HTTP/1.1 " + statusLine(resp), Header: fetch.RecordedHeader(resp.Header)}
	if a, ok := s.conn.RemoteAddr().(*net.TCPAddr); ok && s.conn.lease.options().Upstream.URL == "" {
		t.exchange.IP = a.IP.String()
	}
	if bodyless || resp.ContentLength == 0 || resp.StatusCode == http.StatusSwitchingProtocols {
		return
	}
	t.exchange.Truncated = "disconnect" // until its end has been read
	body := &taping{r: resp.Body, t: t, to: t.response, end: func(err error, n int64) {
		if err == io.EOF || n == resp.ContentLength {
			t.exchange.Truncated = ""
		}
	}}
	resp.Body = tapedBody{body, resp.Body}
}

// done gives the exchange to the recorder, if there was a response.
func (t *tape) done() {
	if t == nil {
		return
	}
	defer t.request.Close()
	defer t.response.Close()
	if t.exchange.Response == nil {
		return
	}
	t.exchange.Request.Body, t.exchange.Response.Body = t.content(t.request), t.content(t.response)
	t.to.Record(t.exchange)
}

// content is what was recorded; reading it fails where recording has.
func (t *tape) content(s *archive.Spool) io.Reader {
	r, err := s.Reader()
	if err == nil {
		err = t.err
	}
	if err != nil {
		return failing{err}
	}
	return r
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
