package enginetest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(tidy{Shared{M: m}}) }

// tidy removes the folders of the tests that fail on purpose.
type tidy struct{ Shared }

func (m tidy) Run() int {
	dir, err := os.MkdirTemp("", "enginetest-tests-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("TMPDIR", dir); err != nil {
		panic(err)
	}
	return m.Shared.Run()
}

// recorder is a test that is watched instead of failing the one that runs.
type recorder struct {
	testing.TB
	errors, logs []string
	cleanups     []func()
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *recorder) Error(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

// run runs a test to its end, and returns the text of its failures.
func (r *recorder) run(test func(testing.TB)) string {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer r.end()
		test(r)
	}()
	<-done
	return strings.Join(r.errors, "\n")
}

func (r *recorder) Failed() bool     { return len(r.errors) > 0 }
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) end() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}

var always = engine.ScrapeOptions{Render: engine.RenderAlways}

func serve(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, body)
	})
}

func TestNew_rendersHandlersAndClosesWithTheTest(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	r := &recorder{TB: t}
	e := New(r, map[string]http.Handler{"app.example": serve(`<p id=p></p><script>p.textContent = "by script"</script>`)})
	doc, err := e.Scrape(t.Context(), "https://app.example/", always)
	if err != nil || !strings.Contains(doc.Markdown, "by script") {
		t.Errorf("%+v, %v", doc, err)
	}
	r.end()
	if r.Failed() || len(r.logs) > 0 {
		t.Errorf("errors %q, logs %q", r.errors, r.logs)
	}
	if _, err := e.Scrape(t.Context(), "https://app.example/", always); err == nil {
		t.Error("the engine outlived its test")
	}
}

func TestNew_failsTheTestOnUnknownHostsAndAttachesThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	r := &recorder{TB: t}
	e := New(r, map[string]http.Handler{"app.example": serve(`<p>x</p><script>console.log("hello from the page"); fetch("https://elsewhere.example/api").catch(() => {})</script>`)})
	if _, err := e.Scrape(t.Context(), "http://app.example/", always); err != nil {
		t.Error(err)
	}
	r.end()
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "elsewhere.example") {
		t.Errorf("errors %q", r.errors)
	}
	log := strings.Join(r.logs, "\n")
	for _, want := range []string{"hello from the page", "GET http://app.example/", "page-1.png"} {
		if !strings.Contains(log, want) {
			t.Errorf("%q is not in the log:\n%s", want, log)
		}
	}
	_, path, _ := strings.Cut(log, "screenshot: ")
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if within, err := filepath.Rel(t.TempDir(), path); err == nil && filepath.IsLocal(within) {
		t.Errorf("%s ends with the test", path)
	}
	_ = os.RemoveAll(filepath.Dir(path))
}

func TestNew_aPanicOfAHandlerIsInTheFailure(t *testing.T) {
	r := &recorder{TB: t}
	e := New(r, map[string]http.Handler{"app.example": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of flour") })})
	doc, err := e.Scrape(t.Context(), "http://app.example/x", engine.ScrapeOptions{Render: engine.RenderNever})
	r.end()
	if err == nil && doc.Metadata.StatusCode != http.StatusInternalServerError {
		t.Errorf("got %+v, want the answer of a handler that failed", doc.Metadata)
	}
	if len(r.errors) == 0 || !strings.Contains(r.errors[0], `"app.example" panicked at GET /x: out of flour`) || !strings.Contains(r.errors[0], "enginetest_test.go") {
		t.Errorf("errors %q, want the panic and where it was", r.errors)
	}
}

func TestNew_sharesOneBrowserUnlessOptionsConcernIt(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
	hosts := map[string]http.Handler{"app.example": serve(`<p id=p></p><script>p.textContent = "had " + (localStorage.x || "nothing"); localStorage.x = 1</script>`)}
	for range 3 { // the same host of another engine
		e := New(t, hosts)
		doc, err := e.Scrape(t.Context(), "https://app.example/", always)
		if err != nil || doc.Markdown != "had nothing" {
			t.Fatalf("got %+v, %v", doc, err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if e := New(t, hosts, func(o *engine.Options) { o.Browser.MaxContexts = 7 }); e == nil {
		t.Error("an option of the browser is refused")
	}
}

func TestNew_failsTheTestOnPlainRequestsToo(t *testing.T) {
	r := &recorder{TB: t}
	e := New(r, nil)
	for _, url := range []string{"http://nobody.example/", "http://93.184.216.34/", "http://nobody.example/again"} {
		if _, err := e.Scrape(t.Context(), url, engine.ScrapeOptions{Render: engine.RenderNever}); err == nil {
			t.Errorf("%s answered", url)
		}
	}
	r.end()
	if len(r.errors) != 2 {
		t.Errorf("errors %q, want one for each host", r.errors)
	}
}
