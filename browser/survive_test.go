package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// hostile is how much of a thing a hostile page has, usually and with WINNOW_SOAK=1.
func hostile(usual, full int) string { return strconv.Itoa(inFull(usual, full)) }

var hostileRoutes = map[string]http.HandlerFunc{
	"/nodes": page(`<p>first</p><div hidden id=a></div><script>a.append(...Array.from({length: ` + hostile(40, 1000) + `}, () => {
		const d = document.createElement("div"); for (let i = 0; i < 1000; i++) d.append(document.createElement("i")); return d }))</script>`),
	"/deep":        page(`<p>first</p><script>let at = document.body; for (let i = 0; i < 20000; i++) { const d = document.createElement("div"); at.append(d); at = d }</script>`),
	"/dialogstorm": page(`<p>first</p><script>for (let i = 0; i < 20; i++) { alert(i); confirm(i); prompt(i) } addEventListener("beforeunload", (e) => e.preventDefault())</script>`),
	"/popupstorm":  page(`<p>first</p><script>setInterval(() => window.open("/"), 20)</script>`),
	"/framestorm":  page(`<p>first</p><script>for (let i = 0; i < ` + hostile(30, 300) + `; i++) document.body.append(document.createElement("iframe"))</script>`),
	"/downloads":   page(`<p>first</p><script>for (let i = 0; i < 5; i++) { const a = document.createElement("a"); a.href = "/download?" + i; a.download = "x"; a.click() }</script>`),
	"/reloading":   page(`<p>first</p><script>setTimeout(() => location.reload(), 120)</script>`),
	"/fills": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>first</p>")
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				return
			}
			pause(r, 5)
		}
	},
}

// Each page must be read, or refused with a clear error, well before the test's own end, and the browser must serve the next.
func TestPage_survivesHostilePages(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	pool := ownPool(t, Options{}) // others shall not suffer
	s := newSite(t, newProxy(t).URL, hostileRoutes)
	for path, allowed := range map[string]error{
		"/nodes": nil, "/deep": ErrCrashed, "/dialogstorm": nil, "/popupstorm": nil, "/framestorm": nil, "/downloads": nil, "/reloading": nil, "/fills": nil,
		"/401": nil, "/stuck": context.DeadlineExceeded, "/spinning": context.DeadlineExceeded, "/closing": ErrCrashed,
	} {
		t.Run(path, func(t *testing.T) {
			p := openFrom(t, pool, PageOptions{Proxy: s.proxy, LoadWait: time.Second, Consent: true})
			limit := time.Minute
			if allowed == context.DeadlineExceeded {
				limit = 2 * time.Second
			}
			html, err := readPage(deadline(t, limit), p, s.URL+path)
			if allowed == nil && err != nil || err != nil && !errors.Is(err, allowed) && !errors.Is(err, ErrClosed) {
				t.Errorf("got %v, want %v", err, allowed)
			}
			if allowed == nil && path != "/401" {
				contains(t, "content", html[:min(len(html), 1000)], "first")
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	visit(t, openFrom(t, pool, PageOptions{Proxy: s.proxy}), s.URL+"/")
}

func readPage(ctx context.Context, p *Page, address string) (string, error) {
	if nav, err := p.Goto(ctx, address); err != nil || nav.Empty { // there is no document to read
		return "", err
	}
	if _, err := p.WaitReady(ctx); err != nil {
		return "", err
	}
	return p.Content(ctx)
}
