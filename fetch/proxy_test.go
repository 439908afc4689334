package fetch

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

func TestProxy_isAskedForTheCheckedAddress(t *testing.T) {
	site := fetchtest.New(t)
	for _, scheme := range []string{"http", "socks5", "socks5h"} {
		for _, user := range []string{"", "user"} {
			p := fetchtest.NewProxy(t, user, strings.Repeat("p", len(user)))
			c := newClient(t, func(o *Options) {
				o.Resolver = &resolver{answers: []lookup{{addrs: []string{"127.0.0.1"}}}}
			})
			_, port, _ := net.SplitHostPort(site.Host())
			resp := mustDo(t, c, Request{URL: "http://a.example:" + port + "/headers", Proxy: Proxy{URL: p.URL(scheme)}})
			if got := p.Targets(); !slices.Equal(got, []string{site.Host()}) {
				t.Errorf("%s asked for %v, want %s", scheme, got, site.Host())
			}
			seen := site.Requests("/headers")
			if got := seen[len(seen)-1].Host; got != "a.example:"+port {
				t.Errorf("Host %s", got)
			}
			for name := range sentHeaders(t, resp) {
				if strings.HasPrefix(name, "Proxy-") {
					t.Errorf("the site saw %s", name)
				}
			}
		}
	}
}

func TestProxy_carriesTLSUnderTheName(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	c := newClient(t, func(o *Options) {
		o.Resolver = &resolver{answers: []lookup{{addrs: []string{"127.0.0.1"}}}}
		o.RootCAs = site.RootCAs()
	})
	_, port, _ := net.SplitHostPort(site.TLSHost())
	// The site's certificate is for example.com, which is only right if the name was used for TLS.
	mustDo(t, c, Request{URL: "https://example.com:" + port + "/text", Proxy: Proxy{URL: p.URL("http")}})
	var e *TLSError
	if err := fails(t, c, Request{URL: "https://other.example:" + port + "/text", Proxy: Proxy{URL: p.URL("socks5")}}); !errors.As(err, &e) || e.Host != "other.example" {
		t.Errorf("error %v, want a TLSError", err)
	}
}

// tlsFront puts TLS before a proxy.
func tlsFront(t *testing.T, p *fetchtest.Proxy) (addr string, roots *x509.CertPool) {
	cert, roots := fetchtest.Certificate(t, "127.0.0.1")
	ln, err := tls.Listen("tcp4", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { relay(c, p.Host()) })
		}
	})
	t.Cleanup(func() { ln.Close(); wg.Wait() })
	return ln.Addr().String(), roots
}

func relay(c net.Conn, to string) {
	defer c.Close()
	far, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(c, far)
		c.Close()
	}()
	io.Copy(far, c)
	far.Close()
	<-done
}

func TestProxy_isExemptFromThePolicy(t *testing.T) {
	p := fetchtest.NewProxy(t, "", "")
	c := newClient(t, func(o *Options) {
		o.Policy = nil
		o.Resolver = &resolver{answers: []lookup{{addrs: []string{"127.0.0.1"}}}}
	})
	var e *BlockedError
	if err := fails(t, c, Request{URL: "http://a.example/", Proxy: Proxy{URL: p.URL("http")}}); !errors.As(err, &e) || e.Host != "a.example" {
		t.Errorf("error %v, want a BlockedError for the site", err)
	}
	if len(p.Targets()) != 0 {
		t.Errorf("the proxy was asked for %v", p.Targets())
	}
	// The proxy's own address is private and may be used.
	c = newClient(t, func(o *Options) {
		o.Policy = nil
		o.Resolver = &resolver{answers: []lookup{{addrs: []string{"192.0.9.1"}}}}
	})
	var pe *ProxyError
	if err := fails(t, c, Request{URL: "http://a.example/", Proxy: Proxy{URL: "socks5://127.0.0.1:1"}}); !errors.As(err, &pe) {
		t.Errorf("error %v, want a ProxyError", err)
	}
}

func TestProxy_failuresAreProxyErrorsWithoutCredentials(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "user", "secret")
	c := newClient(t)
	dead := fetchtest.ClosedPort(t)
	for name, r := range map[string]Request{
		"no credentials":          {URL: site.URL("/text"), Proxy: Proxy{URL: "http://" + p.Host()}},
		"wrong credentials":       {URL: site.URL("/text"), Proxy: Proxy{URL: "http://user:hidden@" + p.Host()}},
		"no socks credentials":    {URL: site.URL("/text"), Proxy: Proxy{URL: "socks5://" + p.Host()}},
		"wrong socks credentials": {URL: site.URL("/text"), Proxy: Proxy{URL: "socks5://user:hidden@" + p.Host()}},
		"target refuses":          {URL: "http://" + dead, Proxy: Proxy{URL: p.URL("http")}},
		"target refuses socks":    {URL: "http://" + dead, Proxy: Proxy{URL: p.URL("socks5")}},
		"proxy refuses":           {URL: site.URL("/text"), Proxy: Proxy{URL: "http://user:hidden@" + dead}},
		"no proxy at all":         {URL: site.URL("/text"), Proxy: Proxy{URL: "http://user:hidden@" + site.Host()}},
	} {
		var e *ProxyError
		err := fails(t, c, r)
		if !errors.As(err, &e) || strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want a ProxyError without a password", name, err)
		}
	}
}

func TestProxy_httpsProxyIsVerified(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	front, roots := tlsFront(t, p)
	var e *ProxyError
	var te *TLSError
	err := fails(t, newClient(t), Request{URL: site.URL("/text"), Proxy: Proxy{URL: "https://" + front}, SkipTLSVerify: true})
	if !errors.As(err, &e) || !errors.As(err, &te) {
		t.Errorf("error %v, want a ProxyError around a TLSError", err)
	}
	c := newClient(t, func(o *Options) { o.RootCAs = roots })
	mustDo(t, c, Request{URL: site.URL("/text"), Proxy: Proxy{URL: "https://" + front}})
	if got := p.Targets(); !slices.Equal(got, []string{site.Host()}) {
		t.Errorf("asked for %v", got)
	}
}

func TestProxy_environmentCountsOnlyWhenAskedFor(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	t.Setenv("HTTP_PROXY", p.URL("http"))
	t.Setenv("http_proxy", p.URL("http"))
	t.Setenv("NO_PROXY", "")
	t.Setenv("no_proxy", "")
	// net/http's rule: requests to loopback never use the environment's proxy, so a name is needed.
	r := &resolver{answers: []lookup{{addrs: []string{"127.0.0.1"}}}}
	_, port, _ := net.SplitHostPort(site.Host())
	for want, asked := range []bool{false, true} {
		c := newClient(t, func(o *Options) { o.Resolver, o.EnvironmentProxy = r, asked })
		mustDo(t, c, Request{URL: "http://a.example:" + port + "/text"})
		if got := len(p.Targets()); got != want {
			t.Errorf("EnvironmentProxy %v: the proxy was asked %d times, want %d", asked, got, want)
		}
	}
}

func TestProxy_earlyBytesAreNotLost(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		buf := make([]byte, 1024)
		c.Read(buf)
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nhello from the site")
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	c, err := newClient(t).Dialer().DialVia(t.Context(), Proxy{URL: "http://" + ln.Addr().String()}, "127.0.0.1:80")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, err := io.ReadAll(c); err != nil || string(got) != "hello from the site" {
		t.Errorf("%q %v", got, err)
	}
}

func TestProxy_answerWithoutEndIsRefused(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		for {
			if _, err := c.Write(bytes.Repeat([]byte("X: y\r\n"), 1000)); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	var e *ProxyError
	if _, err := newClient(t).Dialer().DialVia(t.Context(), Proxy{URL: "http://" + ln.Addr().String()}, "127.0.0.1:80"); !errors.As(err, &e) {
		t.Errorf("error %v, want a ProxyError", err)
	}
}

func TestProxy_validate(t *testing.T) {
	for _, good := range []string{"http://p", "http://u:p@p:1", "https://p", "socks5://[::1]:1", "socks5h://p.example"} {
		if err := (Proxy{URL: good}).Validate(); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "p:1", "ftp://p", "http://", "http://u:secret@p:99999", "socks4://u:secret@p", "http://u:secret%zz@p"} {
		if err := (Proxy{URL: bad}).Validate(); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want an error without a password", bad, err)
		}
	}
}

func TestTransports_areBounded(t *testing.T) {
	ts := newTransports(newClient(t).dialer)
	first := ts.get(transportKey{})
	for i := range 100 {
		ts.get(transportKey{proxy: Proxy{URL: "http://p" + string(rune('a'+i%26)) + string(rune('a'+i/26))}})
		if i%10 == 0 && ts.get(transportKey{}) != first {
			t.Fatal("the one that is used most was dropped")
		}
	}
	if len(ts.byKey) != maxTransports || len(ts.recent) != maxTransports {
		t.Errorf("%d transports, %d in order; want %d", len(ts.byKey), len(ts.recent), maxTransports)
	}
	var _ http.RoundTripper = first
}
