package guard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/fetch"
)

const (
	maxConns    = 256                   // of a browser at once; more wait to be accepted
	acceptPause = 50 * time.Millisecond // after an accept that failed for lack of a resource
)

// Lease is one proxy on loopback or a Unix socket. It is safe for concurrent use.
type Lease struct {
	guard  *Guard
	ln     net.Listener
	ctx    context.Context // the lease's own; done at Close
	cancel context.CancelFunc
	wg     sync.WaitGroup // every goroutine of the lease
	slots  chan struct{}
	turn   atomic.Pointer[turn]

	mu    sync.Mutex
	conns map[net.Conn]bool // both sides; nil once cut
}

func newLease(g *Guard, o LeaseOptions, ln net.Listener) *Lease {
	ctx, cancel := context.WithCancel(context.Background())
	l := &Lease{guard: g, ln: ln, ctx: ctx, cancel: cancel,
		slots: make(chan struct{}, maxConns), conns: map[net.Conn]bool{}}
	l.turn.Store(newTurn(o))
	return l
}

// Assign replaces the options of the lease, for connections from now on: a lease that was
// made before its purpose was known gets them just before its page is used. Bytes and
// failures so far stay counted. The errors are those of Guard.Lease.
func (l *Lease) Assign(o LeaseOptions) error {
	if err := o.resolve(l.guard); err != nil {
		return err
	}
	l.turn.Load().opt.Store(&o)
	return nil
}

// options are the lease's at this moment.
func (l *Lease) options() *LeaseOptions { return l.turn.Load().opt.Load() }

// URL is the proxy's address, "http://127.0.0.1:port", or "unix:" and the path of its socket. It requires no credentials.
func (l *Lease) URL() string {
	if l.unix() {
		return "unix:" + l.ln.Addr().String()
	}
	return "http://" + l.ln.Addr().String()
}

// unix reports whether the lease listens on a Unix socket.
func (l *Lease) unix() bool { return l.ln.Addr().Network() == "unix" }

// Bytes is the number of bytes transferred from and to sites since Renew.
func (l *Lease) Bytes() int64 { return l.turn.Load().meter.used.Load() }

// Failure returns why the last connection to host:port failed, with the error types of fetch, or ErrLimit; nil if
// it did not fail or isn't known. With a host alone it returns the last failure on any port of it. The 256
// last failures are remembered.
func (l *Lease) Failure(hostport string) error { return l.turn.Load().failures.get(hostport) }

// LastFailure returns why the connection that failed last did, to any host; nil
// if none did. It is meant for a navigation that went through redirects, for which the
// browser doesn't report where it ended.
func (l *Lease) LastFailure() error { return l.turn.Load().failures.last() }

// Close ends all connections and waits until the lease's goroutines are gone. It is safe to call more than once.
func (l *Lease) Close() error {
	l.cancel()
	err := l.ln.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	l.cut(nil)
	l.wg.Wait()
	l.guard.forget(l)
	return err
}

// accept serves the browser's connections until the listener is closed.
func (l *Lease) accept() {
	for {
		select {
		case l.slots <- struct{}{}:
		case <-l.ctx.Done():
			return
		}
		c, err := l.ln.Accept()
		switch {
		case err == nil:
			l.wg.Go(func() { l.serve(c) })
		case errors.Is(err, net.ErrClosed):
			return
		default: // out of file descriptors, most likely
			<-l.slots
			select {
			case <-time.After(acceptPause):
			case <-l.ctx.Done():
			}
		}
	}
}

// track remembers a connection, so that it can be cut. False: everything has been cut already, and c too.
func (l *Lease) track(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conns == nil {
		c.Close()
		return false
	}
	l.conns[c] = true
	return true
}

// drop closes a connection and forgets it.
func (l *Lease) drop(c net.Conn) {
	c.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
}

// cut closes every connection, now and until Renew. It does nothing for a turn that is over; nil is every turn.
func (l *Lease) cut(of *turn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if of != nil && l.turn.Load() != of {
		return
	}
	for c := range l.conns {
		c.Close()
	}
	l.conns = nil
}

// dial connects to a site and notes why, if it can't. The connection is metered and tracked; give it to drop.
func (l *Lease) dial(hostport string) (*metered, error) { return l.note(hostport, l.tunnel) }

// dialPlain is dial for plain requests: the connection may end at the upstream proxy.
func (l *Lease) dialPlain(hostport string) (*metered, error) { return l.note(hostport, l.plain) }

// note dials and keeps the outcome.
func (l *Lease) note(hostport string, way dialing) (*metered, error) {
	if l.unwanted(hostport) {
		return nil, errUnwanted
	}
	failures := &l.turn.Load().failures // before it takes its time: a failure belongs to the turn that dialed
	c, err := l.connect(hostport, way)
	failures.note(hostport, err)
	if err != nil {
		l.logFailure(err)
		return nil, err
	}
	return c, nil
}

// dialing is a way to connect through the upstream proxy.
type dialing func(ctx context.Context, up fetch.Proxy, hostport string) (net.Conn, *fetch.Forward, error)

func (l *Lease) tunnel(ctx context.Context, up fetch.Proxy, hostport string) (net.Conn, *fetch.Forward, error) {
	c, err := l.guard.opt.Dialer.DialVia(ctx, up, hostport)
	return c, nil, err
}

func (l *Lease) plain(ctx context.Context, up fetch.Proxy, hostport string) (net.Conn, *fetch.Forward, error) {
	return l.guard.opt.Dialer.DialPlain(ctx, up, hostport)
}

func (l *Lease) connect(hostport string, way dialing) (*metered, error) {
	if l.turn.Load().meter.over() {
		return nil, ErrLimit
	}
	c, forward, direct, err := l.reach(hostport, way)
	if err != nil {
		return nil, err
	}
	if direct && l.guard.isOwn(c.RemoteAddr()) {
		c.Close()
		return nil, blockedSelf(hostport, c.RemoteAddr())
	}
	m := &metered{Conn: c, lease: l, addr: hostport, forward: forward}
	if !l.track(m) {
		return nil, fmt.Errorf("guard: %w", net.ErrClosed)
	}
	return m, nil
}

// reach connects as the options require; direct is without an upstream proxy.
func (l *Lease) reach(hostport string, way dialing) (c net.Conn, forward *fetch.Forward, direct bool, err error) {
	o, ctx := l.options(), l.ctx
	if host, _, _ := net.SplitHostPort(hostport); l.turn.Load().mayReachVirtual(host) {
		ctx = fetch.WithVirtual(ctx)
	}
	if o.Upstream.URL != "" {
		c, forward, err = way(ctx, o.Upstream, hostport)
		return c, forward, false, err
	}
	c, err = l.guard.opt.Dialer.DialContext(ctx, "tcp", hostport)
	return c, nil, true, err
}

func blockedSelf(hostport string, a net.Addr) error {
	host, _, _ := net.SplitHostPort(hostport)
	ap, _ := netip.ParseAddrPort(a.String())
	return &fetch.BlockedError{Host: host, Addr: ap.Addr(), Port: ap.Port(), Reason: "the guard itself"}
}
