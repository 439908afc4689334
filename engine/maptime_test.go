package engine

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestMap_keepsToCrawlDelayAndRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(map[string]string{
			"/robots.txt": "User-agent: *\nCrawl-delay: 5\nDisallow: /no",
			"/":           linkPage("Home", "/1", "/no", "/2"), "/1": linkPage("One"), "/2": linkPage("Two"), "/no": linkPage("No", "/never"),
		})
		begin := time.Now()
		r := mapOK(t, shelfEngine(t, s), granaryURL, MapOptions{ObeyRobots: true})
		if got := urlsOf(r); got != "g/ g/1 g/2" || s.count("granary.example/no") != 0 || !strings.Contains(r.Warning, "left out: 1") {
			t.Errorf("got %s, %q, asked %v", got, r.Warning, s.asked)
		}
		if took := time.Since(begin); took != 10*time.Second {
			t.Errorf("took %s, want two pauses of 5s", took)
		}
		s.files["/robots.txt"] = strings.Replace(s.files["/robots.txt"], "5", "3600", 1)
		mapOK(t, shelfEngine(t, s), granaryURL, MapOptions{ObeyRobots: true})
		if took := time.Since(begin); took != 10*time.Second || s.count("granary.example/2") != 1 {
			t.Errorf("it waits for nothing: %s, asked %v", took, s.asked)
		}
	})
}

// hangingSite answers some paths never.
func hangingSite(s *shelf, paths ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(paths, r.URL.Path) {
			<-r.Context().Done()
			return
		}
		s.ServeHTTP(w, r)
	})
}

func TestMap_timeoutGivesWhatWasFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := shelfEngine(t, hangingSite(farm(), "/sitemap.xml"))
		begin := time.Now()
		r := mapOK(t, e, granaryURL, MapOptions{Timeout: 15 * time.Second})
		if got := urlsOf(r); !strings.HasPrefix(got, "g/ g/barley") || r.Warning != "The time ran out: these are the URLs found within 15s." || time.Since(begin) != 15*time.Second {
			t.Errorf("got %s, %q after %s", got, r.Warning, time.Since(begin))
		}
	})
}

func TestMap_theCacheIsReadAlsoWhenTheTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := farm()
		s.files["/hidden"] = linkPage("Hidden")
		e := shelfEngine(t, hangingSite(s, "/", "/sitemap.xml"))
		scrapeOK(t, e, granaryURL+"hidden", ScrapeOptions{})
		r := mapOK(t, e, granaryURL, MapOptions{Timeout: 15 * time.Second})
		if got := urlsOf(r); got != "g/hidden" || !strings.Contains(r.Warning, "time ran out") || !strings.Contains(r.Warning, string(CodeTimeout)) {
			t.Errorf("got %s, %q", got, r.Warning)
		}
	})
}

func TestMap_timeoutWithNothingFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := shelfEngine(t, hangingSite(farm(), "/", "/sitemap.xml", "/robots.txt"))
		_, err := e.Map(t.Context(), granaryURL, MapOptions{Timeout: 10 * time.Second})
		if CodeOf(err) != CodeMapTimeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if u, err := e.Usage(t.Context(), ""); err != nil || u.Credits != 0 {
			t.Errorf("usage %+v, %v", u, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := e.Map(ctx, granaryURL, MapOptions{}); CodeOf(err) != CodeMapTimeout {
			t.Errorf("the caller's own deadline: %v", err)
		}
	})
}

// The page may take half of the time, so that something is left for the rest.
func TestMap_aHangingPageLeavesTimeForSitemaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := shelfEngine(t, hangingSite(farm(), "/"))
		r := mapOK(t, e, granaryURL, MapOptions{Timeout: 10 * time.Second})
		if got := urlsOf(r); got != "g/rye g/barley www.g/wheat blog.g/harvest" || r.Warning != "The page itself could not be read (SCRAPE_TIMEOUT)." {
			t.Errorf("got %s, %q", got, r.Warning)
		}
	})
}

// Without a timeout each part has its own.
func TestMap_eachPartHasATimeOfItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		hangs   []string
		took    time.Duration
		list    string
		warning string
	}{
		"page": {[]string{"/"}, 30 * time.Second, "g/1.xml-page g/2.xml-page", // the client waits no longer for an answer
			"The page itself could not be read (SCRAPE_SITE_ERROR)."},
		"robots.txt": {[]string{"/robots.txt"}, 8 * time.Second, "g/ g/1 g/2 g/3 g/4 g/5 g/1.xml-page g/2.xml-page", ""},
		"a sitemap": {[]string{"/1.xml"}, 20 * time.Second, "g/ g/1 g/2 g/3 g/4 g/5 g/2.xml-page",
			"Sitemaps that could not be read, or not whole: 1."},
		"all sitemaps": {[]string{"/1.xml", "/2.xml"}, 30 * time.Second, "g/ g/1 g/2 g/3 g/4 g/5",
			"The sitemaps could not all be read within 30s. Sitemaps that could not be read, or not whole: 1."},
		"further pages": {[]string{"/sitemap.xml", "/1", "/2", "/3", "/4", "/5"}, 20*time.Second + 2*15*time.Second, "g/ g/1 g/2 g/3 g/4 g/5", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := shelfEngine(t, hangingSite(newShelf(map[string]string{
					"/":            linkPage("Home", "/1", "/2", "/3", "/4", "/5"),
					"/sitemap.xml": sitemapIndex("https://granary.example/1.xml", "https://granary.example/2.xml"),
					"/1.xml":       urlset("https://granary.example/1.xml-page"), "/2.xml": urlset("https://granary.example/2.xml-page"),
				}), c.hangs...))
				begin := time.Now()
				r, err := e.Map(t.Context(), granaryURL, MapOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(begin); took != c.took || r.Warning != c.warning || urlsOf(r) != c.list {
					t.Errorf("took %s, want %s\ngot  %s\nwant %s\ngot  %q\nwant %q", took, c.took, urlsOf(r), c.list, r.Warning, c.warning)
				}
			})
		})
	}
}

func TestMap_endsWithItsCaller(t *testing.T) {
	arrived := make(chan struct{})
	s := farm()
	e := shelfEngine(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" {
			close(arrived)
			<-r.Context().Done()
			return
		}
		s.ServeHTTP(w, r)
	}))
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-arrived; leave() }()
	if _, err := e.Map(ctx, granaryURL, MapOptions{}); CodeOf(err) != CodeCancelled {
		t.Errorf("got %v", err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Map(t.Context(), granaryURL, MapOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed engine: %v", err)
	}
}
