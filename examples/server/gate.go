package main

import (
	"fmt"
	"net/http"
	"sync"
)

// gate counts the requests at work. Once closed it lets no further ones in, but for those that ask how the server is.
type gate struct {
	mu      sync.Mutex
	closed  bool
	awaited int           // requests at work that a stop waits for: all but streams
	empty   chan struct{} // closed once closed and nothing is awaited
	all     sync.WaitGroup
}

func newGate() *gate { return &gate{empty: make(chan struct{})} }

func (g *gate) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream := r.Header.Get("Upgrade") != ""
		if !g.enter(stream) {
			g.turnAway(w, r, next)
			return
		}
		defer g.leave(stream)
		next.ServeHTTP(w, r)
	})
}

// turnAway answers while the server stops: it lives, but wants no more work.
func (g *gate) turnAway(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if r.Method == http.MethodGet && r.URL.Path == "/healthz" {
		next.ServeHTTP(w, r)
		return
	}
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

// close lets nothing more in. What it gives is closed when the last awaited request has left. It can be called again.
func (g *gate) close() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.closed = true
		if g.awaited == 0 {
			close(g.empty)
		}
	}
	return g.empty
}

// wait until all requests have left, streams too. The gate must be closed.
func (g *gate) wait() { g.all.Wait() }
