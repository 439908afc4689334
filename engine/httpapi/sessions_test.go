package httpapi

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
)

// TestSessions_lifeOwnersAndLimits needs a browser and a sandbox on this machine, and installs neither: engine's own tests do.
func TestSessions_lifeOwnersAndLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test starts a real browser")
	}
	s := newService(t, func(eo *engine.Options, o *Options) {
		eo.Browser.Install = browser.InstallNever
		eo.LiveView = &engine.LiveViewOptions{BaseURL: "https://api.example" + LivePath}
		o.Keys[0].Limits = &Limits{Sessions: 1}
	})
	a := s.red("POST", "/v2/browser", `{"ttl":600,"activityTtl":600,"streamWebView":false,"origin":"test"}`)
	if a.status == 503 && a.text("code") == string(engine.CodeNotConfigured) && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("this machine has no browser or no sandbox: " + a.text("error"))
	}
	id := a.text("id")
	if a.status != 200 || a.get("cdpUrl") != "" || a.get("liveViewUrl") != "" || a.text("expiresAt") == "" {
		t.Fatalf("%d %s", a.status, a.raw)
	}
	if a := s.must(429, "POST", "/v2/interact", `{}`); a.text("code") != "SESSION_LIMIT_REACHED" {
		t.Errorf("%s", a.raw)
	}
	sessionCode(s, id)
	sessionOfOthers(s, id)
	if a := s.must(200, "GET", "/v2/browser?status=active", ""); a.text("sessions", 0, "id") != id || a.text("sessions", 0, "status") != "active" || a.text("sessions", 0, "lastActivity") == "" || a.get("sessions", 0, "streamWebView") != false || a.get("sessions", 0, "liveViewUrl") != "" {
		t.Errorf("%s", a.raw)
	}
	for _, c := range [][3]string{{"DELETE", "/v2/browser/" + id, ""}, {"DELETE", "/v2/browser", `{"id":"` + id + `"}`}, {"DELETE", "/v2/interact/" + id, ""}} {
		a := s.must(200, c[0], c[1], c[2])
		if a.get("success") != true || a.get("sessionDurationMs").(float64) <= 0 || a.get("creditsBilled") != minutesOf(a) {
			t.Errorf("%v: %s", c, a.raw)
		}
	}
	if a := s.must(410, "POST", "/v2/browser/"+id+"/execute", `{"code":"1"}`); a.text("code") != "SESSION_DESTROYED" {
		t.Errorf("%s", a.raw)
	}
	s.must(400, "GET", "/v2/browser?status=asleep", "")
	interactWithAScrape(s)
}

// minutesOf is the price of a session that has ended: two credits for each minute that has begun.
func minutesOf(a answer) float64 { return 2 * math.Ceil(a.get("sessionDurationMs").(float64)/60_000) }

// begun reports whether credits are those of a session's first minutes, of which a busy machine needs more than one.
func begun(credits any) bool {
	n, _ := credits.(float64)
	return n >= 2 && n <= 20 && int(n)%2 == 0
}

// sessionCode runs code that works and code that fails.
func sessionCode(s *service, id string) {
	s.t.Helper()
	if a := s.must(200, "POST", "/v2/browser/"+id+"/execute", `{"code":"console.log('hello'); 6*7","language":"node"}`); a.get("success") != true || !strings.Contains(a.text("stdout"), "hello") || a.text("result") != "42" || !begun(a.get("creditsUsed")) || a.get("exitCode") != 0.0 || a.get("liveViewUrl") != "" {
		s.t.Errorf("%s", a.raw)
	}
	if a := s.must(200, "POST", "/v2/interact/"+id+"/execute", `{"code":"throw new Error('no')"}`); a.get("success") != false || a.get("exitCode") == 0.0 || a.text("error") == "" {
		s.t.Errorf("%s", a.raw)
	}
}

// sessionOfOthers asks for it as another team, on every route of sessions.
func sessionOfOthers(s *service, id string) {
	s.t.Helper()
	const unknown = "0190b8a0-0000-7000-8000-000000000000"
	for _, r := range table() {
		method, target := example(r.pattern)
		body := strings.Replace(bodies[r.pattern], unknown, id, 1)
		if ofSession := strings.HasPrefix(target, "/v2/browser") || strings.HasPrefix(target, "/v2/interact"); !ofSession || !strings.Contains(target+body, unknown) && body == bodies[r.pattern] {
			continue
		}
		if a := s.as(blueSecret, method, strings.Replace(target, unknown, id, 1), body); a.status != 403 {
			s.t.Errorf("%s: %d %s", r.pattern, a.status, a.raw)
		}
	}
	if a := s.as(blueSecret, "GET", "/v2/browser", ""); len(a.get("sessions").([]any)) != 0 {
		s.t.Errorf("%s", a.raw)
	}
}

// interactWithAScrape goes on where a scrape has left its page.
func interactWithAScrape(s *service) {
	s.t.Helper()
	scrape := s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example"}`).text("data", "metadata", "scrapeId")
	target := "/v2/scrape/" + scrape + "/interact"
	a := s.must(200, "POST", target, `{"code":"await page.title()"}`)
	if a.text("result") != "The lamp" && a.text("result") != "'The lamp'" || a.text("sessionId") == "" || !strings.HasPrefix(a.text("liveViewUrl"), "https://api.example/live/") {
		s.t.Errorf("%s", a.raw)
	}
	s.must(200, "POST", target, `{"code":"1"}`) // the same session: the limit of one is not met
	if a := s.must(200, "DELETE", target, ""); a.get("creditsBilled") != minutesOf(a) {
		s.t.Errorf("%s", a.raw)
	}
	s.must(410, "POST", target, `{"code":"1"}`)
}
