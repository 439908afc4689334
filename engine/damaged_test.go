package engine

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// damaged sends a plain page as gzip, and one that is shorter than it says.
func damaged(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Connection", "close")
	switch r.URL.Path {
	case "/plain":
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, "<!doctype html><title>x</title><p>Oats, never packed.</p>")
	case "/short":
		conn, buf, err := http.NewResponseController(w).Hijack()
		if err == nil {
			fmt.Fprint(buf, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n<!doctype html><p>Only this much of oats.</p>")
			_ = buf.Flush()
			_ = conn.Close()
		}
	}
}

// A damaged body gives what there is, with a warning; it isn't stored as the page.
func TestScrape_aDamagedBodyGivesWhatThereIs(t *testing.T) {
	site := counted(damaged)
	e, host := sharedSite(t, site)
	for path, want := range map[string]string{"/plain": "Oats, never packed.", "/short": "Only this much of oats."} {
		for _, render := range []Render{RenderNever, RenderAuto, RenderAlways} {
			doc, err := e.Scrape(t.Context(), "http://"+host+path, ScrapeOptions{Render: render})
			if err != nil || doc.Markdown != want || doc.Warning == "" || doc.Metadata.CacheState != cacheMiss {
				t.Errorf("%s, %s: got %+v, %v, want %q with a warning", path, render, doc, err, want)
			}
		}
	}
}

// In a job what came short is asked for again by the job alone.
func TestJob_aShortBodyIsAskedForAgainByTheJobAlone(t *testing.T) {
	site := counted(damaged)
	e := cachingEngine(t, site, hasty)
	job, err := e.StartBatch(t.Context(), []string{"http://granary.example/short"}, BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if status, err := job.Wait(t.Context()); err != nil || status.Completed != 1 || site.of("/short") != work.Attempts {
		t.Errorf("got %+v, %v after %d requests, want %d", status, err, site.of("/short"), work.Attempts)
	}
}

// A broken content-encoding that gives nothing stays an error, of one request.
func TestScrape_brokenGzipIsAskedForOnce(t *testing.T) {
	t.Parallel()
	site := fetchtest.New(t)
	_, err := plainEngine(t).Scrape(t.Context(), site.URL("/broken-gzip"), ScrapeOptions{})
	if CodeOf(err) != CodeSite || !strings.Contains(err.Error(), "ERR_CONTENT_DECODING_FAILED") || site.Hits("/broken-gzip") != 1 {
		t.Errorf("got %v after %d requests", err, site.Hits("/broken-gzip"))
	}
}
