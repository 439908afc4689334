package fetch

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// checkedConn is a connection together with what it was checked for, so that it can be checked again before
// another request goes over it. Behind a proxy addr is the target's address, not the proxy's, and zero but for the port where
// the proxy resolves the host.
type checkedConn struct {
	net.Conn
	host string
	addr netip.AddrPort
}

// CloseWrite ends the sending direction, where the connection underneath can.
func (c *checkedConn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return c.Conn.Close()
}

// connect dials the addresses of a target, each a little after the one before, and keeps the first
// connection that comes up.
func (d *Dialer) connect(ctx context.Context, network string, t target) (*checkedConn, error) {
	if len(t.addrs) == 1 {
		c, err := d.dialOne(ctx, network, t.addrs[0])
		if err != nil {
			return nil, err
		}
		return &checkedConn{c, t.host, t.addrs[0]}, nil
	}
	r := &race{dialer: d, network: network, target: t, results: make(chan dialed, len(t.addrs))}
	return r.run(ctx)
}

func (d *Dialer) dialOne(ctx context.Context, network string, ap netip.AddrPort) (net.Conn, error) {
	c, err := d.dial(ctx, network, ap.String())
	if err != nil {
		return nil, Classify(ap.String(), err)
	}
	return c, nil
}

// dialed is the outcome of dialling one address.
type dialed struct {
	conn net.Conn
	addr netip.AddrPort
	err  error
}

// race is one staggered dial. Its goroutines have all ended when run returns.
type race struct {
	dialer  *Dialer
	network string
	target  target
	results chan dialed // has room for every address, so that no goroutine waits to report
	started int
	pending int
}

func (r *race) run(ctx context.Context) (*checkedConn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.NewTimer(stagger)
	defer timer.Stop()
	r.start(ctx)
	var first error
	for r.pending > 0 {
		select {
		case <-timer.C:
		case got := <-r.results:
			r.pending--
			if got.err == nil {
				cancel()
				r.abandon()
				return &checkedConn{got.conn, r.target.host, got.addr}, nil
			}
			if first == nil {
				first = got.err
			}
		}
		r.start(ctx)
		timer.Reset(stagger)
	}
	return nil, first
}

// start begins with the next address, if there is one and still time.
func (r *race) start(ctx context.Context) {
	if r.started == len(r.target.addrs) || ctx.Err() != nil {
		return
	}
	ap := r.target.addrs[r.started]
	r.started++
	r.pending++
	go func() {
		c, err := r.dialer.dialOne(ctx, r.network, ap)
		r.results <- dialed{c, ap, err}
	}()
}

// abandon waits for the dials that have lost and closes those that came up all the same.
func (r *race) abandon() {
	for ; r.pending > 0; r.pending-- {
		if got := <-r.results; got.conn != nil {
			got.conn.Close()
		}
	}
}
