package guard

import (
	"bufio"
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
	"sync"
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
	closed, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
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
		{closed.Addr().String(), "/", 502, "refused", netCode("ERR_CONNECTION_REFUSED")},
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

func TestLease_limitCutsAndTellsOnce(t *testing.T) {
	site := fetchtest.New(t)
	for _, base := range []string{site.URL(""), site.TLSURL("")} {
		var mu sync.Mutex
		calls := 0
		told := make(chan struct{})
		l := newLeaseOf(t, newGuard(t), LeaseOptions{MaxBytes: 1 << 20, OnLimit: func() {
			mu.Lock()
			defer mu.Unlock()
			if calls++; calls == 1 {
				close(told)
			}
		}})
		c := through(t, l)
		resp, err := c.Get(base + "/endless")
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err == nil {
			t.Errorf("%s: an endless body ended well after %d bytes", base, n)
		}
		<-told
		if n > 1<<20 || l.Bytes() < 1<<20 || l.Bytes() > 2<<20 {
			t.Errorf("%s: %d bytes came through, %d were counted, want about 1 MiB", base, n, l.Bytes())
		}
		if resp, err := c.Get(site.URL("/text")); err == nil {
			resp.Body.Close()
			if got := resp.Header.Get(Header); got != "limit" {
				t.Errorf("after the limit: status %d, reason %q", resp.StatusCode, got)
			}
		}
		mu.Lock()
		if calls != 1 {
			t.Errorf("OnLimit was called %d times", calls)
		}
		mu.Unlock()
	}
}

// The first connection after the cut is refused by the listener's side with an answer or a closed connection;
// in both cases the failure is known.
func TestLease_afterLimitNothingIsDialled(t *testing.T) {
	site := fetchtest.New(t)
	l := newLeaseOf(t, newGuard(t), LeaseOptions{MaxBytes: 10})
	speak(t, l, "GET http://"+site.Host()+"/text HTTP/1.1\r\nConnection: close\r\n\r\n")
	if _, err := l.connect(site.Host()); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want ErrLimit", err)
	}
}

func TestLease_goesThroughItsUpstream(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "u", "p")
	for _, scheme := range []string{"http", "socks5"} {
		l := newLeaseOf(t, newGuard(t), LeaseOptions{Upstream: p.URL(scheme)})
		c := through(t, l)
		_, port, _ := net.SplitHostPort(site.Host())
		get(t, c, "http://a.example:"+port+"/text")
		get(t, c, site.TLSURL("/text"))
		if got := p.Targets(); !slices.Equal(got[len(got)-2:], []string{site.Host(), site.TLSHost()}) {
			t.Errorf("%s was asked for %v", scheme, got)
		}
		if resp, _ := get(t, c, "http://none.example/"); resp.Header.Get(Header) != "dns" {
			t.Errorf("reason %q", resp.Header.Get(Header))
		}
	}
	l := newLeaseOf(t, newGuard(t), LeaseOptions{Upstream: "http://u:wrong@" + p.Host()})
	resp, _ := get(t, through(t, l), site.URL("/text"))
	var e *fetch.ProxyError
	if resp.Header.Get(Header) != "proxy" || !errors.As(l.Failure(site.Host()), &e) {
		t.Errorf("reason %q, failure %v", resp.Header.Get(Header), l.Failure(site.Host()))
	}
}

func TestLease_refusesItself(t *testing.T) {
	g := newGuard(t)
	l, other := newLeaseOf(t, g, LeaseOptions{}), newLeaseOf(t, g, LeaseOptions{})
	for _, to := range []string{l.URL(), other.URL()} {
		resp, _ := get(t, through(t, l), to)
		if resp.StatusCode != http.StatusForbidden || resp.Header.Get(Header) != "blocked" {
			t.Errorf("status %d, reason %q", resp.StatusCode, resp.Header.Get(Header))
		}
	}
}

func TestLease_optionsAreChecked(t *testing.T) {
	g := newGuard(t)
	for _, o := range []LeaseOptions{{MaxBytes: -1}, {Upstream: "ftp://u:secret@p"}} {
		if _, err := g.Lease(o); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := New(Options{}).Lease(LeaseOptions{}); err == nil {
		t.Error("a guard without a dialer gave a lease")
	}
}

func TestClose_endsEverything(t *testing.T) {
	site := fetchtest.New(t)
	g := newGuard(t)
	l := newLeaseOf(t, g, LeaseOptions{})
	errs := make(chan error)
	for _, u := range []string{site.URL("/endless"), site.TLSURL("/endless"), site.URL("/never"), site.URL("/silent")} {
		go func() {
			resp, err := through(t, l).Get(u)
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			errs <- err
		}()
	}
	until(t, func() bool {
		return site.Hits("/endless") == 2 && site.Hits("/never") == 1 && site.Hits("/silent") == 1
	})
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	for range 4 {
		if err := <-errs; err == nil {
			t.Error("a body without an end ended well")
		}
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(l.URL(), "http://")); err == nil {
		t.Error("the listener is still there")
	}
	if _, err := g.Lease(LeaseOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
	if err := errors.Join(l.Close(), g.Close()); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

func TestLease_keepsItsConnections(t *testing.T) {
	site, l := fetchtest.New(t), newLeaseOf(t, newGuard(t), LeaseOptions{})
	c := through(t, l)
	for range 3 {
		get(t, c, site.URL("/text"))
	}
	seen := site.Requests("/text")
	if seen[0].RemoteAddr != seen[2].RemoteAddr {
		t.Error("each request got a connection of its own")
	}
	// One connection of the browser, several sites.
	other := fetchtest.New(t)
	get(t, c, other.URL("/text"))
	get(t, c, site.URL("/text"))
	if len(l.conns) > 2 {
		t.Errorf("%d connections are open, want one of each side", len(l.conns))
	}
}

// A site may drop a kept connection at any time; the browser must not notice.
func TestLease_deadKeptConnectionIsReplaced(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			// Promises to keep the connection, and does not.
			if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
			c.Close()
		}
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	c := through(t, newLeaseOf(t, newGuard(t), LeaseOptions{}))
	for range 5 {
		if resp, body := get(t, c, "http://"+ln.Addr().String()); body != "ok" {
			t.Fatalf("status %d %q", resp.StatusCode, body)
		}
	}
}

func TestLease_eventsAreNotHeldUp(t *testing.T) {
	next := make(chan string)
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		for line := range next {
			_, _ = io.WriteString(w, line)
			_ = http.NewResponseController(w).Flush()
		}
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(ln) }()
	t.Cleanup(func() { server.Close(); <-done })
	resp, err := through(t, newLeaseOf(t, newGuard(t), LeaseOptions{})).Get("http://" + ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	br := bufio.NewReader(resp.Body)
	for _, line := range []string{"one\n", "two\n", "three\n"} {
		next <- line
		if got, err := br.ReadString('\n'); got != line { // the next one is sent only after this one has come
			t.Fatalf("%q %v, want %q", got, err, line)
		}
	}
	close(next)
	if rest, err := io.ReadAll(br); len(rest) > 0 || err != nil {
		t.Errorf("%q %v", rest, err)
	}
}

func TestLease_oldAndCarefulClients(t *testing.T) {
	to := echo(t)
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	got := speak(t, l, "GET "+to+"/ HTTP/1.0\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\n") || strings.Contains(got, "chunked") || !strings.Contains(got, `GET / "" []`) {
		t.Errorf("HTTP/1.0: %q", got)
	}
	got = speak(t, l, "POST "+to+"/ HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
	if !strings.HasPrefix(got, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n") || !strings.Contains(got, `"hi"`) {
		t.Errorf("Expect: %q", got)
	}
	got = speak(t, l, "POST "+to+"/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Trailer: 1\r\n\r\n"+
		"GET "+to+"/second HTTP/1.1\r\nConnection: close\r\n\r\n")
	if !strings.Contains(got, `"hi" [chunked]`) || !strings.Contains(got, `GET /second "" []`) {
		t.Errorf("chunks with a trailer, then another request: %q", got)
	}
}

func TestLease_keptConnectionIsCheckedAgain(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	near, far := net.Pipe()
	defer far.Close()
	// A connection that the policy knows nothing of stands for one that it no longer allows.
	p := &peer{lease: l, site: &site{addr: "a.example:80", conn: &metered{Conn: near, lease: l}, used: true}}
	if s, err := p.reach("a.example:80", true); err == nil || s != nil || p.site != nil {
		t.Errorf("it was used again: %v, %v", s, err)
	}
	if l.Failure("a.example:80") == nil {
		t.Error("no failure is known")
	}
}
