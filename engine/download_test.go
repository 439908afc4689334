package engine

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

// fileSites have files to be saved.
func fileSites() map[string]http.Handler {
	shop := http.NewServeMux()
	shop.Handle("/", htmlPage(`<p>shop</p><a id=report href="/report">x</a><a id=large href="/large">x</a><a id=huge href="/huge">x</a>
		<a id=inside download=x.txt href="/to-private">x</a><a id=outside href="http://10.0.0.1/x.csv">x</a>
		<a id=led download href="/to-pay">x</a>
		<script>const save = (text, name) => { const a = document.createElement("a");
			a.href = URL.createObjectURL(new Blob([text])); a.download = name; a.click() }</script>
		<button id=made onclick="save('%PDF-1.7 made', 'made')">x</button><button id=big onclick="save('x'.repeat(20000), 'big')">x</button>`))
	attachment := func(kind, name, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
			_, _ = io.WriteString(w, body)
		}
	}
	shop.Handle("/report", attachment("text/csv; charset=utf-8", "../../report.csv", "a,b"))
	shop.Handle("/large", attachment("application/zip", "large.zip", strings.Repeat("x", 15000)))
	shop.Handle("/huge", attachment("application/zip", "huge.zip", strings.Repeat("x", 30000)))
	shop.Handle("/to-private", http.RedirectHandler("http://10.0.0.1/secret.txt", http.StatusFound))
	shop.Handle("/to-pay", http.RedirectHandler("http://pay.example/", http.StatusFound))
	return map[string]http.Handler{"shop.example": shop, "pay.example": htmlPage("the payment")}
}

// saveBy clicks in a scrape.
func saveBy(t *testing.T, e *Engine, selector string) (*Document, error) {
	t.Helper()
	return e.Scrape(t.Context(), "http://shop.example/", ScrapeOptions{
		OnlyMainContent: new(false), Actions: []actions.Action{{Type: actions.Click, Selector: selector}},
	})
}

func limited(o *Options) { o.MaxBytes = 10000 }

// A file that a click has the browser save is an output; the page stays what it is.
func TestActions_filesThatAClickHasSavedAreOutputs(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	dir := t.TempDir()
	for name, e := range map[string]*Engine{
		"data URI": hostEngine(t, fileSites(), limited), "folder": hostEngine(t, fileSites(), limited, func(o *Options) { o.AssetDir = dir }),
	} {
		doc, err := saveBy(t, e, "#report")
		if err != nil || doc.Actions == nil || len(doc.Actions.Downloads) != 1 || !strings.Contains(doc.Markdown, "shop") {
			t.Fatalf("%s: got %+v, %v, want the page and a file", name, doc, err)
		}
		got := doc.Actions.Downloads[0]
		if strings.ContainsAny(got.Name, `/\`) || !strings.HasSuffix(got.Name, "report.csv") || got.Type != "text/csv" || got.Size != 3 ||
			got.URL != "http://shop.example/report" || got.SHA256 != "1eb7c54d52831bbfe8942af0b1c56b7409523a59ed6ca99c1174fef7eb32c1b5" {
			t.Errorf("%s: got %+v", name, got)
		}
		if data, err := os.ReadFile(got.Asset); name == "folder" && (err != nil || string(data) != "a,b" || !strings.HasPrefix(got.Asset, dir)) {
			t.Errorf("got %s with %q, %v", got.Asset, data, err)
		}
		if name == "data URI" && got.Asset != "data:text/csv;base64,YSxi" {
			t.Errorf("got %s", got.Asset)
		}
	}
}

// What a script makes is a file, too, of the type that its content has.
func TestActions_aFileThatAScriptMakesIsAnOutput(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	doc, err := saveBy(t, hostEngine(t, fileSites(), limited), "#made")
	if err != nil || doc.Actions == nil || len(doc.Actions.Downloads) != 1 || doc.Actions.Downloads[0].Type != "application/pdf" {
		t.Errorf("got %+v, %v", doc.Actions, err)
	}
}

// A file is bounded like a page, and its requests are policed like those of any other. What comes to nothing has a note.
func TestActions_filesObeyLimitsAndPolicy(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e := hostEngine(t, fileSites(), limited)
	for selector, want := range map[string]string{
		"#large": "The download of http://shop.example/large failed: it was cut off, as those are that have over 10000 bytes",
		"#big":   "it has 20000 bytes, and at most 10000 are allowed",
	} {
		doc, err := saveBy(t, e, selector)
		if err != nil {
			t.Errorf("%s: %v", selector, err)
			continue
		}
		if doc.Actions == nil || len(doc.Actions.Downloads) != 0 ||
			!slices.ContainsFunc(doc.Actions.Notes, func(n actions.Note) bool { return strings.Contains(n.Text, want) }) {
			t.Errorf("%s: got %+v, want no file and a note %q", selector, doc.Actions, want)
		}
	}
	// The browser saves nothing of another site that a link of this one has led to, and none is waited for.
	if doc, err := saveBy(t, e, "#led"); err != nil || !strings.Contains(doc.Markdown, "the payment") || doc.Actions != nil && len(doc.Actions.Notes) > 0 {
		t.Errorf("got %+v, %v, want the other site's page", doc, err)
	}
	for selector, want := range map[string]Code{"#inside": CodeBlocked, "#outside": CodeBlocked, "#huge": CodeUnsupportedFile} {
		if doc, err := saveBy(t, e, selector); CodeOf(err) != want { // the browser shows the refusal in place of the page
			t.Errorf("%s: got %+v, %v, want %s", selector, doc, err, want)
		}
	}
}

// Actions of a session give files, which its browser keeps inside its sandbox.
func TestSession_filesThatActionsHaveSavedAreOutputs(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	e := hostEngine(t, fileSites())
	s, err := e.NewSession(t.Context(), SessionOptions{URL: "http://shop.example/"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Do(t.Context(), actions.Action{Type: actions.Click, Selector: "#report"})
	if err != nil || len(out.Downloads) != 1 || out.Downloads[0].Asset != "data:text/csv;base64,YSxi" {
		t.Errorf("got %+v, %v", out, err)
	}
	if _, err := s.Close(); err != nil {
		t.Error(err)
	}
}
