package engine

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/page"
)

// What scripts write only after seconds is waited for, in whatever way they wait, and wherever they write it.
func TestScrape_contentAfterATimerOfThreeSecondsIsThere(t *testing.T) {
	t.Parallel()
	const fill = `stock.textContent = "Seven pieces are left here"`
	const adds = `const p = document.createElement("p"); p.textContent = "Seven pieces are left here"; `
	scripts := map[string]string{
		"timeout":  `setTimeout(() => { ` + fill + ` }, 3000)`,
		"interval": `setInterval(() => { ` + fill + ` }, 3000)`,
		"counted":  `let n = 0; const id = setInterval(() => { if (++n === 3) { clearInterval(id); ` + fill + ` } }, 1000)`,
		"awaited":  `const sleep = ms => new Promise(r => setTimeout(r, ms)); (async () => { await sleep(3000); ` + fill + ` })()`,
		"then":     `new Promise(r => setTimeout(r, 3000)).then(() => { ` + fill + ` })`,
		"chained":  `setTimeout(() => setTimeout(() => { ` + fill + ` }, 1500), 1500)`,
		"idle":     `requestIdleCallback(() => setTimeout(() => { ` + fill + ` }, 3000))`,
		"string":   `function show() { ` + fill + ` } setTimeout("show()", 3000)`,
		"method":   `const shop = { start() { setTimeout(this.show.bind(this), 3000) }, show() { ` + fill + ` } }; shop.start()`,
		"to body":  `setTimeout(() => { ` + adds + `document.body.append(p) }, 3000)`,
		"to main":  `setTimeout(() => { ` + adds + `document.querySelector("main").append(p) }, 3000)`,
		"markup":   `setTimeout(() => { document.body.insertAdjacentHTML("beforeend", "<p>Seven pieces are left here") }, 3000)`,
	}
	e := hostEngine(t, map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		script, outside := strings.CutPrefix(strings.TrimPrefix(r.URL.Path, "/"), "script/")
		if outside {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(scripts[script]))
			return
		}
		tag := "<script>" + scripts[script] + "</script>"
		if strings.HasPrefix(r.URL.RawQuery, "outside") {
			tag = `<script src="/script/` + script + `"></script>`
		}
		htmlPage("<main>"+strings.Repeat(grainText, 2)+"<p id=stock></p></main>"+tag).ServeHTTP(w, r)
	})})
	few := []string{"timeout", "chained", "to body"}
	for name := range scripts {
		if raced && !slices.Contains(few, name) {
			continue
		}
		for _, mode := range []Render{RenderAuto, RenderAlways} {
			t.Run(name+" "+string(mode), func(t *testing.T) {
				t.Parallel()
				query := ""
				if mode == RenderAuto {
					query = "?outside"
				}
				doc, err := e.Scrape(t.Context(), "http://a.example/"+strings.ReplaceAll(name, " ", "%20")+query, ScrapeOptions{Render: mode, MaxAge: fresh, OnlyMainContent: new(false)})
				if err != nil {
					t.Fatal(err)
				}
				if doc.Metadata.RenderedBy != string(page.ByBrowser) || !strings.Contains(doc.Markdown, "Seven pieces") || doc.Warning != "" {
					t.Errorf("%s: %q, warning %q", doc.Metadata.RenderReason, doc.Markdown, doc.Warning)
				}
			})
		}
	}
}

// What comes later than is waited for is named, and waitFor waits for it.
func TestScrape_contentAfterAMinuteIsNamed(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{"a.example": htmlPage("<main>" + strings.Repeat(grainText, 2) + `</main><script>
		setTimeout(() => { document.querySelector("main").insertAdjacentHTML("beforeend", "<p>Seven pieces are left here") }, 60_000)</script>`)})
	for mode, want := range map[Render]string{
		RenderNever:  "1 place (main) is added to by scripts, which plain HTTP does not run.",
		RenderAuto:   "1 place (main) is added to by scripts only after seconds; waitFor waits longer.",
		RenderAlways: "Scripts write into the page after 1m0s; waitFor waits longer.",
	} {
		doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: mode, MaxAge: fresh})
		if err != nil || doc.Warning != want {
			t.Errorf("%s: got %q, %v; want %q", mode, doc.Warning, err, want)
		}
	}
}

// Timers of trackers, and what follows only an act of a reader, are waited for by nobody: there is no step for it, nor a browser.
func TestScrape_nothingIsWaitedForThatWritesNothing(t *testing.T) {
	t.Parallel()
	const scripts = `<script>setTimeout(() => gtag("event", "read"), 3000); setInterval(() => navigator.sendBeacon("/b"), 5000); setTimeout(() => fetch("/alive"), 4000)
		more.addEventListener("click", () => setTimeout(() => { stock.textContent = "Seven pieces are left here" }, 3000))</script>`
	e := hostEngine(t, map[string]http.Handler{"a.example": htmlPage("<main>" + strings.Repeat(grainText, 2) + "<button id=more>More</button><p id=stock></p></main>" + scripts)})
	for mode, by := range map[Render]page.By{RenderAuto: page.ByHTTP, RenderAlways: page.ByBrowser} {
		var steps []string
		doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: mode, MaxAge: fresh, OnStep: func(s Step) { steps = append(steps, s.Name) }})
		if err != nil || doc.Metadata.RenderedBy != string(by) || doc.Warning != "" || strings.Contains(strings.Join(steps, " "), "late") {
			t.Errorf("%s: by %s, %v, warning %q, %v", mode, doc.Metadata.RenderedBy, steps, doc.Warning, err)
		}
	}
}
