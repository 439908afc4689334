package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// raced reports that the race detector is on, which makes everything several times as slow.
var raced bool

// loadTime is how long the load lasts, and think how long each client waits between two requests: full under WINNOW_SOAK=1.
func loadTime() (lasts, think time.Duration) {
	switch {
	case os.Getenv("WINNOW_SOAK") != "":
		return 30 * time.Second, 0
	case raced:
		return time.Second, 200 * time.Millisecond
	}
	return 5 * time.Second, 200 * time.Millisecond
}

const (
	loadClients = 200
	loadPages   = 20
)

// ask is one kind of request of the load, with the status that it must get.
type ask struct {
	method, path, secret, body string
	want                       int
}

// crowd are the clients of a server that has pages in its cache and jobs.
type crowd struct {
	t                  *testing.T
	asks               []ask
	base, batch, crawl string
	client             *http.Client
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	s := newService(t, func(eo *engine.Options, _ *Options) { eo.Dir = t.TempDir() })
	server := httptest.NewUnstartedServer(nil)
	server.Config = NewServer(s.bare())
	server.Start()
	t.Cleanup(server.Close)
	batch := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a","lamp.example/b","nobody.example"]}`).text("id")
	crawl := s.must(200, "POST", "/v2/crawl", `{"url":"lamp.example","sitemap":"skip","ignoreRobotsTxt":true}`).text("id")
	s.ended(batch)
	s.ended(crawl)
	l := join(t, server.URL, batch, crawl)
	for _, a := range l.asks[:loadPages] {
		s.must(200, a.method, a.path, a.body)
		if again := s.must(200, a.method, a.path, a.body); again.text("data", "metadata", "cacheState") != "hit" {
			t.Fatalf("no hit: %s", again.raw)
		}
	}
	return l
}

// join makes the clients of a server that has two jobs.
func join(t *testing.T, base, batch, crawl string) *crowd {
	l := &crowd{t: t, base: base, batch: batch, crawl: crawl, client: &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{MaxIdleConnsPerHost: loadClients, MaxConnsPerHost: loadClients},
	}}
	for i := range loadPages {
		l.asks = append(l.asks, ask{"POST", "/v2/scrape", redSecret, fmt.Sprintf(`{"url":"lamp.example/?%d","formats":["markdown","links"]}`, i), 200})
	}
	l.asks = append(l.asks, statusAsks(batch, crawl)...)
	l.asks = append(l.asks, badAsks(batch)...)
	return l
}

// bare is the handler alone: no one holds its answers against the document.
func (s *service) bare() http.Handler { return s.Handler.(conforming).Handler }

func statusAsks(batch, crawl string) []ask {
	return []ask{
		{"GET", "/v2/batch/scrape/" + batch, redSecret, "", 200},
		{"GET", "/v2/batch/scrape/" + batch + "/errors", redSecret, "", 200},
		{"GET", "/v2/crawl/" + crawl, redSecret, "", 200},
		{"GET", "/v2/crawl/" + crawl + "?limit=1&skip=1", redSecret, "", 200},
		{"GET", "/v2/crawl/active", redSecret, "", 200},
		{"GET", "/v2/concurrency-check", redSecret, "", 200},
		{"GET", "/v2/team/queue-status", redSecret, "", 200},
		{"GET", "/v2/team/credit-usage", redSecret, "", 200},
		{"GET", "/v2/team/activity?limit=5", redSecret, "", 200},
		{"DELETE", "/v2/crawl/" + crawl, redSecret, "", 409},
	}
}

func badAsks(batch string) []ask {
	return []ask{
		{"GET", "/v2/batch/scrape/" + batch, blueSecret, "", 403},
		{"GET", "/v2/batch/scrape/" + batch, "", "", 401},
		{"GET", "/v2/batch/scrape/nothing", redSecret, "", 400},
		{"GET", "/v2/batch/scrape/0190b8a0-0000-7000-8000-000000000000", redSecret, "", 404},
		{"POST", "/v2/scrape", "wrong-secret-0123456789", lampBody, 401},
		{"POST", "/v2/scrape", redSecret, `{"url":`, 400},
		{"POST", "/v2/scrape", redSecret, `{"url":"lamp.example","colour":1,"timeout":1}`, 400},
		{"POST", "/v2/scrape", redSecret, `{"url":"http://10.0.0.1/"}`, 403},
		{"POST", "/v2/crawl", redSecret, strings.Repeat("[", 20_000), 400},
		{"PUT", "/v2/scrape", redSecret, lampBody, 405},
		{"GET", "/v2/nothing", redSecret, "", 404},
	}
}

// send asks once, and gives how long that took.
func (l *crowd) send(ctx context.Context, a ask) (time.Duration, error) {
	r, err := http.NewRequestWithContext(ctx, a.method, l.base+a.path, strings.NewReader(a.body))
	if err != nil {
		return 0, err
	}
	if a.secret != "" {
		r.Header.Set("Authorization", "Bearer "+a.secret)
	}
	began := time.Now()
	res, err := l.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var body any
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil || res.StatusCode != a.want {
		return 0, fmt.Errorf("%s %s: %d, want %d: %.300v, %v", a.method, a.path, res.StatusCode, a.want, body, err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	return time.Since(began), nil
}

// run lets all clients ask until the time is over, and gives how long the answers took, sorted.
func (l *crowd) run(lasts, think time.Duration) []time.Duration {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), lasts)
	defer cancel()
	var work sync.WaitGroup
	var failed atomic.Int64
	took := make([][]time.Duration, loadClients)
	for client := range loadClients {
		work.Go(func() {
			for i := client; ctx.Err() == nil && failed.Load() < 10; i++ {
				d, err := l.send(l.t.Context(), l.asks[i%len(l.asks)])
				if err != nil {
					failed.Add(1)
					l.t.Error(err)
				}
				took[client] = append(took[client], d)
				select {
				case <-ctx.Done():
				case <-time.After(think):
				}
			}
		})
	}
	work.Wait()
	l.client.CloseIdleConnections()
	all := slices.Concat(took...)
	slices.Sort(all)
	return all
}

// heap is what is in use after everything else was collected; twice, for pools give up what they hold at the second time.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// settled waits until nothing runs but what did.
func settled(t *testing.T, before goleak.Option) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		err := goleak.Find(before)
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func TestLoad_manyClientsGetTheirAnswersAndLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test takes seconds")
	}
	l := newCrowd(t)
	before := goleak.IgnoreCurrent()
	lasts, think := loadTime()
	l.run(lasts/5, think) // warm: pools, caches and connections are as large as they get
	settled(t, before)
	first := heap()
	took := l.run(lasts, think)
	settled(t, before)
	last := heap()
	t.Logf("%d requests of %d clients in %v: p50 %v, p99 %v, longest %v; heap %d kB, then %d kB",
		len(took), loadClients, lasts, took[len(took)/2], took[len(took)*99/100], took[len(took)-1], first>>10, last>>10)
	if float64(last) > 1.3*float64(first) {
		t.Errorf("the heap has grown from %d to %d bytes", first, last)
	}
}

// BenchmarkScrape_cached is a scrape from the cache: by the engine alone, through the handler, and over a connection.
func BenchmarkScrape_cached(b *testing.B) {
	s := newService(b, func(eo *engine.Options, _ *Options) { eo.Dir = b.TempDir() })
	h := s.bare()
	scrape := func() {
		if _, err := s.engine.Scrape(b.Context(), "lamp.example", engine.ScrapeOptions{Owner: "red"}); err != nil {
			b.Fatal(err)
		}
	}
	scrape()
	b.Run("engine", func(b *testing.B) {
		for b.Loop() {
			scrape()
		}
	})
	b.Run("handler", func(b *testing.B) {
		for b.Loop() {
			r := httptest.NewRequest("POST", "/v2/scrape", strings.NewReader(lampBody))
			r.Header.Set("Authorization", "Bearer "+redSecret)
			if w := httptest.NewRecorder(); true {
				if h.ServeHTTP(w, r); w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		}
	})
	b.Run("connection", func(b *testing.B) {
		server := httptest.NewServer(h)
		defer server.Close()
		l := &crowd{base: server.URL, client: server.Client()}
		for b.Loop() {
			if _, err := l.send(b.Context(), ask{"POST", "/v2/scrape", redSecret, lampBody, 200}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// scrapeBody are the fields of a scrape, and a list.
func scrapeBody() decode.Fields {
	var url string
	var paths []string
	f := decode.ScrapeFields(&engine.ScrapeOptions{})
	f["url"], f["includePaths"] = decode.URL(&url), decode.Texts(&paths, decode.MaxPatterns)
	return f
}

// BenchmarkBody decodes bodies: a plain one, one with many options, and a list of 1000 strings.
func BenchmarkBody(b *testing.B) {
	for name, body := range map[string]string{
		"scrape":  lampBody,
		"options": `{"url":"lamp.example","formats":["markdown","html",{"type":"screenshot","fullPage":true}],"onlyMainContent":false,"timeout":30000,"waitFor":100,"headers":{"A":"b"},"actions":[{"type":"wait","milliseconds":100}]}`,
		"list":    `{"includePaths":["^/0"` + strings.Repeat(`,"^/some/page/with/a/long/path"`, 999) + `]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if err := decode.Object([]byte(body), scrapeBody()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
