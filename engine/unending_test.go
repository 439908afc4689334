package engine

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/page"
)

// unending answers with a text, and then goes on for ever: with nothing, or with more now and then.
func unending(contentType, first, more string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(http.StatusNonAuthoritativeInfo)
		for text := first; ; text = more {
			fmt.Fprint(w, text)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
}

var unendingHosts = map[string]http.Handler{
	"open.example": unending("text/html", "<main><h1>Some words</h1>"+grainText, ""),
	"drip.example": unending("text/html", "<main><h1>Some words</h1>"+grainText, " more"),
	"text.example": unending("text/plain", "Some words\n", ""),
	"long.example": unending("text/plain", strings.Repeat("Some words\n", 300), "more\n"),
	"made.example": unending("text/html", "<main><h1>Some words</h1><p id=stock></p><script>fetch('/x').then(() => { stock.textContent = 'Seven pieces are left here' })</script>", ""),
}

// partOf scrapes what does not end, within the scrape's time.
func partOf(t *testing.T, e *Engine, host string, o ScrapeOptions) *Document {
	t.Helper()
	doc, err := e.Scrape(t.Context(), "http://"+host+"/here", o)
	if err != nil {
		t.Fatalf("%s, %s: %v", host, o.Render, err)
	}
	m := doc.Metadata
	if m.StatusCode != http.StatusNonAuthoritativeInfo || m.URL != "http://"+host+"/here" || !strings.Contains(doc.Markdown, "Some words") ||
		strings.Count(doc.Warning, "did not finish loading") != 1 {
		t.Errorf("%s, %s: %d %s, warning %q: %.80q", host, o.Render, m.StatusCode, m.URL, doc.Warning, doc.Markdown)
	}
	return doc
}

func TestScrape_anAnswerThatDoesNotEndGivesItsPart(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, Options{Hosts: unendingHosts, Browser: BrowserOptions{Install: browser.InstallNever, CacheDir: t.TempDir(), DriverDir: t.TempDir()}})
	for _, host := range []string{"open.example", "drip.example", "text.example", "long.example"} {
		for _, mode := range []Render{RenderNever, RenderAuto} {
			t.Run(host+" "+string(mode), func(t *testing.T) {
				t.Parallel()
				if doc := partOf(t, e, host, ScrapeOptions{Render: mode, Timeout: 15 * time.Second}); doc.Metadata.RenderedBy != string(page.ByHTTP) {
					t.Errorf("rendered by %s", doc.Metadata.RenderedBy)
				}
			})
		}
	}
}

// Where a browser would show more of it but does not come, plain HTTP's part stands.
func TestScrape_aPartStandsWithoutTheBrowser(t *testing.T) {
	t.Parallel()
	e := newTestEngine(t, Options{Hosts: unendingHosts, Browser: BrowserOptions{Install: browser.InstallNever, CacheDir: t.TempDir(), DriverDir: t.TempDir()}})
	if doc := partOf(t, e, "made.example", ScrapeOptions{Timeout: 15 * time.Second}); !strings.Contains(doc.Warning, "#stock") {
		t.Errorf("warning %q", doc.Warning)
	}
}

func TestScrape_anAnswerThatDoesNotEndInTheBrowser(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, unendingHosts)
	for host, mode := range map[string]Render{
		"open.example": RenderAlways, "drip.example": RenderAlways, "text.example": RenderAlways, "long.example": RenderAlways, "made.example": RenderAuto,
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			doc := partOf(t, e, host, ScrapeOptions{Render: mode, Timeout: 24 * time.Second})
			if host == "made.example" && !strings.Contains(doc.Markdown, "Seven pieces") {
				t.Errorf("%s: %q", doc.Metadata.RenderReason, doc.Markdown)
			}
		})
	}
}

// A page that only plain HTTP gets, although a browser was asked for, says so: what its scripts would write is missing.
func TestScrape_aPageThatTheBrowserNeverShowsIsNamed(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Dest") == "document" {
			<-r.Context().Done()
			return
		}
		htmlPage(`<main><p id=p>Some words</p></main><script>p.textContent = "made"</script>`).ServeHTTP(w, r)
	})})
	doc, err := e.Scrape(t.Context(), "https://a.example/", ScrapeOptions{Render: RenderAlways, Timeout: 24 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Metadata.RenderedBy != string(page.ByHTTP) || !strings.Contains(doc.Warning, "scripts have not run") {
		t.Errorf("rendered by %s, warning %q", doc.Metadata.RenderedBy, doc.Warning)
	}
}
