package guard

import (
	"bufio"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// virtualGuard makes a guard whose client has virtual hosts, and no network.
func virtualGuard(t *testing.T, hosts map[string]http.Handler) (*Guard, *fetch.Virtual) {
	t.Helper()
	o := fetch.Options{Hosts: hosts}
	public(t, &answers{addrs: []string{"127.0.0.1"}}, "")(&o)
	client, err := fetch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	g := New(Options{Dialer: client.Dialer()})
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g, client.Virtual()
}

// pinned is an HTTP client that goes through a lease and trusts what a browser with the pin trusts.
func pinned(t *testing.T, l *Lease, pin string, http2 bool) *http.Client {
	t.Helper()
	u, err := url.Parse(l.URL())
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(u), ForceAttemptHTTP2: http2, TLSClientConfig: &tls.Config{
		InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			for _, c := range s.PeerCertificates {
				sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
				if base64.StdEncoding.EncodeToString(sum[:]) == pin {
					return nil
				}
			}
			return errors.New("the pin is not in the chain")
		},
	}}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func TestVirtual_isReachedThroughALeaseThatMay(t *testing.T) {
	g, v := virtualGuard(t, map[string]http.Handler{"a.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set(Header, "dns") // which no site may say
		fmt.Fprintf(w, "%s %s %t %s %s", r.Method, r.Host, r.TLS != nil, r.RequestURI, body)
	})})
	upstream := "http://proxy.test:1" // which virtual hosts don't go through
	for _, o := range []LeaseOptions{{Virtual: true}, {Virtual: true, Upstream: fetch.Proxy{URL: upstream}}} {
		l := newLeaseOf(t, g, o)
		for _, http2 := range []bool{false, true} {
			c := pinned(t, l, v.Pin(), http2)
			for u, want := range map[string]string{
				"http://a.test/x":       "POST a.test false /x body",
				"http://A.test:8080/x":  "POST A.test:8080 false /x body",
				"https://a.test/x":      "POST a.test true /x body",
				"https://a.test:4443/x": "POST a.test:4443 true /x body",
			} {
				resp, err := c.Post(u, "text/plain", strings.NewReader("body"))
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if string(body) != want || resp.TLS != nil && (resp.ProtoMajor == 2) != http2 {
					t.Errorf("%s: %q by %s, want %q", u, body, resp.Proto, want)
				}
				if resp.TLS == nil && resp.Header.Get(Header) != "" {
					t.Errorf("%s: the site has spoken for the guard", u)
				}
			}
		}
		if l.Bytes() == 0 {
			t.Error("nothing was counted")
		}
		refusedBoth(t, l, "other.test:80")
	}
}

func TestVirtual_isRefusedToOtherLeases(t *testing.T) {
	g, _ := virtualGuard(t, map[string]http.Handler{"a.test": http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the handler was reached")
	})})
	var log logBook
	g.opt.Logger = log.logger()
	l := newLeaseOf(t, g, LeaseOptions{})
	for _, to := range []string{"a.test:80", "a.test:443", "A.TEST.:8080"} {
		refusedBoth(t, l, to)
	}
	if n := log.count("virtual host"); n != 1 {
		t.Errorf("%d lines in the log: %q", n, log.lines())
	}
}

func TestVirtual_firstHostDecidesWhereNoneIsKnown(t *testing.T) {
	g, v := virtualGuard(t, map[string]http.Handler{"a.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "inner") })})
	o := LeaseOptions{VirtualIf: v.Has}
	began := newLeaseOf(t, g, o)
	for _, u := range []string{"https://A.test/", "http://a.test/"} {
		resp, err := pinned(t, began, v.Pin(), false).Get(u)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	refusedBoth(t, began, "other.test:80")
	elsewhere := newLeaseOf(t, g, o)
	refusedBoth(t, elsewhere, "other.test:80")
	refusedBoth(t, elsewhere, "a.test:80")
}

func TestVirtual_publicRedirectCantReachIt(t *testing.T) {
	site := fetchtest.New(t)
	reached := make(chan bool, 1)
	g := newGuard(t, func(o *fetch.Options) {
		o.Hosts = map[string]http.Handler{"inner.test": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached <- true })}
	})
	resp, _ := get(t, through(t, newLeaseOf(t, g, LeaseOptions{})), site.URL("/redirect-to?url=http://inner.test/"))
	if resp.Header.Get(Header) != "blocked" || len(reached) > 0 {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestVirtual_websocketsGoThrough(t *testing.T) {
	g, _ := virtualGuard(t, map[string]http.Handler{"a.test": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\n")
		line, _ := rw.ReadString('\n')
		_, _ = io.WriteString(conn, strings.ToUpper(line))
	})})
	l := newLeaseOf(t, g, LeaseOptions{Virtual: true})
	c, err := net.Dial("tcp", strings.TrimPrefix(l.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "CONNECT a.test:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\nhello\n")
	br := bufio.NewReader(c)
	expect(t, br, "HTTP/1.1 200 Connection established\r\n")
	expect(t, br, "\r\n")
	if resp, err := http.ReadResponse(br, nil); err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%+v, %v", resp, err)
	}
	expect(t, br, "HELLO\n")
	if rest, err := io.ReadAll(br); err != nil || len(rest) > 0 {
		t.Errorf("after the end: %q, %v", rest, err)
	}
}
