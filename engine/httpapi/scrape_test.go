package httpapi

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

func TestScrape_givesTheDocumentAndKeepsIt(t *testing.T) {
	s := newService(t)
	a := s.must(200, "POST", "/v2/scrape", `{"url":"lamp.example","formats":["markdown","links","html"],"origin":"test","integration":null}`)
	if a.get("success") != true || !strings.HasPrefix(a.text("data", "markdown"), "# The lamp") || a.text("data", "links", 0) != "http://lamp.example/a" || a.text("data", "html") == "" {
		t.Errorf("%s", a.raw)
	}
	m := a.get("data", "metadata").(map[string]any)
	if m["statusCode"] != 200.0 || m["sourceURL"] != "lamp.example" || m["creditsUsed"] != 1.0 {
		t.Errorf("%v", m)
	}
	again := s.must(200, "GET", "/v2/scrape/"+m["scrapeId"].(string), "")
	if again.text("data", "markdown") != a.text("data", "markdown") {
		t.Errorf("%s", again.raw)
	}
	if h := a.header; h.Get("Content-Type") != "application/json; charset=utf-8" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", h)
	}
}

func TestScrape_aPageThatIsMissingIsADocument(t *testing.T) {
	a := newService(t).must(200, "POST", "/v2/scrape", `{"url":"lamp.example/missing"}`)
	if a.get("data", "metadata", "statusCode") != 404.0 || a.text("data", "metadata", "error") != "Not Found" {
		t.Errorf("%s", a.raw)
	}
}

func TestScrape_errorsHaveStatusAndCode(t *testing.T) {
	s := newService(t)
	for body, want := range map[string]struct {
		status int
		code   engine.Code
	}{
		`{"url":"nobody.example"}`:                                  {500, engine.CodeDNS},
		`{"url":"http://127.0.0.1/"}`:                               {403, engine.CodeBlocked},
		`{"url":"lamp.example/slow","timeout":1000}`:                {408, engine.CodeTimeout},
		`{"url":"lamp.example/new","minAge":1}`:                     {404, engine.CodeNoCachedData},
		`{"url":"lamp.example/new","lockdown":true}`:                {404, engine.CodeLockdownMiss},
		`{"url":"lamp.example","formats":["summary"]}`:              {503, engine.CodeModelNotConfigured},
		`{"url":"lamp.example","proxy":"enhanced"}`:                 {400, engine.CodeProxy},
		`{"url":"lamp.example","formats":["audio"]}`:                {500, engine.CodeAudioUnsupported},
		`{"url":"lamp.example","zeroDataRetention":true,"a":false}`: {400, engine.CodeBadRequest},
	} {
		a := s.red("POST", "/v2/scrape", body)
		if a.status != want.status || a.text("code") != string(want.code) || a.get("success") != false || a.text("error") == "" {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
		if want.code == engine.CodeLockdownMiss && strings.Contains(a.raw, "lamp.example") {
			t.Errorf("lockdown shows the URL: %s", a.raw)
		}
	}
}

func TestScrape_aFailureIsReadAgainByItsID(t *testing.T) {
	s := newService(t)
	s.red("POST", "/v2/scrape", `{"url":"nobody.example"}`)
	list := s.must(200, "GET", "/v2/team/activity", "")
	a := s.must(500, "GET", "/v2/scrape/"+list.text("data", 0, "id"), "")
	if a.text("code") != string(engine.CodeDNS) {
		t.Errorf("%s", a.raw)
	}
}

func TestScrape_zeroDataRetentionPerKey(t *testing.T) {
	s := newService(t, func(eo *engine.Options, o *Options) {
		eo.AllowZeroDataRetention = true
		o.Keys[0].Limits = &Limits{ZeroDataRetention: true}
	})
	body := `{"url":"lamp.example","zeroDataRetention":true}`
	s.must(200, "POST", "/v2/scrape", body)
	if a := s.as(blueSecret, "POST", "/v2/scrape", body); a.status != 400 || a.text("details", 0, "path", 0) != "zeroDataRetention" {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if a := s.must(200, "GET", "/v2/team/activity", ""); len(a.get("data").([]any)) != 0 {
		t.Errorf("%s", a.raw)
	}
}
