package guard

import (
	"errors"
	"io"
	"net"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

func TestRenew_nextPageKnowsNothingOfTheLast(t *testing.T) {
	site := fetchtest.New(t)
	ads := func(host string) bool { return host == "ads.example" }
	l := newLeaseOf(t, newGuard(t), LeaseOptions{Block: ads})
	c := through(t, l)
	get(t, c, "http://ads.example/")
	get(t, c, "http://none.example/")
	get(t, c, site.URL("/text"))
	if l.Bytes() == 0 || l.Blocked() != 1 || l.LastFailure() == nil || l.Failure("none.example") == nil {
		t.Fatalf("before: %d bytes, %d blocked, %v: this test shows nothing", l.Bytes(), l.Blocked(), l.LastFailure())
	}
	if err := l.Renew(LeaseOptions{}); err != nil {
		t.Fatal(err)
	}
	if l.Bytes() != 0 || l.Blocked() != 0 || l.LastFailure() != nil || l.Failure("none.example") != nil {
		t.Errorf("after: %d bytes, %d blocked, %v, %v", l.Bytes(), l.Blocked(), l.LastFailure(), l.Failure("none.example"))
	}
	get(t, c, site.URL("/text"))
	if seen := site.Requests("/text"); seen[0].RemoteAddr != seen[1].RemoteAddr {
		t.Error("the connection that was open is lost")
	}
	if l.Bytes() == 0 {
		t.Error("bytes on the kept connection aren't counted")
	}
	if l.unwanted("ads.example:80") {
		t.Error("the options are those of the page before")
	}
}

func TestRenew_limitsHoldForEachPageAlone(t *testing.T) {
	site := fetchtest.New(t)
	for _, url := range []string{site.URL("/huge?bytes=300000"), site.TLSURL("/huge?bytes=300000")} {
		limits := LeaseOptions{MaxBytes: 500_000, MaxResource: 400_000}
		l := newLeaseOf(t, newGuard(t), limits)
		c := through(t, l)
		for n := range 4 { // more than either limit, in all
			if _, body := get(t, c, url); len(body) != 300_000 {
				t.Errorf("%s, page %d: %d bytes", url, n+1, len(body))
			}
			if err := l.Renew(limits); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestRenew_opensWhatTheLimitHadCut(t *testing.T) {
	site := fetchtest.New(t)
	reported := make(chan struct{}, 10)
	limits := LeaseOptions{MaxBytes: 100 << 10, OnLimit: func() { reported <- struct{}{} }}
	l := newLeaseOf(t, newGuard(t), limits)
	c := through(t, l)
	for n := range 3 {
		if _, body := get(t, c, site.URL("/text")); body == "" {
			t.Fatalf("page %d: nothing came", n+1)
		}
		resp, err := c.Get(site.URL("/endless"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		<-reported // behind the cut
		if err == nil || len(reported) != 0 {
			t.Errorf("page %d: %v, the limit was reported %d times more", n+1, err, len(reported))
		}
		if err := l.Renew(limits); err != nil {
			t.Fatal(err)
		}
	}
}

// What a page asked for may fail when the next one is there already.
func TestRenew_lateFailuresBelongToThePageBefore(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	old := l.turn.Load()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr, asked, renewed, done := ln.Addr().String(), make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		_, _ = conn.Read(make([]byte, 1))
		close(asked)
		<-renewed
		conn.Close()
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	refused := make(chan struct{})
	go func() {
		defer close(refused)
		if resp, err := through(t, l).Get("http://" + addr); err == nil {
			resp.Body.Close()
		}
	}()
	<-asked
	if err := l.Renew(LeaseOptions{}); err != nil {
		t.Fatal(err)
	}
	close(renewed)
	<-refused
	if l.LastFailure() != nil || old.failures.get(addr) == nil {
		t.Errorf("the last failure of the new page is %v, of the old one %v", l.LastFailure(), old.failures.get(addr))
	}
}

func TestRenew_ofAPageBeforeDoesNotCut(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	old := l.turn.Load()
	if err := l.Renew(LeaseOptions{}); err != nil {
		t.Fatal(err)
	}
	l.cut(old)
	l.mu.Lock()
	open := l.conns != nil
	l.mu.Unlock()
	if !open {
		t.Error("the limit of the page before has cut the next one's connections")
	}
}

func TestRenew_refuses(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	if err := l.Renew(LeaseOptions{MaxBytes: -1}); err == nil {
		t.Error("a negative limit is taken")
	}
	if err := l.Renew(LeaseOptions{Upstream: fetch.Proxy{URL: "ftp://p"}}); err == nil {
		t.Error("an ftp proxy is taken")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Renew(LeaseOptions{}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := l.connect("a.example:80", l.tunnel); err == nil {
		t.Error("a closed lease connects again")
	}
}
