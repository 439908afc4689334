package sites

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// scriptedSite has pages that scripts complete, one that only the sitemap names, and one that robots.txt forbids.
func scriptedSite() http.Handler {
	m := http.NewServeMux()
	page := func(path, body string) {
		m.HandleFunc(path+"{$}", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<title>%[1]s</title><main><h1>Page %[1]s</h1><p id=a></p>%[2]s</main><script src=/app.js></script>`, r.URL.Path, body)
		})
	}
	page("/", `<a href="/one/">one</a> <a href="/hidden/">hidden</a>`)
	page("/one/", `<a href="/">home</a>`)
	page("/listed/", "")
	page("/hidden/", "")
	m.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `fetch("/data?t=" + Date.now()).then(r => r.text()).then(t => { a.textContent = t + document.title })`)
	})
	m.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "what the script has loaded for ") })
	m.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /hidden/\nSitemap: https://scripted.example/map.xml\n")
	})
	m.HandleFunc("/map.xml", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://scripted.example/listed/</loc></url></urlset>`)
	})
	return m
}

func crawlTexts(t *testing.T, e *engine.Engine, o engine.CrawlOptions) map[string]string {
	t.Helper()
	job, err := e.Crawl(t.Context(), "https://scripted.example/", o)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		texts[doc.Metadata.URL] = doc.Markdown
	}
	return texts
}

// A crawl that records has all that it needs in its own archive, also what the cache had before: a crawl of that gives its documents, by
// plain HTTP and rendered by a browser.
func TestRecord_aCrawlHasItsOwnArchive(t *testing.T) {
	leftToUnraced(t)
	needBrowser(t)
	t.Parallel()
	dir := t.TempDir()
	for _, render := range []engine.Render{engine.RenderNever, engine.RenderAlways} {
		e := newEngine(t, engine.Options{Hosts: map[string]http.Handler{"scripted.example": scriptedSite()}, Render: render, Browser: engine.BrowserOptions{Shared: commonBrowser(t)}})
		before := crawlTexts(t, e, engine.CrawlOptions{})
		file := filepath.Join(dir, string(render)+".wacz")
		recorded := crawlTexts(t, e, engine.CrawlOptions{Record: file})
		again := crawlTexts(t, e, engine.CrawlOptions{Record: file, MaxConcurrency: 1})
		if _, err := e.Scrape(t.Context(), "https://scripted.example/hidden/", engine.ScrapeOptions{Timeout: busy, MaxAge: fresh}); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(before, recorded) || !maps.Equal(before, again) || len(before) != 3 {
			t.Errorf("%s: %q, recorded %q, then %q", render, before, recorded, again)
		}
		if loaded := strings.Contains(recorded["https://scripted.example/listed/"], "loaded for /listed/"); loaded != (render == engine.RenderAlways) {
			t.Errorf("%s: %q", render, recorded)
		}
		for _, name := range []string{file, filepath.Join(dir, string(render)+"-2.wacz")} {
			replaying := newEngine(t, engine.Options{Replay: []string{name}, Render: render, Browser: engine.BrowserOptions{Shared: commonBrowser(t)},
				DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("there is no network") }})
			if got := crawlTexts(t, replaying, engine.CrawlOptions{}); !maps.Equal(got, recorded) {
				t.Errorf("%s: %q, want %q", name, got, recorded)
			}
			if found, err := openTaped(t, name).Lookup("https://scripted.example/hidden/"); len(found) > 0 || err != nil {
				t.Errorf("%s has what another scrape fetched: %v, %v", name, found, err)
			}
		}
	}
}

// A session writes what its tab fetches to its own archive.
func TestRecord_aSessionHasItsOwnArchive(t *testing.T) {
	needSandbox(t)
	t.Parallel()
	e := newEngine(t, engine.Options{Hosts: map[string]http.Handler{"scripted.example": scriptedSite()}})
	file := filepath.Join(t.TempDir(), "session.wacz")
	s := newSession(t, e, engine.SessionOptions{URL: "https://scripted.example/one/", Record: file})
	if _, err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w := openTaped(t, file)
	for _, path := range []string{"/one/", "/app.js"} {
		if found, err := w.Lookup("https://scripted.example" + path); len(found) != 1 || err != nil {
			t.Errorf("%s: %v, %v", path, found, err)
		}
	}
}

func TestRecord_jobsRefuse(t *testing.T) {
	t.Parallel()
	e := newEngine(t, engine.Options{AllowZeroDataRetention: true})
	file := filepath.Join(t.TempDir(), "x.wacz")
	archive := filepath.Join("..", "..", "..", "fetch", "archive", "testdata", "others", "example.warc.gz")
	replaying := newEngine(t, engine.Options{Replay: []string{archive}})
	for want, o := range map[string]engine.CrawlOptions{
		"ends in .wacz": {Record: "x.zip"}, "unset with since": {Record: file, Since: engine.SinceLast}, "lockdown and zero": {Record: file, ZeroDataRetention: true},
	} {
		if _, err := e.StartCrawl(t.Context(), "https://a.example/", o); engine.CodeOf(err) != engine.CodeBadRequest || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := replaying.StartCrawl(t.Context(), "https://a.example/", engine.CrawlOptions{Record: file}); engine.CodeOf(err) != engine.CodeBadRequest {
		t.Errorf("a crawl of an archive: %v", err)
	}
	if _, err := e.NewSession(t.Context(), engine.SessionOptions{Record: "x"}); engine.CodeOf(err) != engine.CodeBadRequest {
		t.Errorf("a session: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "none", "x.wacz")
	if job, err := e.Crawl(t.Context(), "https://a.example/", engine.CrawlOptions{Record: missing}); err == nil {
		status, _ := job.Status(t.Context())
		if status.State != engine.JobFailed {
			t.Errorf("a folder that isn't there: %+v", status)
		}
	}
	if _, err := e.NewSession(t.Context(), engine.SessionOptions{Record: missing}); engine.CodeOf(err) != engine.CodeBadRequest {
		t.Errorf("a session, of a folder that isn't there: %v", err)
	}
}
