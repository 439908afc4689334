package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

func TestCrawl_startStatusAndPages(t *testing.T) {
	s := newService(t)
	start := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","sitemap":"skip","ignoreRobotsTxt":true,"limit":10}`)
	id := start.text("id")
	if start.text("url") != "https://api.example/v2/crawl/"+id || start.get("success") != true || start.get("promptGeneratedOptions") != nil {
		t.Errorf("%s", start.raw)
	}
	s.ended(id)
	a := s.must(200, "GET", "/v2/crawl/"+id, "")
	if a.text("status") != "completed" || a.get("completed") != 3.0 || a.get("total") != 3.0 || a.get("creditsUsed") != 3.0 || a.get("next") != nil || a.text("expiresAt") == "" {
		t.Errorf("%s", a.raw)
	}
	if data := a.get("data").([]any); len(data) != 3 || a.text("data", 0, "metadata", "sourceURL") == "" {
		t.Errorf("%d documents", len(data))
	}
	first := s.must(200, "GET", "/v2/crawl/"+id+"?limit=2", "")
	next := first.text("next")
	if next != "https://api.example/v2/crawl/"+id+"?limit=2&skip=2" || len(first.get("data").([]any)) != 2 {
		t.Errorf("next %s", next)
	}
	last := s.must(200, "GET", strings.TrimPrefix(next, "https://api.example"), "")
	if len(last.get("data").([]any)) != 1 || last.get("next") != nil {
		t.Errorf("%s", last.raw)
	}
	for _, q := range []string{"skip=-1", "skip=x", "limit=0", "limit=1001", "limit="} {
		s.must(400, "GET", "/v2/crawl/"+id+"?"+q, "")
	}
	s.must(409, "DELETE", "/v2/crawl/"+id, "")
	s.must(404, "GET", "/v2/batch/scrape/"+id, "")
	s.must(404, "GET", "/v2/extract/"+id, "")
}

func TestCrawl_activeAndCancel(t *testing.T) {
	s := newService(t)
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example/slow","sitemap":"skip","ignoreRobotsTxt":true,"limit":7,"delay":0.5,"webhook":{"url":"https://hook.example/secret"},
		"scrapeOptions":{"formats":["markdown","links"],"headers":{"Cookie":"secret"},"maxAge":10,"winnow":{"leftOut":true},"parsers":[{"type":"pdf","password":"secret"}]}}`).text("id")
	for _, target := range []string{"/v2/crawl/active", "/v2/crawl/ongoing"} {
		a := s.must(200, "GET", target, "")
		if o, ok := a.get("crawls", 0, "options").(map[string]any); !ok || o["limit"] != 7.0 || o["delay"] != 0.5 || o["sitemap"] != "skip" || a.text("crawls", 0, "options", "scrapeOptions", "formats", 0) != "markdown" ||
			a.get("crawls", 0, "options", "scrapeOptions", "maxAge") != 10.0 || a.get("crawls", 0, "options", "scrapeOptions", "winnow", "leftOut") != true || strings.Contains(a.raw, "secret") {
			t.Errorf("%s: %s", target, a.raw)
		}
		if a.text("crawls", 0, "id") != id || a.text("crawls", 0, "teamId") != "red" || a.text("crawls", 0, "url") == "" || a.text("crawls", 0, "created_at") == "" {
			t.Errorf("%s: %s", target, a.raw)
		}
	}
	if a := s.must(200, "GET", "/v2/crawl/"+id, ""); a.text("status") != "scraping" || a.text("next") == "" || len(a.get("data").([]any)) != 0 {
		t.Errorf("%s", a.raw)
	}
	if a := s.must(200, "DELETE", "/v2/crawl/"+id, ""); a.text("status") != "cancelled" || len(a.body) != 1 {
		t.Errorf("%s", a.raw)
	}
	if a := s.must(200, "GET", "/v2/crawl/"+id, ""); a.text("status") != "cancelled" || a.get("next") != nil {
		t.Errorf("%s", a.raw)
	}
	s.must(409, "DELETE", "/v2/crawl/"+id, "")
}

func TestCrawl_errorsListWhatWasLeftOutAndWhy(t *testing.T) {
	s := newService(t)
	id := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","excludePaths":["^/b"],"sitemap":"skip"}`).text("id")
	s.ended(id)
	a := s.must(200, "GET", "/v2/crawl/"+id+"/errors", "")
	if got := fmt.Sprint(a.get("winnow", "denied")); got != "[map[count:1 reason:EXCLUDE_PATTERN urls:[http://lamp.example/b]]]" {
		t.Errorf("%s in %s", got, a.raw)
	}
}

func TestCrawl_previewNeedsAModel(t *testing.T) {
	if a := newService(t).red("POST", "/v2/crawl/params-preview", `{"url":"lamp.example","prompt":"the lamps"}`); a.status != 503 || a.text("code") != "MODEL_NOT_CONFIGURED" {
		t.Errorf("%d %s", a.status, a.raw)
	}
}

func TestBatch_invalidURLsAndErrors(t *testing.T) {
	s := newService(t)
	start := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","nobody.example","ftp://x","lamp.example/a"],"formats":["markdown"]}`)
	if fmt.Sprint(start.get("invalidURLs")) != "[ftp://x]" || start.text("url") != "https://api.example/v2/batch/scrape/"+start.text("id") {
		t.Errorf("%s", start.raw)
	}
	s.ended(start.text("id"))
	a := s.must(200, "GET", "/v2/batch/scrape/"+start.text("id"), "")
	if a.text("status") != "completed" || a.get("completed") != 2.0 || len(a.get("data").([]any)) != 2 {
		t.Errorf("%s", a.raw)
	}
	e := s.must(200, "GET", "/v2/batch/scrape/"+start.text("id")+"/errors", "")
	if e.text("errors", 0, "code") != "SCRAPE_DNS_RESOLUTION_ERROR" || e.text("errors", 0, "url") != "http://nobody.example/" || e.text("errors", 0, "id") == "" || e.get("success") != nil || e.get("robotsBlocked") == nil {
		t.Errorf("%s", e.raw)
	}
	none := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a"]}`)
	if fmt.Sprint(none.get("invalidURLs")) != "[]" {
		t.Errorf("%s", none.raw)
	}
	strict := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a"],"ignoreInvalidURLs":false}`)
	if _, there := strict.body["invalidURLs"]; there {
		t.Errorf("%s", strict.raw)
	}
}

func TestJobs_idempotencyKey(t *testing.T) {
	s := newService(t)
	keyed := func(r *http.Request) { r.Header.Set("X-Idempotency-Key", "once") }
	first := s.red("POST", "/v2/batch/scrape", `{"urls":["lamp.example/a"]}`, keyed)
	again := s.red("POST", "/v2/batch/scrape", `{"urls":["lamp.example/a"]}`, keyed)
	other := s.red("POST", "/v2/batch/scrape", `{"urls":["lamp.example/b"]}`, keyed)
	if first.status != 200 || again.status != 409 || !strings.Contains(again.text("error"), first.text("id")) || other.status != 409 || other.text("code") != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("%s\n%s\n%s", first.raw, again.raw, other.raw)
	}
	if a := s.as(blueSecret, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/b"]}`, keyed); a.status != 200 {
		t.Errorf("another team's key: %s", a.raw)
	}
	if a := s.red("POST", "/v2/crawl", `{"url":"lamp.example"}`, func(r *http.Request) { r.Header.Set("X-Idempotency-Key", strings.Repeat("k", 201)) }); a.status != 400 {
		t.Errorf("%d", a.status)
	}
}

func TestJobs_aPageIsCutAtTenMegabytes(t *testing.T) {
	s := newService(t, func(eo *engine.Options, _ *Options) {
		mux := eo.Hosts["lamp.example"].(*http.ServeMux)
		mux.HandleFunc("/big/", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%s</title><p>%s</p>", r.URL.Path, strings.Repeat("many words ", 4<<20/11))
		})
	})
	id := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/big/1","lamp.example/big/2","lamp.example/big/3"],"formats":["rawHtml"],"timeout":300000}`).text("id")
	s.ended(id)
	target, pages, seen := "/v2/batch/scrape/"+id, 0, map[string]bool{}
	for target != "" {
		a := s.must(200, "GET", target, "")
		if len(a.raw) > 10<<20+4096 {
			t.Errorf("a page of %d bytes", len(a.raw))
		}
		for i := range a.get("data").([]any) {
			seen[a.text("data", i, "metadata", "title")] = true
		}
		target = strings.TrimPrefix(a.text("next"), "https://api.example")
		pages++
	}
	if pages != 2 || len(seen) != 3 {
		t.Errorf("%d pages, documents %v", pages, seen)
	}
}

func TestScrapeOptionsOf_haveNoTextsOfActions(t *testing.T) {
	o := engine.ScrapeOptions{WaitFor: 2 * time.Second, Actions: []actions.Action{{Type: actions.Write, Text: "secret"}}}
	data, err := json.Marshal(scrapeOptionsOf(o))
	if want := `{"waitFor":2000,"actions":[{"type":"write"}]}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}
