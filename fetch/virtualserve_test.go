package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestVirtual_panicsAreTheRequestsOwn(t *testing.T) {
	var b bytes.Buffer
	c := newClient(t, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&b, nil)); o.Retries = -1 }, withHosts(map[string]http.Handler{
		"a.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/at-once":
				panic("a mistake")
			case "/late":
				_, _ = io.WriteString(w, "the beginning")
				panic("another mistake")
			case "/flushed":
				w.WriteHeader(http.StatusEarlyHints)
				w.(http.Flusher).Flush()
				panic("a third mistake")
			case "/abort":
				panic(http.ErrAbortHandler)
			}
			_, _ = io.WriteString(w, "fine")
		}),
	}))
	for _, base := range []string{"http://a.test", "https://a.test"} {
		if resp := mustDo(t, c, Request{URL: base + "/at-once"}); resp.Status != http.StatusInternalServerError {
			t.Errorf("%s: status %d", base, resp.Status)
		}
		for _, path := range []string{"/late", "/flushed", "/abort"} {
			_, err := c.Do(t.Context(), Request{URL: base + path})
			var broken *ConnectError
			if !errors.As(err, &broken) {
				t.Errorf("%s%s: %v", base, path, err)
			}
		}
		if got := string(mustDo(t, c, Request{URL: base + "/"}).Body); got != "fine" {
			t.Errorf("%s after the panics: %q", base, got)
		}
	}
	c.Close()
	for _, value := range []string{"a mistake", "another mistake", "a third mistake"} {
		if !strings.Contains(b.String(), value) {
			t.Errorf("the log says nothing of %q", value)
		}
	}
}

func TestVirtual_closeEndsHandlersAndWaits(t *testing.T) {
	begun, ended := make(chan bool), make(chan bool, 4)
	c := newClient(t, func(o *Options) { o.Retries = -1 }, withHosts(map[string]http.Handler{
		"a.test": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			begun <- true
			<-r.Context().Done()
			ended <- true
		}),
	}))
	errs := make(chan error)
	for _, u := range []string{"http://a.test/", "https://a.test/"} {
		go func() {
			_, err := c.Do(context.Background(), Request{URL: u})
			errs <- err
		}()
		<-begun
	}
	// One that never says anything.
	silent, err := c.Dialer().DialContext(WithVirtual(t.Context()), "tcp", "a.test:80")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if len(ended) != 2 {
		t.Errorf("Close has come back with %d of 2 handlers ended", len(ended))
	}
	for range 2 {
		if err := <-errs; err == nil {
			t.Error("a request that was cut off ended well")
		}
	}
	if _, err := silent.Read(make([]byte, 1)); err == nil {
		t.Error("the silent connection is still open")
	}
	if _, err := c.Dialer().DialContext(WithVirtual(context.Background()), "tcp", "a.test:80"); !errors.Is(err, ErrClosed) {
		t.Errorf("dial after Close: %v", err)
	}
	c.Close()
}

func TestVirtual_connectionsAreBounded(t *testing.T) {
	c := newClient(t, func(o *Options) { o.ConnectTimeout = time.Second }, withHosts(map[string]http.Handler{"a.test": say("a")}))
	v := c.Virtual()
	var open []net.Conn
	for range maxVirtualConns {
		conn, err := c.Dialer().DialContext(WithVirtual(t.Context()), "tcp", "a.test:80")
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
	}
	ctx, cancel := context.WithCancel(WithVirtual(t.Context()))
	cancel()
	if _, err := v.dial(ctx, "a.test", "a.test:80"); !errors.Is(err, context.Canceled) {
		t.Errorf("one too many: %v", err)
	}
	open[0].Close()
	conn, err := c.Dialer().DialContext(WithVirtual(t.Context()), "tcp", "a.test:80")
	if err != nil {
		t.Fatalf("after one has gone: %v", err)
	}
	conn.Close()
}

// A handler may take its connection over, as those of websockets do.
func TestVirtual_handlersMayHijack(t *testing.T) {
	c := newClient(t, withHosts(map[string]http.Handler{
		"a.test": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, rw, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			line, _ := rw.ReadString('\n')
			_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n\r\n"+strings.ToUpper(line))
		}),
	}))
	conn, err := c.Dialer().DialContext(WithVirtual(t.Context()), "tcp", "a.test:80")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\nhello\n")
	if got, err := io.ReadAll(conn); err != nil || !strings.HasSuffix(string(got), "\r\n\r\nHELLO\n") {
		t.Errorf("%q, %v", got, err)
	}
}

// A server that answers before it has read what is sent to it doesn't wait for ever.
func TestVirtual_answersWhileItIsSentTo(t *testing.T) {
	c := newClient(t, withHosts(map[string]http.Handler{"a.test": say(strings.Repeat("x", 10000))}))
	conn, err := c.Dialer().DialContext(WithVirtual(t.Context()), "tcp", "a.test:80")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10000000\r\n\r\n")
	if _, err := conn.Write(make([]byte, 10000000)); err == nil {
		t.Error("a server that reads nothing took it all")
	}
}
