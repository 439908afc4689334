package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/engine/search"
)

// oldSpelling reads the options of a page of the first version.
func oldSpelling(t *testing.T, body string) (engine.ScrapeOptions, decode.FormatsV1, error) {
	t.Helper()
	var o engine.ScrapeOptions
	var v decode.FormatsV1
	if err := decode.Object([]byte(body), decode.ScrapeFieldsV1(&o, &v)); err != nil {
		return o, v, err
	}
	err := v.Apply(&o)
	return o, v, err
}

func TestV1_formatsAreNamesWithTheirOptionsBeside(t *testing.T) {
	for body, want := range map[string]string{
		`{}`: `[]`,
		`{"formats":["markdown","screenshot@fullPage"]}`:                                                            `[markdown, screenshot full]`,
		`{"formats":["json"],"jsonOptions":{"prompt":"the price","schema":{"type":"object"}}}`:                      `[json "the price" {"type":"object"}]`,
		`{"formats":["extract"],"extract":{"prompt":"the price","systemPrompt":"You read shops."}}`:                 `[json "You read shops.\n\nthe price"] extract`,
		`{"extract":{"prompt":"the price"}}`:                                                                        `[json "the price"] extract`,
		`{"formats":["markdown","changeTracking"],"changeTrackingOptions":{"modes":["git-diff"],"tag":"a"}}`:        `[markdown, changeTracking git-diff a]`,
		`{"formats":["changeTracking"],"changeTrackingOptions":{"modes":["json"],"prompt":"the price","tag":null}}`: `[changeTracking "the price" json]`,
	} {
		o, v, err := oldSpelling(t, body)
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		var list []string
		for _, f := range o.Formats {
			text := string(f.Type)
			if f.FullPage {
				text += " full"
			}
			if f.Prompt != "" {
				text += fmt.Sprintf(" %q", f.Prompt)
			}
			if f.Schema != nil {
				text += " " + string(f.Schema)
			}
			if f.Modes != nil {
				text += " " + strings.Join(f.Modes, " ")
			}
			if f.Tag != nil {
				text += " " + *f.Tag
			}
			list = append(list, text)
		}
		got := "[" + strings.Join(list, ", ") + "]"
		if v.Extracts() {
			got += " extract"
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
	for _, body := range []string{`{"formats":[{"type":"json"}]}`, `{"formats":["foo"]}`, `{"agent":{"model":"FIRE-1"}}`, `{"jsonOptions":{"prmpt":"a"}}`, `{"formats":["changeTracking"],"changeTrackingOptions":{"modes":["foo"]}}`} {
		if _, _, err := oldSpelling(t, body); err == nil {
			t.Errorf("%s is accepted", body)
		}
	}
}

func TestV1_pagesAreFetchedAfreshUnlessMaxAgeSaysOtherwise(t *testing.T) {
	for body, want := range map[string]time.Duration{`{}`: 0, `{"maxAge":1000}`: time.Second} {
		if o, _, err := oldSpelling(t, body); err != nil || o.MaxAge == nil || *o.MaxAge != want {
			t.Errorf("%s: %v, %v", body, o.MaxAge, err)
		}
	}
	if o, _, _ := oldSpelling(t, `{"lockdown":true}`); o.MaxAge != nil {
		t.Error("under lockdown nothing is fetched afresh")
	}
	if o, _, _ := oldSpelling(t, `{"parsePDF":false}`); o.Parsers == nil || len(o.Parsers) != 0 {
		t.Errorf("%v", o.Parsers)
	}
}

func TestV1_scrape(t *testing.T) {
	s := newService(t)
	a := s.must(200, "POST", "/v1/scrape", `{"url":"lamp.example","formats":["markdown","links"],"origin":"js-sdk@1.29.3","timeout":30000,"blockAds":true}`)
	if !strings.Contains(a.text("data", "markdown"), "The lamp") || a.text("scrape_id") != a.text("data", "metadata", "scrapeId") || a.text("data", "metadata", "cacheState") != "bypass" {
		t.Error(a.raw)
	}
	s.must(200, "GET", "/v1/scrape/"+a.text("scrape_id"), "")
	if a := s.must(400, "POST", "/v1/scrape", `{"url":"lamp.example","jsonOptions":{"prmpt":"a"}}`); a.text("details", 0, "path", 1) != "prmpt" {
		t.Error(a.raw)
	}
	s.must(403, "POST", "/v1/scrape", `{"url":"http://127.0.0.1/"}`)
}

// Its diff was an object.
func TestV1_changesAreInTheOlderShape(t *testing.T) {
	n := 0
	s := newService(t, func(eo *engine.Options, _ *Options) {
		eo.Hosts["lamp.example"].(*http.ServeMux).HandleFunc("/changes", func(w http.ResponseWriter, _ *http.Request) {
			n++
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>Changes</title><main><h1>Changes</h1><p>This page has changed %d times by now, and goes on to.</p></main>", n)
		})
	})
	const body = `{"url":"lamp.example/changes","formats":["markdown","changeTracking"],"changeTrackingOptions":{"modes":["git-diff"]}}`
	s.must(200, "POST", "/v1/scrape", body)
	a := s.must(200, "POST", "/v1/scrape", body)
	if !strings.Contains(a.text("data", "changeTracking", "diff", "text"), "+This page has changed 2 times") || a.get("data", "changeTracking", "diff", "json", "files") == nil || a.get("data", "changeTracking", "json") != nil {
		t.Error(a.raw)
	}
	id := s.must(200, "POST", "/v1/batch/scrape", `{"urls":["lamp.example/changes"],`+strings.TrimPrefix(body, `{"url":"lamp.example/changes",`)).text("id")
	s.ended(id)
	if a := s.must(200, "GET", "/v1/batch/scrape/"+id, ""); !strings.Contains(a.text("data", 0, "changeTracking", "diff", "text"), "+This page has changed 3 times") {
		t.Error(a.raw)
	}
}

func TestDocumentV1_dataStandsUnderTheNameThatWasRequested(t *testing.T) {
	const doc = `{"json":{"price":1},"markdown":"a"}`
	for extracts, want := range map[bool]string{true: `{"extract":{"price":1},"markdown":"a"}`, false: doc} {
		if got, err := documentV1(json.RawMessage(doc), extracts); err != nil || string(got) != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
	const fields = `{"changeTracking":{"changeStatus":"changed","diff":"+a","json":{"price":{"previous":1,"current":2}}}}`
	want := `{"changeTracking":{"changeStatus":"changed","diff":{"text":"+a","json":{"files":[]}},"json":{"price":{"previous":1,"current":2}}}}`
	if got, err := documentV1(json.RawMessage(fields), false); err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestV1_crawlsAndBatches(t *testing.T) {
	s := newService(t)
	a := s.must(200, "POST", "/v1/crawl", `{"url":"lamp.example","limit":3,"ignoreSitemap":true,"allowBackwardLinks":true,"scrapeOptions":{"formats":["markdown"]}}`)
	id := a.text("id")
	if want := "https://api.example/v1/crawl/" + id; a.text("url") != want || a.get("success") != true {
		t.Errorf("%s, want %s", a.raw, want)
	}
	s.ended(id)
	a = s.must(200, "GET", "/v1/crawl/"+id+"?limit=1", "")
	if next := a.text("next"); a.text("status") != "completed" || a.get("total") != 3.0 || next != "https://api.example/v1/crawl/"+id+"?limit=1&skip=1" {
		t.Error(a.raw)
	}
	for _, method := range []string{"GET", "DELETE"} { // as clients have it
		if a := s.must(200, method, "/v1/crawl/"+id+"/errors", ""); a.get("errors") == nil || a.get("robotsBlocked") == nil {
			t.Error(a.raw)
		}
	}
	s.must(409, "DELETE", "/v1/crawl/"+id, "")
	a = s.must(200, "POST", "/v1/batch/scrape", `{"urls":["lamp.example/a","no URL:"],"formats":["markdown"],"ignoreInvalidURLs":true}`)
	if a.get("invalidURLs", 0) != "no URL:" || !strings.Contains(a.text("url"), "/v1/batch/scrape/") {
		t.Error(a.raw)
	}
	s.ended(a.text("id"))
	for _, path := range []string{"/v1/batch/scrape/", "/v1/crawl/"} { // clients wait for a batch as for a crawl
		if a := s.must(200, "GET", path+a.text("id"), ""); !strings.Contains(a.text("data", 0, "markdown"), "Page /a") {
			t.Error(a.raw)
		}
	}
	if a := s.as(blueSecret, "GET", "/v1/crawl/"+id, ""); a.status != 403 {
		t.Errorf("another team: %d %s", a.status, a.raw)
	}
}

// Each catchup message makes the older clients report all documents that they have.
func TestV1_aStreamHasOneStatus(t *testing.T) {
	gate := make(chan struct{})
	s := newService(t, gated(gate))
	id := s.must(200, "POST", "/v1/batch/scrape", `{"urls":["lamp.example/a","lamp.example/gated/1"]}`).text("id")
	f := s.mustFollow("/v1/crawl/"+id, redSecret)
	if first := f.next(); first.text("type") != "catchup" {
		t.Errorf("%s", first.raw)
	}
	close(gate)
	got := strings.Join(f.all().types, " ")
	if got != "document document" && got != "document" { // the first may have been there at once; done is the reason for closing
		t.Errorf("then came %s", got)
	}
}

func TestV1_search(t *testing.T) {
	s := newService(t, func(o *engine.Options, _ *Options) { o.Search = []search.Provider{finder{}} })
	a := s.must(200, "POST", "/v1/search", `{"query":"lamp","limit":2,"lang":"en","country":"us","timeout":60000,"scrapeOptions":{"formats":[]},"origin":"js-sdk@1.29.3"}`)
	if list, _ := a.get("data").([]any); len(list) != 2 || a.text("data", 0, "url") != "http://lamp.example/a" || a.text("data", 0, "markdown") != "" || a.text("warning") != "" {
		t.Error(a.raw)
	}
	if a := s.must(200, "POST", "/v1/search", `{"query":"lamp","country":"de"}`); !strings.Contains(a.text("warning"), "country") {
		t.Error(a.raw)
	}
	a = s.must(200, "POST", "/v1/search", `{"query":"lamp","limit":1,"scrapeOptions":{"formats":["markdown"]}}`)
	if !strings.Contains(a.text("data", 0, "markdown"), "Page /a") || a.text("data", 0, "title") != "Hit 1" {
		t.Error(a.raw)
	}
}

func TestV1_whatIsNoLongerServedSaysWhatIs(t *testing.T) {
	s := newService(t)
	for path, want := range map[string]string{"/v1/deep-research": "POST /v2/agent", "/v1/llmstxt": "POST /v2/crawl"} {
		for method, at := range map[string]string{"POST": path, "GET": path + "/1"} {
			if a := s.must(404, method, at, ""); !strings.Contains(a.text("error"), path+" is no longer served: "+want) {
				t.Error(a.raw)
			}
		}
	}
}

func TestV1_teamSpellsWithUnderscores(t *testing.T) {
	s := newService(t)
	for path, field := range map[string]string{"credit-usage": "remaining_credits", "token-usage": "plan_tokens"} {
		if a := s.must(200, "GET", "/v1/team/"+path, ""); a.get("data", field) == nil {
			t.Error(a.raw)
		}
	}
	for _, path := range []string{"queue-status", "credit-usage/historical", "token-usage/historical"} {
		s.must(200, "GET", "/v1/team/"+path, "")
	}
}
