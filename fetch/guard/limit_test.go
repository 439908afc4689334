package guard

import (
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

func TestLease_unwantedHostsAreRefusedAndCounted(t *testing.T) {
	site := fetchtest.New(t)
	var mu sync.Mutex
	var asked []string
	l := newLeaseOf(t, newGuard(t), LeaseOptions{Block: func(host string) bool {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, host)
		return host == "ads.example" || host == "::1"
	}})
	for _, request := range []string{
		"GET http://Ads.Example./banner HTTP/1.1\r\nConnection: close\r\n\r\n",
		"GET http://[::1]:8080/ HTTP/1.1\r\nConnection: close\r\n\r\n",
		"CONNECT ADS.example:443 HTTP/1.1\r\n\r\n",
	} {
		if got := speak(t, l, request); !strings.HasPrefix(got, "HTTP/1.1 403 ") || !strings.Contains(got, Header+": ad\r\n") {
			t.Errorf("%q: %q", request, got)
		}
	}
	if err := l.Failure("ads.example"); err != nil || l.Blocked() != 3 {
		t.Errorf("failure %v, %d blocked", err, l.Blocked())
	}
	if _, body := get(t, through(t, l), site.URL("/text")); body == "" || l.Blocked() != 3 {
		t.Errorf("a wanted host: %q, %d blocked", body, l.Blocked())
	}
	if want := []string{"ads.example", "::1", "ads.example", "127.0.0.1"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}

// A refused advertisement must not cost the connection that the browser keeps for other requests.
func TestLease_unwantedHostsLeaveTheConnection(t *testing.T) {
	site := fetchtest.New(t)
	l := newLeaseOf(t, newGuard(t), LeaseOptions{Block: func(host string) bool { return host == "ads.example" }})
	got := speak(t, l, "GET http://ads.example/ HTTP/1.1\r\n\r\nGET http://"+site.Host()+"/text HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	if !strings.Contains(got, "HTTP/1.1 403 ") || !strings.Contains(got, "HTTP/1.1 200 ") {
		t.Errorf("%q", got)
	}
}

func TestLease_eachResourceIsBoundedByItself(t *testing.T) {
	const limit = 100 << 10
	site := fetchtest.New(t)
	l := newLeaseOf(t, newGuard(t), LeaseOptions{MaxResource: limit, OnLimit: func() { t.Error("the lease's own limit was passed") }})
	c := through(t, l)
	for range 3 { // together over the limit, on one connection
		if _, body := get(t, c, site.URL("/huge?bytes=90000")); len(body) != 90000 {
			t.Errorf("%d bytes", len(body))
		}
	}
	for _, test := range []struct{ url, host string }{
		{site.URL("/huge?bytes=3000000"), site.Host()},
		{site.URL("/huge?bytes=3000000&chunked=1"), site.Host()},
		{site.URL("/endless"), site.Host()},
		{site.TLSURL("/endless"), site.TLSHost()},
	} {
		resp, err := c.Get(test.url)
		var n int64
		if err == nil {
			n, err = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		if err == nil || n > limit {
			t.Errorf("%s: %d bytes, %v", test.url, n, err)
		}
		var size *fetch.SizeError
		if err := l.Failure(test.host); !errors.As(err, &size) || size.Limit != limit {
			t.Errorf("%s: failure %v", test.url, err)
		}
	}
	if _, body := get(t, c, site.URL("/text")); body == "" || l.Failure(site.Host()) != nil {
		t.Errorf("afterwards: %q, failure %v", body, l.Failure(site.Host()))
	}
}

func TestLease_resourceLimitCountsWhatTheSiteSends(t *testing.T) {
	const limit = 10 << 10
	l := newLeaseOf(t, newGuard(t), LeaseOptions{MaxResource: limit})
	c := through(t, l)
	resp, err := c.Post("http://"+echoLength(t), "text/plain", strings.NewReader(strings.Repeat("x", 5*limit)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "ok" {
		t.Errorf("%q, %v", body, err)
	}
}

// echoLength is a server that reads everything and says little.
func echoLength(t *testing.T) string {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "ok")
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(ln) }()
	t.Cleanup(func() { server.Close(); <-done })
	return ln.Addr().String()
}

func TestLease_resourceLimitIsChecked(t *testing.T) {
	if _, err := newGuard(t).Lease(LeaseOptions{MaxResource: -1}); err == nil || !strings.Contains(err.Error(), "MaxResource -1") {
		t.Errorf("%v", err)
	}
}
