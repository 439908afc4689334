package fetch

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// maxVirtualConns bounds the connections to all virtual hosts together; more wait.
const maxVirtualConns = 1024

// virtualReason is the BlockedError's reason for dials that may not reach a virtual host.
const virtualReason = "virtual host"

// Virtual is the set of Options.Hosts: sites that Go handlers of this process serve over http and
// https on every port, without a socket, a name server or a public certificate. They are reachable only for
// callers that begin there: a Do whose URL is on a virtual host, and dials with WithVirtual. It is safe for
// concurrent use; a nil *Virtual has no hosts. Client.Close closes it.
type Virtual struct {
	hosts     map[string]http.Handler // by canonical host
	others    http.Handler            // of all other hosts; nil: those are not virtual
	authority *authority
	logger    *slog.Logger
	slots     chan struct{}
	plain     *memListener
	secure    *memListener
	servers   []*http.Server
	ctx       context.Context
	cancel    context.CancelFunc
	wg        sync.WaitGroup // servers, connections and running handlers

	mu     sync.Mutex
	conns  map[*servedConn]bool // those of handlers that took them over included
	closed bool
}

type virtualKey struct{}

// WithVirtual derives a context whose dials may reach the client's virtual hosts. Use it on behalf of
// a page that began on a virtual host; all other dials to one fail with a *BlockedError.
func WithVirtual(ctx context.Context) context.Context {
	return context.WithValue(ctx, virtualKey{}, true)
}

func mayReachVirtual(ctx context.Context) bool { return ctx.Value(virtualKey{}) != nil }

// newVirtual starts the servers. Without hosts it returns nil.
func newVirtual(hosts map[string]http.Handler, others http.Handler, of *Authority, logger *slog.Logger) (*Virtual, error) {
	names := slices.Sorted(maps.Keys(hosts))
	if others != nil {
		names = nil // every name
	} else if len(hosts) == 0 {
		return nil, nil
	}
	a, err := newAuthority(names, of)
	if err != nil {
		return nil, fmt.Errorf("Options.Hosts: certificates: %w", err)
	}
	v := &Virtual{hosts: maps.Clone(hosts), others: others, authority: a, logger: logger,
		slots: make(chan struct{}, maxVirtualConns), conns: map[*servedConn]bool{}}
	v.ctx, v.cancel = context.WithCancel(context.Background())
	v.serve()
	return v, nil
}

// validateHosts reports whether all virtual hosts are distinct and distinct from URLs.
func validateHosts(hosts map[string]http.Handler) error {
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		if hosts[name] == nil {
			return &OptionError{fmt.Sprintf("Hosts[%q]", name), nil, "a handler", nil}
		}
		if !plainHost(name) {
			return &OptionError{fmt.Sprintf("Hosts[%q]", name), nil, "a host as in a URL: lower case, ASCII, no port", nil}
		}
	}
	return nil
}

// plainHost reports whether a name is a host in the form in which hosts are compared.
func plainHost(name string) bool {
	host := name
	if a, err := netip.ParseAddr(name); err == nil && a.Is6() {
		host = "[" + name + "]"
	} else if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" || slices.Contains(strings.Split(name, "."), "") {
		return false
	}
	u, err := whatwg.Parse("http://" + host + "/")
	return err == nil && canonicalHost(u.Hostname()) == name
}

// Has reports whether a host, as in a URL and without a port, is virtual. With Options.Replay every host is.
func (v *Virtual) Has(host string) bool {
	if v == nil {
		return false
	}
	_, ok := v.hosts[canonicalHost(host)]
	return ok || v.others != nil
}

// Named reports whether a host is one of Options.Hosts.
func (v *Virtual) Named(host string) bool { return v != nil && v.hosts[canonicalHost(host)] != nil }

// Pin is the base64 SHA-256 of the public key that all certificates of the virtual hosts are signed with, in
// the form of Chromium's --ignore-certificate-errors-spki-list. The key's certificate is part of every chain
// that is served. Empty without hosts.
func (v *Virtual) Pin() string {
	if v == nil {
		return ""
	}
	return v.authority.pin()
}

// dial connects to a virtual host and waits while there are too many connections.
func (v *Virtual) dial(ctx context.Context, host, addr string) (net.Conn, error) {
	host = canonicalHost(host)
	if !mayReachVirtual(ctx) {
		return nil, &BlockedError{Host: host, Reason: virtualReason}
	}
	select {
	case v.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-v.ctx.Done():
		return nil, ErrClosed
	}
	near, far := memPipe(addr)
	if !v.admit(&servedConn{memConn: far, host: host, virtual: v}) {
		<-v.slots
		return nil, ErrClosed
	}
	return &virtualConn{near}, nil
}

// virtualConn is the caller's end of a connection to a virtual host.
type virtualConn struct{ *memConn }

// close ends all connections and handlers and waits for them. The connections go first: a handler that returns since its context
// has ended would have the request that is cut off answered well.
func (v *Virtual) close() {
	if v == nil {
		return
	}
	v.mu.Lock()
	v.closed = true
	for c := range v.conns {
		c.memConn.Close()
	}
	v.mu.Unlock()
	v.cancel()
	for _, s := range v.servers {
		_ = s.Close()
	}
	v.wg.Wait()
}

// within runs f, which may take long, as part of what close waits for. False: already closed.
func (v *Virtual) within(f func()) bool {
	v.mu.Lock()
	if v.closed {
		v.mu.Unlock()
		return false
	}
	v.wg.Add(1)
	v.mu.Unlock()
	defer v.wg.Done()
	f()
	return true
}

const (
	virtualHeadTimeout = 60 * time.Second // from a connection or a request's first byte to the end of its head
	virtualIdleTimeout = 2 * time.Minute
)
