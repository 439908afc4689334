package engine

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/page"
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

// A page whose content is in a frame of its own needs a browser, which has the frame in its document.
func TestScrape_autoRendersFramesWithContent(t *testing.T) {
	t.Parallel()
	inner := "<p>The words of the frame: " + strings.Repeat("barley and oats ", 20)
	part := htmlPage(inner)
	site := func(body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/part":
				part.ServeHTTP(w, r)
			case "/menu":
				htmlPage("<p>Home and away").ServeHTTP(w, r)
			default:
				htmlPage(body).ServeHTTP(w, r)
			}
		})
	}
	own := "<main><h1>Grain</h1>" + strings.Repeat(grainText, 3)
	for name, c := range map[string]struct {
		body    string
		dynamic bool
	}{
		"few words and a frame":      {`<h1>Grain</h1><iframe src=/part width=600 height=400></iframe>`, true},
		"a frame in the main part":   {own + `<iframe src=/part></iframe></main>`, true},
		"a document in an attribute": {`<h1>Grain</h1><iframe srcdoc="` + inner + `"></iframe>`, true},
		"a frameset":                 {`<html><frameset cols="20%,*"><frame src=/menu><frame src=http://b.example/part></frameset></html>`, true},
		"an object":                  {`<h1>Grain</h1><object type=text/html data=/part width=600 height=400></object>`, true},
		"beside the main part":       {own + `</main><iframe src=/part></iframe>`, false},
		"hidden":                     {`<h1>Grain</h1><iframe src=/part hidden></iframe>`, false},
		"tiny":                       {`<h1>Grain</h1><iframe src=/part width=1 height=1></iframe>`, false},
		"an advertisement":           {`<h1>Grain</h1><div class=ad-slot><iframe src=/part></iframe></div>`, false},
		"a video":                    {`<h1>Grain</h1><iframe src=https://www.youtube.com/embed/x></iframe>`, false},
		"a map":                      {`<h1>Grain</h1><iframe src="https://www.google.com/maps/embed?pb=1"></iframe>`, false},
		"a file":                     {`<h1>Grain</h1><iframe src=/part.pdf></iframe>`, false},
		"blank":                      {`<h1>Grain</h1><iframe src=about:blank></iframe><iframe></iframe>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := hostEngine(t, map[string]http.Handler{"a.example": site(c.body), "b.example": part})
			doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{OnlyMainContent: new(false)})
			if err != nil {
				t.Fatal(err)
			}
			if got := doc.Metadata.RenderedBy == string(page.ByBrowser); got != c.dynamic {
				t.Errorf("rendered by %s: %s", doc.Metadata.RenderedBy, doc.Metadata.RenderReason)
			}
			if strings.Contains(doc.Markdown, "words of the frame") != c.dynamic || doc.Warning != "" {
				t.Errorf("%q, warning %q", doc.Markdown, doc.Warning)
			}
		})
	}
}

// What no browser loads is named: by plain HTTP any frame with content, in a browser one that is lazy and far below.
func TestScrape_framesThatAreLeftOutAreNamed(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/part" {
			htmlPage("<p>The words of the frame.").ServeHTTP(w, r)
			return
		}
		htmlPage(`<main>`+grainText+`<div style="height:30000px"></div><iframe id=part src=/part loading=lazy></iframe></main>`).ServeHTTP(w, r)
	})})
	for mode, want := range map[Render]string{
		RenderNever: "1 frame (http://a.example/part) is left out, which plain HTTP does not load.", RenderAuto: "1 frame (http://a.example/part) is left out, whose document the browser did not give.",
		RenderAlways: "1 frame (http://a.example/part) is left out, whose document the browser did not give.",
	} {
		doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: mode, MaxAge: fresh})
		if err != nil || doc.Warning != want {
			t.Errorf("%s: got %q, %v; want %q", mode, doc.Warning, err, want)
		}
	}
}
