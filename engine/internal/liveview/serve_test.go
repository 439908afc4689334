package liveview

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

func TestServer_addressesAreSecrets(t *testing.T) {
	s, base := newServer(t, Options{Path: "/live/"})
	urls := add(t, s, "a", newFakeScreen())
	other := add(t, s, "b", newFakeScreen())
	if all := []string{urls.View, urls.Control, other.View, other.Control}; len(urls.View) != len("/live/")+32 || all[0] == all[1] || all[0] == all[2] || all[1] == all[3] {
		t.Fatalf("got %q", all)
	}
	last := func(u string, c string) string { return u[:len(u)-1] + c }
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{"GET", urls.View, 200}, {"GET", urls.View + "/", 200}, {"GET", urls.Control, 200}, {"HEAD", urls.View, 200}, {"POST", urls.View, 405}, {"OPTIONS", urls.View, 405},
		{"GET", urls.View + "/socket", 426}, {"GET", "/live/", 404}, {"GET", "/", 404}, {"GET", "/live/a", 404}, {"GET", urls.View + "/else", 404},
		{"GET", last(urls.View, "x"), 404}, {"GET", urls.View[:len(urls.View)-1], 404}, {"GET", urls.View + "0", 404}, {"POST", last(urls.View, "x"), 404},
		{"GET", last(urls.View, "x") + "/socket", 404}, {"GET", strings.ToUpper(urls.View), 404}, {"GET", "/live/" + strings.Repeat("0", 32), 404},
	} {
		resp, body := get(t, c.method, base+c.path, nil)
		if resp.StatusCode != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, resp.StatusCode, c.want)
		}
		if c.want == 200 && c.method == "GET" && !strings.Contains(body, "<canvas") {
			t.Errorf("%s: no page: %.200q", c.path, body)
		}
		checkHeaders(t, resp)
	}
}

func checkHeaders(t *testing.T, resp *http.Response) {
	t.Helper()
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Access-Control-Allow-Origin": "",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	policy := resp.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "script-src 'sha256-", "style-src 'sha256-"} {
		if !strings.Contains(policy, part) {
			t.Errorf("policy %q lacks %q", policy, part)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
}

func TestServer_framesOnlyWhereAsked(t *testing.T) {
	s, base := newServer(t, Options{FrameAncestors: []string{"https://console.example"}})
	resp, _ := get(t, "GET", base+add(t, s, "a", newFakeScreen()).View, nil)
	if got := resp.Header.Get("Content-Security-Policy"); !strings.HasSuffix(got, "frame-ancestors https://console.example") || resp.Header.Get("X-Frame-Options") != "" {
		t.Errorf("got %q, %q", got, resp.Header.Get("X-Frame-Options"))
	}
}

// A name that was made to point at this machine gets nothing from a listener; a mounted server leaves that to its owner, unless it has the names.
func TestServer_hosts(t *testing.T) {
	plain, named := New(Options{}), New(Options{Hosts: []string{"view.example"}})
	defer plain.Close()
	defer named.Close()
	for _, c := range []struct {
		name   string
		server *Server
		listen bool
		host   string
		want   int
	}{
		{"listening", plain, true, "127.0.0.1:80", 200}, {"listening", plain, true, "[::1]:80", 200}, {"listening", plain, true, "localhost", 200},
		{"listening", plain, true, "rebound.example", 421}, {"listening", plain, true, "rebound.example:80", 421},
		{"mounted", plain, false, "rebound.example", 200},
		{"listening with names", named, true, "view.example:8080", 200}, {"listening with names", named, true, "VIEW.example.", 200}, {"listening with names", named, true, "127.0.0.1", 421},
		{"mounted with names", named, false, "view.example", 200}, {"mounted with names", named, false, "rebound.example", 421},
	} {
		urls := add(t, c.server, c.name+c.host, newFakeScreen())
		base := ""
		if c.listen {
			addr, err := c.server.Listen("")
			if err != nil {
				t.Fatal(err)
			}
			base = "http://" + addr.String()
		} else {
			base = mounted(t, c.server)
		}
		if resp, _ := get(t, "GET", base+urls.View, http.Header{"Host": {c.host}}); resp.StatusCode != c.want {
			t.Errorf("%s, %s: %d, want %d", c.name, c.host, resp.StatusCode, c.want)
		}
	}
}

func TestServer_socketsOfOtherOriginsAreRefused(t *testing.T) {
	s, base := newServer(t, Options{Origins: []string{"https://console.example"}})
	urls := add(t, s, "a", newFakeScreen())
	for origin, ok := range map[string]bool{
		"": true, base: true, "https://console.example": true, "https://evil.example": false, "null": false, "http://console.example": false,
		"http://127.0.0.1:1": false,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		conn, resp, err := websocket.Dial(t.Context(), base+urls.View+"/socket", &websocket.DialOptions{HTTPHeader: header})
		if (err == nil) != ok {
			t.Errorf("origin %q: %v", origin, err)
		}
		if err != nil && resp.StatusCode != http.StatusForbidden {
			t.Errorf("origin %q: %d", origin, resp.StatusCode)
		}
		if conn != nil {
			_ = conn.CloseNow()
		}
	}
}

func TestServer_removedAndClosed(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + addr.String()
	a, b := newFakeScreen(), newFakeScreen()
	urls, others := add(t, s, "a", a), add(t, s, "b", b)
	if _, err := s.Add("a", a); !errors.Is(err, ErrKnown) {
		t.Errorf("got %v, want ErrKnown", err)
	}
	w := dial(t, base+urls.Control)
	w.hears("hello")
	s.Remove("a", "its time was over")
	if got := w.hears("ended")["reason"]; got != "its time was over" {
		t.Errorf("reason %q", got)
	}
	if n, _, _ := a.look(); n != 0 {
		t.Error("still watched after Remove")
	}
	for _, path := range []string{urls.View, urls.Control, urls.View + "/socket"} {
		if resp, _ := get(t, "GET", base+path, nil); resp.StatusCode != 404 {
			t.Errorf("a removed screen: %d", resp.StatusCode)
		}
	}
	again := add(t, s, "a", a)
	if again.View == urls.View || again.Control == urls.Control {
		t.Error("a token was used again")
	}
	s.Remove("unknown", "")
	w = dial(t, base+others.View)
	w.hears("hello")
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	w.hears("ended")
	_ = w.conn.CloseNow()
	if err := <-closed; err != nil {
		t.Error("close:", err)
	}
	if err := s.Close(); err != nil {
		t.Error("closed twice:", err)
	}
	if _, err := s.Add("c", a); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if _, err := s.Listen(""); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	if _, err := client.Get(base); err == nil {
		t.Error("it still listens")
	}
}
