package engine

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/fetch"
)

// grainText is a hundred words of text.
var grainText = "<p>" + strings.Repeat("Barley is a cereal grain that people grow. ", 13) + "</p>"

// priceShop serves a page whose price a script of the site puts in, and counts what was requested.
type priceShop struct{ requested []string }

func (s *priceShop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requested = append(s.requested, r.URL.Path+" "+r.Header.Get("X-Own"))
	switch r.URL.Path {
	case "/app.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(`fetch("/price").then(r => r.text()).then(t => { document.getElementById("price").textContent = t })`))
	case "/theme.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte(`document.body.classList.add("js")`))
	case "/price":
		_, _ = w.Write([]byte("EUR 129.50"))
	case "/product":
		htmlPage("<main>"+grainText+`<p>Price: <span id=price></span></p></main><script src=/app.js></script>`).ServeHTTP(w, r)
	case "/short":
		htmlPage(`<h1>Not here</h1><p>Go elsewhere.</p><script src=/theme.js></script>`).ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

func shopEngine(t *testing.T, o Options) (*Engine, *priceShop) {
	t.Helper()
	s := &priceShop{}
	o.Hosts = map[string]http.Handler{"shop.example": s}
	return newTestEngine(t, o), s
}

func TestScrape_aPlaceThatAScriptFillsNeedsABrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e, _ := shopEngine(t, Options{Browser: BrowserOptions{Shared: commonBrowser(t)}})
	doc, err := e.Scrape(t.Context(), "http://shop.example/product", ScrapeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := doc.Metadata
	if m.RenderedBy != string(page.ByBrowser) || !strings.Contains(doc.Markdown, "129.50") || !strings.Contains(m.RenderReason, "#price") || m.RenderConfidence < 0.75 {
		t.Errorf("%s, %s, %v: %s", m.RenderedBy, m.RenderReason, m.RenderConfidence, doc.Markdown)
	}
}

func TestScrape_aShortPageIsStaticOnceItsScriptsAreRead(t *testing.T) {
	e, s := shopEngine(t, Options{})
	o := ScrapeOptions{MaxAge: fresh, Headers: map[string]string{"X-Own": "mine"}}
	for range 2 {
		doc, err := e.Scrape(t.Context(), "http://shop.example/short", o)
		if err != nil || doc.Metadata.RenderedBy != string(page.ByHTTP) || doc.Warning != "" {
			t.Fatalf("%+v, %v", doc, err)
		}
	}
	if got := strings.Join(s.requested, ", "); got != "/short mine, /theme.js mine, /short mine" {
		t.Errorf("requested %s", got)
	}
}

func TestScrape_withoutABrowserPlacesOfScriptsAreNamed(t *testing.T) {
	e := newTestEngine(t, Options{Hosts: map[string]http.Handler{
		"a.example": htmlPage(grainText + `<p id=stock></p><script>fetch("/s").then(r => { stock.textContent = r.status })</script>`),
	}})
	doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{Render: RenderNever})
	if want := "1 empty place (#stock) is filled by scripts, which plain HTTP does not run."; err != nil || doc.Warning != want {
		t.Errorf("got %q, %v; want %q", doc.Warning, err, want)
	}
}

// What a script adds after a timer of seconds is there with waitFor, and named without.
func TestScrape_lateContentIsNamed(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e := newTestEngine(t, Options{Browser: BrowserOptions{Shared: commonBrowser(t)}, Hosts: map[string]http.Handler{
		"a.example": htmlPage(grainText + `<p id=stock></p><script>addEventListener("load", () => setTimeout(() => { stock.textContent = "Seven pieces are left here" }, 60_000))</script>`),
	}})
	doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{})
	if want := "1 empty place (#stock) is filled by scripts only after seconds; waitFor waits longer."; err != nil || doc.Warning != want {
		t.Errorf("got %q, %v; want %q", doc.Warning, err, want)
	}
}

// Scripts of trackers, also those that only the filter knows, say nothing of a page: it needs no browser, nor does it have one here.
func TestScrape_trackersAreNoReasonForABrowser(t *testing.T) {
	e := newTestEngine(t, Options{
		Hosts: map[string]http.Handler{"a.example": htmlPage(`<p>Closed until May.</p><div id=root></div><script src=https://cdn.usefathom.com/script.js></script>
			<script src=https://consent.cookiebot.com/uc.js></script><script src=/gtm.js></script>`)},
		Browser: BrowserOptions{Install: browser.InstallNever, CacheDir: t.TempDir(), DriverDir: t.TempDir()},
	})
	doc, err := e.Scrape(t.Context(), "http://a.example/", ScrapeOptions{})
	if err != nil || doc.Metadata.RenderedBy != string(page.ByHTTP) || doc.Warning != "" {
		t.Errorf("%+v, %v", doc, err)
	}
}

// A page of the web can't have a program's own hosts requested by naming their scripts.
func TestScrape_fetchesNoScriptOfAVirtualHostForOthers(t *testing.T) {
	inside := &priceShop{}
	page := httptest.NewServer(htmlPage(`<p>Few words.</p><link rel=stylesheet href=http://shop.example/a.css><script src=http://shop.example/app.js></script>`))
	defer page.Close()
	e := newTestEngine(t, Options{
		Hosts: map[string]http.Handler{"shop.example": inside}, Policy: fetch.Policy{AllowPrivate: true},
		Browser: BrowserOptions{Install: browser.InstallNever, CacheDir: t.TempDir(), DriverDir: t.TempDir()},
	})
	if _, err := e.Scrape(t.Context(), page.URL, ScrapeOptions{}); err != nil || len(inside.requested) > 0 {
		t.Errorf("requested %v, %v", inside.requested, err)
	}
}

func TestScrape_minConfidence(t *testing.T) {
	e := newTestEngine(t, Options{Render: RenderNever})
	for _, c := range []struct {
		o    ScrapeOptions
		want string
	}{
		{ScrapeOptions{MinConfidence: 1.1}, "0 to 1"},
		{ScrapeOptions{MinConfidence: -0.1}, "0 to 1"},
		{ScrapeOptions{MinConfidence: 0.5}, `0 where render is "never"`},
	} {
		if _, err := e.Scrape(t.Context(), "http://a.example/", c.o); CodeOf(err) != CodeBadRequest || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.o.MinConfidence, err, c.want)
		}
	}
}

func TestScrape_belowMinConfidenceABrowserRenders(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e, _ := shopEngine(t, Options{MinConfidence: 0.99, Browser: BrowserOptions{Shared: commonBrowser(t)}})
	doc, err := e.Scrape(t.Context(), "http://shop.example/short", ScrapeOptions{})
	if err != nil || doc.Metadata.RenderedBy != string(page.ByBrowser) {
		t.Errorf("%+v, %v", doc, err)
	}
	doc, err = e.Scrape(t.Context(), "http://shop.example/short", ScrapeOptions{MinConfidence: 0.5, MaxAge: fresh})
	if err != nil || doc.Metadata.RenderedBy != string(page.ByHTTP) {
		t.Errorf("%+v, %v", doc, err)
	}
}

// A crawl that obeys robots.txt fetches no script that it forbids; the page is then judged without.
func TestCrawl_fetchesNoScriptThatRobotsForbid(t *testing.T) {
	for rules, want := range map[string]bool{"User-agent: *\nDisallow: /theme.js": false, "User-agent: *\nDisallow: /other": true} {
		s := &priceShop{}
		e := newTestEngine(t, Options{Hosts: map[string]http.Handler{"shop.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				_, _ = w.Write([]byte(rules))
				return
			}
			s.ServeHTTP(w, r)
		})}, Browser: BrowserOptions{Install: browser.InstallNever, CacheDir: t.TempDir(), DriverDir: t.TempDir()}})
		_, err := e.Crawl(t.Context(), "http://shop.example/short", CrawlOptions{Limit: 1, Sitemap: SitemapSkip})
		if got := strings.Contains(strings.Join(s.requested, " "), "/theme.js"); err != nil || got != want {
			t.Errorf("%q: requested %v, %v", rules, s.requested, err)
		}
	}
}
