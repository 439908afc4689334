package engine

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// answered are answers by path, with a Content-Type, "" for none.
type answered map[string]struct {
	mediaType string
	body      []byte
}

func (a answered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given, ok := a[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header()["Content-Type"] = nil
	if given.mediaType != "" {
		w.Header().Set("Content-Type", given.mediaType)
	}
	_, _ = w.Write(given.body)
}

// anyBytes is content of no known type.
func anyBytes() []byte {
	b := make([]byte, 3000)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

const (
	emptyPage = "The page is empty"
	readAs    = "is read as that"
)

// Files with nothing in them and files that lie about their type come to the same by plain HTTP and in a browser.
func TestScrape_contentSaysWhatAPageIs(t *testing.T) {
	site := answered{
		"/empty": {"text/html", nil}, "/blank": {"text/html", []byte(" \n")}, "/shell": {"text/html", []byte("<!doctype html><title>x</title><div></div>")},
		"/empty.txt": {"text/plain", nil}, "/empty.json": {"application/json", nil}, "/empty.csv": {"text/csv", nil}, "/untyped": {"", nil},
		"/zeros": {"text/html", make([]byte, 2000)}, "/zeros.txt": {"text/plain", make([]byte, 2000)}, "/noise": {"text/html", anyBytes()},
		"/empty.pdf": {"application/pdf", nil},
		"/png":       {"text/html", pngOf(t)}, "/png.txt": {"text/plain", pngOf(t)}, "/bare": {"", pngOf(t)},
		"/pdf": {"text/html", oats}, "/docx": {"text/html", docxOf(t, "To the miller", "Twelve sacks are yours.")},
		"/html.png": {"image/png", []byte("<!doctype html><p>Oats, all the same.</p>")},
		"/words":    {"text/html", []byte("Only words.")},
	}
	e, host := sharedSite(t, site)
	for path, want := range map[string]struct {
		markdown, warning string
		code              Code
	}{
		"/empty":      {"", emptyPage, ""},
		"/blank":      {"", emptyPage, ""},
		"/shell":      {"", emptyPage, ""},
		"/empty.txt":  {"", emptyPage, ""},
		"/empty.json": {"", emptyPage, ""},
		"/empty.csv":  {"", emptyPage, ""},
		"/untyped":    {"", emptyPage, ""},
		"/zeros":      {"", "", CodeUnsupportedFile},
		"/zeros.txt":  {"", "", CodeUnsupportedFile},
		"/noise":      {"", "", CodeUnsupportedFile},
		"/empty.pdf":  {"", "", CodeUnsupportedFile},
		"/png":        {"PNG image, 8 × 4 pixels", readAs, ""},
		"/png.txt":    {"PNG image, 8 × 4 pixels", readAs, ""},
		"/bare":       {"PNG image, 8 × 4 pixels", "", ""},
		"/pdf":        {"Oats are sown early in spring. They keep best in a dry loft.\n\nBarley is sown in autumn.", readAs, ""},
		"/docx":       {"# To the miller\n\nTwelve sacks are yours.", readAs, ""},
		"/html.png":   {"Oats, all the same.", "", ""},
		"/words":      {"Only words.", "", ""},
	} {
		for _, render := range []Render{RenderNever, RenderAuto, RenderAlways} {
			doc, err := e.Scrape(t.Context(), "http://"+host+path, ScrapeOptions{Render: render, MaxAge: fresh})
			if CodeOf(err) != want.code || err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: got %v, want %q in one line", path, render, err, want.code)
				continue
			}
			if err == nil && (doc.Markdown != want.markdown || !strings.Contains(doc.Warning, want.warning) || want.warning == "" && doc.Warning != "") {
				t.Errorf("%s, %s: got %q with warning %q, want %q with %q", path, render, doc.Markdown, doc.Warning, want.markdown, want.warning)
			}
		}
	}
}

// An answer that has no content by its status, or says by it what is wrong, is no empty page.
func TestScrape_someAnswersHaveNoContent(t *testing.T) {
	e := cachingEngine(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(map[string]int{"/204": 204, "/205": 205, "/404": 404}[r.URL.Path])
	}))
	for _, path := range []string{"/204", "/205", "/404"} {
		if doc := scrapeOK(t, e, "https://granary.example"+path, ScrapeOptions{}); doc.Warning != "" {
			t.Errorf("%s: got warning %q", path, doc.Warning)
		}
	}
}

func TestScrape_anEmptyPageWarnsFromTheCacheToo(t *testing.T) {
	e := cachingEngine(t, answered{"/": {"text/html", nil}})
	for _, state := range []string{cacheMiss, cacheHit, cacheHit} {
		doc := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
		if doc.Metadata.CacheState != state || strings.Count(doc.Warning, emptyPage) != 1 {
			t.Errorf("%s: got %s with warning %q", state, doc.Metadata.CacheState, doc.Warning)
		}
	}
}

// Where a page sends a browser on to a file in disguise, that is the page.
func TestScrape_theFileThatAPageLeadsToIsRead(t *testing.T) {
	e, host := sharedSite(t, answered{
		"/":    {"text/html", []byte(`<!doctype html><p>first</p><script>location.replace("/png")</script>`)},
		"/png": {"text/html", pngOf(t)},
	})
	doc, err := e.Scrape(t.Context(), "http://"+host+"/", ScrapeOptions{Render: RenderAlways})
	if err != nil || doc.Markdown != "PNG image, 8 × 4 pixels" || doc.Metadata.URL != "http://"+host+"/png" {
		t.Errorf("got %+v, %v", doc, err)
	}
}

// What a browser shows as HTML and isn't takes no actions, as a file that says what it is.
func TestActions_onAFileInDisguiseAreRefused(t *testing.T) {
	e, host := sharedSite(t, answered{"/png": {"text/html", pngOf(t)}})
	_, err := e.Scrape(t.Context(), "http://"+host+"/png", ScrapeOptions{Actions: []actions.Action{{Type: actions.Press, Key: "Enter"}}})
	if CodeOf(err) != CodeActionsNotSupported {
		t.Errorf("got %v", err)
	}
}

func TestParse_ofNothingOrAnythingIsOnePlainError(t *testing.T) {
	e := newTestEngine(t, Options{})
	for name, c := range map[string]struct {
		body []byte
		want Code
	}{
		"a.pdf": {nil, CodeBadRequest}, "b.html": {nil, CodeBadRequest}, "c.txt": {nil, CodeBadRequest}, "d": {nil, CodeBadRequest}, "e.docx": {nil, CodeBadRequest},
		"f.html": {make([]byte, 300), CodeFileType}, "g": {make([]byte, 300), CodeFileType}, "h.txt": {make([]byte, 300), CodeFileType}, "i.csv": {make([]byte, 300), CodeFileType},
		"j.html": {anyBytes(), CodeFileType}, "k.csv": {anyBytes(), CodeFileType},
		"l.pdf": {make([]byte, 300), CodeUnsupportedFile}, "m.pdf": {[]byte("%PDF-1.4\nnothing"), CodeUnsupportedFile}, "n.docx": {anyBytes(), CodeUnsupportedFile},
	} {
		_, err := e.Parse(t.Context(), ParseInput{Reader: bytes.NewReader(c.body), Name: name}, ParseOptions{})
		if CodeOf(err) != c.want || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%s: got %v, want %s in one short line", name, err, c.want)
		}
	}
	for _, name := range []string{"blank.txt", "blank.html", "blank.csv"} {
		doc := parsed(t, e, ParseInput{Reader: strings.NewReader(" \n"), Name: name}, ParseOptions{Formats: []formats.Format{{Type: formats.Markdown}}})
		if strings.TrimSpace(doc.Markdown) != "" || !strings.Contains(doc.Warning, "The file is empty") {
			t.Errorf("%s: got %q with warning %q", name, doc.Markdown, doc.Warning)
		}
	}
}

// What a script has removed was sent.
func TestScrape_aPageThatAScriptEmptiesWasNotSentEmpty(t *testing.T) {
	e, host := sharedSite(t, answered{"/": {"text/html", []byte("<p>Oats.")}})
	doc := scrapeOK(t, e, "http://"+host+"/", ScrapeOptions{
		MaxAge: fresh, Actions: []actions.Action{{Type: actions.ExecuteJavaScript, Script: "document.open()"}},
	})
	if want := "The page is empty: it shows no text, picture or other content."; doc.Markdown != "" || !strings.Contains(doc.Warning, want) {
		t.Errorf("got %q with warning %q, want %q", doc.Markdown, doc.Warning, want)
	}
}
