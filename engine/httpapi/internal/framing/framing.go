// Package framing refuses HTTP/1 requests whose length two servers might read differently: with both Content-Length and
// Transfer-Encoding, with Transfer-Encoding in HTTP/1.0, or with a header line that is continued on the next one. A handler can't
// see the first of these, since net/http drops the Content-Length; so a [Conn] watches the bytes before net/http reads them, and
// spoils the header line that is too much, which net/http answers with 400 before it closes the connection.
//
//	framing.go  Listener, Conn
//	scan.go     where heads and bodies are
package framing

import (
	"bytes"
	"net"
	"sync/atomic"
)

// Listener is one whose connections are [Conn]s. The bytes must be HTTP/1 itself: under TLS nothing could be seen.
type Listener struct{ net.Listener }

// Accept implements net.Listener.
func (l Listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: c}, nil
}

// Conn is a connection whose requests are watched. Read is called by one goroutine at a time, as net/http does.
type Conn struct {
	net.Conn
	scan     scanner
	upgraded atomic.Bool // it speaks another protocol
	may      atomic.Bool // the last request asks for one
}

// Read implements net.Conn.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.upgraded.Load() {
		c.scan.watch(b[:n])
		c.may.Store(c.scan.upgrade)
	}
	return n, err
}

var switching = []byte("HTTP/1.1 101 ")

// Write implements net.Conn.
func (c *Conn) Write(b []byte) (int, error) {
	if c.may.Load() && bytes.HasPrefix(b, switching) {
		c.upgraded.Store(true)
	}
	return c.Conn.Write(b)
}

// CloseWrite lets net/http send the answer to a refused request to its end before it closes the connection.
func (c *Conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
