//go:build unix

package engine

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// mostOverrun is how much longer than its timeout a scrape may take, whatever its page does.
const mostOverrun = 500 * time.Millisecond

// trouble are pages that don't let a scrape end.
var trouble = map[string]http.Handler{
	"console":        htmlPage(`<p>x</p><script>setInterval(() => { for (let i = 0; i < 5000; i++) console.log("line ".repeat(100), i) }, 0)</script>`),
	"console spin":   htmlPage(`<p>x</p><script>setTimeout(() => { for (;;) console.log("line ".repeat(100)) }, 50)</script>`),
	"dom":            htmlPage(`<p>x</p><script>setInterval(() => { for (let i = 0; i < 20000; i++) document.body.append(document.createElement("p"), "text ") }, 0)</script>`),
	"dom spin":       htmlPage(`<p>x</p><script>setTimeout(() => { for (;;) document.body.append(document.createElement("p"), "text ") }, 50)</script>`),
	"script spin":    htmlPage(`<p>x</p><script>for (;;) {}</script>`),
	"written":        htmlPage(`<p>x</p><script>const s = "<p>text text text text</p>".repeat(4000); for (let i = 0; i < 2000; i++) document.write(s)</script>`),
	"endless answer": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { give(w, r, 1<<40) }),
	"200 MB":         http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { give(w, r, 200<<20) }),
	"silent":         http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
}

func give(w http.ResponseWriter, r *http.Request, size int) {
	w.Header().Set("Content-Type", "text/html")
	line := strings.Repeat("<p>text text text text</p>\n", 1000)
	for n := 0; n < size && r.Context().Err() == nil; n += len(line) {
		if _, err := io.WriteString(w, line); err != nil {
			return
		}
	}
}

// The one test that goes by the clock, so that it is none of the ordinary ones.
func TestSoak_timeoutsHold(t *testing.T) {
	if os.Getenv("WINNOW_SOAK") != "1" {
		t.Skip("WINNOW_SOAK=1 runs it: it measures time")
	}
	needBrowser(t)
	for name, handler := range trouble {
		t.Run(name, func(t *testing.T) {
			e := hostEngine(t, map[string]http.Handler{"a.example": handler}, func(o *Options) { o.MaxBytes = 500 << 20 }, ownBrowser)
			holdsTime(t, e, ScrapeOptions{})
			holdsTime(t, e, ScrapeOptions{Formats: []formats.Format{{Type: formats.Screenshot, FullPage: true}}})
		})
	}
	t.Run("late", func(t *testing.T) {
		e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { give(w, r, 2<<20) })}, ownBrowser)
		holdsTime(t, e, ScrapeOptions{Actions: []actions.Action{{Type: actions.ExecuteJavaScript, Script: "for (;;) {}"}}})
	})
	for _, kind := range []string{driverProcess, browserProcess, networkProcess, "gpu-process", "zygote", "renderer"} {
		t.Run(kind+" stopped", func(t *testing.T) {
			var e *Engine
			e = hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				signalBrowser(e, kind, syscall.SIGSTOP) // the page that is tried again meets it too
				htmlPage(scripted).ServeHTTP(w, r)
			})}, ownBrowser)
			for range 4 {
				holdsTime(t, e, ScrapeOptions{Formats: []formats.Format{{Type: formats.Screenshot}}})
			}
		})
	}
}

// holdsTime scrapes and looks at the clock; how the scrape ends is all the same.
func holdsTime(t *testing.T, e *Engine, o ScrapeOptions) {
	t.Helper()
	if err := e.pool.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	const timeout = 4 * time.Second
	o.Render, o.Timeout, o.MaxAge = RenderAlways, timeout, fresh
	began := time.Now()
	doc, err := e.Scrape(t.Context(), "http://a.example/", o)
	took := time.Since(began)
	outcome := fmt.Sprint("code ", CodeOf(err))
	if err == nil {
		outcome = fmt.Sprintf("%d bytes, warning %q", len(doc.Markdown), doc.Warning)
	}
	t.Logf("%s over its time: %s", max(0, took-timeout).Round(time.Millisecond), outcome)
	if took > timeout+mostOverrun {
		t.Errorf("took %s of %s", took, timeout)
	}
}
