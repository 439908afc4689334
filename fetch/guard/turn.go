package guard

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
)

// turn is what a lease keeps for one page: its options, and what it counts and remembers.
type turn struct {
	opt      atomic.Pointer[LeaseOptions]
	meter    meter
	blocked  atomic.Int64
	refusals refusals
	failures failures

	first   sync.Once // settles virtual
	virtual bool

	readable sync.Once // settles trusted
	trusted  bool
}

// mayLogIn reports whether a request for an address, perhaps the turn's first one, may be sent with credentials.
func (t *turn) mayLogIn(href string) bool {
	o := t.opt.Load()
	if o.Trusted || o.TrustedIf == nil {
		return o.Trusted
	}
	t.readable.Do(func() { t.trusted = o.TrustedIf(href) })
	return t.trusted
}

// mayReachVirtual reports whether a connection to host, perhaps the turn's first one, may lead to a virtual host.
func (t *turn) mayReachVirtual(host string) bool {
	o := t.opt.Load()
	if o.Virtual || o.VirtualIf == nil {
		return o.Virtual
	}
	t.first.Do(func() { t.virtual = o.VirtualIf(host) })
	return t.virtual
}

func newTurn(o LeaseOptions) *turn {
	t := &turn{}
	t.opt.Store(&o)
	return t
}

// Renew restarts the lease for the next page of the same browser context: with these options, no byte counted, no
// failure known, and open for connections again where the limit had cut them. Connections that are open stay, and count
// for the new page; a late failure of a request of the previous page isn't reported. The options should have the same
// Upstream and Virtual as those before: Renew doesn't close a connection that was made with them; it closes all where the one has a Judge
// and the other has none. The previous page must have
// settled. The errors are those of Guard.Lease, and net.ErrClosed after Close.
func (l *Lease) Renew(o LeaseOptions) error {
	if err := o.resolve(l.guard); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return fmt.Errorf("guard: %w", net.ErrClosed)
	}
	if l.conns == nil {
		l.conns = map[net.Conn]bool{}
	}
	rejudged := (o.Judge == nil) != (l.options().Judge == nil)
	for c := range l.conns {
		if m, ok := c.(*metered); ok {
			m.nextResponse()
			if rejudged {
				m.Close()
			}
		}
	}
	l.turn.Store(newTurn(o))
	return nil
}
