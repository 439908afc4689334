package guard

import (
	"net"
	"sync/atomic"
)

// meter counts the bytes of a lease.
type meter struct {
	limit  int64
	used   atomic.Int64
	passed atomic.Bool
}

// add counts n bytes. True is given once: to the one who passes the limit.
func (m *meter) add(n int) bool {
	return m.used.Add(int64(n)) > m.limit && m.passed.CompareAndSwap(false, true)
}

func (m *meter) over() bool { return m.passed.Load() }

// metered is a connection to a site whose bytes are counted.
type metered struct {
	net.Conn
	lease *Lease
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.Conn.Read(p)
	return m.count(n, err)
}

func (m *metered) Write(p []byte) (int, error) {
	n, err := m.Conn.Write(p)
	return m.count(n, err)
}

func (m *metered) count(n int, err error) (int, error) {
	if n > 0 && m.lease.meter.add(n) {
		m.lease.cut()
		if m.lease.opt.OnLimit != nil {
			m.lease.opt.OnLimit()
		}
	}
	if m.lease.meter.over() {
		return n, ErrLimit
	}
	return n, err
}

// CloseWrite ends the direction to the site.
func (m *metered) CloseWrite() error { return closeWrite(m.Conn) }

// closeWrite ends the sending direction of a connection, or all of one that can't.
func closeWrite(c net.Conn) error {
	if w, ok := c.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return c.Close()
}
