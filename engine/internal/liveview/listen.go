package liveview

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// Bounds of a listener.
const (
	anyPort        = "127.0.0.1:0"
	headerTime     = 10 * time.Second
	idleTime       = time.Minute
	maxHeader      = 32 << 10
	maxConnections = 512
	stopTime       = 2 * time.Second
)

// Listen serves HTTP on an address of its own until Close, "host:port"; "" is a free port of the loopback. It returns
// where it listens. On another address than the loopback's, anyone on the network path can read the tokens: use TLS before it.
func (s *Server) Listen(addr string) (net.Addr, error) {
	if addr == "" {
		addr = anyPort
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: s.ownHost(s), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = ln.Close()
		return nil, ErrClosed
	}
	s.serving = append(s.serving, server)
	s.work.Go(func() {
		if err := server.Serve(netutil.LimitListener(ln, maxConnections)); !errors.Is(err, http.ErrServerClosed) {
			s.opts.Logger.Warn("live view: the listener ended", "error", err)
		}
	})
	return ln.Addr(), nil
}

// stopListeners lets requests end, for a moment.
func stopListeners(servers []*http.Server) error {
	var errs []error
	for _, server := range servers {
		ctx, cancel := context.WithTimeout(context.Background(), stopTime)
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
		cancel()
	}
	return errors.Join(errs...)
}
