package guard

import (
	"net"
	"sync/atomic"

	"github.com/winnow-go/winnow/fetch"
)

// meter counts the bytes of a turn.
type meter struct {
	used   atomic.Int64
	passed atomic.Bool
}

// add counts n bytes. It returns true once: for the call that exceeds the limit.
func (m *meter) add(n int, limit int64) bool {
	return m.used.Add(int64(n)) > limit && m.passed.CompareAndSwap(false, true)
}

func (m *meter) over() bool { return m.passed.Load() }

// metered is a connection to a site whose bytes are counted.
type metered struct {
	net.Conn
	lease    *Lease
	addr     string         // host:port
	forward  *fetch.Forward // how requests go to the upstream proxy that the connection ends at; nil: it leads to the site
	received atomic.Int64   // of the current response, or of the tunnel
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	if n, err = m.count(n, err); err != nil {
		return n, err
	}
	return m.ration(n)
}

func (m *metered) Write(p []byte) (int, error) {
	n, err := m.Conn.Write(p)
	return m.count(n, err)
}

func (m *metered) count(n int, err error) (int, error) {
	t := m.lease.turn.Load()
	if o := t.opt.Load(); n > 0 && t.meter.add(n, o.MaxBytes) {
		m.lease.cut(t)
		if o.OnLimit != nil {
			o.OnLimit()
		}
	}
	if t.meter.over() {
		return n, ErrLimit
	}
	return n, err
}

// ration ends a response or tunnel at LeaseOptions.MaxResource.
func (m *metered) ration(n int) (int, error) {
	limit := m.lease.options().MaxResource
	over := m.received.Add(int64(n)) - limit
	if limit == 0 || over <= 0 {
		return n, nil
	}
	err := &fetch.SizeError{URL: m.addr, Limit: limit}
	m.lease.turn.Load().failures.note(m.addr, err)
	m.Conn.Close()
	return max(0, n-int(over)), err
}

// nextResponse restarts the count.
func (m *metered) nextResponse() { m.received.Store(0) }

// CloseWrite ends the direction to the site.
func (m *metered) CloseWrite() error { return closeWrite(m.Conn) }

// closeWrite ends the sending direction of a connection, or all of one that can't.
func closeWrite(c net.Conn) error {
	if w, ok := c.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return c.Close()
}
