package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
)

// The live view's own headers show that it has answered.
func TestNew_mountsTheLiveView(t *testing.T) {
	const base = "https://api.example"
	e, err := engine.New(engine.Options{LiveView: &engine.LiveViewOptions{BaseURL: base + httpapi.LivePath}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var log strings.Builder
	h := httpapi.New(e, httpapi.Options{BaseURL: base, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, httpapi.LivePath+"a-token-that-is-secret", nil))
	if w.Code != http.StatusNotFound || !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if strings.Contains(log.String(), "secret") {
		t.Error(&log)
	}
}
