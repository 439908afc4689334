package browser

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"
)

var inspectRoutes = map[string]http.HandlerFunc{
	"/changed": page(`<h1>real</h1><script>
		window.mark = "theirs"; JSON.stringify = () => '"forged"';
		window.getComputedStyle = () => ({color: "forged"}); Document.prototype.querySelector = document.querySelector = () => ({textContent: "forged"})</script>`),
	"/strict": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; require-trusted-types-for 'script'")
		page(`<h1>real</h1>`)(w, r)
	},
	"/late": page(`<h1>busy</h1><script>setTimeout(() => { while (true); }, 300)</script>`),
}

const inspectHeading = `() => ({heading: Document.prototype.querySelector.call(document, "h1").textContent, color: getComputedStyle(document.body).color, mark: typeof mark})`

func TestInspect_isApartFromThePagesScripts(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, inspectRoutes)
	for _, path := range []string{"/changed", "/strict"} {
		p := open(t, PageOptions{Proxy: s.proxy})
		visit(t, p, s.URL+path)
		got, err := p.Inspect(t.Context(), inspectHeading)
		if want := `{"heading":"real","color":"rgb(0, 0, 0)","mark":"undefined"}`; err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", path, got, err, want)
		}
		if after, err := p.Inspect(t.Context(), `() => { globalThis.ours = 1; return typeof mark }`); err != nil || string(after) != `"undefined"` {
			t.Errorf("%s: got %s, %v", path, after, err)
		}
		if theirs, err := p.Evaluate(t.Context(), "typeof ours"); path == "/strict" && (err != nil || string(theirs.Value) != `"undefined"`) {
			t.Errorf("%s: the page sees ours: %s, %v", path, theirs.Value, err)
		}
	}
}

func TestInspect_saysWhatWentWrongAndThePageGoesOn(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, inspectRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/changed")
	for name, script := range map[string]string{
		"throws":    `() => { throw new Error("no") }`,
		"no JSON":   `() => undefined`,
		"too long":  `() => "x".repeat(5 << 20)`,
		"no syntax": `() => {`,
		"endless":   `() => { while (true); }`,
	} {
		if got, err := p.Inspect(t.Context(), script); !errors.Is(err, ErrUnread) {
			t.Errorf("%s: got %.40s, %v", name, got, err)
		}
	}
	if got, err := p.Inspect(t.Context(), inspectHeading); err != nil {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}

func TestInspect_endsWithItsContextOnAPageThatSpins(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, inspectRoutes)
	p := open(t, PageOptions{Proxy: s.proxy})
	visit(t, p, s.URL+"/late")
	if err := p.Wait(t.Context(), 2*time.Second); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if got, err := p.Inspect(ctx, inspectHeading); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %s, %v", got, err)
	}
}
