package guard

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive"
)

// tapesInMemory is a recorder in memory.
type tapesInMemory struct {
	mu        sync.Mutex
	exchanges []heardExchange
	resources []string // address, media type and content
}

type heardExchange struct {
	archive.Exchange
	request, response string
	err               error
}

func (r *tapesInMemory) Record(e archive.Exchange) {
	request, err1 := io.ReadAll(e.Request.Body)
	response, err2 := io.ReadAll(e.Response.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exchanges = append(r.exchanges, heardExchange{e, string(request), string(response), errors.Join(err1, err2)})
}

func (r *tapesInMemory) Resource(address, mediaType string, body io.Reader) {
	content, _ := io.ReadAll(body)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resources = append(r.resources, fmt.Sprintf("%s %s: %s", address, mediaType, content))
}

// count is how many exchanges have been recorded.
func (r *tapesInMemory) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.exchanges)
}

// recordedSite is a site over http or https that answers with what it was sent.
func recordedSite(t *testing.T, secure bool) *httptest.Server {
	m := http.NewServeMux()
	m.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %q", r.Method, body, r.Header.Get("If-None-Match"))
	})
	m.HandleFunc("/gzip", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, strings.Repeat("compressed ", 10_000))
		z.Close()
	})
	m.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/echo", http.StatusFound) })
	m.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	m.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, "only this")
	})
	m.HandleFunc("/socket", echoSocket)
	s := httptest.NewUnstartedServer(m)
	if s.Config.ErrorLog = log.New(io.Discard, "", 0); secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// echoSocket says everything twice.
func echoSocket(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionContextTakeover, InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer c.CloseNow()
	c.SetReadLimit(1 << 20)
	for {
		kind, text, err := c.Read(r.Context())
		if err != nil {
			return
		}
		_ = c.Write(r.Context(), kind, append(text, text...))
	}
}

// recordingLease is one whose guard may read tunnels, and trusts a site.
func recordingLease(t *testing.T, to fetch.Recorder, trusted *httptest.Server, o LeaseOptions) (*Lease, *fetch.Authority) {
	t.Helper()
	authority, err := fetch.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	g := newGuard(t, func(o *fetch.Options) {
		if trusted != nil && trusted.TLS != nil {
			o.RootCAs = trusted.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		}
	})
	if g.opt.Interceptor, err = fetch.NewInterceptor(authority); err != nil {
		t.Fatal(err)
	}
	o.Record = to
	return newLeaseOf(t, g, o), authority
}

// Over http and https alike, each exchange is recorded as it was on the wire.
func TestRecord_exchanges(t *testing.T) {
	for _, secure := range []bool{false, true} {
		site, r := recordedSite(t, secure), &tapesInMemory{}
		l, _ := recordingLease(t, r, site, LeaseOptions{})
		c := through(t, l)
		for _, path := range []string{"/echo", "/gzip", "/redirect", "/none"} {
			if resp, err := c.Get(site.URL + path); err != nil {
				t.Fatalf("%s: %v", path, err)
			} else if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Errorf("%s: %v", path, err)
			} else {
				resp.Body.Close()
			}
		}
		resp, err := c.Post(site.URL+"/echo?q=1", "text/plain", struct{ io.Reader }{strings.NewReader("sent in chunks")})
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if head, err := c.Head(site.URL + "/gzip"); err != nil || head.Body.Close() != nil {
			t.Error(err)
		}
		until(t, func() bool { return r.count() == 7 })
		checkExchanges(t, r, site.URL)
		if e := r.exchanges[5]; e.request != "sent in chunks" || e.response != string(answer) || !strings.Contains(e.response, "POST sent in chunks") {
			t.Errorf("POST %q: %q, the browser got %q", e.request, e.response, answer)
		}
	}
}

func checkExchanges(t *testing.T, r *tapesInMemory, base string) {
	t.Helper()
	want := []string{"GET /echo 200", "GET /gzip 200", "GET /redirect 302", "GET /echo 200", "GET /none 204", "POST /echo?q=1 200", "HEAD /gzip 200"}
	var got []string
	for _, e := range r.exchanges {
		got = append(got, fmt.Sprintf("%s %s %d", e.Request.Method(), strings.TrimPrefix(e.URL, base), e.Response.Status()))
		if e.Truncated != "" || e.IP != "127.0.0.1" || e.err != nil || e.Request.Header.Get("Host") != strings.Split(base, "//")[1] {
			t.Errorf("%+v, %v", e.Exchange, e.err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
	z, err := gzip.NewReader(strings.NewReader(r.exchanges[1].response))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); len(text) != 110_000 || err != nil || r.exchanges[1].Response.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%d bytes were compressed, %v", len(text), err)
	}
}

// What the browser sees inside a tunnel is vouched for by the authority whose pin it trusts.
func TestRecord_theBrowserTrustsThePin(t *testing.T) {
	site, r := recordedSite(t, true), &tapesInMemory{}
	l, authority := recordingLease(t, r, site, LeaseOptions{})
	c := through(t, l)
	pin, err := authority.Pin()
	if err != nil {
		t.Fatal(err)
	}
	c.Transport.(*http.Transport).TLSClientConfig.VerifyConnection = func(s tls.ConnectionState) error {
		top := s.PeerCertificates[len(s.PeerCertificates)-1]
		sum := sha256.Sum256(top.RawSubjectPublicKeyInfo)
		if got := base64.StdEncoding.EncodeToString(sum[:]); got != pin {
			return fmt.Errorf("pin %s, want %s", got, pin)
		}
		return errors.Join(s.PeerCertificates[0].VerifyHostname("127.0.0.1"), s.PeerCertificates[0].CheckSignatureFrom(top))
	}
	resp, err := c.Get(site.URL + "/echo")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

// The guard is the one who sees the site's certificate: one that it doesn't trust is a failure, unless that is wanted otherwise.
func TestRecord_certificatesAreVerified(t *testing.T) {
	site := recordedSite(t, true)
	for _, skip := range []bool{false, true} {
		r := &tapesInMemory{}
		l, _ := recordingLease(t, r, nil, LeaseOptions{SkipTLSVerify: skip})
		resp, err := through(t, l).Get(site.URL + "/echo")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		failure := l.Failure(strings.TrimPrefix(site.URL, "https://"))
		if _, ok := errors.AsType[*fetch.TLSError](failure); skip && (resp.StatusCode != 200 || failure != nil) ||
			!skip && (resp.StatusCode != 502 || resp.Header.Get(Header) == "" || !ok || r.count() != 0) {
			t.Errorf("SkipTLSVerify %t: status %d, %v", skip, resp.StatusCode, failure)
		}
	}
}

func TestRecord_refusalsAndCutBodies(t *testing.T) {
	site, r := recordedSite(t, true), &tapesInMemory{}
	l, _ := recordingLease(t, r, site, LeaseOptions{})
	c := through(t, l)
	if resp, err := c.Get("https://private.example/"); err == nil {
		resp.Body.Close()
	}
	resp, err := c.Get(site.URL + "/cut")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("a body that was cut is whole: %q", text)
	}
	resp.Body.Close()
	until(t, func() bool { return r.count() == 1 })
	if e := r.exchanges[0]; e.Truncated != "disconnect" || e.response != "only this" {
		t.Errorf("%q, truncated %q", e.response, e.Truncated)
	}
}

// A conditional request is sent without its condition, so that the answer holds what the browser shows.
func TestRecord_conditionsAreLeftOut(t *testing.T) {
	site, r := recordedSite(t, false), &tapesInMemory{}
	l, _ := recordingLease(t, r, site, LeaseOptions{})
	request, err := http.NewRequestWithContext(t.Context(), "GET", site.URL+"/echo", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("If-None-Match", `"x"`)
	resp, err := through(t, l).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, _ := io.ReadAll(resp.Body); string(text) != `GET  ""` {
		t.Errorf("the site was sent %q", text)
	}
}

func TestRecord_websockets(t *testing.T) {
	for _, secure := range []bool{false, true} {
		site, r := recordedSite(t, secure), &tapesInMemory{}
		l, _ := recordingLease(t, r, site, LeaseOptions{})
		address := strings.Replace(site.URL, "http", "ws", 1) + "/socket"
		long := strings.Repeat("l", 70_000)
		c := dialSocket(t, l, address)
		for _, text := range []string{"one", "", long} {
			if err := c.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if _, got, err := c.Read(t.Context()); string(got) != text+text || err != nil {
				t.Fatalf("%d bytes, %v", len(got), err)
			}
		}
		if err := c.Write(t.Context(), websocket.MessageBinary, []byte{0, 1}); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(websocket.StatusNormalClosure, ""); err != nil && !strings.Contains(err.Error(), "StatusNormal") {
			t.Log(err)
		}
		until(t, func() bool { return r.count() == 1 })
		name := regexp.MustCompile("; socket=[A-Z2-7]{8}").FindString(r.resources[0])
		var want []string
		for _, text := range []string{"one", "", long} {
			want = append(want, address+" text/plain; charset=utf-8; websocket=sent"+name+": "+text, address+" text/plain; charset=utf-8; websocket=received"+name+": "+text+text)
		}
		want = append(want, address+" application/octet-stream; websocket=sent"+name+": \x00\x01")
		for _, message := range want {
			if !slices.Contains(r.resources, message) {
				t.Errorf("secure %t: %.90q is not recorded, of %d", secure, message, len(r.resources))
			}
		}
		if e := r.exchanges[0]; e.Response.Status() != 101 || e.Truncated != "" {
			t.Errorf("%+v", e.Response)
		}
	}
}

// dialSocket opens a websocket through a lease; as browsers do, in a tunnel even over http.
func dialSocket(t *testing.T, l *Lease, address string) *websocket.Conn {
	t.Helper()
	tr := through(t, l).Transport.(*http.Transport)
	if strings.HasPrefix(address, "ws:") {
		tr = &http.Transport{DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return tunnelTo(ctx, l, addr) }}
		t.Cleanup(tr.CloseIdleConnections)
	}
	c, resp, err := websocket.Dial(t.Context(), address, &websocket.DialOptions{HTTPClient: &http.Client{Transport: tr},
		CompressionMode: websocket.CompressionContextTakeover})
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.Header.Get("Sec-Websocket-Extensions"); got != "" {
		t.Errorf("messages are compressed: %s", got)
	}
	c.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = c.CloseNow() })
	return c
}

func tunnelTo(ctx context.Context, l *Lease, addr string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(l.URL(), "http://"))
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", addr, addr)
	const answer = "HTTP/1.1 200 Connection established\r\n\r\n"
	if got := make([]byte, len(answer)); true {
		if _, err := io.ReadFull(c, got); err != nil || string(got) != answer {
			c.Close()
			return nil, fmt.Errorf("%q, %w", got, err)
		}
	}
	return c, nil
}

// What is neither TLS nor HTTP goes through a recording lease as it does through any other.
func TestRecord_otherProtocolsAreCopied(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if c, err := ln.Accept(); err == nil {
			_, _ = io.Copy(c, c)
			c.Close()
		}
	}()
	l, _ := recordingLease(t, &tapesInMemory{}, nil, LeaseOptions{})
	c, err := tunnelTo(t.Context(), l, ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "\x00neither")
	got := make([]byte, 8)
	if _, err := io.ReadFull(c, got); string(got) != "\x00neither" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	c.Close()
	<-done
}

func TestRecord_wantsAnInterceptor(t *testing.T) {
	g := newGuard(t)
	if l, err := g.Lease(LeaseOptions{Record: &tapesInMemory{}}); err == nil || !strings.Contains(err.Error(), "Interceptor") {
		t.Errorf("%v, %v", l, err)
	}
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte("\x81\x05hello\x01\x01a\x80\x01b\x89\x00"), 3)
	f.Add([]byte("\x82\xfe\x00\x02\x01\x02\x03\x04ab"), 1)
	f.Fuzz(func(t *testing.T, stream []byte, piece int) {
		whole, parts := &tapesInMemory{}, &tapesInMemory{}
		_, _ = (&messages{to: whole}).Write(stream)
		m := &messages{to: parts}
		for p := range slices.Chunk(stream, max(1, piece%7)) {
			_, _ = m.Write(bytes.Clone(p))
		}
		if !slices.Equal(whole.resources, parts.resources) {
			t.Errorf("%q in one piece, %q in several", whole.resources, parts.resources)
		}
	})
}
