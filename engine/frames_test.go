package engine

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

// What shadow trees and frames of any site show is part of every format but the markdown of what was excluded.
func TestScrape_formatsHoldShadowTreesAndFrames(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{
		"a.example": htmlPage(`<main><h1>Top</h1><x-card><a slot=title href="/light">light</a></x-card><iframe src="https://b.example/in"></iframe></main><script>
			document.querySelector("x-card").attachShadow({mode: "open"}).innerHTML = '<p>before <slot name=title></slot></p><a class=deep href="/shadow">shadow</a><img src="/s.png">'</script>`),
		"b.example": htmlPage(`<p>From the frame.</p><a href="there">there</a><img data-src="f.png">`),
	})
	scrape := func(change func(*ScrapeOptions)) *Document {
		o := ScrapeOptions{Render: RenderAlways, Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Links}, {Type: formats.Images},
			{Type: formats.Attributes, Selectors: []formats.Selector{{Selector: "a.deep", Attribute: "href"}, {Selector: "iframe", Attribute: "src"}}}}}
		if change != nil {
			change(&o)
		}
		doc, err := e.Scrape(t.Context(), "https://a.example/", o)
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	doc := scrape(nil)
	for _, want := range []string{"before [light](https://a.example/light)", "[shadow](https://a.example/shadow)", "From the frame.", "[there](https://b.example/there)"} {
		if !strings.Contains(doc.Markdown, want) {
			t.Errorf("%q is not in %q", want, doc.Markdown)
		}
	}
	if want := []string{"https://a.example/light", "https://a.example/shadow", "https://b.example/there"}; !slices.Equal(doc.Links, want) {
		t.Errorf("links: got %q, want %q", doc.Links, want)
	}
	for _, want := range []string{"https://a.example/s.png", "https://b.example/f.png"} {
		if !slices.Contains(doc.Images, want) {
			t.Errorf("images: %q is not in %q", want, doc.Images)
		}
	}
	for i, want := range []string{"https://a.example/shadow", "https://b.example/in"} {
		if got := doc.Attributes[i].Values; !slices.Equal(got, []string{want}) {
			t.Errorf("attributes: got %q, want %q", got, want)
		}
	}
	if without := scrape(func(o *ScrapeOptions) { o.ExcludeTags = []string{"iframe"} }); strings.Contains(without.Markdown, "From the frame.") {
		t.Errorf("without frames: %q", without.Markdown)
	}
}
