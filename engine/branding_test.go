package engine

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

var (
	branding    = []formats.Format{{Type: formats.Branding}}
	updateBrand = flag.Bool("update-brand", false, "write the golden brands of testdata/brand again")
	drawing     = regexp.MustCompile(`data:image/svg\+xml;base64,[\w+/=]+`)
)

// brandSite serves the pages of testdata/brand.
func brandSite(t *testing.T) *Engine {
	return hostEngine(t, map[string]http.Handler{"www.site.example": http.FileServer(http.Dir("testdata/brand"))})
}

func brandOf(t *testing.T, e *Engine, name string) *formats.Brand {
	t.Helper()
	doc, err := e.Scrape(t.Context(), "https://www.site.example/"+name, ScrapeOptions{Formats: branding})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Branding == nil || doc.Markdown != "" || doc.Metadata.RenderReason != "branding needs a browser" {
		t.Fatalf("got %+v", doc)
	}
	return doc.Branding
}

// The values beside each page are known from its source.
func TestBranding_isWhatThePageShows(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("testdata/brand/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	e := brandSite(t)
	for _, path := range pages {
		t.Run(filepath.Base(path), func(t *testing.T) {
			found := brandOf(t, e, filepath.Base(path))
			if parts := drawings[filepath.Base(path)]; parts != nil {
				checkDrawing(t, found.Logo, parts)
			}
			data, err := json.MarshalIndent(found, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got := drawing.ReplaceAllString(string(data), "a drawing") + "\n" // its spelling is the browser's
			golden := strings.TrimSuffix(path, ".html") + ".json"
			if *updateBrand {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || got != string(want) {
				t.Errorf("got %s\nwant %s, %v", got, want, err)
			}
		})
	}
}

// drawings are parts that the drawn logos of the pages have: their colours are in them.
var drawings = map[string][]string{
	"dark.html":     {`fill="rgb(250, 204, 21)"`, `stroke="rgb(255, 0, 128)"`, `d="M0 0h32v32z"`, `width="96"`, `viewBox="0 0 96 32"`},
	"shadowed.html": {`fill="rgb(245, 158, 11)"`, `d="M0 0h100v25H0z"`, `viewBox="0 0 100 25"`},
}

// checkDrawing wants a whole picture in which nothing acts.
func checkDrawing(t *testing.T, logo string, parts []string) {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(logo, "data:image/svg+xml;base64,"))
	if err != nil {
		t.Errorf("%.60q, %v", logo, err)
	}
	for _, part := range parts {
		if !strings.Contains(string(text), part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	for _, part := range []string{"script", "alert", "onclick", "class"} {
		if strings.Contains(string(text), part) {
			t.Errorf("%s in %s", part, text)
		}
	}
	if err := xml.Unmarshal(text, new(struct{})); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

func TestBranding_isRefusedWhereItCannotBeMade(t *testing.T) {
	files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/text":
			w.Header().Set("Content-Type", "text/plain")
		case "/download":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Disposition", "attachment; filename=x.html")
		}
		_, _ = io.WriteString(w, "<p>hello</p>")
	})
	e, host := sharedSite(t, files)
	for name, c := range map[string]struct {
		path string
		o    ScrapeOptions
		code Code
	}{
		"without a browser":  {"/", ScrapeOptions{Formats: branding, Render: RenderNever}, CodeBrandingNotSupported},
		"text":               {"/text", ScrapeOptions{Formats: branding}, CodeBrandingNotSupported},
		"a download":         {"/download", ScrapeOptions{Formats: branding}, CodeBrandingNotSupported},
		"from the cache":     {"/", ScrapeOptions{Formats: branding, MinAge: new(time.Second)}, CodeBadRequest},
		"in lockdown":        {"/", ScrapeOptions{Formats: branding, Lockdown: true}, CodeBadRequest},
		"beside raw content": {"/", ScrapeOptions{Formats: append([]formats.Format{{Type: formats.RawBase64}}, branding...)}, CodeBadRequest},
	} {
		if doc, err := e.Scrape(t.Context(), "https://"+host+c.path, c.o); CodeOf(err) != c.code {
			t.Errorf("%s: got %+v, %v; want %s", name, doc, err, c.code)
		}
	}
}

// What a page looks like now isn't in the cache; what it says is kept for others.
func TestBranding_isNeverReadFromTheCache(t *testing.T) {
	visits := 0
	e, host := sharedSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			visits++
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<body style='background:#102030'><p>hello</p>")
	}))
	for range 2 {
		doc, err := e.Scrape(t.Context(), "https://"+host+"/", ScrapeOptions{Formats: branding})
		if err != nil || doc.Branding.Colors["background"] != "#102030" || doc.Metadata.CacheState == "hit" {
			t.Errorf("got %+v, %v", doc, err)
		}
	}
	doc, err := e.Scrape(t.Context(), "https://"+host+"/", ScrapeOptions{})
	if err != nil || doc.Branding != nil || doc.Metadata.CacheState != "hit" || visits != 2 {
		t.Errorf("got %+v, %v after %d visits", doc, err, visits)
	}
}

func TestBranding_comesAfterTheActions(t *testing.T) {
	e, host := sharedSite(t, htmlPage(`<body style="background:#ffffff"><button onclick="document.body.style.background='#331122'">dark</button><p>hello</p>`))
	o := ScrapeOptions{Formats: append([]formats.Format{{Type: formats.Markdown}}, branding...)}
	o.Actions = append(o.Actions, actions.Action{Type: actions.Click, Selector: "button"})
	doc, err := e.Scrape(t.Context(), "https://"+host+"/", o)
	if err != nil || doc.Branding.Colors["background"] != "#331122" || doc.Branding.ColorScheme != "dark" || !strings.Contains(doc.Markdown, "hello") {
		t.Errorf("got %+v, %v", doc, err)
	}
}

// Pages of a job may share a tab; each has its own look. Nothing of it is kept under zero data retention.
func TestBranding_ofEachPageOfAJobIsItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<body style='background:#%s'><h1>%[1]s</h1>", r.URL.Path[1:])
	})}, func(o *Options) { o.Dir, o.AllowZeroDataRetention = dir, true })
	for _, private := range []bool{true, false} {
		urls := []string{"https://a.example/112233", "https://a.example/445566", "https://a.example/778899"}
		job, err := e.Batch(t.Context(), urls, BatchOptions{Scrape: ScrapeOptions{Formats: branding}, ZeroDataRetention: private})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for doc, err := range job.Documents(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			count++
			if want := "#" + doc.Metadata.SourceURL[len("https://a.example/"):]; doc.Branding == nil || doc.Branding.Colors["background"] != want {
				t.Errorf("private %t: got %+v, want %s", private, doc.Branding, want)
			}
		}
		kept, err := e.Versions(t.Context(), "https://a.example/*")
		if err != nil || count != 3 || (len(kept) == 0) != private {
			t.Errorf("private %t: %d documents, %d kept, %v", private, count, len(kept), err)
		}
	}
}
