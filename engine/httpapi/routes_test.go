package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/llm/llmtest"
)

func TestRoutes_unknownOnesAreNotFound(t *testing.T) {
	s := newService(t)
	for _, target := range []string{
		"GET /", "GET /v2", "POST /v2/scrape/", "GET /v2/crawl/a/b", "POST /v3/scrape", "GET /v2//scrape", "GET /v2/../v2/team/activity", "GET /v2/team/activity/",
	} {
		method, path, _ := strings.Cut(target, " ")
		a := s.red(method, path, "")
		if a.status != 404 || a.text("code") != "NOT_FOUND" || a.get("success") != false || a.text("error") == "" {
			t.Errorf("%s: %d %s", target, a.status, a.raw)
		}
	}
}

func TestRoutes_otherMethodsGetTheAllowedOnes(t *testing.T) {
	s := newService(t)
	for target, want := range map[string]string{
		"GET /v2/scrape": "POST", "PUT /v2/scrape": "POST", "OPTIONS /v2/scrape": "POST", "PATCH /v2/browser": "GET, POST, DELETE",
		"POST /v2/crawl/0190b8a0-0000-7000-8000-000000000000": "GET, DELETE",
	} {
		method, path, _ := strings.Cut(target, " ")
		a := s.red(method, path, "")
		if a.status != 405 || a.text("code") != "METHOD_NOT_ALLOWED" || a.header.Get("Allow") != want {
			t.Errorf("%s: %d %v %s", target, a.status, a.header, a.raw)
		}
	}
}

func TestRoutes_anIDThatIsNoUUIDIsRefused(t *testing.T) {
	s := newService(t)
	for _, r := range table() {
		method, target := example(r.pattern)
		if !strings.Contains(r.pattern, "{id}") {
			continue
		}
		for _, id := range []string{"x", "0190B8A0-0000-7000-8000-000000000000", "%2e%2e", "{0190b8a0-0000-7000-8000-000000000000}"} {
			a := s.red(method, strings.Replace(target, "0190b8a0-0000-7000-8000-000000000000", id, 1), bodies[r.pattern])
			if a.status != 400 && !(id == "%2e%2e" && a.status == 404) {
				t.Errorf("%s with %s: %d %s", r.pattern, id, a.status, a.raw)
			}
		}
	}
}

// bodies are those of routes that need one to get as far as the id.
var bodies = map[string]string{
	"POST /v2/scrape/{id}/interact":  `{"code":"1"}`,
	"POST /v2/browser/{id}/execute":  `{"code":"1"}`,
	"POST /v2/interact/{id}/execute": `{"code":"1"}`,
	"DELETE /v2/browser":             `{"id":"0190b8a0-0000-7000-8000-000000000000"}`,
	"DELETE /v2/interact":            `{"id":"0190b8a0-0000-7000-8000-000000000000"}`,
	"POST /v2/monitor":               `{"name":"m","schedule":{"text":"every 90 minutes"},"targets":[{"urls":["lamp.example"]}]}`,
	"PATCH /v2/monitor/{id}":         `{"name":"n"}`,
	"POST /v2/scrape":                `{"url":"lamp.example"}`,
	"POST /v2/batch/scrape":          `{"urls":["lamp.example"]}`,
	"POST /v2/crawl":                 `{"url":"lamp.example"}`,
	"POST /v2/crawl/params-preview":  `{"url":"lamp.example","prompt":"all"}`,
	"POST /v2/map":                   `{"url":"lamp.example"}`,
	"POST /v1/map":                   `{"url":"lamp.example"}`,
	"POST /v2/search":                `{"query":"lamps"}`,
	"POST /v2/extract":               `{"prompt":"lamps"}`,
	"POST /v2/agent":                 `{"prompt":"lamps"}`,
	"POST /v2/browser":               `{}`,
	"POST /v2/interact":              `{}`,
}

func TestRoutes_anUnknownIDIsNotFound(t *testing.T) {
	s := newService(t)
	for _, r := range table() {
		method, target := example(r.pattern)
		body := bodies[r.pattern]
		if !strings.Contains(target+body, "0190b8a0-") {
			continue
		}
		if a := s.red(method, target, body); a.status != 404 || a.text("code") != "NOT_FOUND" {
			t.Errorf("%s: %d %s", r.pattern, a.status, a.raw)
		}
	}
}

// owned makes one of each thing that has an id, as red, but a session, which needs a browser.
func owned(s *service) map[string]string {
	s.t.Helper()
	target, _ := s.reference(`{"filename":"lamp.html"}`)
	return map[string]string{
		"parse":   strings.TrimPrefix(strings.Split(target, "?")[0], "/v2/parse/upload/"),
		"monitor": s.must(200, "POST", "/v2/monitor", bodies["POST /v2/monitor"]).text("data", "id"),
		"scrape":  s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`).text("data", "metadata", "scrapeId"),
		"batch":   s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/slow"]}`).text("id"),
		"crawl":   s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","ignoreRobotsTxt":true,"sitemap":"skip"}`).text("id"),
		"extract": s.must(200, "POST", "/v2/extract", `{"urls":["lamp.example"],"prompt":"lamps"}`).text("id"),
		"agent":   s.must(200, "POST", "/v2/agent", `{"urls":["lamp.example"],"prompt":"lamps"}`).text("id"),
	}
}

func withModel(t testing.TB) func(*engine.Options, *Options) {
	model := llmtest.NewServer(t, llmtest.Step{Func: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Status: 500, Message: "no model today"} }, Times: -1}).Model()
	return func(o *engine.Options, _ *Options) { o.Model = model }
}

func TestRoutes_whatIsOfAnotherTeamIsForbidden(t *testing.T) {
	s := newService(t, withModel(t))
	ids, seen := owned(s), 0
	for _, r := range table() {
		method, target, _ := strings.Cut(r.pattern, " ")
		if !strings.Contains(target, "{id}") || strings.HasPrefix(target, "/v2/browser") || strings.HasPrefix(target, "/v2/interact") {
			continue // sessions: see TestSessions
		}
		id := ids[strings.Split(target, "/")[2]]
		seen++
		a := s.as(blueSecret, method, strings.Replace(target, "{id}", id, 1), bodies[r.pattern])
		if a.status != 403 || a.text("code") != "FORBIDDEN" {
			t.Errorf("%s: %d %s", r.pattern, a.status, a.raw)
		}
	}
	if seen != 26 {
		t.Errorf("%d routes with an id were asked", seen)
	}
	if a := s.as(blueSecret, "POST", "/v2/batch/scrape", `{"urls":["lamp.example"],"appendToId":"first"}`); a.status != 400 || a.text("details", 0, "path", 0) != "appendToId" {
		t.Errorf("what is no id: %d %s", a.status, a.raw)
	}
	s.must(404, "POST", "/v2/batch/scrape", `{"urls":["lamp.example"],"appendToId":"0190b8a0-0000-7000-8000-000000000000"}`)
	if a := s.as(blueSecret, "GET", "/v2/extract/"+ids["agent"], ""); a.status != 403 {
		t.Errorf("the agent as an extraction: %d", a.status)
	}
	if a := s.as(blueSecret, "POST", "/v2/batch/scrape", `{"urls":["lamp.example"],"appendToId":"`+ids["batch"]+`"}`); a.status != 403 {
		t.Errorf("appending: %d %s", a.status, a.raw)
	}
	for _, target := range []string{"/v2/crawl/active", "/v2/agent", "/v2/team/activity"} {
		if a := s.as(blueSecret, "GET", target, ""); a.status != 200 || strings.Contains(a.raw, ids["crawl"]) || strings.Contains(a.raw, ids["agent"]) {
			t.Errorf("%s: %d %s", target, a.status, a.raw)
		}
	}
	s.must(200, "DELETE", "/v2/batch/scrape/"+ids["batch"], "")
}

func TestServe_aPanicIsAnInnerFault(t *testing.T) {
	s := newService(t)
	a := &api{engine: s.engine, options: Options{Keys: []Key{key(t, redSecret, "red")}}.resolve(), limits: quota.NewRates(), teams: quota.NewTeams(), credits: quota.NewCredits(account{s.engine})}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.serve(w, r, route{"GET /", EndpointStatus, 0, func(*call) error { panic(errors.New("/var/secret")) }})
	})
	got := s.red("GET", "/", "")
	if got.status != 500 || got.text("code") != "UNKNOWN_ERROR" || got.text("id") == "" || strings.Contains(got.raw, "secret") {
		t.Errorf("%d %s", got.status, got.raw)
	}
}
