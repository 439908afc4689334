package liveview

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

var (
	// ErrClosed is returned by Add and Listen after Close.
	ErrClosed = errors.New("live view is closed")
	// ErrKnown is returned by Add for an id that has a screen.
	ErrKnown = errors.New("the id has a screen already")
)

// Options of a Server. The zero value works.
type Options struct {
	// Path is what the paths of all addresses begin with. It begins and ends with a slash. Defaults to "/".
	Path string
	// Hosts are the names, without a port, by which browsers may ask. With none, a mounted Server takes all, since
	// the program that mounts it knows them, and one that listens takes IP addresses and localhost: names that others have made
	// point here are refused.
	Hosts []string
	// Origins are further origins whose pages may open the socket, "https://console.example", where a proxy changes the
	// Host. Defaults to the page's own.
	Origins []string
	// FrameAncestors are the origins whose pages may show the view in a frame. Defaults to none.
	FrameAncestors []string
	// MaxViewers of one screen at once. Defaults to 16.
	MaxViewers int
	// FrameEvery is the least time between two pictures. Defaults to 30 ms.
	FrameEvery time.Duration
	// StateEvery is how often the State of a screen that is watched is read. Defaults to 500 ms.
	StateEvery time.Duration
	// Logger is silent by default. No token is logged.
	Logger *slog.Logger
}

// Defaults of Options.
const (
	defaultViewers = 16
	defaultFrame   = 30 * time.Millisecond
	defaultState   = 500 * time.Millisecond
)

// URLs are the paths of one screen's addresses. Anyone who knows one may use it, until the screen is removed.
type URLs struct {
	View    string // to watch
	Control string // to operate too
}

// Server shows screens. It is an http.Handler, and safe for concurrent use. It must be closed.
type Server struct {
	opts   Options
	page   *viewPage
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup // listeners

	mu       sync.Mutex
	closed   bool
	stages   map[string]*stage
	serving  []*http.Server
	requests sync.WaitGroup // sockets; under mu while not closed
}

// New makes a server without screens.
func New(o Options) *Server {
	if o.Path == "" {
		o.Path = "/"
	}
	if o.MaxViewers <= 0 {
		o.MaxViewers = defaultViewers
	}
	if o.FrameEvery <= 0 {
		o.FrameEvery = defaultFrame
	}
	if o.StateEvery <= 0 {
		o.StateEvery = defaultState
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{opts: o, page: newViewPage(o.FrameAncestors), stages: map[string]*stage{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Add shows a screen, whose owner calls Remove with the same id when it ends. Errors: ErrClosed, ErrKnown.
func (s *Server) Add(id string, screen Screen) (URLs, error) {
	st := newStage(s.ctx, id, screen, s.opts)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return URLs{}, ErrClosed
	case s.stages[id] != nil:
		return URLs{}, fmt.Errorf("%w: %s", ErrKnown, id)
	}
	s.stages[id] = st
	return URLs{View: s.opts.Path + st.view, Control: s.opts.Path + st.control}, nil
}

// Remove ends a screen: its addresses are known no more, its viewers are sent the reason and disconnected. It returns when the
// screen is no longer used. An unknown id is no error.
func (s *Server) Remove(id, reason string) {
	s.mu.Lock()
	st := s.stages[id]
	delete(s.stages, id)
	s.mu.Unlock()
	if st != nil {
		st.end(reason)
		st.work.Wait()
	}
}

// Viewers counts those who watch or operate a screen now.
func (s *Server) Viewers(id string) int {
	s.mu.Lock()
	st := s.stages[id]
	s.mu.Unlock()
	if st == nil {
		return 0
	}
	return st.count()
}

// Close ends all screens and listeners, and waits until no viewer, goroutine or connection is left. It is safe to call twice.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	var ids []string
	for id := range s.stages {
		ids = append(ids, id)
	}
	serving := s.serving
	s.serving = nil
	s.mu.Unlock()
	var ended sync.WaitGroup
	for _, id := range ids {
		ended.Go(func() { s.Remove(id, "the service has stopped") })
	}
	ended.Wait()
	err := stopListeners(serving)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.requests.Wait()
	}()
	closes(gone, 2*byeTime)
	s.cancel()
	<-gone
	s.work.Wait()
	return err
}

// begin counts a socket in; false after Close.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.requests.Add(1)
	return true
}

// find is the screen that a token opens, nil when none, and whether it may be operated. How long it takes says nothing about the tokens.
func (s *Server) find(token string) (found *stage, control bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.stages {
		views, controls := sameToken(token, st.view), sameToken(token, st.control)
		if (views || controls) && !st.isOver() {
			found, control = st, controls
		}
	}
	return found, control
}

func sameToken(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// newToken has 128 random bits.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// hostless is a name in lower case, without its port.
func hostless(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
