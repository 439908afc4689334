//go:build unix

package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/PuerkitoBio/goquery"

	"github.com/winnow-go/winnow/crawl/crawltest/trapsite"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

const (
	benchPages   = 1000
	benchWorkers = 16
)

// reference is a crawler as anybody would write it: a pool of workers, net/http,
// goquery for title and links, a map and a slice. With convert it makes markdown of
// the same tree as well.
type reference struct {
	seed    string
	convert bool

	mu    sync.Mutex
	seen  map[string]bool
	queue []string
	busy  int
	wake  *sync.Cond
	pages int
}

func (r *reference) run(b *testing.B) {
	r.seen, r.queue = map[string]bool{r.seed: true}, []string{r.seed}
	r.wake = sync.NewCond(&r.mu)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchWorkers}}
	defer client.CloseIdleConnections()
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	var work sync.WaitGroup
	for range benchWorkers {
		work.Go(func() {
			for url, ok := r.take(); ok; url, ok = r.take() {
				links, err := r.page(client, conv, url)
				if err != nil {
					b.Error(err)
				}
				r.done(links)
			}
		})
	}
	work.Wait()
}

func (r *reference) take() (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.queue) == 0 {
		if r.busy == 0 {
			r.wake.Broadcast()
			return "", false
		}
		r.wake.Wait()
	}
	url := r.queue[0]
	r.queue = r.queue[1:]
	r.busy++
	return url, true
}

func (r *reference) done(links []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy--
	r.pages++
	for _, l := range links {
		if strings.HasPrefix(l, r.seed) && !r.seen[l] {
			r.seen[l] = true
			r.queue = append(r.queue, l)
		}
	}
	r.wake.Broadcast()
}

func (r *reference) page(client *http.Client, conv *converter.Converter, url string) (links []string, err error) {
	res, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	doc, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		return nil, err
	}
	doc.Url = res.Request.URL
	title := doc.Find("title").First().Text()
	for _, a := range doc.Find("a[href]").EachIter() {
		if u, err := doc.Url.Parse(a.AttrOr("href", "")); err == nil {
			u.Fragment = ""
			links = append(links, u.String())
		}
	}
	if r.convert {
		text, err := conv.ConvertNode(doc.Nodes[0])
		if err != nil || len(text) == 0 {
			return nil, fmt.Errorf("no markdown of %q: %w", title, err)
		}
	}
	_, _ = io.Copy(io.Discard, res.Body)
	return links, nil
}

// peak samples the heap while f runs.
func peak(f func()) uint64 {
	runtime.GC()
	debug.FreeOSMemory()
	var most atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapInuse > most.Load() {
				most.Store(m.HeapInuse)
			}
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return most.Load()
}

// BenchmarkCrawl compares crawls of a local site of 1,000 pages of 2 to 200 KiB, in
// CPU time of the whole process (the site's own, the same for all, included), with the
// reference in the same run: R has title and links, R-md markdown too.
func BenchmarkCrawl(b *testing.B) {
	site := trapsite.Plain(benchPages, 2<<10, 200<<10)
	server := httptest.NewServer(site.Handler())
	defer server.Close()
	seed := server.URL + "/"
	cost := map[string]float64{}
	measure := func(name, against string, op func(b *testing.B) (pages int)) {
		b.Run(name, func(b *testing.B) {
			var used, took time.Duration
			var heap uint64
			for b.Loop() {
				site.Reset()
				start, at := cpu(b), time.Now()
				heap = max(heap, peak(func() {
					if n := op(b); n != benchPages {
						b.Errorf("%d pages", n)
					}
				}))
				used, took = used+cpu(b)-start, took+time.Since(at)
				if twice := site.Twice(); len(twice) != 0 {
					b.Errorf("%d pages were fetched more than once", len(twice))
				}
			}
			cost[name] = float64(used) / float64(b.N) / benchPages
			b.ReportMetric(cost[name]/1e6, "cpu-ms/page")
			b.ReportMetric(float64(b.N*benchPages)/took.Seconds(), "pages/s")
			b.ReportMetric(float64(heap)/(1<<20), "peak-heap-MiB")
			if against != "" {
				b.ReportMetric(cost[name]/cost[against], "x-of-"+against)
			}
		})
	}
	ref := func(convert bool) func(*testing.B) int {
		return func(b *testing.B) int {
			r := &reference{seed: seed, convert: convert}
			r.run(b)
			return r.pages
		}
	}
	crawl := func(file bool, asked formats.Type) func(*testing.B) int {
		return func(b *testing.B) int {
			o := Options{Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, MaxPages: benchWorkers}
			if file {
				o.Dir = b.TempDir()
			}
			e, err := New(o)
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			job, err := e.Crawl(b.Context(), seed, CrawlOptions{
				Limit: 2 * benchPages, Sitemap: SitemapSkip, MaxConcurrency: benchWorkers,
				Scrape: ScrapeOptions{Formats: []formats.Format{{Type: asked}}, OnlyMainContent: new(false), StoreInCache: new(false)},
			})
			if err != nil {
				b.Fatal(err)
			}
			s, err := job.Status(b.Context())
			if err != nil || s.State != JobCompleted {
				b.Fatalf("%+v, %v", s, err)
			}
			return s.Completed
		}
	}
	measure("R", "", ref(false))
	measure("links", "R", crawl(false, formats.Links))
	measure("links, bbolt", "R", crawl(true, formats.Links))
	measure("R-md", "R", ref(true))
	measure("markdown", "R-md", crawl(false, formats.Markdown))
	measure("markdown, bbolt", "R-md", crawl(true, formats.Markdown))
}
