package httpapi

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
)

func TestMap_v2LinksAreObjectsAndV1Strings(t *testing.T) {
	s := newService(t)
	v2 := s.must(200, "POST", "/v2/map", `{"url":"lamp.example","sitemap":"skip","limit":10}`)
	if v2.text("links", 0, "url") == "" || v2.text("id") == "" || v2.get("creditsUsed") != 1.0 || v2.get("success") != true {
		t.Errorf("%s", v2.raw)
	}
	v1 := s.must(200, "POST", "/v1/map", `{"url":"lamp.example","limit":2}`)
	if links := v1.get("links").([]any); len(links) != 2 || v1.get("creditsUsed") != 1.0 || !strings.HasPrefix(v1.text("links", 0), "http://lamp.example") {
		t.Errorf("%s", v1.raw)
	}
	s.must(200, "POST", "/v1/map", `{"url":"lamp.example","sitemapOnly":true}`)
	s.must(200, "POST", "/v1/map", `{"url":"lamp.example","ignoreSitemap":false,"search":"lamp"}`)
}

func TestMap_timeoutAndOtherFailures(t *testing.T) {
	s := newService(t)
	if a := s.must(408, "POST", "/v2/map", `{"url":"lamp.example/slow","sitemap":"skip","useIndex":false,"timeout":50}`); a.text("code") != "MAP_TIMEOUT" {
		t.Errorf("%s", a.raw)
	}
	if a := s.must(403, "POST", "/v2/map", `{"url":"http://10.0.0.1/"}`); a.text("code") != "unsafe_domain_blocked" {
		t.Errorf("%s", a.raw)
	}
}

// finder is a search provider that finds the pages of the virtual host.
type finder struct{}

func (finder) Name() string { return "finder" }
func (finder) Local() bool  { return true }
func (finder) Can() search.Capabilities {
	return search.Capabilities{Sources: []search.Source{search.Web, search.News, search.Images}}
}

func (finder) Search(_ context.Context, q search.Query) (search.Results, error) {
	var found search.Results
	for i, path := range []string{"a", "b", "c"}[:min(3, q.Limit)] {
		found.List = append(found.List, search.Result{URL: "http://lamp.example/" + path, Title: fmt.Sprintf("Hit %d", i+1), Description: "about " + path})
	}
	return found, nil
}

func TestSearch_givesHitsBySourceAndScrapesThem(t *testing.T) {
	s := newService(t, func(o *engine.Options, _ *Options) { o.Search = []search.Provider{finder{}} })
	a := s.must(200, "POST", "/v2/search", `{"query":"lamp","limit":2,"sources":["web",{"type":"news"}],"integration":"x"}`)
	if a.text("data", "web", 0, "title") != "Hit 1" || len(a.get("data", "news").([]any)) != 2 || a.get("data", "images") != nil || a.text("id") == "" || a.get("creditsUsed") == nil {
		t.Errorf("%s", a.raw)
	}
	a = s.must(200, "POST", "/v2/search", `{"query":"lamp","limit":1,"scrapeOptions":{"formats":["markdown"]}}`)
	if !strings.Contains(a.text("data", "web", 0, "markdown"), "Page /a") || a.get("data", "web", 0, "metadata", "statusCode") != 200.0 {
		t.Errorf("%s", a.raw)
	}
	s.must(400, "POST", "/v2/search", `{"query":"lamp","includeDomains":["a.example"],"excludeDomains":["b.example"]}`)
}

// Clients give these with every search.
func TestSearch_whatClientsGiveByHabitIsAWarning(t *testing.T) {
	s := newService(t, func(o *engine.Options, _ *Options) { o.Search = []search.Provider{finder{}} })
	for body, want := range map[string]string{
		`"country":"de"`: "Without effect: country, which finder does not support.",
		`"location":"Berlin","safe":"strict","highlights":true`: "Without effect: location, safe, which finder does not support. Without effect: highlights, which is not supported.",
		`"sources":[{"type":"web","country":"us"}]`:             "Without effect: country, which finder does not support.",
		`"highlights":{"size":3}`:                               "Without effect: highlights, which is not supported.",
		`"highlights":false,"country":""`:                       "",
	} {
		a := s.must(200, "POST", "/v2/search", `{"query":"lamp",`+body+`}`)
		if a.text("warning") != want || a.text("data", "web", 0, "url") == "" {
			t.Errorf("%s: %s", body, a.raw)
		}
	}
	for _, body := range []string{`"country":"Germany"`, `"safe":"maybe"`, `"highlights":"yes"`, `"lang":"de"`, `"tbs":"qdr:d"`, `"country":"de","lang":"de"`} {
		if a := s.must(400, "POST", "/v2/search", `{"query":"lamp",`+body+`}`); strings.Contains(body, "lang") && a.text("details", 0, "path", 0) != "lang" {
			t.Errorf("%s: %s", body, a.raw)
		}
	}
}

func TestSearch_withoutAProvider(t *testing.T) {
	if a := newService(t).must(503, "POST", "/v2/search", `{"query":"lamp"}`); a.text("code") != "SEARCH_NOT_CONFIGURED" {
		t.Errorf("%s", a.raw)
	}
}
