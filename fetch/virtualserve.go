package fetch

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// servedConn is the server's end of a connection to a virtual host.
type servedConn struct {
	*memConn
	host    string // canonical, as dialed
	virtual *Virtual
	once    sync.Once
}

// Close also frees the connection's slot.
func (c *servedConn) Close() error {
	err := c.memConn.Close()
	c.once.Do(func() { c.virtual.forget(c) })
	return err
}

// memListener hands the connections of one of the servers to it.
type memListener struct {
	conns chan net.Conn
	ctx   context.Context
}

// Accept waits for the next connection.
func (l *memListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.ctx.Done():
		return nil, net.ErrClosed
	}
}

// Close does nothing: the listener ends with its Virtual.
func (l *memListener) Close() error   { return nil }
func (l *memListener) Addr() net.Addr { return memAddr("virtual hosts") }

// give hands a connection over, or closes it at the end.
func (l *memListener) give(c net.Conn) {
	select {
	case l.conns <- c:
	case <-l.ctx.Done():
		c.Close()
	}
}

// serve starts a server for plain and one for TLS connections.
func (v *Virtual) serve() {
	v.plain = &memListener{make(chan net.Conn), v.ctx}
	v.secure = &memListener{make(chan net.Conn), v.ctx}
	plain, secure := v.server(), v.server()
	secure.TLSConfig = &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
		return v.authority.leaf(h.Conn.(*servedConn).host)
	}}
	v.servers = []*http.Server{plain, secure}
	v.wg.Go(func() { _ = plain.Serve(v.plain) })
	v.wg.Go(func() { _ = secure.ServeTLS(v.secure, "", "") })
}

type hostKey struct{}

func (v *Virtual) server() *http.Server {
	return &http.Server{
		Handler:           http.HandlerFunc(v.handle),
		ReadHeaderTimeout: virtualHeadTimeout,
		IdleTimeout:       virtualIdleTimeout,
		ErrorLog:          slog.NewLogLogger(v.logger.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return v.ctx },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if t, ok := c.(*tls.Conn); ok {
				c = t.NetConn()
			}
			return context.WithValue(ctx, hostKey{}, c.(*servedConn).host)
		},
	}
}

// admit accepts a new connection. Its first byte decides which of the servers gets it, since either may
// be spoken to on any port. False: closed.
func (v *Virtual) admit(c *servedConn) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return false
	}
	v.conns[c] = true
	v.wg.Go(func() { v.route(c) })
	return true
}

func (v *Virtual) route(c *servedConn) {
	const handshakeRecord = 0x16
	_ = c.SetReadDeadline(time.Now().Add(virtualIdleTimeout)) // browsers open connections ahead of need
	first, err := c.in.first()
	_ = c.SetReadDeadline(time.Time{})
	switch {
	case err != nil:
		c.Close()
	case first == handshakeRecord:
		v.secure.give(c)
	default:
		v.plain.give(c)
	}
}

func (v *Virtual) forget(c *servedConn) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.conns, c)
	<-v.slots
}

// handle calls the host's own handler. The host is the one that was dialed, whatever the request's Host header.
func (v *Virtual) handle(w http.ResponseWriter, r *http.Request) {
	host, _ := r.Context().Value(hostKey{}).(string)
	if !v.within(func() { v.answer(host, w, r) }) {
		panic(http.ErrAbortHandler)
	}
}

// answer calls a handler. Its panic becomes a 500, or the end of a response that has begun.
func (v *Virtual) answer(host string, w http.ResponseWriter, r *http.Request) {
	a := &answering{ResponseWriter: w}
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		v.logger.Error("fetch: handler of a virtual host panicked", "host", host, "value", p, "stack", string(debug.Stack()))
		if a.begun {
			panic(http.ErrAbortHandler)
		}
		http.Error(w, "the handler of this virtual host panicked", http.StatusInternalServerError)
	}()
	h := v.hosts[host]
	if h == nil {
		h = v.others
	}
	h.ServeHTTP(a, r)
}
