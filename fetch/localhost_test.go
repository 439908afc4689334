package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
)

// Names of this machine are refused before a name server is asked, however they are written; a request, a dial and a
// dial through a proxy give the same error.
func TestDialer_localhostIsLoopbackWhateverNameServersSay(t *testing.T) {
	names := &resolver{answers: []lookup{{addrs: []string{"93.184.216.34"}}}}
	c := newClient(t, func(o *Options) {
		o.Policy, o.Resolver = nil, names
		o.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
			t.Errorf("dialed %s", addr)
			return nil, net.ErrClosed
		}
	})
	for _, host := range []string{"localhost", "localhost.", "LOCALHOST.", "LocalHost", "shop.localhost", "shop.localhost.", "a.b.LOCALHOST."} {
		_, request := c.Do(t.Context(), Request{URL: "http://" + host + ":8080/"})
		_, direct := c.Dialer().DialContext(t.Context(), "tcp", host+":8080")
		_, proxied := c.Dialer().DialVia(t.Context(), Proxy{URL: "http://proxy.example:3128"}, host+":8080")
		for _, err := range []error{request, direct, proxied} {
			if blocked, ok := errors.AsType[*BlockedError](err); !ok || blocked.Reason != "loopback" || blocked.Host != CanonicalHost(host) {
				t.Errorf("%s: got %v, want it refused as loopback", host, err)
			}
		}
	}
	if n := names.asked(); n != 0 {
		t.Errorf("a name server was asked %d times", n)
	}
}

// What the caller allows is dialed on loopback, without a name server too.
func TestDialer_allowedLocalhostIsDialledOnLoopback(t *testing.T) {
	for allowed, host := range map[string]string{"localhost": "LOCALHOST.", "localhost.": "localhost", "*.localhost.": "shop.localhost", "*.LOCALHOST": "shop.localhost."} {
		names := &resolver{answers: []lookup{{addrs: []string{"93.184.216.34"}}}}
		var dialed []string
		c := newClient(t, func(o *Options) {
			o.Policy, o.Resolver = &Policy{AllowHosts: []string{allowed}}, names
			o.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
				dialed = append(dialed, addr)
				near, _ := net.Pipe()
				return near, nil
			}
		})
		conn, err := c.Dialer().DialContext(t.Context(), "tcp4", host+":8080") // of two addresses both may be dialed
		if err != nil || !slices.Equal(dialed, []string{"127.0.0.1:8080"}) || names.asked() != 0 {
			t.Errorf("%s with %s allowed: dialed %v, %v, a name server was asked %d times", host, allowed, dialed, err, names.asked())
			continue
		}
		conn.Close()
	}
}

// A proxy on this machine is the operator's own choice, and found without a name server.
func TestDialer_aProxyOnLocalhostIsReached(t *testing.T) {
	names := &resolver{answers: []lookup{{addrs: []string{"93.184.216.34"}}}}
	var dialed atomic.Value
	c := newClient(t, func(o *Options) {
		o.Policy, o.Resolver = nil, names
		o.DialContext = func(_ context.Context, _, addr string) (net.Conn, error) {
			dialed.Store(addr)
			return nil, net.ErrClosed
		}
	})
	_, err := c.Dialer().DialVia(t.Context(), Proxy{URL: "http://LOCALHOST.:3128"}, "site.example:80")
	if _, ok := errors.AsType[*ProxyError](err); !ok || dialed.Load() == nil || names.asked() != 1 { // for the site
		t.Errorf("got %v, dialed %v, asked %d", err, dialed.Load(), names.asked())
	}
}

// A dot at the end of a virtual host's name makes no difference.
func TestVirtual_namesMayEndInADot(t *testing.T) {
	c := newClient(t, func(o *Options) {
		o.Hosts = map[string]http.Handler{"a.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("here")) })}
	})
	for _, url := range []string{"http://a.test./", "https://a.test./", "https://A.TEST./"} {
		if resp := mustDo(t, c, Request{URL: url}); string(resp.Body) != "here" {
			t.Errorf("%s: got %q", url, resp.Body)
		}
	}
}
