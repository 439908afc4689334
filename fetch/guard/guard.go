package guard

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"

	"github.com/winnow-go/winnow/fetch"
)

// defaultMaxBytes is the limit of a lease that names none.
const defaultMaxBytes = 100 << 20

// ErrClosed is returned by Guard.Lease after Guard.Close.
var ErrClosed = errors.New("guard is closed")

// ErrLimit is the error of Lease.Failure for connections that were refused because the lease had used up its
// bytes.
var ErrLimit = errors.New("the lease has used up its bytes")

// Options configure a Guard.
type Options struct {
	// Dialer is the only way out. Required.
	Dialer *fetch.Dialer
	// MaxBytes limits what a lease may transfer, both directions together; the browser's side isn't counted
	// again. Defaults to 100 MiB.
	MaxBytes int64
	// Peer returns the ids of the root processes of the browsers, which may change from call to call. Only they and their descendants may
	// connect to a lease; any other process on the machine, which may have found the port, is disconnected and logged once. Nil: every
	// process may connect; no ids: none may. It is called concurrently and must be quick. Only Linux reports which process connects;
	// elsewhere, or without a readable /proc, it isn't checked.
	Peer func() []int
	// Interceptor vouches for sites towards browsers whose leases record or judge, and for those that the Access of the dialer's client knows,
	// whose tunnels are read as if they were recorded: the guard verifies the site, shows it the client's certificate and logs in. Nil: no
	// lease can record or judge, and those sites get nothing.
	Interceptor *fetch.Interceptor
	// Record is LeaseOptions.Record of leases that have none. Nil: of those tunnels are only copied.
	Record fetch.Recorder
	// Logger gets debug lines without addresses, one line for each host that the policy refuses to a lease,
	// and one for foreign peers. Nil: silent.
	Logger *slog.Logger
}

// Guard leases proxies on loopback. It is safe for concurrent use.
type Guard struct {
	opt    Options
	owners *owners // nil: not checked

	mu     sync.Mutex
	leases map[*Lease]bool
	closed bool
}

// New makes a Guard; it opens nothing until the first Lease.
func New(o Options) *Guard {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	return &Guard{opt: o, owners: newOwners(o.Peer, o.Logger), leases: map[*Lease]bool{}}
}

// LeaseOptions configure one Lease. The zero value works.
type LeaseOptions struct {
	// Upstream is a proxy that everything goes through after the policy has been applied here. The zero value is none.
	// With Upstream.Resolve, plain requests go to an HTTP proxy in absolute form; websockets always have a tunnel.
	Upstream fetch.Proxy
	// MaxBytes limits the lease. 0: the guard's limit.
	MaxBytes int64
	// MaxResource limits what a site may send in one response or, since its content is encrypted, one tunnel,
	// in bytes as received. The connection is cut there, and Failure returns a *fetch.SizeError. 0: no limit but
	// MaxBytes.
	MaxResource int64
	// Virtual lets the lease reach the virtual hosts of the dialer's client. Set it only for a page that
	// begins on one of them.
	Virtual bool
	// VirtualIf decides where the first page is not known beforehand: it is called with the first host that the
	// lease connects to, in any letter case, and its result applies from then on, as Virtual would. Nil: Virtual applies.
	VirtualIf func(host string) bool
	// Block reports whether a host, in lower case and without a port, is refused as unwanted, such as for
	// advertisements. The answer is 403 and is no Failure. Nil: none. It is called concurrently.
	Block func(host string) bool
	// Record keeps every exchange of connections that begin from now on. The guard then ends the browser's TLS itself, in the name of
	// Options.Interceptor, whose pin the browser must trust, and speaks TLS with the site: both over HTTP/1.1. Conditional requests are
	// sent without their conditions, and websockets without compression; each of their messages is a Resource under the ws or wss address,
	// whose media type has the parameters "websocket", "sent" or "received", and "socket", which is equal for those of one websocket; of one
	// that is longer than 1 MiB the beginning is. Nil: Options.Record. Without an Interceptor it is an error.
	Record fetch.Recorder
	// Trusted lets requests be sent with credentials of the Access of the dialer's client, each to its own origin. Set it only for a page
	// that may use some (auth.Access.Begins). It has no effect where any process may connect: on a port without Options.Peer.
	Trusted bool
	// TrustedIf decides where the first page is not known beforehand: it is called with the address of the first request that reaches the
	// guard readable, and its result applies from then on. Nil: Trusted applies.
	TrustedIf func(href string) bool
	// Judge reports whether a request is refused as unwanted by more than its host; it is called concurrently and must be quick. The guard
	// then ends the browser's TLS itself as for Record, but over HTTP/2 too where the site has it, whose frames are passed on as they
	// are. Sites see the TLS of Go in place of the browser's. A refused request fails over HTTP/2, is answered with 403 over HTTP/1.1, and is
	// no Failure. The page's own documents aren't judged; websockets are. Nil: none. Without an Interceptor it is an error.
	Judge func(Request) bool
	// Suspect reports whether Judge refuses most requests to a host, in lower case and without a port. Such a host is only contacted once
	// a request isn't refused, over HTTP/1.1, and never for what is neither TLS nor HTTP. It is called concurrently. Nil: none. It has no
	// effect without Judge.
	Suspect func(host string) bool
	// SkipTLSVerify accepts any certificate of the sites, where Record or Judge makes the guard be the one who sees it.
	SkipTLSVerify bool
	// Unix is the path of a Unix socket that the lease listens on, instead of a port on 127.0.0.1, for a browser that has no network at
	// all. Every process that can open the socket may connect; Options.Peer isn't called, since processes inside such a browser's sandbox
	// have no process ids of this machine. The socket is made with mode 0600, so its folder should be private too, and Close removes it.
	// It must not exist, and its path is at most some 100 bytes long. Assign and Renew leave it as it is.
	Unix string
	// OnLimit is called once, when the limit is exceeded and all connections have been cut. It runs on a
	// goroutine of the lease: it must return soon and must not call Close, which waits for it. Cancel a
	// context in it.
	OnLimit func()
}

// Lease opens a listener on 127.0.0.1, or at LeaseOptions.Unix. Close the lease when its browser context is gone.
func (g *Guard) Lease(o LeaseOptions) (*Lease, error) {
	if g.opt.Dialer == nil {
		return nil, errors.New("guard: Options.Dialer is required")
	}
	if err := o.resolve(g); err != nil {
		return nil, err
	}
	ln, err := o.listen()
	if err != nil {
		return nil, fmt.Errorf("guard: %w", err)
	}
	l := newLease(g, o, ln)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		ln.Close()
		return nil, ErrClosed
	}
	g.leases[l] = true
	l.wg.Go(l.accept)
	return l, nil
}

func (o *LeaseOptions) listen() (net.Listener, error) {
	if o.Unix == "" {
		return net.Listen("tcp4", "127.0.0.1:0")
	}
	ln, err := net.Listen("unix", o.Unix)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(o.Unix, 0o600); err != nil {
		ln.Close()
		return nil, err
	}
	return ln, nil
}

// resolve checks the options and fills in the guard's defaults.
func (o *LeaseOptions) resolve(g *Guard) error {
	if o.MaxBytes < 0 {
		return fmt.Errorf("guard: LeaseOptions.MaxBytes %d: want 0 (the guard's limit) or more", o.MaxBytes)
	}
	if o.MaxResource < 0 {
		return fmt.Errorf("guard: LeaseOptions.MaxResource %d: want 0 (none) or more", o.MaxResource)
	}
	if o.Record == nil {
		o.Record = g.opt.Record
	}
	if o.Record != nil && g.opt.Interceptor == nil {
		return errors.New("guard: LeaseOptions.Record: want Options.Interceptor")
	}
	if o.Judge != nil && g.opt.Interceptor == nil {
		return errors.New("guard: LeaseOptions.Judge: want Options.Interceptor")
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = g.opt.MaxBytes
	}
	if o.Upstream.URL == "" {
		return nil
	}
	if err := o.Upstream.Validate(); err != nil {
		return fmt.Errorf("guard: LeaseOptions.Upstream: %w", err)
	}
	return nil
}

// Close closes all leases and waits for them.
func (g *Guard) Close() error {
	g.mu.Lock()
	g.closed = true
	var open []*Lease
	for l := range g.leases {
		open = append(open, l)
	}
	g.mu.Unlock()
	var errs []error
	for _, l := range open {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

func (g *Guard) forget(l *Lease) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.leases, l)
}

// isOwn reports whether an address is the listener of a lease. A policy that allows loopback would else let a
// page talk to the guard in a circle.
func (g *Guard) isOwn(a net.Addr) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for l := range g.leases {
		if l.ln.Addr().String() == a.String() {
			return true
		}
	}
	return false
}
