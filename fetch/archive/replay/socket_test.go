package replay

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/winnow-go/winnow/fetch/archive/recording"
)

// spoken makes an archive of messages "address socket direction text".
func spoken(t *testing.T, messages ...string) *Replay {
	t.Helper()
	file := filepath.Join(t.TempDir(), "talk.warc.gz")
	r, err := recording.Create(recording.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		f := strings.Fields(m)
		r.Resource(f[0], "text/plain; charset=utf-8; websocket="+f[2]+"; socket="+f[1], strings.NewReader(f[3]))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return opened(t, file)
}

// hear sends texts and returns all that comes back until so many messages have.
func hear(t *testing.T, r *Replay, address string, n int, texts ...string) string {
	t.Helper()
	server := httptest.NewServer(r)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dial := &websocket.DialOptions{Host: "a.example"}
	c, resp, err := websocket.Dial(ctx, strings.Replace(server.URL, "http", "ws", 1)+address, dial)
	if err != nil {
		return resp.Header.Get(MissHeader)
	}
	defer func() { _ = c.CloseNow() }()
	for _, text := range texts {
		if err := c.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	var heard []string
	for len(heard) < n {
		_, body, err := c.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		heard = append(heard, string(body))
	}
	return strings.Join(heard, " ")
}

// A websocket hears what was recorded, each message after those of its own that it followed, and of several sockets the one that said the
// same.
func TestConverse(t *testing.T) {
	const at, at1 = "ws://a.example/talk ", "ws://a.example/login "
	r := spoken(t, at+"A received hello", at+"B received hello", at+"A sent x", at+"B sent y", at+"B received for-y", at+"A received for-x", at+"A received more",
		at+"A sent z", at+"A received end", "ws://a.example/timed?t=1700000000 C received timed",
		at1+`D sent {"user":"ann","password":"1"}`, at1+"D received ann", at1+`E sent {"user":"bob","password":"2"}`, at1+"E received bob")
	tests := []struct {
		address string
		n       int
		texts   []string
		want    string
	}{
		{"/talk", 1, nil, "hello"},
		{"/talk", 3, []string{"x"}, "hello for-x more"},
		{"/talk", 2, []string{"y"}, "hello for-y"},
		{"/talk", 3, []string{"another"}, "hello for-x more"},
		{"/talk", 4, []string{"x", "z"}, "hello for-x more end"},
		{"/timed?t=1800000000", 1, nil, "timed"},
		{"/login", 1, []string{`{"user":"bob","password":"another"}`}, "bob"},
	}
	for _, tt := range tests {
		if got := hear(t, r, tt.address, tt.n, tt.texts...); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.address, tt.texts, got, tt.want)
		}
	}
	if got := hear(t, r, "/none", 1); !strings.Contains(got, "no archive has GET ws://a.example/none; the nearest are ws://a.example/t") {
		t.Errorf("a miss: %q", got)
	}
	if w := ask(r, "GET", "http://a.example/talk", ""); w.Code != 502 {
		t.Errorf("a message as a page: %d %q", w.Code, w.Body)
	}
}
