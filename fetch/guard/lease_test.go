package guard

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

func TestLease_limitCutsAndReportsOnce(t *testing.T) {
	site := fetchtest.New(t)
	for _, base := range []string{site.URL(""), site.TLSURL("")} {
		var mu sync.Mutex
		calls := 0
		reported := make(chan struct{})
		l := newLeaseOf(t, newGuard(t), LeaseOptions{MaxBytes: 1 << 20, OnLimit: func() {
			mu.Lock()
			defer mu.Unlock()
			if calls++; calls == 1 {
				close(reported)
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
		<-reported
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
	if _, err := l.connect(site.Host(), l.tunnel); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want ErrLimit", err)
	}
}

func TestLease_goesThroughItsUpstream(t *testing.T) {
	site, p := fetchtest.New(t), fetchtest.NewProxy(t, "u", "p")
	for _, scheme := range []string{"http", "socks5"} {
		l := newLeaseOf(t, newGuard(t), LeaseOptions{Upstream: fetch.Proxy{URL: p.URL(scheme)}})
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
	l := newLeaseOf(t, newGuard(t), LeaseOptions{Upstream: fetch.Proxy{URL: "http://u:wrong@" + p.Host()}})
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
	for _, o := range []LeaseOptions{{MaxBytes: -1}, {Upstream: fetch.Proxy{URL: "ftp://u:secret@p"}}} {
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
	l.mu.Lock()
	defer l.mu.Unlock()
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
	if s, err := p.reach("a.example:80", &head{}); err == nil || s != nil || p.site != nil {
		t.Errorf("it was used again: %v, %v", s, err)
	}
	if l.Failure("a.example:80") == nil {
		t.Error("no failure is known")
	}
}

func TestLease_assignedOptionsHoldFromThenOn(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	if err := l.Assign(LeaseOptions{MaxResource: -1}); err == nil || !strings.Contains(err.Error(), "MaxResource -1") {
		t.Errorf("got %v", err)
	}
	if l.unwanted("ads.example:443") {
		t.Error("blocked too early")
	}
	if err := l.Assign(LeaseOptions{Block: func(host string) bool { return host == "ads.example" }}); err != nil {
		t.Fatal(err)
	}
	if !l.unwanted("ads.example:443") || l.unwanted("example:443") || l.Blocked() != 1 {
		t.Errorf("blocked %d", l.Blocked())
	}
	if got := l.options().MaxBytes; got == 0 {
		t.Error("the guard's limit is lost")
	}
}
