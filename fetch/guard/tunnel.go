package guard

import (
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	copyBuffer  = 32 << 10         // bytes, per direction
	lingerAfter = 10 * time.Second // for the browser to hang up after the site has
)

// connect serves a CONNECT request.
func (p *peer) connect(h *head) {
	if !validAuthority(h.target) {
		p.answer(400, "request", false)
		return
	}
	if p.lease.suspects(h.target) {
		if p.established() {
			p.intercept(h.target, nil)
		}
		return
	}
	up, err := p.lease.dial(h.target)
	if err != nil {
		p.refuse(err, false)
		return
	}
	defer p.lease.drop(up)
	if !p.established() {
		return
	}
	if !p.lease.options().reads() && !p.lease.knows(h.target) || !p.intercept(h.target, up) {
		splice(p.conn, p.in.br, up, up)
	}
}

func (p *peer) established() bool {
	_, err := io.WriteString(p.conn, "HTTP/1.1 200 Connection established\r\n\r\n")
	return err == nil
}

// validAuthority reports whether a CONNECT target is host:port.
func validAuthority(target string) bool {
	host, port, err := net.SplitHostPort(target)
	if err != nil || host == "" || strings.ContainsAny(host, "/@?#") {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// splice copies between the browser and a site until one of them hangs up or both are silent. What has been
// read ahead of either comes from its reader.
func splice(client net.Conn, fromClient io.Reader, site net.Conn, fromSite io.Reader) {
	s := &spliced{}
	s.last.Store(time.Now().UnixNano())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.copy(client, site, fromSite)
		// What the site said last is still to be read by the browser, which then hangs up.
		_ = closeWrite(client)
		s.closing.Store(true)
		_ = client.SetReadDeadline(time.Now().Add(lingerAfter))
	}()
	s.copy(site, client, fromClient)
	// A browser never hangs up one way only.
	site.Close()
	<-done
}

// spliced is what the two directions of a connection know of each other.
type spliced struct {
	last    atomic.Int64 // when something was last moved, in Unix nanoseconds
	closing atomic.Bool  // one direction has ended
}

// copy moves bytes in one direction to its end. The reader's connection is src.
func (s *spliced) copy(dst, src net.Conn, r io.Reader) {
	buf := make([]byte, copyBuffer)
	for {
		if !s.closing.Load() {
			_ = src.SetReadDeadline(time.Now().Add(idleTimeout))
		}
		n, err := r.Read(buf)
		if n > 0 {
			s.last.Store(time.Now().UnixNano())
			_ = dst.SetWriteDeadline(time.Now().Add(idleTimeout))
			if _, err := dst.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil && !s.otherWayBusy(err) {
			return
		}
	}
}

// otherWayBusy reports whether a direction that has been silent too long may go on because the other hasn't.
func (s *spliced) otherWayBusy(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded) && !s.closing.Load() &&
		time.Since(time.Unix(0, s.last.Load())) < idleTimeout
}
