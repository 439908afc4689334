package guard

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// names is a resolver with fixed answers.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if a, ok := n[host]; ok {
		return []netip.Addr{netip.MustParseAddr(a)}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// newGuard makes a guard that allows loopback, with a few names of its own.
func newGuard(t testing.TB, change ...func(*fetch.Options)) *Guard {
	t.Helper()
	o := fetch.Options{Policy: &fetch.Policy{AllowPrivate: true}, Resolver: names{"a.example": "127.0.0.1", "private.example": "10.0.0.1"}}
	for _, c := range change {
		c(&o)
	}
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
	return g
}

func newLeaseOf(t testing.TB, g *Guard, o LeaseOptions) *Lease {
	t.Helper()
	l, err := g.Lease(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// through is an HTTP client that goes through a lease, as a browser does.
func through(t testing.TB, l *Lease) *http.Client {
	t.Helper()
	u, err := url.Parse(l.URL())
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(u), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// until waits for something that comes about in another goroutine; the test's own deadline ends it.
func until(t testing.TB, done func() bool) {
	for !done() {
		if t.Context().Err() != nil {
			t.Fatal("the test is over")
		}
		runtime.Gosched()
	}
}

func get(t testing.TB, c *http.Client, u string) (*http.Response, string) {
	t.Helper()
	resp, err := c.Get(u)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestLease_carriesPlainAndTLSRequests(t *testing.T) {
	site, l := fetchtest.New(t), newLeaseOf(t, newGuard(t), LeaseOptions{})
	c := through(t, l)
	for _, u := range []string{site.URL("/article"), site.TLSURL("/article"), site.URL("/redirect/2"), site.TLSURL("/redirect/2")} {
		resp, body := get(t, c, u)
		if resp.StatusCode != http.StatusOK || !strings.Contains(body, fetchtest.ArticleText) {
			t.Errorf("%s: %d %.100q", u, resp.StatusCode, body)
		}
	}
	if l.Bytes() == 0 {
		t.Error("no bytes were counted")
	}
	if err := l.Failure(site.Host()); err != nil {
		t.Errorf("failure %v", err)
	}
}

func TestLease_carriesEveryKindOfBody(t *testing.T) {
	site, l := fetchtest.New(t), newLeaseOf(t, newGuard(t), LeaseOptions{})
	c := through(t, l)
	for path, want := range map[string]int{
		"/huge?bytes=3000000": 3000000, "/huge?bytes=3000000&chunked=1": 3000000, "/status/204": 0, "/status/304": 0, "/huge?bytes=0": 0,
	} {
		if _, body := get(t, c, site.URL(path)); len(body) != want {
			t.Errorf("%s: %d bytes, want %d", path, len(body), want)
		}
	}
	resp, err := c.Head(site.URL("/huge?bytes=5000"))
	if err != nil || resp.ContentLength != 5000 {
		t.Errorf("HEAD: %+v, %v", resp, err)
	}
}

// echo is a server that gives back what it gets.
func echo(t testing.TB) string {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %q %v", r.Method, r.RequestURI, body, r.TransferEncoding)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(ln) }()
	t.Cleanup(func() { server.Close(); <-done })
	return "http://" + ln.Addr().String()
}

func TestLease_carriesRequestBodies(t *testing.T) {
	c, to := through(t, newLeaseOf(t, newGuard(t), LeaseOptions{})), echo(t)
	for range 2 { // the connection goes on after it
		for want, body := range map[string]io.Reader{
			`POST /x?q=%zz "hello" []`:        strings.NewReader("hello"),
			`POST /x?q=%zz "hello" [chunked]`: io.MultiReader(strings.NewReader("hel"), strings.NewReader("lo")),
			`POST /x?q=%zz "" []`:             http.NoBody,
		} {
			resp, err := c.Post(to+"/x?q=%zz", "text/plain", body)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if string(got) != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}

// speak sends bytes to a lease and gives all that comes back until the connection ends.
func speak(t testing.TB, l *Lease, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(l.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(c)
	return string(got)
}

func TestLease_pathsAndHeadersGoThroughAsTheyAre(t *testing.T) {
	site, l := fetchtest.New(t), newLeaseOf(t, newGuard(t), LeaseOptions{})
	answer := speak(t, l, "GET http://"+site.Host()+"/headers?100%-off#f HTTP/1.1\r\nHost: evil.example\r\nProxy-Connection: close\r\n"+
		"Proxy-Authorization: Basic x\r\nConnection: X-Named, Keep-Alive\r\nX-Named: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nX-Winnow-Guard: spoof\r\n"+
		"X-Own: a\r\nX-Own: b\r\nUser-Agent: ü\r\n\r\n")
	seen := site.Requests("/headers")[0]
	if seen.RequestURI != "/headers?100%-off" || seen.Host != site.Host() {
		t.Errorf("URI %s, Host %s", seen.RequestURI, seen.Host)
	}
	for _, gone := range []string{"Proxy-Connection", "Proxy-Authorization", "Connection", "X-Named", "Keep-Alive", "Te", Header, "Accept-Encoding"} {
		if v, there := seen.Header[gone]; there {
			t.Errorf("%s: %q went through", gone, v)
		}
	}
	if !slices.Equal(seen.Header["X-Own"], []string{"a", "b"}) || seen.Header.Get("User-Agent") != "ü" {
		t.Errorf("headers %v", seen.Header)
	}
	if !strings.HasPrefix(answer, "HTTP/1.1 200 OK\r\n") || !strings.Contains(answer, "\r\nConnection: close\r\n") {
		t.Errorf("answer %q", answer)
	}
}

func TestLease_refusalsSayWhy(t *testing.T) {
	site := fetchtest.New(t)
	g := newGuard(t, func(o *fetch.Options) {
		o.Policy = &fetch.Policy{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	})
	l := newLeaseOf(t, g, LeaseOptions{})
	for _, test := range []struct {
		hostport, path string
		status         int
		word           string
		is             func(error) bool
	}{
		{"none.example:80", "/", 502, "dns", as[*fetch.DNSError]},
		{"private.example:80", "/", 403, "blocked", as[*fetch.BlockedError]},
		{"10.0.0.1:80", "/", 403, "blocked", as[*fetch.BlockedError]},
		{"a.example:25", "/", 403, "blocked", as[*fetch.BlockedError]},
		{fetchtest.ClosedPort(t), "/", 502, "refused", netCode("ERR_CONNECTION_REFUSED")},
		{site.Host(), "/empty", 502, "empty_response", netCode("ERR_EMPTY_RESPONSE")},
		{site.Host(), "/reset", 502, "reset", netCode("ERR_CONNECTION_RESET")},
		{site.Host(), "/rubbish", 502, "invalid_http_response", netCode("ERR_INVALID_HTTP_RESPONSE")},
		{site.Host(), "/big-headers?bytes=3000000", 502, "response_headers_too_big", netCode("ERR_RESPONSE_HEADERS_TOO_BIG")},
	} {
		answer := speak(t, l, "GET http://"+test.hostport+test.path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if !strings.HasPrefix(answer, fmt.Sprintf("HTTP/1.1 %d ", test.status)) || !strings.Contains(answer, "\r\nX-Winnow-Guard: "+test.word+"\r\n") {
			t.Errorf("%s%s: answer %q, want %d %s", test.hostport, test.path, answer, test.status, test.word)
		}
		if err := l.Failure(test.hostport); !test.is(err) {
			t.Errorf("%s%s: failure %v", test.hostport, test.path, err)
		}
		if host, _, _ := net.SplitHostPort(test.hostport); !test.is(l.Failure(host)) {
			t.Errorf("%s: failure %v by its host", test.hostport, l.Failure(host))
		}
		if test.path != "/" {
			continue
		}
		answer = speak(t, l, "CONNECT "+test.hostport+" HTTP/1.1\r\nHost: x\r\n\r\n")
		if !strings.HasPrefix(answer, fmt.Sprintf("HTTP/1.1 %d ", test.status)) || !test.is(l.Failure(test.hostport)) {
			t.Errorf("CONNECT %s: %q, %v", test.hostport, answer, l.Failure(test.hostport))
		}
	}
	// A connection that works clears what the one before has left.
	if _, body := get(t, through(t, l), site.URL("/text")); body == "" || l.Failure(site.Host()) != nil {
		t.Errorf("failure %v after a good answer", l.Failure(site.Host()))
	}
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func netCode(code string) func(error) bool {
	return func(err error) bool {
		var e *fetch.ConnectError
		return errors.As(err, &e) && e.Net == code
	}
}

func TestLease_sitesCantSpeakForTheGuard(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set(Header, "dns") })}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(ln) }()
	t.Cleanup(func() { server.Close(); <-done })
	resp, _ := get(t, through(t, newLeaseOf(t, newGuard(t), LeaseOptions{})), "http://"+ln.Addr().String())
	if got := resp.Header.Get(Header); got != "" {
		t.Errorf("%s: %s came through", Header, got)
	}
}

func TestLease_badRequestsAreRefused(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	for _, request := range []string{
		"GET / HTTP/1.1\r\n\r\n",
		"GET https://a.example/ HTTP/1.1\r\n\r\n",
		"GET http:// HTTP/1.1\r\n\r\n",
		"GET http://u:p@a.example/ HTTP/1.1\r\n\r\n",
		"GET http://a.example:port/ HTTP/1.1\r\n\r\n",
		"GET http://a.example/ HTTP/2.0\r\n\r\n",
		"GET http://a.example/ x HTTP/1.1\r\n\r\n",
		"GET http://a.example/\x01 HTTP/1.1\r\n\r\n",
		"G=(T http://a.example/ HTTP/1.1\r\n\r\n",
		"nonsense\r\n\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
		"GET http://a.example/ HTTP/1.1\r\nNo colon\r\n\r\n",
		"GET http://a.example/ HTTP/1.1\r\nA: b\x00\r\n\r\n",
		"GET http://a.example/ HTTP/1.1\r\nContent-Length: x\r\n\r\n",
		"GET http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
		"GET http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
		"GET http://a.example/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
		"CONNECT a.example HTTP/1.1\r\n\r\n",
		"CONNECT a.example:99999 HTTP/1.1\r\n\r\n",
		"CONNECT :80 HTTP/1.1\r\n\r\n",
		"CONNECT u@a.example:80 HTTP/1.1\r\n\r\n",
	} {
		if got := speak(t, l, request); !strings.HasPrefix(got, "HTTP/1.1 400 ") {
			t.Errorf("%q: %q, want 400", request, got)
		}
	}
	big := "GET http://a.example/ HTTP/1.1\r\nX: " + strings.Repeat("x", 2*maxHead) + "\r\n\r\n"
	if got := speak(t, l, big); got != "" && !strings.HasPrefix(got, "HTTP/1.1 431 ") {
		t.Errorf("a head over the limit: %q, want 431", got)
	}
}
