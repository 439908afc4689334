package serving

import (
	"context"
	"errors"
	"io"
	"log/slog"
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
	ctx      context.Context // of all requests
	cancel   context.CancelFunc
	faces    []*face
	failed   chan error // what ended a face by itself; room for all
	serving  sync.WaitGroup
}

// newServer opens the addresses and makes the engine. On an error nothing stays open.
func newServer(s settings, stderr io.Writer) (_ *server, err error) {
	srv := &server{settings: s, log: s.logger(stderr), gate: newGate(), failed: make(chan error, 3)}
	srv.ctx, srv.cancel = context.WithCancel(context.Background())
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
		return srv, flagOf(err)
	}
	if srv.metrics, err = newMetrics(srv.log); err != nil {
		return srv, err
	}
	srv.openFor(main)
	return srv, srv.openOthers()
}

// anonymous reports whether requests need no key.
func (srv *server) anonymous() bool { return len(srv.keys) == 0 }

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

// drain lets running requests end, within the grace period. Meanwhile the addresses stay open, so that /readyz can report it.
func (srv *server) drain() {
	timer := time.NewTimer(srv.settings.grace)
	defer timer.Stop()
	select {
	case <-srv.gate.close():
	case <-timer.C:
		srv.log.Warn("server: the grace period is over: requests are aborted")
	}
}

// close ends what is left: the engine's work first, so that running requests still get an answer, then connections. Jobs are kept and go
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
	srv.cancel()
	for _, f := range srv.faces {
		_ = f.http.Close()
		_ = f.listener.Close() // where it was never served
	}
	srv.serving.Wait()
	srv.gate.wait()
	return errors.Join(errs...)
}
