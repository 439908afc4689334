package engine

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// until waits for what comes about by itself.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never came: " + what)
		}
	}
}

// noneStays checks that goroutines end, but for those that were there before. Their last steps may need a moment on a busy machine.
func noneStays(t *testing.T, before goleak.Option) {
	t.Helper()
	err := goleak.Find(before)
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); {
		err = goleak.Find(before)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestStats_countWhatWasDone(t *testing.T) {
	e := cachingEngine(t, newGranary(barley))
	for range 3 {
		scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
	}
	scrapeOK(t, e, "https://granary.example/oats", ScrapeOptions{MaxAge: new(time.Duration(0))})
	if _, err := e.Scrape(t.Context(), "nowhere.example", ScrapeOptions{}); err == nil {
		t.Error("a page that isn't there was scraped")
	}
	got := e.Stats()
	if want := (Stats{Credits: 4, CacheHits: 2, CacheMisses: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := e.Close(); err != nil || e.Stats() != got {
		t.Errorf("after Close %+v, %v", e.Stats(), err)
	}
}

func TestStats_whatIsAtWork(t *testing.T) {
	let := make(chan struct{})
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		<-let
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(barley))
	})
	o := Options{Render: RenderNever, MaxPages: 1, Hosts: map[string]http.Handler{"granary.example": site}}
	noNetwork(t)(&o)
	e := newTestEngine(t, o)
	job, err := e.StartBatch(t.Context(), []string{"granary.example/a"}, BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var others sync.WaitGroup
	others.Go(func() { scrapeOK(t, e, "granary.example/b", ScrapeOptions{}) })
	until(t, "one page at work, one in line, one job", func() bool {
		return e.Stats() == Stats{Pages: 1, Queued: 1, Jobs: 1}
	})
	close(let)
	others.Wait()
	if _, err := job.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, "nothing at work", func() bool { return e.Stats() == Stats{Credits: 2, CacheMisses: 2} })
}
