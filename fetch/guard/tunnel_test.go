package guard

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// shouter is a server that changes to a protocol in which it says everything back in capitals, line by line.
func shouter(t *testing.T) string {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "shout" || !strings.EqualFold(r.Header.Get("Connection"), "upgrade") {
			w.WriteHeader(http.StatusUpgradeRequired)
			return
		}
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		// The first words come together with the answer.
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: shout\r\nX-Extra: 1\r\n\r\nHELLO\n")
		for {
			line, err := rw.ReadString('\n')
			if err != nil || line == "bye\n" {
				return
			}
			if _, err := io.WriteString(c, strings.ToUpper(line)); err != nil {
				return
			}
		}
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(ln) }()
	t.Cleanup(func() { server.Close(); <-done })
	return ln.Addr().String()
}

func TestUpgrade_worksOverPlainRequestsAndTunnels(t *testing.T) {
	to := shouter(t)
	upgrade := "Host: " + to + "\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\nfirst\n"
	for name, request := range map[string]string{
		"plain":  "GET http://" + to + "/ HTTP/1.1\r\n" + upgrade,
		"tunnel": "CONNECT " + to + " HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n" + upgrade,
	} {
		t.Run(name, func(t *testing.T) {
			l := newLeaseOf(t, newGuard(t), LeaseOptions{})
			c, err := net.Dial("tcp", strings.TrimPrefix(l.URL(), "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			br := bufio.NewReader(c)
			if _, err := io.WriteString(c, request); err != nil {
				t.Fatal(err)
			}
			if name == "tunnel" {
				expect(t, br, "HTTP/1.1 200 Connection established\r\n")
				expect(t, br, "\r\n")
			}
			resp, err := http.ReadResponse(br, &http.Request{Method: http.MethodGet})
			if err != nil || resp.StatusCode != http.StatusSwitchingProtocols || resp.Header.Get("Upgrade") != "shout" || resp.Header.Get("X-Extra") != "1" {
				t.Fatalf("%+v, %v", resp, err)
			}
			expect(t, br, "HELLO\n")
			expect(t, br, "FIRST\n")
			for _, word := range []string{"one", "two"} {
				_, _ = io.WriteString(c, word+"\n")
				expect(t, br, strings.ToUpper(word)+"\n")
			}
			_, _ = io.WriteString(c, "bye\n")
			if rest, err := io.ReadAll(br); err != nil || len(rest) > 0 {
				t.Errorf("after the end: %q, %v", rest, err)
			}
		})
	}
}

func expect(t *testing.T, br *bufio.Reader, want string) {
	t.Helper()
	got, err := br.ReadString('\n')
	if err != nil || got != want {
		t.Fatalf("got %q, %v; want %q", got, err, want)
	}
}

func TestUpgrade_refusedIsAPlainAnswer(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	got := speak(t, l, "GET http://"+shouter(t)+"/ HTTP/1.1\r\nConnection: Upgrade, close\r\nUpgrade: other\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 426 ") {
		t.Errorf("answer %q", got)
	}
}

func TestTunnel_browserHangingUpEndsTheSite(t *testing.T) {
	site, l := fetchtest.New(t), newLeaseOf(t, newGuard(t), LeaseOptions{})
	c, err := net.Dial("tcp", strings.TrimPrefix(l.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "CONNECT "+site.Host()+" HTTP/1.1\r\n\r\nGET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
	br := bufio.NewReader(c)
	expect(t, br, "HTTP/1.1 200 Connection established\r\n")
	c.Close()
	// Both connections are gone before the lease is closed.
	until(t, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.conns) == 0
	})
}

func TestLease_moreConnectionsThanAllowedWait(t *testing.T) {
	l := newLeaseOf(t, newGuard(t), LeaseOptions{})
	var conns []net.Conn
	for range maxConns + 5 {
		c, err := net.Dial("tcp", strings.TrimPrefix(l.URL(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
	}
	last := conns[len(conns)-1]
	_, _ = io.WriteString(last, "GET / HTTP/1.1\r\n\r\n")
	until(t, func() bool { return len(l.slots) == maxConns })
	for _, c := range conns[:10] {
		c.Close()
	}
	if got, err := io.ReadAll(last); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 400 ") {
		t.Errorf("the waiting one got %q, %v", got, err)
	}
}
