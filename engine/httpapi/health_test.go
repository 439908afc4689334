package httpapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
)

func TestHealth_isServedToEveryoneWithoutLimit(t *testing.T) {
	w := newWatched(t, func(eo *engine.Options, o *Options) {
		o.Keys, o.Limits.Rates = nil, map[Endpoint]Rate{EndpointStatus: {Requests: 1, Window: time.Hour}}
		eo.Render, eo.Browser.Executable = engine.RenderAlways, "/nowhere/browser" // which isn't looked for
	})
	elsewhere := func(r *http.Request) { r.Host = "10.0.0.7:8080" }
	for range 5 {
		if a := w.as("", "GET", "/healthz", "", elsewhere); a.status != 200 || a.text("status") != "ok" || len(a.body) != 1 || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %s", a.status, a.raw)
		}
		if a := w.as("", "GET", "/readyz", "", elsewhere); a.status != 200 || a.text("status") != "ready" || len(a.body) != 1 {
			t.Errorf("%d %s", a.status, a.raw)
		}
	}
	for _, l := range w.lines() {
		if l["level"] != "DEBUG" || l["status"] != 200.0 {
			t.Errorf("a probe is logged: %v", l)
		}
	}
	if len(w.spans.GetSpans()) != 0 {
		t.Errorf("probes have spans: %+v", w.spans.GetSpans())
	}
	if n := w.numbers()["http.server.request.duration http.request.method=GET http.response.status_code=200 http.route=/readyz url.scheme=http"]; n != 5 {
		t.Errorf("%v are counted", n)
	}
	for _, target := range []string{"POST /healthz", "DELETE /readyz", "GET /healthz/", "GET /readyz/x"} {
		method, path, _ := strings.Cut(target, " ")
		if a := w.as("", method, path, ""); a.status == 200 {
			t.Errorf("%s: %d %s", target, a.status, a.raw)
		}
	}
}

func TestHealth_answersHEAD(t *testing.T) {
	s := newService(t)
	for _, path := range []string{"/healthz", "/readyz"} {
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, httptest.NewRequest("HEAD", path, nil)); w.Code != 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestReady_saysWhyNot(t *testing.T) {
	stopping := make(chan struct{})
	w := newWatched(t, func(_ *engine.Options, o *Options) { o.Stopping = stopping })
	asked := func(status int, want ...string) {
		t.Helper()
		a := w.as("", "GET", "/readyz", "")
		var got []string
		reasons, _ := a.get("reasons").([]any)
		for _, r := range reasons {
			got = append(got, r.(string))
		}
		if a.status != status || !slices.Equal(got, want) || status != 200 && a.text("status") != "unready" {
			t.Errorf("%d %s, want %d %q", a.status, a.raw, status, want)
		}
	}
	asked(200)
	close(stopping)
	asked(503, "the service is stopping")
	w.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`) // others are still served
	if err := w.engine.Close(); err != nil {
		t.Fatal(err)
	}
	asked(503, "the service is stopping", "the engine is closed")
	if a := w.as("", "GET", "/healthz", ""); a.status != 200 {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if !strings.Contains(w.log.String(), "the engine is not ready") {
		t.Error(w.log.String())
	}
}
