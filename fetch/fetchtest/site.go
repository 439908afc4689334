package fetchtest

import (
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// maxRecords bounds the requests that are kept per path; the oldest go first.
const maxRecords = 256

// Record is one request as the site received it.
type Record struct {
	Method, Path, RawQuery string
	RequestURI             string // as on the wire
	Host                   string
	Proto                  string // "HTTP/1.1" or "HTTP/2.0"
	RemoteAddr             string
	Header                 http.Header
}

// Site is a running site: one plain and one TLS server on 127.0.0.1 with the same routes. It is safe for
// concurrent use.
type Site struct {
	plain, secure *httptest.Server
	done          chan struct{} // closed when the test ends: releases handlers that wait

	mu      sync.Mutex
	records map[string][]Record
	hits    map[string]int
}

// New starts a site. It is closed when the test is over.
func New(t testing.TB) *Site {
	s := &Site{done: make(chan struct{}), records: map[string][]Record{}, hits: map[string]int{}}
	h := s.record(s.routes())
	s.plain = httptest.NewUnstartedServer(h)
	s.secure = httptest.NewUnstartedServer(h)
	s.secure.EnableHTTP2 = true
	for _, server := range []*httptest.Server{s.plain, s.secure} {
		// Clients that go away and handshakes that fail are what the tests are about.
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
	}
	s.plain.Start()
	s.secure.StartTLS()
	t.Cleanup(s.close)
	return s
}

func (s *Site) close() {
	close(s.done)
	for _, server := range []*httptest.Server{s.plain, s.secure} {
		server.CloseClientConnections()
		server.Close()
	}
}

// URL is the address of a path on the plain server: http://127.0.0.1:port/path.
func (s *Site) URL(path string) string { return s.plain.URL + path }

// TLSURL is the address of a path on the TLS server. Its certificate is self-signed, so no client trusts it. It
// speaks HTTP/2.
func (s *Site) TLSURL(path string) string { return s.secure.URL + path }

// Host is host:port of the plain server, the form that an allow-list of hosts takes.
func (s *Site) Host() string { return s.plain.Listener.Addr().String() }

// TLSHost is host:port of the TLS server.
func (s *Site) TLSHost() string { return s.secure.Listener.Addr().String() }

// Hits is the number of requests for a path (without query).
func (s *Site) Hits(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[path]
}

// Requests are the requests for a path (without query), oldest first, the last 256 of them.
func (s *Site) Requests(path string) []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.records[path])
}

// record counts and keeps a request before it is served.
func (s *Site) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.keep(r)
		next.ServeHTTP(w, r)
	})
}

func (s *Site) keep(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := r.URL.Path
	s.hits[p]++
	list := append(s.records[p], Record{r.Method, p, r.URL.RawQuery, r.RequestURI, r.Host, r.Proto, r.RemoteAddr, r.Header.Clone()})
	s.records[p] = list[max(0, len(list)-maxRecords):]
}

// wait blocks until the client has gone or the test is over.
func (s *Site) wait(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.done:
	}
}

// RootCAs holds the TLS server's own certificate, for a client that should trust it.
func (s *Site) RootCAs() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.secure.Certificate())
	return pool
}
