package serving

import (
	"slices"
	"strings"
	"testing"
)

// hitsOf are the values of a field of a source's results, in order.
func hitsOf(t *testing.T, a answer, source, field string) (list []string) {
	t.Helper()
	data, _ := a.field(t, "data").(map[string]any)
	results, _ := data[source].([]any)
	for i, r := range results {
		hit := r.(map[string]any)
		if hit["position"] != float64(i+1) {
			t.Errorf("%s %d: position %v", source, i, hit["position"])
		}
		value, _ := hit[field].(string)
		list = append(list, value)
	}
	return list
}

// Clients ask for news and images by habit: the index of the cache answers with the articles and pictures of its pages.
func TestRun_newsAndImagesOfTheDemoAreFound(t *testing.T) {
	r := started(t, "-demo")
	for _, page := range []string{
		"blog.example/", "blog.example/about", "blog.example/articles/the-east-wind", "blog.example/articles/two-sieves", "blog.example/articles/mice",
		"shop.example/", "shop.example/products", "shop.example/products/winnowing-fan", "shop.example/terms", "files.example/",
	} {
		r.want(200, "POST", "/v2/scrape", `{"url":"https://`+page+`"}`)
	}
	a := r.want(200, "POST", "/v2/search", `{"query":"wind","sources":["news","images"]}`)
	if got := strings.Join(hitsOf(t, a, "news", "url"), " "); got != "https://blog.example/articles/the-east-wind" {
		t.Errorf("news: %s", a.body)
	}
	if got := hitsOf(t, a, "news", "date"); len(got) == 0 || got[0] != "2026-09-28T08:30:00Z" {
		t.Errorf("dates: %s", a.body)
	}
	if got := hitsOf(t, a, "images", "imageUrl"); !slices.Contains(got, "https://blog.example/wind.svg") {
		t.Errorf("images: %s", a.body)
	}
	for body, want := range map[string]string{
		`{"query":"site:blog.example","sources":["news"]}`:                                                                          "the-east-wind two-sieves mice",
		`{"query":"site:blog.example","sources":[{"type":"news","tbs":"cdr:1,cd_min:09/01/2026,cd_max:09/20/2026"}]}`:               "two-sieves",
		`{"query":"site:shop.example","sources":["news"]}`:                                                                          "",
		`{"query":"holes","sources":["news"],"tbs":"sbd:1","country":"us","limit":1}`:                                               "two-sieves",
		`{"query":"sieve","sources":[{"type":"news"}],"scrapeOptions":{"formats":["markdown"],"onlyMainContent":true},"lang":"en"}`: "two-sieves the-east-wind",
	} {
		a := r.want(200, "POST", "/v2/search", body)
		got := strings.ReplaceAll(strings.Join(hitsOf(t, a, "news", "url"), " "), "https://blog.example/articles/", "")
		if got != want {
			t.Errorf("%s: got %q, want %q: %s", body, got, want, a.body)
		}
	}
	fan := r.want(200, "POST", "/v2/search", `{"query":"winnowing fan","sources":["images"]}`)
	if got := hitsOf(t, fan, "images", "imageUrl"); len(got) != 1 || got[0] != "https://shop.example/pictures/winnowing-fan.png" {
		t.Errorf("images: %s", fan.body)
	}
	for _, field := range []string{`"imageWidth":480`, `"imageHeight":360`, `"title":"Winnowing fan"`} {
		if !strings.Contains(fan.body, field) {
			t.Errorf("no %s: %s", field, fan.body)
		}
	}
}
