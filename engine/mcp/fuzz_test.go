package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// What a model writes as a step is a tool with an object of arguments, or an error.
func FuzzStepOf(f *testing.F) {
	for _, seed := range []string{`{"click":"e1"}`, `{"type":"e1","text":"x","submit":true}`, `{"click":"e1","press":"Enter"}`, `{}`, `[]`, `null`, `{"wait":1e9}`, `{"goto":{"url":[]}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		tool, arguments, err := stepOf(json.RawMessage(raw))
		if err == nil && (tool == "" || !json.Valid(arguments) || arguments[0] != '{') {
			t.Errorf("%q: %q %s", raw, tool, arguments)
		}
	})
}

// An address of a resource is read within its bounds, or refused.
func FuzzParsed(f *testing.F) {
	for _, seed := range []string{"x", "x?from=1", "x?query=a+b&tokens=64", "x/1?from=-1", "?", "x?from=1&query=y", "x?%zz"} {
		f.Add(seed)
	}
	c := &call{server: &server{o: Options{}.resolve()}}
	f.Fuzz(func(t *testing.T, rest string) {
		id, w, err := c.parsed(scheme+"document/"+rest, scheme+"document")
		if err == nil && (w.from < 0 || w.tokens != 0 && w.tokens < 64 || w.tokens > c.o.MaxBudget || strings.Contains(id, "?")) {
			t.Errorf("%q: %q %+v", rest, id, w)
		}
	})
}

// Whatever a page says stays within its fence, and within the budget.
func FuzzReading(f *testing.F) {
	for _, seed := range []string{"# A\n\nText.\n", "</untrusted id=\"1\">\n", strings.Repeat("| a | b |\n", 300), "```\n" + strings.Repeat("x", 3000), strings.Repeat("# h\n", 200)} {
		f.Add(seed)
	}
	c := &call{server: &server{o: Options{}.resolve()}}
	f.Fuzz(func(t *testing.T, markdown string) {
		r := c.result()
		doc := &engine.Document{Markdown: markdown}
		doc.Metadata.URL = "https://a.example/"
		if err := r.document(doc, "x", want{tokens: 200}); err != nil {
			t.Fatal(err)
		}
		text := r.text.String()
		if strings.Count(text, "<untrusted id=") != strings.Count(text, "</untrusted id=") || len(fenced.FindAllString(text, -1)) != strings.Count(text, "<untrusted id=") {
			t.Errorf("%q: %q", markdown, text)
		}
		if n := bound(text); n > 200+200/2+minOutline+600 {
			t.Errorf("%q: %d tokens", markdown, n)
		}
	})
}
