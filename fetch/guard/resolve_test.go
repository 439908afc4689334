package guard

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// publicOnly is the zero policy, under which no loopback address may be dialed.
func publicOnly(o *fetch.Options) { o.Policy = nil }

// The browser's plain requests go to a proxy that allows CONNECT to 443 only, and so do names that nobody else resolves.
func TestResolve_plainRequestsGoToTheUpstreamItself(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "user", "secret")
	p.ConnectOnly("443")
	p.Name("only.example:80", site.Host())
	p.Name("only.example:443", site.TLSHost())
	g := newGuard(t, publicOnly)
	resp, _ := get(t, through(t, newLeaseOf(t, g, LeaseOptions{Upstream: fetch.Proxy{URL: p.URL("http")}})), "http://only.example/text")
	if got := resp.Header.Get(Header); got != "dns" {
		t.Errorf("without Resolve: reason %q, want dns", got)
	}
	c := through(t, newLeaseOf(t, g, LeaseOptions{Upstream: fetch.Proxy{URL: p.URL("http"), Resolve: true}}))
	for _, u := range []string{"http://only.example/article?a=%zz", "http://ONLY.example./article", "https://only.example/article"} {
		if resp, body := get(t, c, u); resp.StatusCode != http.StatusOK || !strings.Contains(body, fetchtest.ArticleText) {
			t.Errorf("%s: %d %.100q", u, resp.StatusCode, body)
		}
	}
	secret := "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("user:secret"))
	for i, line := range []string{"GET http://only.example/article?a=%zz\nHost: only.example\n", "GET http://only.example/article\nHost: only.example\n"} {
		if head := p.Heads()[i]; !strings.HasPrefix(head, line) || !strings.Contains(head, secret) {
			t.Errorf("the proxy got %q, want %q with its credentials", head, line)
		}
	}
	for _, r := range site.Requests("/article") {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("the site saw the proxy's credentials")
		}
	}
}

func TestResolve_socksGetsTheName(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "", "")
	p.Name("only.example:80", site.Host())
	l := newLeaseOf(t, newGuard(t, publicOnly), LeaseOptions{Upstream: fetch.Proxy{URL: p.URL("socks5h"), Resolve: true}})
	if resp, _ := get(t, through(t, l), "http://only.example/text"); resp.StatusCode != http.StatusOK || !slices.Equal(p.Targets(), []string{"only.example:80"}) {
		t.Errorf("status %d, asked for %v", resp.StatusCode, p.Targets())
	}
}

func TestResolve_policyAppliesToNamesAndLiteralAddresses(t *testing.T) {
	p := fetchtest.NewProxy(t, "", "")
	l := newLeaseOf(t, newGuard(t, publicOnly), LeaseOptions{Upstream: fetch.Proxy{URL: p.URL("http"), Resolve: true}})
	for _, host := range []string{"127.0.0.1", "0x7f.1", "2130706433", "%31%32%37.0.0.1", "localhost", "intranet", "metadata.google.internal", "[::1]"} {
		for _, request := range []string{"GET http://" + host + "/ HTTP/1.1\r\n\r\n", "CONNECT " + host + ":443 HTTP/1.1\r\n\r\n"} {
			if got := speak(t, l, strings.Replace(request, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1)); !strings.HasPrefix(got, "HTTP/1.1 403 ") {
				t.Errorf("%q: %q, want 403", request, got)
			}
		}
	}
	if len(p.Targets()) != 0 {
		t.Errorf("the proxy was asked for %v", p.Targets())
	}
}

// A browser would ask for credentials where its own proxy wants them: the guard is that, and wants none.
func TestResolve_authenticationRequiredIsAFailureOfTheProxy(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "user", "secret")
	l := newLeaseOf(t, newGuard(t), LeaseOptions{Upstream: fetch.Proxy{URL: "http://user:wrong@" + p.Host(), Resolve: true}})
	resp, _ := get(t, through(t, l), site.URL("/text"))
	var e *fetch.ProxyError
	if resp.StatusCode != http.StatusBadGateway || resp.Header.Get(Header) != "proxy" || !errors.As(l.Failure(site.Host()), &e) {
		t.Errorf("status %d, reason %q, failure %v", resp.StatusCode, resp.Header.Get(Header), l.Failure(site.Host()))
	}
}

// A websocket needs a connection to its site, which a proxy gives by CONNECT.
func TestResolve_websocketsHaveATunnel(t *testing.T) {
	p := fetchtest.NewProxy(t, "", "")
	at := shouter(t)
	l := newLeaseOf(t, newGuard(t), LeaseOptions{Upstream: fetch.Proxy{URL: p.URL("http"), Resolve: true}})
	c, err := net.Dial("tcp", strings.TrimPrefix(l.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET http://%s/ HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\n", at, at)
	line := make([]byte, len("HTTP/1.1 101"))
	if _, err := io.ReadFull(c, line); err != nil || string(line) != "HTTP/1.1 101" || len(p.Heads()) != 0 || len(p.Targets()) != 1 {
		t.Errorf("%q, %v; heads %q, targets %v", line, err, p.Heads(), p.Targets())
	}
}

// Virtual hosts are reached without the proxy.
func TestResolve_virtualHostsNeedNoProxy(t *testing.T) {
	g, _ := virtualGuard(t, map[string]http.Handler{"a.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.RequestURI)
	})})
	l := newLeaseOf(t, g, LeaseOptions{Virtual: true, Upstream: fetch.Proxy{URL: "http://" + fetchtest.ClosedPort(t), Resolve: true}})
	if _, body := get(t, through(t, l), "http://a.test/page"); body != "/page" {
		t.Errorf("body %q", body)
	}
}

func TestTinyproxy_carriesPlainPagesOfTheBrowser(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "a page") }))
	defer site.Close()
	at := "http://" + fetchtest.Tinyproxy(t, fetchtest.TinyproxyConfig)
	g := newGuard(t)
	for resolve, want := range map[bool]int{false: http.StatusBadGateway, true: http.StatusOK} {
		c := through(t, newLeaseOf(t, g, LeaseOptions{Upstream: fetch.Proxy{URL: at, Resolve: resolve}}))
		for range 2 {
			if resp, body := get(t, c, site.URL+"/a"); resp.StatusCode != want || resolve && body != "a page" {
				t.Errorf("Resolve %t: %d %q, want %d", resolve, resp.StatusCode, body, want)
			}
		}
	}
}
