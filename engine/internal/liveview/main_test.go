package liveview

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/browser"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(closesSpectators{m}) }

// spectators is the browser of all who look at a view. The first that looks starts it, TestMain closes it.
var spectators = sync.OnceValue(func() *browser.Pool { return browser.NewPool(browser.Options{MaxPages: 8}) })

// closesSpectators are tests after which their browser is closed.
type closesSpectators struct{ *testing.M }

func (m closesSpectators) Run() int {
	code := m.M.Run()
	if err := spectators().Close(); err != nil {
		fmt.Fprintln(os.Stderr, "close:", err)
		code = 1
	}
	return code
}

// fakeScreen shows the frames that a test puts up, and notes what is done to it.
type fakeScreen struct {
	mu       sync.Mutex
	watching int
	watched  int // how often it began
	show     chan Frame
	fail     chan error
	inputs   []Input
	steered  []string
	hold     chan struct{} // where there is one, an input waits for it
	state    State
	err      error // of inputs
}

func newFakeScreen() *fakeScreen {
	return &fakeScreen{show: make(chan Frame, 100), fail: make(chan error, 1), state: State{URL: "https://a.example/", Title: "A"}}
}

func (s *fakeScreen) Watch(ctx context.Context, show func(Frame)) error {
	s.count(1)
	defer s.count(-1)
	for {
		select {
		case f := <-s.show:
			show(f)
		case err := <-s.fail:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

func (s *fakeScreen) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watching += n
	s.watched += max(0, n)
}

func (s *fakeScreen) Input(ctx context.Context, in Input) error {
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inputs = append(s.inputs, in)
	return s.err
}

func (s *fakeScreen) State(context.Context) (State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, nil
}

// look gives watchers now, watches ever, and inputs.
func (s *fakeScreen) look() (watching, watched int, inputs []Input) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watching, s.watched, append([]Input(nil), s.inputs...)
}

// steeredScreen is a fakeScreen with an address field.
type steeredScreen struct{ *fakeScreen }

func (s steeredScreen) Goto(_ context.Context, address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steered = append(s.steered, address)
	return nil
}

func (s steeredScreen) Travel(_ context.Context, steps int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steered = append(s.steered, strings.Repeat("<", -min(0, steps))+strings.Repeat(">", max(0, steps)))
	return nil
}

// show1 is a frame with one byte of picture.
func show1(b byte) Frame { return Frame{Data: []byte{b}, Width: 640, Height: 480} }

// newServer is a server that is closed with the test, on a listener of its own, and the address before the paths.
func newServer(t testing.TB, o Options) (*Server, string) {
	t.Helper()
	s := New(o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	addr, err := s.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	return s, "http://" + addr.String()
}

func add(t testing.TB, s *Server, id string, screen Screen) URLs {
	t.Helper()
	urls, err := s.Add(id, screen)
	if err != nil {
		t.Fatal(err)
	}
	return urls
}

// watcher is a viewer that isn't a browser.
type watcher struct {
	t    testing.TB
	conn *websocket.Conn
}

func dial(t testing.TB, address string) *watcher {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), address+"/socket", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &watcher{t, conn}
}

// next is the next message: a text, or a frame's packed bytes.
func (w *watcher) next() (said map[string]any, frame []byte) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	kind, data, err := w.conn.Read(ctx)
	if err != nil {
		w.t.Fatal("read: ", err)
	}
	if kind == websocket.MessageBinary {
		return nil, data
	}
	if err := json.Unmarshal(data, &said); err != nil {
		w.t.Fatal(err)
	}
	return said, nil
}

// sees waits for a frame with that byte, and acknowledges all frames.
func (w *watcher) sees(b byte) (frames int) {
	w.t.Helper()
	for {
		_, frame := w.next()
		if frame == nil {
			continue
		}
		frames++
		w.sends(`{"type":"seen"}`)
		if frame[len(frame)-1] == b {
			return frames
		}
	}
}

// hears waits for a message of the type.
func (w *watcher) hears(kind string) map[string]any {
	w.t.Helper()
	for {
		if said, _ := w.next(); said["type"] == kind {
			return said
		}
	}
}

func (w *watcher) sends(text string) {
	w.t.Helper()
	if err := w.conn.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		w.t.Fatal("write: ", err)
	}
}

func get(t testing.TB, method, address string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp, string(body)
}

// client keeps no connections.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func mounted(t testing.TB, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !ok(); {
		if time.Now().After(end) {
			t.Fatal("waited for nothing until ", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
