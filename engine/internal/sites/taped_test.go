package sites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive"
	"github.com/winnow-go/winnow/fetch/archive/recording"
)

// tapedSite is a site whose page needs its script, and its script data and a websocket.
func tapedSite(t *testing.T) *httptest.Server {
	m := http.NewServeMux()
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "s3cret-cookie"})
		fmt.Fprint(w, `<title>Taped</title><main id=m>waiting</main><script src="/ads/a.js"></script><script src="/app.js"></script>`)
	})
	m.HandleFunc("/ads/a.js", func(http.ResponseWriter, *http.Request) {})
	m.HandleFunc("/app.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, `fetch("/data", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({user: "ann", password: "s3" + "cret-form"})})
			.then(r => r.text()).then(text => { document.getElementById("m").textContent = text })`)
	})
	m.HandleFunc("/data", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, "what the script has loaded")
	})
	s := httptest.NewUnstartedServer(m)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// openTaped opens what an engine has recorded, and has it verified.
func openTaped(t *testing.T, file string) *archive.WACZ {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	w, err := archive.OpenWACZ(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Verify(); err != nil {
		t.Error(err)
	}
	return w
}

// tapedText is every record of a recording, one behind the other.
func tapedText(t *testing.T, w *archive.WACZ) string {
	t.Helper()
	var all strings.Builder
	for _, name := range w.Archives() {
		in, err := w.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for r := archive.NewReader(in); ; {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "%v\n", rec.Header)
			if _, err := io.Copy(&all, rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all.String()
}

// An engine that records has in its file what the HTTP client and the browser have fetched over TLS, without what is secret.
func TestRecord_clientAndBrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site, file := tapedSite(t), filepath.Join(t.TempDir(), "site.wacz")
	o := engine.Options{Browser: engine.BrowserOptions{Shared: commonBrowser(t)}, Record: &recording.Options{File: file, Title: "Taped"}}
	o.Policy.AllowPrivate = true
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	fresh := time.Duration(0)
	for path, render := range map[string]engine.Render{"/?http": engine.RenderNever, "/?browser": engine.RenderAlways} {
		doc, err := e.Scrape(t.Context(), site.URL+path, engine.ScrapeOptions{Timeout: busy, Render: render, MaxAge: &fresh, SkipTLSVerification: new(true)})
		if err != nil {
			t.Fatal(err)
		}
		if loaded := strings.Contains(doc.Markdown, "what the script has loaded"); loaded != (render == engine.RenderAlways) {
			t.Errorf("%s: %q", path, doc.Markdown)
		}
	}
	if _, err := e.Scrape(t.Context(), site.URL+"/strict", engine.ScrapeOptions{Timeout: busy, Render: engine.RenderAlways, MaxAge: &fresh, SkipTLSVerification: new(false)}); engine.CodeOf(err) != engine.CodeSSL {
		t.Errorf("a site that doesn't vouch for itself: %v, want %s", err, engine.CodeSSL)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	w := openTaped(t, file)
	for path, method := range map[string]string{"/?http": "", "/?browser": "", "/app.js": "", "/data": "POST"} {
		found, err := w.Lookup(site.URL + path)
		if err != nil || len(found) != 1 || found[0].Status != 200 || found[0].Method != method {
			t.Errorf("%s: %+v, %v", path, found, err)
		}
	}
	text := tapedText(t, w)
	if strings.Contains(text, "s3cret") || !strings.Contains(text, `"user":"ann"`) || !strings.Contains(text, "what the script has loaded") {
		t.Errorf("recorded:\n%s", text)
	}
}

// What was recorded is replayed to another engine, without the site and without a dial; what wasn't is named. What the proxy refuses is
// neither recorded nor looked for.
func TestReplay_clientAndBrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site, file := tapedSite(t), filepath.Join(t.TempDir(), "site.wacz")
	first := tapedDocuments(t, site.URL, engine.Options{Record: &recording.Options{File: file}})
	site.Close()
	dials := 0
	second := tapedDocuments(t, site.URL, engine.Options{Replay: []string{file}, DialContext: func(context.Context, string, string) (net.Conn, error) {
		dials++
		return nil, errors.New("there is no network")
	}})
	if ads, err := openTaped(t, file).Lookup(site.URL + "/ads/a.js"); len(ads) > 0 || err != nil {
		t.Errorf("an advertisement is recorded: %+v, %v", ads, err)
	}
	if !maps.Equal(first, second) || dials > 0 || !strings.Contains(first["/?browser"], "what the script has loaded") {
		t.Errorf("recorded %q, replayed %q, %d dials", first, second, dials)
	}
}

// tapedDocuments are the texts of pages by both ways, or their errors; those that only a replay is asked for are missing.
func tapedDocuments(t *testing.T, base string, o engine.Options) map[string]string {
	t.Helper()
	o.Browser, o.Policy.AllowPrivate = engine.BrowserOptions{Shared: commonBrowser(t)}, true
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte("/ads/*\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.FilterLists, o.FilterInProxy = []string{list}, true
	o.OnReplay = func(r fetch.Replayed) {
		if strings.Contains(r.URL, "/ads/") {
			t.Errorf("an advertisement is looked for: %+v", r)
		}
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	texts, fresh := map[string]string{}, time.Duration(0)
	for path, render := range map[string]engine.Render{"/?http": engine.RenderNever, "/?browser": engine.RenderAlways, "/missing?http": engine.RenderNever, "/missing?browser": engine.RenderAlways} {
		missing := strings.HasPrefix(path, "/missing")
		if missing && o.Replay == nil {
			continue
		}
		doc, err := e.Scrape(t.Context(), base+path, engine.ScrapeOptions{Timeout: busy, Render: render, MaxAge: &fresh, SkipTLSVerification: new(true)})
		switch {
		case missing && err == nil:
			t.Errorf("%s: %q", path, doc.Markdown)
		case missing && (engine.CodeOf(err) != engine.CodeNoCachedData || !strings.Contains(err.Error(), "the nearest are "+base)):
			t.Errorf("%s: %v", path, err)
		case err != nil && !missing:
			t.Fatal(err)
		case !missing:
			texts[path] = doc.Markdown
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestRecord_refusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	there := filepath.Join(dir, "there.wacz")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(dir, "new.wacz")
	tests := map[string]engine.Options{
		"Record.File":            {Record: &recording.Options{File: there}},
		"ends in .wacz":          {Record: &recording.Options{File: "x.zip"}},
		"AllowZeroDataRetention": {Record: &recording.Options{File: fresh}, AllowZeroDataRetention: true},
		"Browser.ConnectURL":     {Record: &recording.Options{File: fresh}, Browser: engine.BrowserOptions{ConnectURL: "ws://127.0.0.1:1"}},
		"FilterInProxy":          {FilterInProxy: true, Browser: engine.BrowserOptions{ConnectURL: "ws://127.0.0.1:1"}},
		"beside Replay":          {Record: &recording.Options{File: fresh}, Replay: []string{there}},
		"beside Hosts":           {Replay: []string{there}, Hosts: map[string]http.Handler{"a.example": http.NotFoundHandler()}},
		"Replay":                 {Replay: []string{there}},
		"UserAgent":              {Record: &recording.Options{File: fresh}, UserAgent: "a\nb"},
	}
	for want, o := range tests {
		e, err := engine.New(o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v; want an error that names %s", e, err, want)
		}
		if _, ok := errors.AsType[*engine.OptionError](err); !ok && want != "UserAgent" {
			t.Errorf("%v: no OptionError", err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// A crawl of an archive gives the documents of the crawl that was recorded.
func TestReplay_aCrawl(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch n := len(r.URL.Path); {
		case r.URL.Path == "/robots.txt" || r.URL.Path == "/sitemap.xml":
			http.NotFound(w, r)
		case n > 4:
			fmt.Fprint(w, "<title>End</title><p>the end of the path")
		default:
			fmt.Fprintf(w, "<title>%[1]s</title><p>page %[1]s</p><a href='%[1]sa'>a</a> <a href='%[1]sb'>b</a>", r.URL.Path)
		}
	}))
	defer site.Close()
	file := filepath.Join(t.TempDir(), "site.warc.gz")
	first := crawledTexts(t, site.URL, engine.Options{Record: &recording.Options{File: file}})
	site.Close()
	if second := crawledTexts(t, site.URL, engine.Options{Replay: []string{file}}); !maps.Equal(first, second) || len(first) < 15 {
		t.Errorf("%d documents were recorded: %q\n%d are replayed: %q", len(first), first, len(second), second)
	}
}

func crawledTexts(t *testing.T, from string, o engine.Options) map[string]string {
	t.Helper()
	o.Render, o.Policy.AllowPrivate = engine.RenderNever, true
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	texts := map[string]string{}
	job, err := e.Crawl(t.Context(), from, engine.CrawlOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		texts[doc.Metadata.URL] = doc.Markdown
	}
	return texts
}
