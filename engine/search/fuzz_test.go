package search

import (
	"encoding/json"
	"net/url"
	"testing"
	"unicode/utf8"
)

// Whatever a server answers, results are addresses within the limit, or there is an error.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"results":[{"url":"https://a.example/","title":"t","publishedDate":"2026-01-02T03:04:05","resolution":"1 x 2"}]}`,
		`{"results":[{"url":7}]}`, `[[1]]`, `{"a":{"b":[{"url":"//x"}]}}`, `{"results":[null,{},[]],"unresponsive_engines":[["a","b"]]}`,
	} {
		f.Add([]byte(body), "results", "url|a.b.0")
	}
	f.Fuzz(func(t *testing.T, body []byte, list, href string) {
		found := newCollect(Query{Limit: 3, IncludeDomains: []string{"a.example"}})
		var answer searxAnswer
		if json.Unmarshal(body, &answer) == nil {
			for _, r := range answer.Results {
				found.add(r.result())
			}
		}
		p := &JSONAPI{o: JSONAPIOptions{Name: "x", Sources: map[Source]Endpoint{Web: {Href: href, Title: href, Date: href, ImageWidth: href}}}}
		if items, err := p.list(list, body); err == nil {
			for _, item := range items {
				found.add(p.result(Web, item))
			}
		}
		if len(found.list) > 3 {
			t.Errorf("%d results", len(found.list))
		}
		for _, r := range found.list {
			if u, err := url.Parse(r.URL); err != nil || !UnderAny(u.Hostname(), []string{"a.example"}) {
				t.Errorf("got %q", r.URL)
			}
		}
	})
}

// What is put into a template stays where it belongs.
func FuzzTemplate(f *testing.F) {
	f.Add(`a&b="{limit}"#?`)
	f.Fuzz(func(t *testing.T, text string) {
		tmpl, err := newTemplate("https://api.example/x?key=k&q={query}&end=1", `{"q":"{query}","n":"{limit}"}`)
		if err != nil {
			t.Fatal(err)
		}
		href, body, err := tmpl.fill(map[string]string{"query": text, "limit": "5"})
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(href)
		if err != nil || u.Host != "api.example" || u.Query().Get("q") != text || u.Query().Get("key") != "k" || u.Query().Get("end") != "1" {
			t.Errorf("%q: %s, %v", text, href, err)
		}
		var back struct {
			Q string
			N int
		}
		if err := json.Unmarshal(body, &back); err != nil || back.N != 5 || utf8.ValidString(text) && back.Q != text {
			t.Errorf("%q: %s, %v", text, body, err)
		}
	})
}
