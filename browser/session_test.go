package browser

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// needsSandbox skips a test where there is no sandbox.
func needsSandbox(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: needs a browser")
	}
	var missing *sandbox.UnavailableError
	if err := sandbox.Available(t.Context()); errors.As(err, &missing) {
		t.Skip("needs bubblewrap and user namespaces: ", missing)
	}
}

// egressTo is the socket of a proxy, here of one that listens on a port.
func egressTo(t testing.TB, address string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "egress")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "egress.sock")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		carry(ln, address)
	}()
	t.Cleanup(func() {
		ln.Close()
		<-done
		os.RemoveAll(dir)
	})
	return path
}

func newSession(t testing.TB, o SessionOptions) *Session {
	t.Helper()
	needsSandbox(t)
	begin := time.Now()
	s, err := StartSession(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("started in %v", time.Since(begin).Round(time.Millisecond))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return s
}

func pageOf(t testing.TB, s *Session) *Page {
	t.Helper()
	p, err := s.Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSession_pageGoesThroughItsEgress(t *testing.T) {
	proxy := newProxy(t)
	site := newSite(t, proxy.URL)
	s := newSession(t, SessionOptions{Egress: egressTo(t, proxy.Listener.Addr().String())})
	p := pageOf(t, s)
	visit(t, p, site.URL+"/")
	t.Log(contentOf(t, p), s.Endpoint(), s.CDP(), s.Tabs())
	_ = context.Background
}

// carry leads connections to an address until the listener is closed.
func carry(ln net.Listener, address string) {
	var work sync.WaitGroup
	defer work.Wait()
	for {
		near, err := ln.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", address)
		if err != nil {
			near.Close()
			continue
		}
		for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
			work.Go(func() {
				_, _ = io.Copy(pair[0], pair[1])
				near.Close()
				far.Close()
			})
		}
	}
}
