package engine

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLiveView_livesAndDiesWithTheSession(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	e := hostEngine(t, counterShop(), func(o *Options) { o.LiveView = &LiveViewOptions{BaseURL: "https://api.example/v2/live"} })
	status := func(address string) int {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, strings.TrimPrefix(address, "https://api.example"), nil)
		w := httptest.NewRecorder()
		e.LiveView().ServeHTTP(w, r)
		return w.Code
	}
	s := newTestSession(t, e, SessionOptions{URL: "http://shop.example/"})
	info := s.Info()
	if info.LiveViewURL == info.InteractiveLiveViewURL || !strings.HasPrefix(info.LiveViewURL, "https://api.example/v2/live/") {
		t.Errorf("%+v", info)
	}
	if r := runIn(t, s, "node", "1"); r.LiveViewURL != info.LiveViewURL || r.InteractiveLiveViewURL != info.InteractiveLiveViewURL {
		t.Errorf("%+v", r)
	}
	for address, want := range map[string]int{info.LiveViewURL: 200, info.InteractiveLiveViewURL: 200, info.LiveViewURL + "x": 404, "https://api.example/v2/live/": 404} {
		if got := status(address); got != want {
			t.Errorf("%s: %d, want %d", address, got, want)
		}
	}
	site := httptest.NewServer(e.LiveView()) // as behind a proxy that names it by its address
	defer site.Close()
	for origin, want := range map[string]int{"https://api.example": 101, "https://other.example": 403, "http://api.example": 403} {
		if got := openSocket(t, site.URL+strings.TrimPrefix(info.LiveViewURL, "https://api.example")+"/socket", origin); got != want {
			t.Errorf("socket of a page of %s: %d, want %d", origin, got, want)
		}
	}
	if ended, err := s.Close(); err != nil || ended.LiveViewURL != "" || ended.InteractiveLiveViewURL != "" {
		t.Errorf("%+v, %v", ended, err)
	}
	if got := status(info.LiveViewURL); got != 404 {
		t.Errorf("after the end: %d", got)
	}
}

// openSocket asks for a WebSocket (RFC 6455 §4.1), closes it, and gives the status.
func openSocket(t *testing.T, address, origin string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Origin": origin, "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
	} {
		r.Header.Set(name, value)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Body.Close()
	return a.StatusCode
}

func TestLiveView_isOffUntilAskedFor(t *testing.T) {
	w := httptest.NewRecorder()
	newTestEngine(t, Options{}).LiveView().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
	for _, o := range []LiveViewOptions{{BaseURL: "ftp://x"}, {BaseURL: "nothing"}, {BaseURL: "http://x/", Addr: ":1"}} {
		_, err := New(Options{LiveView: &o})
		wantRefusal(t, err, "LiveView.BaseURL", CodeBadRequest)
	}
}
