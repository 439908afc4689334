package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch"
)

// Secrets of the teams in these tests.
const (
	redSecret  = "red-secret-0123456789"
	blueSecret = "blue-secret-0123456789"
)

const article = `<title>The lamp</title><main><h1>The lamp</h1><p>A lamp stands on the table, and it is lit every evening when the sun goes down.</p>
<a href="/a">first</a> <a href="/b">second</a></main>`

// service is a handler over a real engine, whose web is virtual.
type service struct {
	http.Handler
	t      testing.TB
	engine *engine.Engine
}

// web answers one host with small pages; /missing is none, and /slow takes until the request ends.
func web() map[string]http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/", "/index.html":
			fmt.Fprint(w, article)
		case "/a", "/b", "/c":
			fmt.Fprintf(w, "<title>Page %s</title><main><h1>Page %s</h1><p>Some words about the page that is called %s.</p></main>", r.URL.Path, r.URL.Path, r.URL.Path)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	return map[string]http.Handler{"lamp.example": mux}
}

func nowhere(context.Context, string, string) (net.Conn, error) {
	return nil, fmt.Errorf("no network in this test")
}

// noNames resolves nothing.
type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func newService(t testing.TB, change ...func(*engine.Options, *Options)) *service {
	t.Helper()
	eo := engine.Options{Render: engine.RenderNever, Hosts: web(), Policy: fetch.Policy{}, Resolver: noNames{}, DialContext: nowhere}
	o := Options{BaseURL: "https://api.example", Keys: []Key{key(t, redSecret, "red"), key(t, blueSecret, "blue")}}
	for _, c := range change {
		c(&eo, &o)
	}
	e, err := engine.New(eo)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return &service{Handler: conforming{New(e, o), t}, t: t, engine: e}
}

func key(t testing.TB, secret, team string) Key {
	t.Helper()
	k, err := NewKey(secret, team)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// get reads a path of the body: names and list positions.
func (a answer) get(path ...any) any {
	var v any = a.body
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			l, _ := v.([]any)
			if step >= len(l) {
				return nil
			}
			v = l[step]
		}
	}
	return v
}

func (a answer) text(path ...any) string {
	s, _ := a.get(path...).(string)
	return s
}

// as asks with a secret; "" without a key.
func (s *service) as(secret, method, target, body string, change ...func(*http.Request)) answer {
	s.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body)).WithContext(s.t.Context())
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	a := answer{status: w.Code, header: w.Header(), raw: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &a.body); err != nil {
		s.t.Fatalf("%s %s: %d, no JSON: %v: %.300q", method, target, w.Code, err, a.raw)
	}
	return a
}

func (s *service) red(method, target, body string, change ...func(*http.Request)) answer {
	s.t.Helper()
	return s.as(redSecret, method, target, body, change...)
}

// must asks as red and wants that status.
func (s *service) must(status int, method, target, body string) answer {
	s.t.Helper()
	a := s.red(method, target, body)
	if a.status != status {
		s.t.Fatalf("%s %s %s: status %d, want %d: %.500s", method, target, body, a.status, status, a.raw)
	}
	return a
}

// ended waits for a job's end.
func (s *service) ended(id string) engine.JobStatus {
	s.t.Helper()
	job, err := s.engine.Job(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	status, err := job.Wait(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	return status
}

// lockedBuffer takes a log.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func (b *lockedBuffer) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(b, nil)) }
