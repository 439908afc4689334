package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
)

// server is an engine, the addresses it is served at, and what stops it.
type server struct {
	settings settings
	keys     []httpapi.Key
	base     string // URL, without a slash at the end
	log      *slog.Logger
	engine   *engine.Engine
	metrics  *metrics
	gate     *gate
	life     context.Context // of all requests
	end      context.CancelFunc
	faces    []*face
	failed   chan error // what ended a face by itself; room for all
	serving  sync.WaitGroup
}

// face is one address and what answers there.
type face struct {
	listener  net.Listener
	http      *http.Server
	cert, key string // files; empty: no TLS
}

// newServer opens the addresses and makes the engine. On an error nothing stays open.
func newServer(s settings, stderr io.Writer) (_ *server, err error) {
	srv := &server{settings: s, log: s.logger(stderr), gate: newGate(), failed: make(chan error, 3)}
	srv.life, srv.end = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			err = errors.Join(err, srv.close())
		}
	}()
	if srv.keys, err = readKeys(s.keys); err != nil {
		return srv, err
	}
	main, err := srv.openMain()
	if err != nil {
		return srv, err
	}
	options, err := s.engineOptions(srv.base, srv.log)
	if err != nil {
		return srv, err
	}
	if srv.engine, err = engine.New(options); err != nil {
		return srv, err
	}
	if srv.metrics, err = newMetrics(srv.log); err != nil {
		return srv, err
	}
	main.http.Handler = srv.mainHandler()
	return srv, srv.openOthers()
}

// openMain opens the address that clients ask at. Where nobody has a key it must be one that only this machine reaches.
func (srv *server) openMain() (*face, error) {
	s := srv.settings
	var l net.Listener
	var err error
	if srv.anonymous() {
		l, err = listenLoopback("addr", s.addr, "without -keys it would serve whoever reaches it; make a key with -new-key")
	} else {
		l, err = listen("addr", s.addr)
	}
	if err != nil {
		return nil, err
	}
	if srv.base = trimSlash(s.baseURL); srv.base == "" {
		srv.base = baseOf(l, s.tlsCert != "")
	}
	f := srv.add(l)
	f.cert, f.key = s.tlsCert, s.tlsKey
	return f, nil
}

// anonymous tells whether requests need no key.
func (srv *server) anonymous() bool { return len(srv.keys) == 0 }

// add makes a face of a listener. Requests end with the server's life; a plain answer has no deadline of its own, as pages may take minutes and
// streams go on: package httpapi bounds slow clients itself.
func (srv *server) add(l net.Listener) *face {
	f := &face{listener: l, http: httpapi.NewServer(http.NotFoundHandler())}
	f.http.BaseContext = func(net.Listener) context.Context { return srv.life }
	f.http.ErrorLog = slog.NewLogLogger(srv.log.Handler(), slog.LevelWarn)
	srv.faces = append(srv.faces, f)
	return f
}

// mainHandler is what clients ask.
func (srv *server) mainHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", srv.gate.wrap(httpapi.New(srv.engine, httpapi.Options{
		Keys: srv.keys, Anonymous: srv.anonymous(), BaseURL: srv.base, Page: true, Stopping: srv.gate.stopping,
		Logger: srv.log, MeterProvider: srv.metrics.provider,
	})))
	if srv.metricsWithMain() {
		mux.Handle("GET "+metricsPath, localOnly(srv.metrics))
	}
	return mux
}

// metricsWithMain tells whether /metrics is at the main address. Where keys are needed, others than this machine may reach it.
func (srv *server) metricsWithMain() bool { return srv.settings.metrics == "" && srv.anonymous() }

// openOthers opens the addresses beside the main one.
func (srv *server) openOthers() error {
	if at := srv.settings.metrics; at != "" {
		l, err := listen("metrics-addr", at)
		if err != nil {
			return err
		}
		mux := http.NewServeMux()
		mux.Handle("GET "+metricsPath, srv.metrics)
		srv.add(l).http.Handler = mux
	}
	if at := srv.settings.profiles; at != "" {
		l, err := listenLoopback("pprof", at, "profiles show what is in memory")
		if err != nil {
			return err
		}
		srv.add(l).http.Handler = localOnly(profiles())
	}
	return nil
}

// serve serves until ctx ends or an address fails, then closes everything.
func (srv *server) serve(ctx context.Context) error {
	for _, f := range srv.faces {
		srv.serving.Go(func() { srv.failed <- f.serve() })
	}
	var err error
	select {
	case <-ctx.Done():
		srv.log.Info("server: stopping", "grace", srv.settings.grace)
		srv.drain()
	case err = <-srv.failed:
	}
	return errors.Join(err, srv.close())
}

func (f *face) serve() error {
	var err error
	if f.cert != "" {
		err = f.http.ServeTLS(f.listener, f.cert, f.key)
	} else {
		err = f.http.Serve(f.listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// drain lets requests that are at work end, within the grace period. Meanwhile the addresses stay open, so that /readyz can tell.
func (srv *server) drain() {
	timer := time.NewTimer(srv.settings.grace)
	defer timer.Stop()
	select {
	case <-srv.gate.close():
	case <-timer.C:
		srv.log.Warn("server: the grace period is over: requests are broken off")
	}
}

// close ends what is left: the engine's work first, so that requests at work still get an answer, then connections. Jobs are kept and go
// on at the next start, where there is a folder.
func (srv *server) close() error {
	var errs []error
	srv.gate.close()
	if srv.metrics != nil {
		errs = append(errs, srv.metrics.close())
	}
	if srv.engine != nil {
		errs = append(errs, srv.engine.Close())
	}
	last, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, f := range srv.faces {
		_ = f.http.Shutdown(last) // what it can't wait for is closed now
	}
	srv.end()
	for _, f := range srv.faces {
		_ = f.http.Close()
		_ = f.listener.Close() // where it was never served
	}
	srv.serving.Wait()
	srv.gate.wait()
	return errors.Join(errs...)
}
