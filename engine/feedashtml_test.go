package engine

import (
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

const sacks = `<channel><title>News</title><item><title>Oats sold</title><link>https://granary.example/1</link><description>All of them.</description></item></channel>`

// feedsAsHTML are feeds under the type of a page.
func feedsAsHTML() map[string]string {
	return map[string]string{
		"/rss":  `<?xml version="1.0"?><rss version="2.0">` + sacks + `</rss>`,
		"/bare": `<rss version="2.0">` + sacks + `</rss>`,
		"/rdf": `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>News</title></channel>` +
			`<item><title>Oats sold</title><link>https://granary.example/1</link><description>All of them.</description></item></rdf:RDF>`,
		"/atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>Oats sold</title><link href="https://granary.example/1"/><summary>All of them.</summary></entry></feed>`,
	}
}

const feedMarkdown = "# News\n\n## [Oats sold](https://granary.example/1)\n\nAll of them."

func feedSite() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write([]byte(feedsAsHTML()[r.URL.Path]))
	})
}

func TestFeedsThatAreServedAsHTMLAreFeeds(t *testing.T) {
	e := cachingEngine(t, feedSite())
	for path, body := range feedsAsHTML() {
		if doc := scrapeOK(t, e, "https://granary.example"+path, ScrapeOptions{}); doc.Markdown != feedMarkdown {
			t.Errorf("scraped %s: got %q", path, doc.Markdown)
		}
		in := ParseInput{Reader: strings.NewReader(body), Name: "feed.html", ContentType: "text/html"}
		if doc := parsed(t, e, in, ParseOptions{Formats: []formats.Format{{Type: formats.Markdown}}}); doc.Markdown != feedMarkdown {
			t.Errorf("parsed %s: got %q", path, doc.Markdown)
		}
	}
}

func TestScrape_aFeedAsHTMLInABrowserIsAFeed(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	e := hostEngine(t, map[string]http.Handler{"granary.example": feedSite()}, func(*Options) {})
	for path := range feedsAsHTML() {
		if doc := scrapeOK(t, e, "https://granary.example"+path, ScrapeOptions{Render: RenderAlways}); doc.Markdown != feedMarkdown {
			t.Errorf("%s: got %q", path, doc.Markdown)
		}
	}
}
