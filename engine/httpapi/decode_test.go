package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// refused are bodies that must be a 400, with the path of the field that the first detail names.
var refused = []struct{ route, body, path string }{
	{"/v2/scrape", `{}`, "[url]"},
	{"/v2/scrape", `{"url":7}`, "[url]"},
	{"/v2/scrape", `{"url":""}`, "[url]"},
	{"/v2/scrape", `{"url":"ftp://lamp.example/"}`, "[url]"},
	{"/v2/scrape", `{"url":"https://https://lamp.example/"}`, "[url]"},
	{"/v2/scrape", `{"url":"lamp.example","colour":1}`, "[colour]"},
	{"/v2/scrape", `{"url":"lamp.example","URL":"x"}`, "[URL]"},
	{"/v2/scrape", `{"url":"lamp.example","proxyURL":"http://p"}`, "[proxyURL]"},
	{"/v2/scrape", `{"url":"lamp.example","owner":"blue"}`, "[owner]"},
	{"/v2/scrape", `{"url":"lamp.example","render":"always"}`, "[render]"},
	{"/v2/scrape", `{"url":"lamp.example","maxTokens":1}`, "[maxTokens]"},
	{"/v2/scrape", `{"url":"lamp.example","timeout":999}`, "[timeout]"},
	{"/v2/scrape", `{"url":"lamp.example","timeout":300001}`, "[timeout]"},
	{"/v2/scrape", `{"url":"lamp.example","timeout":0}`, "[timeout]"},
	{"/v2/scrape", `{"url":"lamp.example","timeout":1e300}`, "[timeout]"},
	{"/v2/scrape", `{"url":"lamp.example","timeout":"5000"}`, "[timeout]"},
	{"/v2/scrape", `{"url":"lamp.example","timeout":null}`, "[timeout]"},
	{"/v2/scrape", `{"url":"lamp.example","timeout":1000.5}`, "[timeout]"},
	{"/v2/scrape", `{"url":"lamp.example","waitFor":-1}`, "[waitFor]"},
	{"/v2/scrape", `{"url":"lamp.example","waitFor":5000,"timeout":6000}`, "[waitFor]"},
	{"/v2/scrape", `{"url":"lamp.example","maxAge":-1}`, "[maxAge]"},
	{"/v2/scrape", `{"url":"lamp.example","mobile":"yes"}`, "[mobile]"},
	{"/v2/scrape", `{"url":"lamp.example","onlyMainContent":1}`, "[onlyMainContent]"},
	{"/v2/scrape", `{"url":"lamp.example","formats":"markdown"}`, "[formats]"},
	{"/v2/scrape", `{"url":"lamp.example","formats":["markdown","mp3"]}`, "[formats 1 type]"},
	{"/v2/scrape", `{"url":"lamp.example","formats":[{"type":"screenshot","viewport":{"width":9000,"height":10}}]}`, "[formats 0 viewport width]"},
	{"/v2/scrape", `{"url":"lamp.example","includeTags":["a",1]}`, "[includeTags 1]"},
	{"/v2/scrape", `{"url":"lamp.example","headers":{"a":1}}`, "[headers]"},
	{"/v2/scrape", `{"url":"lamp.example","headers":{"Host":"x"}}`, "[headers]"},
	{"/v2/scrape", `{"url":"lamp.example","location":{"country":"DE","city":"Berlin"}}`, "[location city]"},
	{"/v2/scrape", `{"url":"lamp.example","location":{"languages":"de"}}`, "[location languages]"},
	{"/v2/scrape", `{"url":"lamp.example","profile":{"name":""}}`, "[profile name]"},
	{"/v2/scrape", `{"url":"lamp.example","parsers":["word"]}`, "[parsers 0]"},
	{"/v2/scrape", `{"url":"lamp.example","parsers":[{"mode":"fast"}]}`, "[parsers 0 type]"},
	{"/v2/scrape", `{"url":"lamp.example","parsers":[{"type":"pdf","maxPages":0}]}`, "[parsers 0 maxPages]"},
	{"/v2/scrape", `{"url":"lamp.example","actions":[{"type":"fly"}]}`, "[actions 0 type]"},
	{"/v2/scrape", `{"url":"lamp.example","proxy":"tor"}`, "[proxy]"},
	{"/v2/scrape", `{"url":"lamp.example","proxy":""}`, "[proxy]"},
	{"/v2/scrape", `{"url":"lamp.example","zeroDataRetention":true}`, "[zeroDataRetention]"},
	{"/v2/scrape", `{"url":"lamp.example","fastMode":true}`, "[fastMode]"},
	{"/v2/scrape", `{"url":"lamp.example","redactPII":{"mode":"fast"}}`, "[redactPII]"},
	{"/v2/scrape", `{"url":"lamp.example","threatProtection":{}}`, "[threatProtection]"},
	{"/v2/scrape", `{"url":"lamp.example","auditMetadata":{}}`, "[auditMetadata]"},
	{"/v2/scrape", `{"url":"lamp.example","useMock":"x"}`, "[useMock]"},
	{"/v2/scrape", `{"url":"lamp.example","domainTools":true}`, "[domainTools]"},
	{"/v2/scrape", `{"url":"lamp.example","toolDetail":"x"}`, "[toolDetail]"},
	{"/v2/scrape", `{"url":"lamp.example","origin":7}`, "[origin]"},
	{"/v2/scrape", `{"url":"lamp.example","url":"lamp.example/a"}`, "[url]"},
	{"/v2/scrape", `{"url":"lamp.example","location":{"country":"DE","c\u006funtry":"FR"}}`, "[location country]"},
	{"/v2/scrape", `{"url":"lamp.example","leftOut":true}`, "[leftOut]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":true}`, "[winnow]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":null}`, "[winnow]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"left":true}}`, "[winnow left]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"leftOut":1}}`, "[winnow leftOut]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"budget":7}}`, "[winnow budget]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"budget":{"tokens":63}}}`, "[winnow budget tokens]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"budget":{"tokens":64,"size":1}}}`, "[winnow budget size]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"budget":{"query":"x"}}}`, "[winnow budget tokens]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"budget":{"tokens":64,"query":"x","from":1}}}`, "[winnow budget from]"},
	{"/v2/scrape", `{"url":"lamp.example","formats":["passages"],"winnow":{"budget":{"tokens":64}}}`, "[winnow budget]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"leftOut":true,"leftOut":false}}`, "[winnow leftOut]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"leftOut":true},"onlyMainContent":false}`, "[winnow leftOut]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"cleanBelow":"1"},"onlyCleanContent":true}`, "[winnow cleanBelow]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"cleanBelow":1.01},"onlyCleanContent":true}`, "[winnow cleanBelow]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"render":"sometimes"}}`, "[winnow render]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"minConfidence":2}}`, "[winnow minConfidence]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"render":"never","minConfidence":0.5}}`, "[winnow minConfidence]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"cleanBelow":-0.01},"onlyCleanContent":true}`, "[winnow cleanBelow]"},
	{"/v2/scrape", `{"url":"lamp.example","winnow":{"cleanBelow":0.5}}`, "[winnow cleanBelow]"},
	{"/v2/batch/scrape", `{"urls":["lamp.example"],"winnow":{"left":true}}`, "[winnow left]"},
	{"/v2/crawl", `{"url":"lamp.example","winnow":{"leftOut":true}}`, "[winnow leftOut]"},
	{"/v2/crawl", `{"url":"lamp.example","winnow":{"followTraps":1}}`, "[winnow followTraps]"},
	{"/v2/crawl", `{"url":"lamp.example","scrapeOptions":{"winnow":{"left":true}}}`, "[scrapeOptions winnow left]"},
	{"/v2/scrape", `[]`, "[]"},
	{"/v2/scrape", `null`, "[]"},
	{"/v2/batch/scrape", `{"urls":[]}`, "[urls]"},
	{"/v2/batch/scrape", `{"urls":"lamp.example"}`, "[urls]"},
	{"/v2/batch/scrape", `{"urls":["lamp.example"],"maxConcurrency":0}`, "[maxConcurrency]"},
	{"/v2/batch/scrape", `{"urls":["lamp.example","ftp://x"],"ignoreInvalidURLs":false}`, "[urls 1]"},
	{"/v2/batch/scrape", `{"urls":["ftp://x"]}`, "[urls]"},
	{"/v2/batch/scrape", `{"urls":["lamp.example"],"webhook":{"url":"https://x.example","dir":"/"}}`, "[webhook dir]"},
	{"/v2/batch/scrape", `{"urls":["lamp.example"],"webhook":"mailto:x"}`, "[webhook url]"},
	{"/v2/batch/scrape", `{"urls":["lamp.example"],"webhook":{"events":["page"]}}`, "[webhook url]"},
	{"/v2/crawl", `{"url":"lamp.example","limit":0}`, "[limit]"},
	{"/v2/crawl", `{"url":"lamp.example","delay":0}`, "[delay]"},
	{"/v2/crawl", `{"url":"lamp.example","delay":61}`, "[delay]"},
	{"/v2/crawl", `{"url":"lamp.example","sitemap":"none"}`, "[sitemap]"},
	{"/v2/crawl", `{"url":"lamp.example","includePaths":["("]}`, "[includePaths 0]"},
	{"/v2/crawl", `{"url":"lamp.example","scrapeOptions":{"url":"x"}}`, "[scrapeOptions url]"},
	{"/v2/crawl", `{"url":"lamp.example","scrapeOptions":{"timeout":1}}`, "[scrapeOptions timeout]"},
	{"/v2/crawl/params-preview", `{"url":"lamp.example"}`, "[prompt]"},
	{"/v2/map", `{"url":"lamp.example","limit":100001}`, "[limit]"},
	{"/v1/map", `{"url":"lamp.example","limit":30001}`, "[limit]"},
	{"/v1/map", `{"url":"lamp.example","sitemapOnly":true,"ignoreSitemap":true}`, "[sitemapOnly]"},
	{"/v1/map", `{"url":"lamp.example","sitemap":"only"}`, "[sitemap]"},
	{"/v2/search", `{"limit":5}`, "[query]"},
	{"/v2/search", `{"query":"x","limit":101}`, "[limit]"},
	{"/v2/search", `{"query":"x","sources":["books"]}`, "[sources 0]"},
	{"/v2/search", `{"query":"x","sources":[{"tbs":"qdr:d"}]}`, "[sources 0 type]"},
	{"/v2/search", `{"query":"x","asyncScraping":true}`, "[asyncScraping]"},
	{"/v2/extract", `{}`, "[urls]"},
	{"/v2/extract", `{"urls":["lamp.example"],"schema":[]}`, "[schema]"},
	{"/v2/extract", `{"prompt":"x","agent":{"model":"x"}}`, "[agent]"},
	{"/v2/agent", `{}`, "[prompt]"},
	{"/v2/agent", `{"prompt":"x","effort":"utmost"}`, "[effort]"},
	{"/v2/browser", `{"ttl":29}`, "[ttl]"},
	{"/v2/browser", `{"activityTtl":3601}`, "[activityTtl]"},
	{"/v2/browser", `{"recordSession":true}`, "[recordSession]"},
	{"/v2/browser/0190b8a0-0000-7000-8000-000000000000/execute", `{}`, "[code]"},
	{"/v2/browser/0190b8a0-0000-7000-8000-000000000000/execute", `{"code":"1","timeout":301}`, "[timeout]"},
	{"/v2/scrape/0190b8a0-0000-7000-8000-000000000000/interact", `{}`, "[code]"},
	{"/v2/scrape/0190b8a0-0000-7000-8000-000000000000/interact", `{"code":"1","prompt":"x"}`, "[code]"},
	{"/v2/scrape/0190b8a0-0000-7000-8000-000000000000/interact", `{"code":"1","language":"ruby"}`, "[language]"},
}

func TestBody_whatCannotBeHonouredIsRefusedByName(t *testing.T) {
	s := newService(t)
	for _, c := range refused {
		a := s.red("POST", c.route, c.body)
		path := fmt.Sprint(a.get("details", 0, "path"))
		if a.status != 400 || a.text("code") != "BAD_REQUEST" || a.get("success") != false || path != c.path || a.text("error") == "" || a.text("details", 0, "message") == "" {
			t.Errorf("%s %s: %d, path %s, want %s: %s", c.route, c.body, a.status, path, c.path, a.raw)
		}
	}
}

func TestBody_allIssuesAreListed(t *testing.T) {
	a := newService(t).red("POST", "/v2/scrape", `{"url":1,"timeout":5,"colour":2,"location":{"country":3}}`)
	details, _ := a.get("details").([]any)
	if len(details) != 4 || !strings.HasPrefix(a.text("error"), "colour: unrecognized key") || !strings.Contains(a.raw, "location.country: want a string") {
		t.Errorf("%s", a.raw)
	}
}

func TestBody_brokenJSONAndTooMuchOfIt(t *testing.T) {
	s := newService(t, func(_ *engine.Options, o *Options) { o.MaxBody = 100 })
	for body, want := range map[string]string{
		``: "400 BAD_REQUEST_INVALID_JSON", `{`: "400 BAD_REQUEST_INVALID_JSON", `{"url":"a"}{}`: "400 BAD_REQUEST_INVALID_JSON",
		`{"url":"lamp.example/` + "\xff" + `"}`:      "400 BAD_REQUEST_INVALID_JSON",
		`{"url":"` + strings.Repeat("a", 100) + `"}`: "413 REQUEST_TOO_LARGE",
	} {
		a := s.red("POST", "/v2/scrape", body)
		if got := fmt.Sprint(a.status, " ", a.text("code")); got != want {
			t.Errorf("%.20q: %s, want %s", body, got, want)
		}
	}
}

func TestBody_tooManyValues(t *testing.T) {
	body := `{"urls":["a,b"` + strings.Repeat(`,""`, decode.MaxValues) + `]}`
	if a := newService(t).red("POST", "/v2/batch/scrape", body); a.status != 413 || a.text("code") != "REQUEST_TOO_LARGE" {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if n := decode.Values([]byte(`{"a":["b,\"c,",1],"d":",\\"}`)); n != 3 {
		t.Errorf("%d values", n)
	}
}

// allFields are all bodies' fields together, for foreign bytes.
func allFields() decode.Fields {
	c := &call{}
	var url string
	f := decode.ScrapeFields(&engine.ScrapeOptions{})
	maps.Copy(f, decode.CrawlFields(&url, &engine.CrawlOptions{}, false))
	maps.Copy(f, decode.SearchFields(&url, &engine.SearchOptions{}, new(bool), false))
	maps.Copy(f, decode.ExtractFields(&engine.ExtractOptions{}, false))
	maps.Copy(f, decode.AgentFields(&engine.AgentOptions{}, false))
	maps.Copy(f, decode.CodeFields(&engine.InteractRequest{}))
	return c.labels(f)
}

func FuzzDecode(f *testing.F) {
	for _, c := range refused {
		f.Add(c.body)
	}
	f.Add(`{"sources":[{"type":"web"}],"webhook":{"url":"http://x","events":["page"]},"schema":{},"delay":0.5}`)
	f.Add(`{"onlyCleanContent":true,"winnow":{"leftOut":true,"cleanBelow":0.5}}`)
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 200 { // making it smaller takes Go the square of its length
			t.Skip("fuzzed input: over 200 bytes")
		}
		err := decode.Object([]byte(body), allFields())
		if err == nil {
			return
		}
		p := bodyProblem(err)
		if p == nil || p.status != 400 || p.text == "" {
			t.Fatalf("%q: %v", body, err)
		}
		if _, err := json.Marshal(p.details); err != nil || !json.Valid([]byte(body)) && p.code != codeInvalidJSON {
			t.Errorf("%q: %+v, %v", body, p, err)
		}
	})
}

func TestBodies_sayWhatIsWrongOfWhichField(t *testing.T) {
	s := newService(t)
	for name, c := range map[string]struct{ target, body, want string }{
		"a range":                 {"/v2/map", `{"url":"lamp.example","limit":100001}`, "limit: want 1 to 100000, not 100001"},
		"a word":                  {"/v2/agent", `{"prompt":"x","effort":"max"}`, `effort: want one of ["low" "medium" "high"], not "max"`},
		"within":                  {"/v2/crawl", `{"url":"lamp.example","scrapeOptions":{"parsers":[{"type":"pdf","maxPages":0}]}}`, "scrapeOptions.parsers[0].maxPages: want 1 to 10000, not 0"},
		"an item":                 {"/v2/batch/scrape", `{"urls":["lamp.example",5]}`, "urls[1]: want a string, not 5"},
		"what is long":            {"/v2/map", `{"url":"lamp.example","limit":"` + strings.Repeat("é", 1000) + `"}`, `limit: want an integer, not "` + strings.Repeat("é", 29)},
		"what this one hasn't":    {"/v2/crawl", `{"url":"lamp.example","threatProtection":{"mode":"off"}}`, "threatProtection: not supported"},
		"labels of a job's pages": {"/v2/crawl", `{"url":"lamp.example","scrapeOptions":{"origin":"x","integration":7}}`, "scrapeOptions.integration: want a string, not 7"},
	} {
		if a := s.must(400, "POST", c.target, c.body); a.text("error") != c.want || a.text("details", 0, "message") != c.want {
			t.Errorf("%s: %s, want %s", name, a.text("error"), c.want)
		}
	}
}
