package fetch

import (
	"net"
	"sync"
	"time"
)

// memConn is one end of a connection within the process. Unlike net.Pipe it holds some bytes in each
// direction, so that two sides that both speak first don't wait for each other for ever, and it can end one
// direction. It is safe for concurrent use.
type memConn struct {
	in, out       *flow
	local, remote memAddr
}

// memAddr is an address without a socket.
type memAddr string

func (memAddr) Network() string { return "memory" }

func (a memAddr) String() string { return string(a) }

// callerAddr is the client address that a handler sees: a documentation address (RFC 5737), since there is none.
const callerAddr memAddr = "192.0.2.1:1"

// memPipe makes a connection to addr, host:port: the caller's end and the server's.
func memPipe(addr string) (near, far *memConn) {
	mu := &sync.Mutex{}
	up, down := newFlow(mu), newFlow(mu)
	return &memConn{in: down, out: up, local: callerAddr, remote: memAddr(addr)},
		&memConn{in: up, out: down, local: memAddr(addr), remote: callerAddr}
}

func (c *memConn) Read(p []byte) (int, error) { return c.in.read(p) }

func (c *memConn) Write(p []byte) (int, error) { return c.out.write(p) }

// Close ends both directions, at one moment: who hears of the end of one must not be heard in the other any more. The far side can
// still read what is under way.
func (c *memConn) Close() error {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	c.in.abandon()
	c.out.end()
	return nil
}

// CloseWrite ends the direction to the far side.
func (c *memConn) CloseWrite() error {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.out.end()
	return nil
}

func (c *memConn) LocalAddr() net.Addr  { return c.local }
func (c *memConn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline is SetReadDeadline and SetWriteDeadline.
func (c *memConn) SetDeadline(t time.Time) error {
	c.in.readBy(t)
	c.out.writeBy(t)
	return nil
}

// SetReadDeadline makes reads fail with os.ErrDeadlineExceeded after t. Zero: never.
func (c *memConn) SetReadDeadline(t time.Time) error {
	c.in.readBy(t)
	return nil
}

// SetWriteDeadline makes writes fail with os.ErrDeadlineExceeded after t. Zero: never.
func (c *memConn) SetWriteDeadline(t time.Time) error {
	c.out.writeBy(t)
	return nil
}
