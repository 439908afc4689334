package fetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	maxTransports  = 16        // kept at once; the one used longest ago goes first
	maxHeaderBytes = 256 << 10 // of a response, as in browsers
)

// transportKey identifies connections that may be shared.
type transportKey struct {
	skipVerify bool
	proxy      Proxy // its URL with credentials
}

// transports is a small cache of HTTP transports, so that a stream of ever new proxies doesn't pile up
// connection pools.
type transports struct {
	dialer *Dialer
	mu     sync.Mutex
	byKey  map[transportKey]*http.Transport
	recent []transportKey // last used last
}

func newTransports(d *Dialer) *transports {
	return &transports{dialer: d, byKey: map[transportKey]*http.Transport{}}
}

// get returns the transport of a key. One that is dropped from the cache meanwhile still works; its
// connections close when they become idle.
func (t *transports) get(k transportKey) *http.Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	tr, known := t.byKey[k]
	if !known {
		tr = newTransport(t.dialer, k)
		t.byKey[k] = tr
	}
	t.touch(k)
	if len(t.recent) > maxTransports {
		oldest := t.recent[0]
		t.recent = t.recent[1:]
		t.byKey[oldest].CloseIdleConnections()
		delete(t.byKey, oldest)
	}
	return tr
}

func (t *transports) touch(k transportKey) {
	for i, r := range t.recent {
		if r == k {
			t.recent = append(t.recent[:i], t.recent[i+1:]...)
			break
		}
	}
	t.recent = append(t.recent, k)
}

func (t *transports) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tr := range t.byKey {
		tr.CloseIdleConnections()
	}
}

func newTransport(d *Dialer, k transportKey) *http.Transport {
	dial, plain := d.DialContext, d.DialContext
	if !k.proxy.none() {
		dial = func(ctx context.Context, _, addr string) (net.Conn, error) { return d.DialVia(ctx, k.proxy, addr) }
		plain = func(ctx context.Context, _, addr string) (net.Conn, error) {
			c, _, err := d.DialPlain(ctx, k.proxy, addr) // what is forwarded is in absolute form: see trip.request
			return c, err
		}
	}
	cfg := &tls.Config{
		InsecureSkipVerify: k.skipVerify, // as the caller requests: Request.SkipTLSVerify
		RootCAs:            d.roots,
		NextProtos:         []string{"h2", "http/1.1"},
		ClientSessionCache: tls.NewLRUClientSessionCache(64),
	}
	return &http.Transport{
		DialContext: plain,
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return d.dialTLS(ctx, network, addr, dial, cfg)
		},
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // undone by decode.go, bounded
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        90 * time.Second,
	}
}

// dialTLS connects and speaks TLS within one connect timeout.
func (d *Dialer) dialTLS(ctx context.Context, network, addr string,
	dial func(context.Context, string, string) (net.Conn, error), cfg *tls.Config) (net.Conn, error) {
	host, _, err := splitHostPort(addr)
	if err != nil {
		return nil, err
	}
	inner, cancel := d.bound(ctx)
	defer cancel()
	c, err := dial(inner, network, addr)
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	t, err := handshake(inner, c, d.tlsFor(cfg, c, host))
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	return t, nil
}

// tlsFor is a configuration for a connection to a host, which this Dialer has made.
func (d *Dialer) tlsFor(cfg *tls.Config, c net.Conn, host string) *tls.Config {
	cfg = cfg.Clone()
	cfg.ServerName = strings.TrimSuffix(host, ".")
	if _, ok := c.(*virtualConn); ok {
		d.virtual.authority.trust(cfg)
	}
	return cfg
}

// Handshake begins TLS for HTTP/1.1 with a host over c, within the connect timeout; dialed is the connection of this Dialer that c leads
// to, or c itself. The host's certificate is verified unless skipVerify. The error is a *TLSError or a *ConnectError, and c is closed then.
func (d *Dialer) Handshake(ctx context.Context, c, dialed net.Conn, host string, skipVerify bool) (*tls.Conn, error) {
	inner, cancel := d.bound(ctx)
	defer cancel()
	cfg := &tls.Config{InsecureSkipVerify: skipVerify, RootCAs: d.roots, NextProtos: []string{"http/1.1"}} // as the caller requests
	t, err := handshake(inner, c, d.tlsFor(cfg, dialed, host))
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	return t, nil
}
