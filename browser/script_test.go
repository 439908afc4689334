package browser

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"
)

var scriptRoutes = map[string]http.HandlerFunc{
	"/": page(`<p id=p></p><script>p.textContent = window.said</script><iframe srcdoc="<script>parent.framed = window.said</script>"></iframe>`),
}

// What is added runs before the scripts of each document, after the page's own option.
func TestAddScript_runsBeforeThePagesScripts(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, scriptRoutes)
	p := open(t, PageOptions{Proxy: s.proxy, Script: "window.said = 1"})
	for _, want := range []string{`"1 1"`, `"11 11"`, `"111 111"`} {
		visit(t, p, s.URL+"/")
		if got, err := p.Evaluate(t.Context(), `p.textContent + " " + window.framed`); err != nil || string(got.Value) != want {
			t.Errorf("got %s, %v, want %s", got.Value, err, want)
		}
		if err := AddScript(t.Context(), p, `window.said += "1"`); err != nil {
			t.Fatal(err)
		}
	}
	p.Close()
	if err := AddScript(t.Context(), p, ""); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestInspectAsync_awaitsAndSaysWhatWentWrong(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, inspectRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/strict")
	got, err := InspectAsync(t.Context(), p, `async () => { await new Promise((done) => setTimeout(done, 20)); return typeof document }`)
	if err != nil || string(got) != `"object"` {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := InspectAsync(t.Context(), p, `() => undefined`); err != nil || string(got) != "null" {
		t.Errorf("nothing: got %s, %v", got, err)
	}
	for name, script := range map[string]string{
		"throws": `async () => { throw new Error("no") }`, "too long": `() => "x".repeat(5 << 20)`, "no syntax": `() => {`,
		"leaves": `async () => { location.reload(); await new Promise(() => {}) }`,
	} {
		if got, err := InspectAsync(t.Context(), p, script); !errors.Is(err, ErrUnread) {
			t.Errorf("%s: got %.40s, %v", name, got, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := InspectAsync(ctx, p, `() => window.kept = new Promise(() => {})`); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("endless: %v", err)
	}
}
