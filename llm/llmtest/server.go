package llmtest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/llm"
)

// ModelName is the name of the model of [Server.Model].
const ModelName = "scripted"

// TB is the part of testing.TB that is used, so that programs don't link package testing.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Server answers chat completions on a loopback address as its script prescribes. Each request takes the
// first step that isn't used up and whose When accepts it. Without one the request is refused,
// and a test fails. It is safe for concurrent use.
type Server struct {
	listener net.Listener
	server   *http.Server
	ended    chan struct{} // closed by Close: stalled replies end
	serving  sync.WaitGroup

	mu       sync.Mutex
	steps    []Step
	used     []int
	requests []Request
	missed   []string
}

// maxBody bounds a request.
const maxBody = 64 << 20

// NewServer starts a server for a test, which fails when a request finds no step. The server is closed
// at the test's end.
func NewServer(t TB, script ...Step) *Server {
	t.Helper()
	s, err := Start(script...)
	if err != nil {
		t.Fatalf("llmtest: %v", err)
		return nil
	}
	t.Cleanup(func() {
		s.Close()
		for _, what := range s.missed { // no handler is left
			t.Errorf("llmtest: the script has no step for a request: %s", what)
		}
	})
	return s
}

// Start starts a server for a program. Close it.
func Start(script ...Step) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{listener: listener, ended: make(chan struct{}), steps: script, used: make([]int, len(script))}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.answer)
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	s.serving.Go(func() { s.server.Serve(listener) })
	return s, nil
}

// Close ends the server and all its connections, and waits for its replies, functions of the
// script included. It is safe to call more than once.
func (s *Server) Close() error {
	s.mu.Lock()
	select {
	case <-s.ended:
	default:
		close(s.ended)
	}
	s.mu.Unlock()
	err := s.server.Close()
	s.serving.Wait()
	return err
}

// URL returns the base URL for [llm.OpenAIOptions].
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/v1" }

// Requests returns the requests that arrived, in order, refused ones included.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Add appends steps to the script.
func (s *Server) Add(steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(slices.Clone(s.steps), steps...)
	s.used = append(s.used, make([]int, len(steps))...)
}

// Model returns a model that calls this server. It is declared local and doesn't wait between retries;
// opts may change that. It panics if they make options that [llm.NewOpenAI] refuses.
func (s *Server) Model(opts ...func(*llm.OpenAIOptions)) llm.Model {
	o := llm.OpenAIOptions{
		BaseURL: s.URL(), Model: ModelName, Local: true,
		HTTP:  &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, // leaves no goroutine
		Sleep: func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) },
	}
	for _, opt := range opts {
		opt(&o)
	}
	m, err := llm.NewOpenAI(o)
	if err != nil {
		panic(err)
	}
	return m
}

// answer is the handler.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		return
	}
	defer s.serving.Done()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return
	}
	request, wire, err := read(body, r.Header)
	if err != nil {
		s.note(request)
		refuse(w, Reply{Status: http.StatusBadRequest, Code: "invalid_request_error", Message: err.Error()})
		return
	}
	reply := s.reply(request)
	b := &bench{w: w, request: request, usage: wire.StreamOptions != nil && wire.StreamOptions.IncludeUsage,
		gone: r.Context().Done(), ended: s.ended}
	b.serve(reply)
}

// enter counts a reply, unless the server has ended.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.ended:
		return false
	default:
		s.serving.Add(1)
		return true
	}
}

func (s *Server) note(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

// reply takes the step for a request and makes its reply.
func (s *Server) reply(r Request) Reply {
	s.note(r)
	step, ok := s.take(r)
	switch {
	case !ok:
		return Reply{Status: http.StatusBadRequest, Code: "no_step", Message: "The script has no step for this request."}
	case step.Func != nil:
		return step.Func(r)
	}
	return step.Reply
}

func (s *Server) take(r Request) (Step, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, step := range s.steps {
		if left := step.Times < 0 || s.used[i] < max(step.Times, 1); left && (step.When == nil || step.When(r)) {
			s.used[i]++
			return step, true
		}
	}
	last := r.Last()
	s.missed = append(s.missed, fmt.Sprintf("%d messages, %d tools, the last: %.300s", len(r.Messages), len(r.Tools), last))
	return Step{}, false
}
