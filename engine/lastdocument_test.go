package engine

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

// ways in which a page sends the browser on, to an address in %s.
var ways = map[string]string{
	"meta":    `<meta http-equiv=refresh content="0;url=%s"><p>first</p>`,
	"replace": `<p>first</p><script>location.replace("%s")</script>`,
	"form":    `<p>first</p><form method=post action="%s"></form><script>document.forms[0].submit()</script>`,
	"late":    `<p>first</p><script>addEventListener("load", () => setTimeout(() => { location.href = "%s" }, 30))</script>`,
}

// sendingSite sends on as its query says, has a wall that a script passes, and frames and links of the query's addresses.
func sendingSite() map[string]http.Handler {
	return map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := r.URL.Query().Get("to")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch way, ok := ways[r.URL.Query().Get("by")]; {
		case ok:
			fmt.Fprintf(w, way, to)
		case r.URL.Path == "/wall" && !strings.Contains(r.Header.Get("Cookie"), "passed"):
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `<title>Just a moment</title><script>document.cookie = "passed=1"; location.reload()</script>`)
		case r.URL.Path == "/wall":
			fmt.Fprint(w, `<title>Behind</title><main><h1>Behind the wall</h1><p>Grain in stock.</p></main>`)
		case r.URL.Path == "/end":
			w.Header().Set("Content-Language", "de")
			w.WriteHeader(http.StatusGone)
			fmt.Fprint(w, `<main><h1>The end</h1><p>of the way</p></main>`)
		case r.URL.Path == "/feed":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"grain": "rye"}`)
		case r.URL.Path == "/framing":
			fmt.Fprintf(w, `<main><h1>Around</h1><p>its own words</p><iframe src="%s"></iframe></main>`, to)
		default:
			fmt.Fprintf(w, `<main><h1>Start</h1><a id=a href="%s">go on</a></main>`, to)
		}
	})}
}

// The last document decides what a scrape gives, and that which is none is neither content nor stored.
func TestScrape_theLastDocumentDecides(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, sendingSite())
	for _, to := range fewRaced([]struct {
		url  string
		code Code
	}{
		{"http://10.0.0.1/", CodeBlocked}, {"https://none.invalid/", CodeDNS}, {"https://10.0.0.1/", CodeBlocked}, {"http://none.invalid/", CodeDNS},
	}, 2) {
		for _, way := range fewRaced([]string{"late", "meta", "replace", "form"}, 2) {
			href := "http://a.example/go?by=" + way + "&to=" + to.url
			doc, err := e.Scrape(t.Context(), href, ScrapeOptions{Render: RenderAlways, Formats: []formats.Format{{Type: formats.Markdown}, shot}})
			if CodeOf(err) != to.code || doc != nil {
				t.Errorf("%s to %s: %+v, %v", way, to.url, doc, err)
			}
			if _, err := e.Scrape(t.Context(), href, ScrapeOptions{Render: RenderAlways, MinAge: new(time.Millisecond)}); CodeOf(err) != CodeNoCachedData {
				t.Errorf("%s to %s is stored: %v", way, to.url, err)
			}
		}
	}
	for way := range ways {
		if raced && way != "form" {
			continue
		}
		doc := scrapeOK(t, e, "http://a.example/go?by="+way+"&to=/end", ScrapeOptions{Render: RenderAlways})
		if m := doc.Metadata; m.StatusCode != http.StatusGone || !strings.HasPrefix(m.URL, "http://a.example/end") || m.Language != "de" || !strings.Contains(doc.Markdown, "of the way") {
			t.Errorf("%s: %q, %+v", way, doc.Markdown, m)
		}
	}
	doc := scrapeOK(t, e, "http://a.example/go?by=late&to=/feed", ScrapeOptions{Render: RenderAlways})
	if m := doc.Metadata; m.ContentType != "application/json" || m.URL != "http://a.example/feed" || !strings.Contains(doc.Markdown, `"rye"`) {
		t.Errorf("%q, %+v", doc.Markdown, m)
	}
}

func TestScrape_aWallThatIsPassedIsNoError(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, sendingSite())
	for _, render := range []Render{RenderAuto, RenderAlways} {
		doc := scrapeOK(t, e, "http://a.example/wall", ScrapeOptions{Render: render, MaxAge: fresh})
		if m := doc.Metadata; m.StatusCode != http.StatusOK || m.Error != "" || !strings.Contains(doc.Markdown, "Grain in stock") {
			t.Errorf("%s: %q, %+v", render, doc.Markdown, m)
		}
	}
}

// Actions that lead to what is refused or dead fail the scrape, also where they would take its picture.
func TestScrape_actionsDontTakeWhatIsNoDocument(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, sendingSite())
	leave := actions.Action{Type: actions.Click, Selector: "#a"}
	for to, code := range map[string]Code{"http://10.0.0.1/": CodeBlocked, "https://none.invalid/": CodeDNS} {
		for _, take := range []actions.Type{actions.Screenshot, actions.Scrape, actions.PDF} {
			list := []actions.Action{leave, {Type: actions.Wait, Milliseconds: 500}, {Type: take}}
			_, err := e.Scrape(t.Context(), "http://a.example/?to="+to, ScrapeOptions{Actions: list})
			if CodeOf(err) != code {
				t.Errorf("%s of %s: %v", take, to, err)
			}
		}
	}
}

func TestScrape_framesWithoutADocumentAreEmpty(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, sendingSite())
	for _, to := range []string{"http://10.0.0.1/", "https://none.invalid/"} {
		doc := scrapeOK(t, e, "http://a.example/framing?to="+to, ScrapeOptions{Render: RenderAlways, OnlyMainContent: new(false)})
		if want := "# Around\n\nits own words"; strings.TrimSpace(doc.Markdown) != want {
			t.Errorf("%s: got %q, want %q", to, doc.Markdown, want)
		}
	}
}

func TestSession_theLastDocumentDecides(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	e := hostEngine(t, sendingSite())
	s := newTestSession(t, e, SessionOptions{})
	for to, code := range map[string]Code{"http://10.0.0.1/": CodeBlocked, "https://none.invalid/": CodeDNS} {
		if err := s.Goto(t.Context(), "http://a.example/go?by=replace&to="+to); CodeOf(err) != code {
			t.Errorf("%s: %v", to, err)
		}
		if doc, err := s.Scrape(t.Context(), ScrapeOptions{}); CodeOf(err) != code {
			t.Errorf("%s: %+v, %v", to, doc, err)
		}
	}
	if err := s.Goto(t.Context(), "http://a.example/go?by=late&to=/end"); err != nil {
		t.Error(err)
	}
	if doc, err := s.Scrape(t.Context(), ScrapeOptions{}); err != nil || doc.Metadata.StatusCode != http.StatusGone || doc.Metadata.Language != "de" {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestCrawl_theLastDocumentDecides(t *testing.T) {
	t.Parallel()
	hosts := sendingSite()
	hosts["start.example"] = htmlPage(linksTo("/refused", "/end", "/gone"))
	start := hosts["start.example"]
	hosts["start.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/refused":
			htmlPage(fmt.Sprintf(ways["late"], "http://10.0.0.1/x")).ServeHTTP(w, r)
		case "/gone":
			htmlPage(fmt.Sprintf(ways["late"], "https://none.invalid/x")).ServeHTTP(w, r)
		case "/end":
			htmlPage(`<main><p>the end</p></main>`).ServeHTTP(w, r)
		default:
			start.ServeHTTP(w, r)
		}
	})
	e := hostEngine(t, hosts)
	job, err := e.Crawl(t.Context(), "http://start.example/", CrawlOptions{
		Scrape: ScrapeOptions{Render: RenderAlways}, Sitemap: SitemapSkip, AllowExternalLinks: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Code{"http://start.example/refused": CodeBlocked, "http://start.example/gone": CodeDNS}
	failures, err := job.Errors(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, failed := range failures {
		if want[failed.URL] != failed.Code {
			t.Errorf("%+v", failed)
		}
		delete(want, failed.URL)
	}
	if len(want) > 0 {
		t.Errorf("no error of %v", want)
	}
}

// No navigation depends on what the one before it has left: it used to hang until its timeout.
func TestSession_afterAFailedNavigationTheNextWorks(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	hosts := counterShop()
	asked := make(chan struct{}, 1)
	hosts["silent.example"] = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})
	e := hostEngine(t, hosts)
	s := newTestSession(t, e, SessionOptions{URL: "http://shop.example/"})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if err := s.Goto(ctx, "http://silent.example/"); CodeOf(err) != CodeCancelled {
		t.Error(err)
	}
	for range 2 {
		for _, step := range []struct {
			url  string
			code Code
		}{
			{"http://10.0.0.1/", CodeBlocked}, {"https://10.0.0.1/", CodeBlocked}, {"https://nowhere.invalid/", CodeDNS}, {"http://10.0.0.1/", CodeBlocked},
			{"http://10.0.0.1/", CodeBlocked}, {"http://shop.example/", ""},
		} {
			if err := s.Goto(t.Context(), step.url); CodeOf(err) != step.code {
				t.Errorf("%s: %v", step.url, err)
			}
		}
	}
}
