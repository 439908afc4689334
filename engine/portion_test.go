package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/passages"
	"github.com/winnow-go/winnow/formats/window"
)

// almanac is a page of many sections, one of which is about rye.
func almanac() string {
	var b strings.Builder
	b.WriteString(`<html lang="en"><title>Almanac</title><main><h1>Almanac</h1>`)
	for i := range 30 {
		fmt.Fprintf(&b, "<h2>Day %d</h2><p>The farmer walks over the field and looks at the weather, which is as it was on day %d.</p>", i, i*7)
	}
	b.WriteString("<h2>Rye</h2><p>It is sown in autumn.</p></main>")
	return b.String()
}

func passagesOf(t *testing.T, e *Engine, at string, list ...formats.Format) *Document {
	t.Helper()
	return scrapeOK(t, e, at, ScrapeOptions{Formats: list})
}

func TestPassages_areThoseOfTheMarkdown(t *testing.T) {
	e := cachingEngine(t, newGranary(almanac()))
	const at = "https://granary.example/"
	both := passagesOf(t, e, at, formats.Format{Type: formats.Markdown}, formats.Format{Type: formats.Passages, MaxTokens: 100})
	alone := passagesOf(t, e, at, formats.Format{Type: formats.Passages, MaxTokens: 100})
	if alone.Markdown != "" || len(alone.Passages) < 31 || fmt.Sprint(alone.Passages) != fmt.Sprint(both.Passages) {
		t.Errorf("got %q and %d passages, with markdown %d", alone.Markdown, len(alone.Passages), len(both.Passages))
	}
	for _, p := range both.Passages {
		if both.Markdown[p.From:p.To] != p.Text || p.Tokens > 100 || p.Language != "en" {
			t.Errorf("got %+v", p)
		}
	}
	text, err := json.Marshal(alone)
	if err != nil || !strings.Contains(string(text), `"passages":[{"id":"`) || strings.Contains(string(text), `"markdown"`) {
		t.Errorf("got %s, %v", text, err)
	}
	if plain := scrapeOK(t, e, at, ScrapeOptions{}); plain.Passages != nil || plain.Window != nil {
		t.Errorf("got %v, %v, want none unasked", plain.Passages, plain.Window)
	}
}

func TestBudget_pagesOfADocumentJoinedAreTheWhole(t *testing.T) {
	e := cachingEngine(t, newGranary(almanac()))
	const at = "https://granary.example/"
	whole := scrapeOK(t, e, at, ScrapeOptions{}).Markdown
	var joined strings.Builder
	n := 0
	for b := (window.Budget{Tokens: 200}); n == 0 || b.From > 0; n++ {
		doc := scrapeOK(t, e, at, ScrapeOptions{Budget: b})
		if doc.Window.Tokens > 200 || n > 0 && doc.Metadata.CacheState != cacheHit {
			t.Fatalf("part %d: %+v, %s", n, doc.Window, doc.Metadata.CacheState)
		}
		joined.WriteString(doc.Markdown)
		b.From = doc.Window.Next
	}
	if joined.String() != whole || n < 4 {
		t.Errorf("%d parts: %q", n, joined.String())
	}
	doc := scrapeOK(t, e, at, ScrapeOptions{Budget: window.Budget{Tokens: 100, Query: "when is rye sown"}})
	if !strings.HasPrefix(doc.Markdown, "# Almanac") || !strings.HasSuffix(strings.TrimSpace(doc.Markdown), "## Rye\n\nIt is sown in autumn.") || len(doc.Window.Outline) == 0 {
		t.Errorf("got %q, %+v", doc.Markdown, doc.Window)
	}
	beyond := scrapeOK(t, e, at, ScrapeOptions{Budget: window.Budget{Tokens: 100, From: 1 << 20}})
	if beyond.Markdown != "" || !strings.Contains(beyond.Warning, "nothing is left") {
		t.Errorf("got %q, %q", beyond.Markdown, beyond.Warning)
	}
}

func TestBudget_isCountedByTheCallersCounter(t *testing.T) {
	e := cachingEngine(t, newGranary(almanac()), func(o *Options) { o.CountTokens = func(s string) int { return len(s) } })
	doc := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{Budget: window.Budget{Tokens: 300}})
	if n := len(doc.Markdown); n > 300 || n < 150 || doc.Window.Tokens != n {
		t.Errorf("%d bytes, %+v", n, doc.Window)
	}
}

func TestBudget_isRefusedWhereItCannotBeKept(t *testing.T) {
	e := cachingEngine(t, newGranary(almanac()))
	for _, c := range []struct {
		field string
		o     ScrapeOptions
	}{
		{"winnow.budget.tokens", ScrapeOptions{Budget: window.Budget{Tokens: 1}}},
		{"winnow.budget.from", ScrapeOptions{Budget: window.Budget{Tokens: 100, From: -1}}},
		{"winnow.budget", ScrapeOptions{Budget: window.Budget{Tokens: 100}, Formats: []formats.Format{{Type: formats.Links}}}},
		{"formats[0].maxTokens", ScrapeOptions{Formats: []formats.Format{{Type: formats.Passages, MaxTokens: passages.MaxTokens + 1}}}},
	} {
		_, err := e.Scrape(t.Context(), "https://granary.example/", c.o)
		wantRefusal(t, err, c.field, CodeBadRequest)
		_, err = e.Parse(t.Context(), ParseInput{Reader: strings.NewReader(almanac()), Name: "a.html"}, ParseOptions{Budget: c.o.Budget, Formats: c.o.Formats})
		wantRefusal(t, err, c.field, CodeBadRequest)
	}
	doc, err := e.Parse(t.Context(), ParseInput{Reader: strings.NewReader(almanac()), Name: "a.html"}, ParseOptions{Budget: window.Budget{Tokens: 100}})
	if err != nil || doc.Window == nil || doc.Window.Next == 0 {
		t.Errorf("a file: %+v, %v", doc, err)
	}
}
