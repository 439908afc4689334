package guard

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch"
)

func TestSplitTarget(t *testing.T) {
	for target, want := range map[string][3]string{
		"http://a.example/p?q":   {"a.example:80", "a.example", "/p?q"},
		"HTTP://a.example":       {"a.example:80", "a.example", "/"},
		"http://a.example:81?q":  {"a.example:81", "a.example:81", "/?q"},
		"http://[::1]/":          {"[::1]:80", "[::1]", "/"},
		"http://[::1]:81/":       {"[::1]:81", "[::1]:81", "/"},
		"http://a.example//b#f":  {"a.example:80", "a.example", "//b"},
		"http://a.example/%-%zz": {"a.example:80", "a.example", "/%-%zz"},
	} {
		addr, host, path, ok := splitTarget(target)
		if got := [3]string{addr, host, path}; !ok || got != want {
			t.Errorf("%s: %q %v, want %q", target, got, ok, want)
		}
	}
}

func TestFailures_areBounded(t *testing.T) {
	var f failures
	for i := range 3 * maxFailures {
		f.note(fmt.Sprintf("h%d.example:80", i), ErrLimit)
	}
	if len(f.order) != maxFailures || len(f.byAddr) != maxFailures {
		t.Errorf("%d in order, %d kept; want %d", len(f.order), len(f.byAddr), maxFailures)
	}
	if f.get("h0.example:80") != nil || f.get(fmt.Sprintf("h%d.example", 3*maxFailures-1)) == nil {
		t.Error("the wrong ones were kept")
	}
}

func TestFailures_compareHostsAsWritten(t *testing.T) {
	var f failures
	f.note("A.Example:443", ErrLimit)
	f.note("[::1]:80", ErrClosed)
	for key, want := range map[string]error{
		"a.example:443": ErrLimit, "a.example": ErrLimit, "A.EXAMPLE.": ErrLimit, "a.example:80": nil, "example": nil,
		"[::1]:80": ErrClosed, "::1": ErrClosed, "[::1]": ErrClosed, "": nil,
	} {
		if got := f.get(key); got != want {
			t.Errorf("%q: %v, want %v", key, got, want)
		}
	}
	f.note("b.example:1", ErrLimit)
	f.note("b.example:2", ErrClosed)
	if got := f.get("b.example"); got != ErrClosed {
		t.Errorf("the last failure of a host is %v", got)
	}
	f.note("b.example:2", nil)
	if got := f.get("b.example"); got != ErrLimit {
		t.Errorf("after a good connection: %v", got)
	}
}

func TestReason(t *testing.T) {
	for want, err := range map[string]error{
		"limit": ErrLimit, "blocked": &fetch.BlockedError{}, "dns": &fetch.DNSError{}, "timeout": &fetch.TimeoutError{},
		"proxy": &fetch.ProxyError{Err: &fetch.DNSError{}}, "refused": &fetch.ConnectError{Net: "ERR_CONNECTION_REFUSED"},
		"address_unreachable": &fetch.ConnectError{Net: "ERR_ADDRESS_UNREACHABLE"}, "failed": errors.New("x"),
	} {
		if got := reason(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

func FuzzReadHead(f *testing.F) {
	for _, s := range []string{
		"GET http://a.example/ HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:443 HTTP/1.1\r\n\r\n", "POST http://a/ HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello",
		"GET http://a/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "\r\n\r\n", "GET", "GET x HTTP/1.1\n\n", "A B HTTP/1.1\r\n :\r\n\r\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := newIncoming(strings.NewReader(s)).readHead()
		if err != nil {
			return
		}
		_, host, path, ok := splitTarget(h.target)
		if !ok {
			return
		}
		// What goes to the site is one request, whatever came in.
		out := requestHead(h, host, path, "")
		head, rest, found := strings.Cut(out, "\r\n\r\n")
		if !found || rest != "" || strings.ContainsAny(strings.ReplaceAll(head, "\r\n", ""), "\r\n\x00") {
			t.Fatalf("%q became %q", s, out)
		}
		again, err := newIncoming(strings.NewReader(out)).readHead()
		if err != nil || again.method != h.method || again.length != h.length || again.target != path || len(again.header["Host"]) != 1 {
			t.Fatalf("%q became %q: %+v, %v", s, out, again, err)
		}
		for name := range again.header {
			if strings.HasPrefix(name, "Proxy-") || name == Header {
				t.Errorf("%s went through", name)
			}
		}
	})
}

func TestStatusLine_isHarmless(t *testing.T) {
	for status, want := range map[string]string{"200 OK": "200 OK", "200 ": "200", "200 a\x01b": "200", "200 Très bien": "200 Très bien"} {
		resp := &http.Response{StatusCode: 200, Status: status}
		if got := strings.TrimSpace(statusLine(resp)); got != want {
			t.Errorf("%q: %q, want %q", status, got, want)
		}
	}
}

func TestCapped_endsAtItsBound(t *testing.T) {
	c := &capped{r: strings.NewReader("hello"), left: 3}
	if got, err := io.ReadAll(c); string(got) != "hel" || !errors.Is(err, errHeadTooBig) {
		t.Errorf("%q %v", got, err)
	}
	c.left = -1
	if got, err := io.ReadAll(c); string(got) != "lo" || err != nil {
		t.Errorf("%q %v", got, err)
	}
}
