package fetch

import (
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// unresolved knows no name: what is fetched all the same was resolved by the proxy.
func unresolved(o *Options) { o.Resolver = &resolver{answers: []lookup{{}}} }

// public is a policy for tests of names: only the public internet, so that the address of the site doesn't count.
func public(o *Options) { o.Policy = nil }

// A proxy that allows CONNECT to 443 only, as Squid does, fails for every http page unless names are sent to it.
func TestResolve_plainRequestsAreOrdinaryProxyRequests(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "user", "secret")
	p.ConnectOnly("443")
	p.Name("only.example:80", site.Host())
	c := newClient(t, unresolved, public)
	var dns *DNSError
	if err := fails(t, c, Request{URL: "http://only.example/headers", Proxy: Proxy{URL: p.URL("http")}}); !errors.As(err, &dns) {
		t.Errorf("without Resolve: %v, want a DNSError", err)
	}
	resp := mustDo(t, c, Request{URL: "http://only.example/headers?a=%zz", Proxy: Proxy{URL: p.URL("http"), Resolve: true}})
	seen := site.Requests("/headers")
	if got := seen[len(seen)-1]; got.Host != "only.example" {
		t.Errorf("Host %s", got.Host)
	}
	for name := range sentHeaders(t, resp) {
		if strings.HasPrefix(name, "Proxy-") {
			t.Errorf("the site saw %s", name)
		}
	}
	secret := "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("user:secret"))
	head := p.Heads()[0]
	if !strings.HasPrefix(head, "GET http://only.example/headers?a=%zz\nHost: only.example\n") || !strings.Contains(head, secret) {
		t.Errorf("the proxy got %q", head)
	}
}

func TestResolve_checkedAddressFailsWhereConnectIsFor443Only(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	p.ConnectOnly("443")
	var e *ProxyError
	if err := fails(t, newClient(t), Request{URL: site.URL("/text"), Proxy: Proxy{URL: p.URL("http")}}); !errors.As(err, &e) || !strings.Contains(err.Error(), "Proxy.Resolve") {
		t.Errorf("without Resolve: %v, want a ProxyError that says what helps", err)
	}
	mustDo(t, newClient(t), Request{URL: site.URL("/text"), Proxy: Proxy{URL: p.URL("http"), Resolve: true}})
}

func TestResolve_httpsIsATunnelToTheName(t *testing.T) {
	site := fetchtest.New(t)
	for _, scheme := range []string{"http", "socks5", "socks5h"} {
		p := fetchtest.NewProxy(t, "user", "secret")
		p.Name("example.com:443", site.TLSHost())
		c := newClient(t, unresolved, public, func(o *Options) { o.RootCAs = site.RootCAs() })
		mustDo(t, c, Request{URL: "https://example.com/text", Proxy: Proxy{URL: p.URL(scheme), Resolve: true}})
		if got := p.Targets(); !slices.Equal(got, []string{"example.com:443"}) || len(p.Heads()) != 0 {
			t.Errorf("%s: asked for %v and %q", scheme, got, p.Heads())
		}
	}
}

// Both SOCKS schemes mean the same: Resolve decides what they are sent.
func TestResolve_socksGetsTheName(t *testing.T) {
	site := fetchtest.New(t)
	for _, scheme := range []string{"socks5", "socks5h"} {
		p := fetchtest.NewProxy(t, "", "")
		p.Name("only.example:80", site.Host())
		mustDo(t, newClient(t, unresolved, public), Request{URL: "http://only.example/text", Proxy: Proxy{URL: p.URL(scheme), Resolve: true}})
		if got := p.Targets(); !slices.Equal(got, []string{"only.example:80"}) {
			t.Errorf("%s: asked for %v", scheme, got)
		}
	}
}

func TestResolve_throughAnHTTPSProxy(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	front, roots := tlsFront(t, p)
	p.Name("only.example:80", site.Host())
	c := newClient(t, unresolved, public, func(o *Options) { o.RootCAs = roots })
	mustDo(t, c, Request{URL: "http://only.example/text", Proxy: Proxy{URL: "https://" + front, Resolve: true}})
	if len(p.Heads()) != 1 {
		t.Errorf("the proxy got %q", p.Heads())
	}
}

// The request of one site is never sent over the connection of another, nor the secret of the proxy to a site.
func TestResolve_redirectsLeaveTheProxysSecretBehind(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "user", "secret")
	elsewhere := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name := range r.Header {
			if strings.HasPrefix(name, "Proxy-") {
				t.Errorf("the site saw %s", name)
			}
		}
	}))
	defer elsewhere.Close()
	front := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer front.Close()
	p.Name("a.example:80", strings.TrimPrefix(front.URL, "http://"))
	r := Request{URL: "http://a.example/", Proxy: Proxy{URL: p.URL("http"), Resolve: true}, SkipTLSVerify: true}
	mustDo(t, newClient(t), r)
	r.URL = site.URL("/text")
	mustDo(t, newClient(t), r)
}

// Paths reach the site byte for byte, also those that net/url refuses.
func TestResolve_pathsAreSentAsTheyAre(t *testing.T) {
	host, lines := requestLines(t)
	for _, path := range []string{"/a%zz", "//b", "/c?", "/d%2Fe?f=%"} {
		mustDo(t, newClient(t), Request{URL: "http://" + host + path, Proxy: Proxy{URL: "http://" + host, Resolve: true}})
		if got, want := <-lines, "GET http://"+host+path+" HTTP/1.1\r\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestResolve_authenticationRequiredIsAProxyError(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "user", "secret")
	var e *ProxyError
	err := fails(t, newClient(t), Request{URL: site.URL("/text"), Proxy: Proxy{URL: "http://user:hidden@" + p.Host(), Resolve: true}})
	if !errors.As(err, &e) || strings.Contains(err.Error(), "hidden") {
		t.Errorf("error %v, want a ProxyError without a password", err)
	}
	if err = fails(t, newClient(t), Request{URL: site.URL("/text"), Proxy: Proxy{URL: "http://" + fetchtest.ClosedPort(t), Resolve: true}}); !errors.As(err, &e) {
		t.Errorf("error %v, want a ProxyError", err)
	}
}

// What the policy refuses never reaches the proxy, neither as a plain request nor as a tunnel.
func TestResolve_policyAppliesToNamesAndLiteralAddresses(t *testing.T) {
	p := fetchtest.NewProxy(t, "", "")
	c := newClient(t, unresolved, public)
	for _, host := range []string{"127.0.0.1", "10.0.0.1", "[::1]", "0x7f.1", "2130706433", "0177.0.0.1", "localhost", "a.localhost", "intranet",
		"metadata.google.internal", "printer.local", "169.254.169.254", "[::ffff:10.0.0.1]", "1.1.1.1:25", "a.example:25"} {
		for _, scheme := range []string{"http", "https"} {
			for _, via := range []string{"http", "socks5"} {
				var e *BlockedError
				if err := fails(t, c, Request{URL: scheme + "://" + host + "/", Proxy: Proxy{URL: p.URL(via), Resolve: true}}); !errors.As(err, &e) {
					t.Errorf("%s://%s by %s: %v, want a BlockedError", scheme, host, via, err)
				}
			}
		}
	}
	if len(p.Targets()) != 0 {
		t.Errorf("the proxy was asked for %v", p.Targets())
	}
}

func TestResolve_keptConnectionIsCheckedAgain(t *testing.T) {
	c := newClient(t, func(o *Options) { o.Policy = &Policy{AllowHosts: []string{"intranet"}} })
	p := fetchtest.NewProxy(t, "", "")
	conn, forward, err := c.Dialer().DialPlain(t.Context(), Proxy{URL: p.URL("http"), Resolve: true}, "INTRANET.:8080")
	if err != nil || forward.Origin != "http://intranet:8080" || forward.Authorization != "" {
		t.Fatalf("got %+v, %v", forward, err)
	}
	defer conn.Close()
	if err := c.Dialer().Recheck(conn); err != nil {
		t.Error(err)
	}
	c.dialer.policy = nil
	var e *BlockedError
	if err := c.Dialer().Recheck(conn); !errors.As(err, &e) {
		t.Errorf("error %v, want a BlockedError", err)
	}
	if _, err := conn.Write([]byte("x")); err == nil {
		t.Error("the connection is still open")
	}
}

// A policy for the proxy itself keeps users who choose it from reaching what is inside.
func TestProxy_policyAppliesToTheProxysOwnAddress(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	c := newClient(t, func(o *Options) {
		o.Resolver = &resolver{answers: []lookup{{addrs: []string{"127.0.0.1"}}}}
	})
	_, port, _ := net.SplitHostPort(p.Host())
	for _, host := range []string{p.Host(), "localhost:" + port, "rebound.example:" + port} {
		for _, resolve := range []bool{false, true} {
			for _, scheme := range []string{"http", "https", "socks5"} {
				var pe *ProxyError
				var be *BlockedError
				r := Request{URL: site.URL("/text"), Proxy: Proxy{URL: scheme + "://" + host, Resolve: resolve, Policy: &Policy{}}}
				if err := fails(t, c, r); !errors.As(err, &pe) || !errors.As(err, &be) {
					t.Errorf("%s: %v, want a ProxyError around a BlockedError", r.Proxy.URL, err)
				}
			}
		}
	}
	allowed := &Policy{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	mustDo(t, c, Request{URL: site.URL("/text"), Proxy: Proxy{URL: p.URL("http"), Policy: allowed}})
	if err := (Proxy{URL: "http://p", Policy: &Policy{AllowHosts: []string{"a b"}}}).Validate(); err == nil {
		t.Error("an invalid policy is accepted")
	}
}

// A real proxy with Debian's own limit: CONNECT to 443 only.
func TestTinyproxy_plainPagesNeedResolve(t *testing.T) {
	site := fetchtest.New(t)
	by := "http://" + fetchtest.Tinyproxy(t, fetchtest.TinyproxyConfig)
	c := newClient(t)
	var e *ProxyError
	if err := fails(t, c, Request{URL: site.URL("/text"), Proxy: Proxy{URL: by}}); !errors.As(err, &e) || !strings.Contains(err.Error(), "403") {
		t.Errorf("without Resolve: %v, want a ProxyError of status 403", err)
	}
	resp := mustDo(t, c, Request{URL: site.URL("/headers"), Proxy: Proxy{URL: by, Resolve: true}})
	for name := range sentHeaders(t, resp) {
		if strings.HasPrefix(name, "Proxy-") {
			t.Errorf("the site saw %s", name)
		}
	}
	for _, path := range []string{"/article", "/redirect/2", "/huge?bytes=3000000"} {
		mustDo(t, c, Request{URL: site.URL(path), Proxy: Proxy{URL: by, Resolve: true}})
	}
}

// A name that only the real proxy can reach, by a parent of its own, with credentials of the proxy.
func TestTinyproxy_namesAreItsOwn(t *testing.T) {
	parent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("the parent saw the credentials")
		}
		io.WriteString(w, "<p>"+r.RequestURI)
	}))
	defer parent.Close()
	config := "BasicAuth user secret\nUpstream http " + strings.TrimPrefix(parent.URL, "http://") + " \"only.example\"\n"
	at := fetchtest.Tinyproxy(t, fetchtest.TinyproxyConfig+config)
	c := newClient(t, unresolved, public)
	var dns *DNSError
	if err := fails(t, c, Request{URL: "http://only.example/a", Proxy: Proxy{URL: "http://user:secret@" + at}}); !errors.As(err, &dns) {
		t.Errorf("without Resolve: %v, want a DNSError", err)
	}
	resp := mustDo(t, c, Request{URL: "http://only.example/a", Proxy: Proxy{URL: "http://user:secret@" + at, Resolve: true}})
	if !strings.Contains(string(resp.Body), "only.example") {
		t.Errorf("body %q", resp.Body)
	}
	var e *ProxyError
	for _, resolve := range []bool{false, true} {
		err := fails(t, newClient(t), Request{URL: "http://127.0.0.1:443/", Proxy: Proxy{URL: "http://" + at, Resolve: resolve}})
		if !errors.As(err, &e) {
			t.Errorf("Resolve %t: %v, want a ProxyError", resolve, err)
		}
	}
}
