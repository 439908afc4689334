package fetch

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// noNetwork fails the test on every lookup and every dial.
func noNetwork(t *testing.T) func(*Options) {
	return func(o *Options) {
		o.Policy = nil
		o.Resolver = &resolver{answers: []lookup{{err: errors.New("no name server here")}}}
		o.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
			t.Errorf("dialed %s", addr)
			return nil, errors.New("no network here")
		}
	}
}

func withHosts(hosts map[string]http.Handler) func(*Options) {
	return func(o *Options) { o.Hosts = hosts }
}

// say answers with a text.
func say(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
}

func TestVirtual_isServedWithoutNetwork(t *testing.T) {
	seen := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %t %s %s", r.Host, r.TLS != nil, r.Proto, r.URL.RequestURI())
	})
	c := newClient(t, noNetwork(t), withHosts(map[string]http.Handler{
		"a.test": seen, "localhost": seen, "single": seen, "under_score.test": seen, "xn--bcher-kva.test": seen, "192.0.2.7": seen, "2001:db8::7": seen,
	}))
	for _, test := range []struct{ url, want string }{
		{"http://a.test/x?y", "a.test false HTTP/1.1 /x?y"},
		{"https://a.test/", "a.test true HTTP/2.0 /"},
		{"http://a.test:8080/", "a.test:8080 false HTTP/1.1 /"},
		{"https://a.test:8080/", "a.test:8080 true HTTP/2.0 /"},
		{"http://a.test:443/", "a.test:443 false HTTP/1.1 /"},
		{"http://A.TEST/", "a.test false HTTP/1.1 /"},
		{"https://a.test./", "a.test. true HTTP/2.0 /"},
		{"https://localhost/", "localhost true HTTP/2.0 /"},
		{"https://single/", "single true HTTP/2.0 /"},
		{"https://under_score.test/", "under_score.test true HTTP/2.0 /"},
		{"https://bücher.test/", "xn--bcher-kva.test true HTTP/2.0 /"},
		{"https://192.0.2.7/", "192.0.2.7 true HTTP/2.0 /"},
		{"https://[2001:db8::7]/", "[2001:db8::7] true HTTP/2.0 /"},
	} {
		if got := string(mustDo(t, c, Request{URL: test.url}).Body); got != test.want {
			t.Errorf("%s: %q, want %q", test.url, got, test.want)
		}
	}
	if _, err := c.Do(t.Context(), Request{URL: "http://b.a.test/"}); !isDNS(err) {
		t.Errorf("a name below a virtual one: %v", err)
	}
}

func isDNS(err error) bool {
	var e *DNSError
	return errors.As(err, &e)
}

func isVirtualRefusal(err error) bool {
	var e *BlockedError
	return errors.As(err, &e) && e.Reason == "virtual host" && strings.Contains(e.Error(), e.Host) && !Temporary(err)
}

func TestVirtual_publicRedirectCantReachIt(t *testing.T) {
	site := fetchtest.New(t)
	calls := make(chan string, 10)
	c := newClient(t, withHosts(map[string]http.Handler{
		"inner.test": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { calls <- r.URL.Path }),
	}))
	for _, to := range []string{"http://inner.test/a", "https://inner.test/b", "http://INNER.test.:81/c"} {
		// Also with a connection that is open already.
		mustDo(t, c, Request{URL: to})
		<-calls
		_, err := c.Do(WithVirtual(t.Context()), Request{URL: site.URL("/redirect-to?url=" + to)})
		if !isVirtualRefusal(err) {
			t.Errorf("redirect to %s: %v", to, err)
		}
	}
	if len(calls) > 0 {
		t.Errorf("a redirect has reached %s", <-calls)
	}
}

func TestVirtual_mayLeadElsewhere(t *testing.T) {
	site := fetchtest.New(t)
	c := newClient(t, withHosts(map[string]http.Handler{
		"a.test": http.RedirectHandler("https://b.test/", http.StatusFound),
		"b.test": http.RedirectHandler(site.URL("/redirect-to?url=http://c.test/"), http.StatusFound),
		"c.test": say("here"),
	}))
	if got := mustDo(t, c, Request{URL: "http://a.test/"}); string(got.Body) != "here" || len(got.Redirects) != 3 {
		t.Errorf("%q over %v", got.Body, got.Redirects)
	}
}

func TestDial_virtualHostsNeedAWord(t *testing.T) {
	c := newClient(t, noNetwork(t), withHosts(map[string]http.Handler{"a.test": say("a")}))
	d := c.Dialer()
	for name, dial := range map[string]func(context.Context) (net.Conn, error){
		"DialContext": func(ctx context.Context) (net.Conn, error) { return d.DialContext(ctx, "tcp", "A.test.:80") },
		"DialVia": func(ctx context.Context) (net.Conn, error) {
			return d.DialVia(ctx, Proxy{URL: "http://proxy.test"}, "a.test:80")
		},
	} {
		if _, err := dial(t.Context()); !isVirtualRefusal(err) {
			t.Errorf("%s: %v", name, err)
		}
		conn, err := dial(WithVirtual(t.Context()))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := d.Recheck(conn); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		conn.Close()
	}
}

func TestVirtual_isReachedWithoutProxies(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://proxy.test:1")
	c := newClient(t, noNetwork(t), withHosts(map[string]http.Handler{"a.test": say("a")}), func(o *Options) { o.EnvironmentProxy = true })
	for _, r := range []Request{{URL: "http://a.test/"}, {URL: "https://a.test/", Proxy: Proxy{URL: "socks5://proxy.test"}}} {
		if got := string(mustDo(t, c, r).Body); got != "a" {
			t.Errorf("%s: %q", r.URL, got)
		}
	}
}

// The authority is for virtual hosts only: neither does the client trust it elsewhere, nor can it speak for
// others.
func TestVirtual_authorityIsForItsHostsOnly(t *testing.T) {
	site := fetchtest.New(t)
	c := newClient(t, withHosts(map[string]http.Handler{"a.test": say("a")}))
	var tlsErr *TLSError
	if _, err := c.Do(t.Context(), Request{URL: site.TLSURL("/text")}); !errors.As(err, &tlsErr) {
		t.Errorf("a self-signed site: %v", err)
	}
	a := c.Virtual().authority
	for host, trusted := range map[string]bool{"a.test": true, "b.test": false, "example.com": false, "192.0.2.1": false, "2001:db8::1": false} {
		cert, err := a.leaf(host)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(cert.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		_, err = leaf.Verify(x509.VerifyOptions{Roots: a.pool, DNSName: host})
		if (err == nil) != trusted {
			t.Errorf("%s: %v, trusted is to be %t", host, err, trusted)
		}
	}
}

func TestVirtual_pinIsInTheServedChain(t *testing.T) {
	c := newClient(t, withHosts(map[string]http.Handler{"a.test": say("a")}))
	conn, err := c.Dialer().DialContext(WithVirtual(t.Context()), "tcp", "a.test:443")
	if err != nil {
		t.Fatal(err)
	}
	secure := tls.Client(conn, &tls.Config{ServerName: "a.test", InsecureSkipVerify: true})
	defer secure.Close()
	if err := secure.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, cert := range secure.ConnectionState().PeerCertificates {
		sum := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
		found = found || base64.StdEncoding.EncodeToString(sum[:]) == c.Virtual().Pin()
	}
	if !found {
		t.Error("no certificate of the chain has the pinned key")
	}
}

func TestVirtual_nilHasNothing(t *testing.T) {
	for _, hosts := range []map[string]http.Handler{nil, {}} {
		v := newClient(t, withHosts(hosts)).Virtual()
		if v != nil || v.Has("a.test") || v.Pin() != "" {
			t.Errorf("%v: %v", hosts, v)
		}
	}
}

func TestVirtual_has(t *testing.T) {
	hosts := map[string]http.Handler{"a.test": say("a"), "2001:db8::7": say("b")}
	v := newClient(t, withHosts(hosts)).Virtual()
	delete(hosts, "a.test") // the map was copied
	for host, want := range map[string]bool{
		"a.test": true, "A.Test": true, "a.test.": true, "[2001:db8::7]": true, "2001:DB8:0::7": true,
		"": false, "b.a.test": false, "a.test:80": false, "test": false, "a.test..": false,
	} {
		if got := v.Has(host); got != want {
			t.Errorf("Has(%q) = %t", host, got)
		}
	}
}

func TestNew_virtualHostsAreChecked(t *testing.T) {
	for _, name := range []string{"", ".", "A.test", "a.test:80", "http://a.test", "a.test/", "a.test.", "bücher.test", "a b", "*.test", "u@a.test", "[::1]", "1.2", "0x7f.1", "2001:DB8::1", "a%41.test", "a\\b", "a?b"} {
		_, err := New(Options{Hosts: map[string]http.Handler{name: say("")}})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("Hosts[%q]", name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := New(Options{Hosts: map[string]http.Handler{"a.test": nil}}); err == nil || !strings.Contains(err.Error(), `Hosts["a.test"]: want a handler`) {
		t.Errorf("no handler: %v", err)
	}
}

func FuzzNew_virtualHosts(f *testing.F) {
	for _, s := range []string{"a.test", "localhost", "192.0.2.1", "::1", "xn--a.test", "a..b", "-a.test", strings.Repeat("a", 70) + ".test"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > 300 {
			return
		}
		c, err := New(Options{Hosts: map[string]http.Handler{name: say("ok")}})
		if err != nil {
			return
		}
		defer c.Close()
		host := name
		if strings.Contains(name, ":") {
			host = "[" + name + "]"
		}
		resp, err := c.Do(t.Context(), Request{URL: "https://" + host + "/"})
		if err != nil || string(resp.Body) != "ok" {
			t.Errorf("%q was taken and can't be reached: %v", name, err)
		}
	})
}
