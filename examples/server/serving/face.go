package serving

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"golang.org/x/net/netutil"

	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/engine/httpapi/openwebui"
	"github.com/winnow-go/winnow/engine/httpapi/reader"
)

// face is one address and its handler.
type face struct {
	listener net.Listener
	http     *http.Server
	greeted  []string // paths that the greeting names
}

// maxConnections bounds those of an address at once; further ones wait to be accepted.
const maxConnections = 4096

// add makes a face of a listener. Requests end with the server's ctx; an answer has no deadline of its own, as pages may take minutes and
// streams go on: package httpapi bounds slow clients itself.
func (srv *server) add(l net.Listener) *face {
	f := &face{listener: netutil.LimitListener(l, maxConnections), http: httpapi.NewServer(http.NotFoundHandler())}
	f.http.BaseContext = func(net.Listener) context.Context { return srv.ctx }
	f.http.ErrorLog = slog.NewLogLogger(srv.log.Handler(), slog.LevelWarn)
	srv.faces = append(srv.faces, f)
	return f
}

func (f *face) serve() error {
	var err error
	if f.secure() {
		err = f.http.ServeTLS(f.listener, "", "")
	} else {
		err = f.http.Serve(httpapi.NewListener(f.listener))
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (f *face) secure() bool { return f.http.TLSConfig != nil }

// openMain opens the address for clients. Without keys it must be one that only this machine reaches.
func (srv *server) openMain() (*face, error) {
	s := srv.settings
	var l net.Listener
	var err error
	if srv.anonymous() {
		l, err = listenLoopback("addr", s.addr, "without -keys it would serve every client that reaches it; make a key with -new-key")
	} else {
		l, err = listen("addr", s.addr)
	}
	if err != nil {
		return nil, err
	}
	f := srv.add(l)
	if s.tlsCert != "" {
		pair, err := tls.LoadX509KeyPair(s.tlsCert, s.tlsKey)
		if err != nil {
			return nil, fmt.Errorf("-tls-cert, -tls-key: %w", err)
		}
		f.http.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	if srv.base = strings.TrimSuffix(s.baseURL, "/"); srv.base == "" {
		srv.base = baseOf(l, f.secure())
	}
	return f, nil
}

// openFor serves the main address. Where keys are needed /metrics isn't there, as others than this machine may reach it.
func (srv *server) openFor(main *face) {
	api := srv.gate.wrap(httpapi.New(srv.engine, httpapi.Options{
		Keys: srv.keys, Anonymous: srv.anonymous(), Origins: srv.settings.origins, BaseURL: srv.base,
		Page: true, PageExamples: srv.settings.pageExamples(),
		Doors: append(openwebui.Doors(), reader.Door()), Stopping: srv.gate.stopping,
		Logger: srv.log, MeterProvider: srv.metrics.provider,
	}))
	main.http.Handler = api
	if srv.settings.metrics != "" || !srv.anonymous() {
		return
	}
	numbers := localOnly(srv.metrics)
	main.greeted = []string{metricsPath}
	main.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == metricsPath {
			numbers.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// openOthers opens the addresses beside the main one.
func (srv *server) openOthers() error {
	if at := srv.settings.metrics; at != "" {
		l, err := listen("metrics-addr", at)
		if err != nil {
			return err
		}
		mux := http.NewServeMux()
		mux.Handle("GET "+metricsPath, srv.metrics)
		f := srv.add(l)
		f.http.Handler, f.greeted = mux, []string{metricsPath}
	}
	if at := srv.settings.profiles; at != "" {
		l, err := listenLoopback("pprof", at, "profiles show what is in memory")
		if err != nil {
			return err
		}
		f := srv.add(l)
		f.http.Handler, f.greeted = localOnly(profiles()), []string{profilesPath}
	}
	return nil
}
