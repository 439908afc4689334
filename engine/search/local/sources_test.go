package local_test

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local"
)

// mill is a site with stories and pictures.
func mill() map[string]http.Handler {
	story := func(day, words string) string {
		return `<html lang=en><title>` + words + `</title><meta property="og:type" content="article"><meta property="article:published_time" content="` + day +
			`T08:30:00Z"><meta property="og:image" content="https://mill.example/wind.png"><main><h1>` + words + `</h1><p>The mill turns.</p></main></html>`
	}
	pages := map[string]string{
		"/old":   story("2026-05-01", "Wind from the east"),
		"/new":   story("2026-05-20", "Wind from the east"),
		"/about": `<html lang=en><title>About</title><main><h1>About the wind</h1><img src=/smoke.png alt="Smoke in the wind" width=320 height=180><img src=/1.gif alt=wind width=1 height=1></main></html>`,
		"/zdr":   story("2026-05-20", "Wind hushmarker"),
	}
	return map[string]http.Handler{"mill.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(pages[r.URL.Path]))
	})}
}

var allSources = []engine.SearchSource{{Type: search.Web}, {Type: search.News}, {Type: search.Images}}

// hits are the paths of stories and of images.
func hits(t *testing.T, e *engine.Engine, query string, o engine.SearchOptions) (stories, images string) {
	t.Helper()
	o.Sources = allSources
	r, err := e.Search(t.Context(), query, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Data.News {
		stories += strings.TrimPrefix(h.URL, "https://mill.example") + " "
	}
	for _, h := range r.Data.Images {
		images += strings.TrimPrefix(h.ImageURL, "https://mill.example") + " "
	}
	return strings.TrimSpace(stories), strings.TrimSpace(images)
}

func TestEngine_findsNewsAndImagesOfItsCache(t *testing.T) {
	for name, dir := range map[string]string{"in memory": "", "in a folder": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, &site{}, dir, func(o *engine.Options) { o.Hosts = mill() })
			for _, path := range []string{"/old", "/new", "/about"} {
				scrape(t, e, "https://mill.example"+path, engine.ScrapeOptions{})
			}
			r, err := e.Search(t.Context(), "wind", engine.SearchOptions{Sources: allSources})
			if err != nil || len(r.Data.Web) != 3 || len(r.Data.News) != 2 || len(r.Data.Images) != 2 || r.Warning != "" || r.Credits != 2 {
				t.Fatalf("got %+v, %v", r, err)
			}
			want := engine.NewsHit{
				Title: "Wind from the east", URL: "https://mill.example/new", Date: "2026-05-20T08:30:00Z", ImageURL: "https://mill.example/wind.png",
				Snippet: "Wind from the east The mill turns.", Position: 1,
			}
			if r.Data.News[0] != want || r.Data.News[1].URL != "https://mill.example/old" || r.Data.News[1].Position != 2 {
				t.Errorf("got %+v", r.Data.News)
			}
			picture := engine.ImageHit{
				Title: "Smoke in the wind", ImageURL: "https://mill.example/smoke.png", ImageWidth: 320, ImageHeight: 180, URL: "https://mill.example/about",
			}
			got := r.Data.Images[0]
			if got.Position = 0; got != picture {
				got = r.Data.Images[1]
			}
			if got.Position = 0; got != picture {
				t.Errorf("got %+v", r.Data.Images)
			}
			if stories, images := hits(t, e, "wind", engine.SearchOptions{TBS: "cdr:1,cd_min:05/01/2026,cd_max:05/02/2026"}); stories != "/old" || images != "/wind.png" {
				t.Errorf("of two days: %s, %s", stories, images)
			}
		})
	}
}

// News and images are as private, and are forgotten, as pages are.
func TestEngine_newsAndImagesOfWhatIsForgottenOrNeverKept(t *testing.T) {
	dir := t.TempDir()
	e := newEngine(t, &site{}, dir, func(o *engine.Options) { o.Hosts = mill() })
	scrape(t, e, "https://mill.example/old", engine.ScrapeOptions{})
	scrape(t, e, "https://mill.example/about", engine.ScrapeOptions{})
	scrape(t, e, "https://mill.example/zdr", engine.ScrapeOptions{ZeroDataRetention: true})
	for _, o := range []engine.SearchOptions{{}, {ZeroDataRetention: true}, {Scrape: &engine.ScrapeOptions{Lockdown: true}}} {
		if stories, images := hits(t, e, "wind", o); stories != "/old" || len(strings.Fields(images)) != 2 {
			t.Errorf("%+v: got %s, %s", o, stories, images)
		}
	}
	for _, path := range []string{"/old", "/about"} {
		if n, err := e.Forget(t.Context(), "https://mill.example"+path); err != nil || n != 1 {
			t.Fatalf("%d, %v", n, err)
		}
	}
	if stories, images := hits(t, e, "wind", engine.SearchOptions{}); stories+images != "" {
		t.Errorf("forgotten: %s, %s", stories, images)
	}
	if err := errors.Join(e.Compact(t.Context()), e.Close()); err != nil {
		t.Fatal(err)
	}
	for _, marker := range []string{"hushmarker", "smoke.png", "wind.png"} {
		if local.Holds(t, filepath.Join(dir, "index"), marker) {
			t.Errorf("%s is in the files of the index", marker)
		}
	}
}

// The pages of news are scraped on request, those of images are not.
func TestEngine_scrapesThePagesOfNews(t *testing.T) {
	e := newEngine(t, &site{}, "", func(o *engine.Options) { o.Hosts = mill() })
	scrape(t, e, "https://mill.example/old", engine.ScrapeOptions{})
	r, err := e.Search(t.Context(), "wind", engine.SearchOptions{
		Sources: []engine.SearchSource{{Type: search.News}}, Scrape: &engine.ScrapeOptions{},
	})
	if err != nil || len(r.Data.News) != 1 || r.Data.News[0].Document == nil || !strings.Contains(r.Data.News[0].Markdown, "The mill turns.") {
		t.Errorf("got %+v, %v", r, err)
	}
}
