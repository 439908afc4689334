package fetch

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/fetch/auth"
)

const (
	maxTransports  = 16        // kept at once; the one used longest ago goes first
	maxHeaderBytes = 256 << 10 // of a response, as in browsers
)

// transportKey identifies connections that may be shared.
type transportKey struct {
	skipVerify bool
	proxy      Proxy // its URL with credentials
	trusted    bool  // to use credentials
}

// transports is a small cache of HTTP transports, so that a stream of ever new proxies doesn't pile up
// connection pools.
type transports struct {
	dialer *Dialer
	mu     sync.Mutex
	byKey  map[transportKey]*http.Transport
	recent []transportKey // last used last
	lanes  lanes
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
		tr = newTransport(t.dialer, k, "h2", "http/1.1")
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
	t.lanes.close()
}

func newTransport(d *Dialer, k transportKey, protocols ...string) *http.Transport {
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
		NextProtos:         protocols,
		ClientSessionCache: tls.NewLRUClientSessionCache(64),
	}
	return &http.Transport{
		DialContext: plain,
		DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return d.dialTLS(ctx, network, addr, dial, cfg, k.trusted)
		},
		ForceAttemptHTTP2:      slices.Contains(protocols, "h2"),
		DisableCompression:     true, // undone by decode.go, bounded
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        90 * time.Second,
	}
}

// dialTLS connects and speaks TLS within one connect timeout.
func (d *Dialer) dialTLS(ctx context.Context, network, addr string,
	dial func(context.Context, string, string) (net.Conn, error), cfg *tls.Config, trusted bool) (net.Conn, error) {
	inner, cancel := d.bound(ctx)
	defer cancel()
	c, err := dial(inner, network, addr)
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	t, err := handshake(inner, c, d.tlsFor(cfg, c, addr, trusted))
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	return t, nil
}

// tlsFor is a configuration for a connection to host:port, which this Dialer has made. Trusted: it may show a client's certificate.
func (d *Dialer) tlsFor(cfg *tls.Config, c net.Conn, addr string, trusted bool) *tls.Config {
	cfg = cfg.Clone()
	host, port, _ := net.SplitHostPort(addr) // which has been dialed
	cfg.ServerName = strings.TrimSuffix(host, ".")
	d.access.Configure(cfg, auth.Origin{Scheme: "https", Host: host, Port: port}, trusted)
	if _, ok := c.(*virtualConn); ok {
		d.virtual.authority.trust(cfg)
	}
	return cfg
}

// Handshake begins TLS with a host over c, within the connect timeout; dialed is the connection of this Dialer that c leads to, or c
// itself. Protos are what the host chooses the protocol from, HTTP/1.1 without any. The host's certificate is verified unless skipVerify,
// and always where the client's Access knows host:port; trusted has it show the certificates of that. The error is a *TLSError or a
// *ConnectError, and c is closed then.
func (d *Dialer) Handshake(ctx context.Context, c, dialed net.Conn, hostport string, skipVerify, trusted bool,
	protos ...string) (*tls.Conn, error) {
	if len(protos) == 0 {
		protos = []string{"http/1.1"}
	}
	inner, cancel := d.bound(ctx)
	defer cancel()
	cfg := &tls.Config{InsecureSkipVerify: skipVerify, RootCAs: d.roots, NextProtos: protos} // as the caller requests
	t, err := handshake(inner, c, d.tlsFor(cfg, dialed, hostport, trusted))
	if err != nil {
		return nil, ended(ctx, inner, err)
	}
	return t, nil
}

// maxLanes bounds the lanes that wait for a request.
const maxLanes = 16

// lane is a connection that one request after the other has for itself, since what an auth.Login has agreed on over it counts for all that
// follow.
type lane struct {
	*http.Transport
	key  laneKey
	conn auth.Conn
}

type laneKey struct {
	transportKey
	scheme, host string
}

// lanes are those that wait.
type lanes struct {
	mu   sync.Mutex
	idle []*lane // waiting longest first
}

// lane is one to an origin that no other request uses. Give it back.
func (t *transports) lane(k laneKey) *lane {
	t.lanes.mu.Lock()
	defer t.lanes.mu.Unlock()
	for i, l := range slices.Backward(t.lanes.idle) {
		if l.key == k {
			t.lanes.idle = slices.Delete(t.lanes.idle, i, i+1)
			return l
		}
	}
	tr := newTransport(t.dialer, k.transportKey, "http/1.1")
	tr.MaxConnsPerHost = 1
	return &lane{Transport: tr, key: k}
}

// give has a lane wait for the next request.
func (t *transports) give(l *lane) {
	t.lanes.mu.Lock()
	defer t.lanes.mu.Unlock()
	t.lanes.idle = append(t.lanes.idle, l)
	if len(t.lanes.idle) > maxLanes || t.dialer.ctx.Err() != nil {
		t.lanes.idle[0].CloseIdleConnections()
		t.lanes.idle = slices.Delete(t.lanes.idle, 0, 1)
	}
}

func (l *lanes) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.idle {
		one.CloseIdleConnections()
	}
	l.idle = nil
}

// laneBody gives its lane back when it is closed.
type laneBody struct {
	io.ReadCloser
	give func()
}

func (b *laneBody) Close() error {
	defer b.give()
	return b.ReadCloser.Close()
}
