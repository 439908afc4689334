package serving

import (
	"fmt"
	"net/http"
	"sync"
)

// gate counts the requests under way. Once closed it admits no further ones, except probes.
type gate struct {
	mu      sync.Mutex
	closed  bool
	awaited int // requests under way that a stop waits for: all but streams
	all     sync.WaitGroup

	stopping chan struct{} // closed with the gate
	empty    chan struct{} // closed once nothing is awaited any more
}

func newGate() *gate { return &gate{stopping: make(chan struct{}), empty: make(chan struct{})} }

func (g *gate) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream := r.Header.Get("Upgrade") != ""
		switch {
		case isProbe(r):
			next.ServeHTTP(w, r)
		case g.enter(stream):
			defer g.leave(stream)
			next.ServeHTTP(w, r)
		default:
			turnAway(w)
		}
	})
}

// isProbe reports whether a request is a probe of the server's state.
func isProbe(r *http.Request) bool {
	return r.Method == http.MethodGet && (r.URL.Path == "/healthz" || r.URL.Path == "/readyz")
}

func turnAway(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Retry-After", "5")
	w.Header().Set("Connection", "close")
	w.WriteHeader(http.StatusServiceUnavailable)
	fmt.Fprintln(w, `{"success":false,"code":"SERVICE_UNAVAILABLE","error":"the server is stopping"}`)
}

func (g *gate) enter(stream bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.all.Add(1)
	if !stream {
		g.awaited++
	}
	return true
}

func (g *gate) leave(stream bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all.Done()
	if stream {
		return
	}
	if g.awaited--; g.closed && g.awaited == 0 {
		close(g.empty)
	}
}

// close admits no more requests. The returned channel is closed when the last awaited request has left. It is safe to call again.
func (g *gate) close() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.closed = true
		close(g.stopping)
		if g.awaited == 0 {
			close(g.empty)
		}
	}
	return g.empty
}

// wait until all requests have left, streams too. The gate must be closed.
func (g *gate) wait() { g.all.Wait() }
