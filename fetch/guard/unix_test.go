package guard

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// newSocket is a path for a Unix socket, short enough for one, in a folder that is removed with the test.
func newSocket(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "guard")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "way.sock")
}

// throughSocket is an HTTP client that speaks to a lease's socket as to a proxy.
func throughSocket(t *testing.T, l *Lease) *http.Client {
	t.Helper()
	path, ok := strings.CutPrefix(l.URL(), "unix:")
	if !ok {
		t.Fatalf("URL %q", l.URL())
	}
	c := through(t, l)
	tr := c.Transport.(*http.Transport)
	tr.Proxy = http.ProxyURL(mustParse(t, "http://guard.invalid"))
	tr.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", path)
	}
	return c
}

func TestLease_onAUnixSocketObeysTheSamePolicy(t *testing.T) {
	site := fetchtest.New(t)
	g := newGuard(t, func(o *fetch.Options) {
		o.Policy = &fetch.Policy{AllowHosts: []string{site.Host(), site.TLSHost()}}
	})
	g.owners = newOwners(func() []int { return nil }, g.opt.Logger) // no one may use a port
	path := newSocket(t)
	l := newLeaseOf(t, g, LeaseOptions{Unix: path, Block: func(host string) bool { return host == "ads.example" }})
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v, want 0600", info.Mode(), err)
	}
	c := throughSocket(t, l)
	for _, address := range []string{site.URL("/text"), site.TLSURL("/text")} {
		if resp, body := get(t, c, address); resp.StatusCode != 200 || body == "" {
			t.Errorf("%s: status %d", address, resp.StatusCode)
		}
	}
	for address, reason := range map[string]string{"http://127.0.0.1:1/": "blocked", "http://private.example/": "blocked", "http://ads.example/": "ad"} {
		if resp, _ := get(t, c, address); resp.StatusCode != 403 || resp.Header.Get(Header) != reason {
			t.Errorf("%s: status %d, reason %q, want %q", address, resp.StatusCode, resp.Header.Get(Header), reason)
		}
	}
	if l.Bytes() == 0 {
		t.Error("nothing was counted")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

func TestLease_aSocketThatCannotBeMadeIsAnError(t *testing.T) {
	path := newSocket(t)
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{path, filepath.Join(path, "below"), "/" + strings.Repeat("x", 200)} {
		if l, err := newGuard(t).Lease(LeaseOptions{Unix: bad}); err == nil {
			l.Close()
			t.Errorf("%q was taken", bad)
		}
	}
	if data, _ := os.ReadFile(path); string(data) != "mine" {
		t.Error("the file was touched")
	}
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
