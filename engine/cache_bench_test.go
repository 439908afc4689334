//go:build unix

package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/crawltest/trapsite"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// benchPage is about 43 kB, the mean of the notes' site: 120 paragraphs, lists, links.
func benchPage(n int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html lang=en><head><title>Page %d</title></head><body><nav>%s</nav><main><h1>Page %d</h1>",
		n, strings.Repeat(`<a href="/n">nav</a> `, 30), n)
	for i := range 120 {
		fmt.Fprintf(&b, `<p>Paragraph %d of page %d tells of <a href="/%d">grain</a>, of chaff, and of the <em>wind</em> that parts them when the basket is held high enough and the day is dry enough; then it ends.</p>`, i, n, i)
		if i%10 == 0 {
			fmt.Fprintf(&b, "<ul>%s</ul>", strings.Repeat("<li>one sack of barley, weighed and dry</li>", 8))
		}
	}
	b.WriteString("</main><footer>Printed on recycled electrons.</footer></body></html>")
	return b.String()
}

// cpu is what the process has used, all threads.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCache compares a scrape of markdown that is served from the cache, on
// disk, with the same scrape fresh over loopback HTTP (each time another page, so that
// nothing is kept of it), in CPU time, writing behind the answer included. "rendered again" is a
// hit whose output isn't kept in memory.
func BenchmarkCache(b *testing.B) {
	var pages atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, benchPage(pages.Add(1)))
	}))
	defer site.Close()
	e := newTestEngine(b, Options{Render: RenderNever, Dir: b.TempDir(), Policy: fetch.Policy{AllowPrivate: true}})
	scrape := func(b *testing.B, o ScrapeOptions) {
		if _, err := e.Scrape(b.Context(), site.URL, o); err != nil {
			b.Fatal(err)
		}
	}
	perOp := map[string]float64{}
	measure := func(name string, op func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			start := cpu(b)
			for b.Loop() {
				op(b)
			}
			if err := e.Flush(b.Context()); err != nil {
				b.Fatal(err)
			}
			perOp[name] = float64(cpu(b)-start) / float64(b.N)
			b.ReportMetric(perOp[name]/1e6, "cpu-ms/op")
			b.ReportMetric(perOp[name]/perOp["fresh"], "x-of-fresh")
		})
	}
	measure("fresh", func(b *testing.B) { scrape(b, ScrapeOptions{MaxAge: fresh}) })
	measure("hit", func(b *testing.B) { scrape(b, ScrapeOptions{}) })
	measure("rendered again", func(b *testing.B) { e.rendered.Forget(); scrape(b, ScrapeOptions{}) })
	src := &page.Page{URL: site.URL, MediaType: "text/html", ContentType: "text/html; charset=utf-8", Body: []byte(benchPage(0))}
	p, err := e.resolve(site.URL, ScrapeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	measure("rendering alone", func(b *testing.B) {
		src.DOM = nil
		if _, err := render.Render(b.Context(), src, &p.Rendering); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkCachedCrawl compares a crawl whose pages are all in the cache with the crawl that fetched them, in CPU time of the whole
// process, the site's own included.
func BenchmarkCachedCrawl(b *testing.B) {
	for _, folder := range []bool{false, true} {
		b.Run(map[bool]string{false: "memory", true: "folder"}[folder], func(b *testing.B) {
			site := trapsite.Plain(benchPages, 2<<10, 200<<10)
			server := httptest.NewServer(site.Handler())
			defer server.Close()
			var first, second time.Duration
			for b.Loop() {
				o := Options{Render: RenderNever, Policy: fetch.Policy{AllowPrivate: true}, MaxPages: benchWorkers}
				if folder {
					o.Dir = b.TempDir()
				}
				e, err := New(o)
				if err != nil {
					b.Fatal(err)
				}
				first += crawlCost(b, e, server.URL+"/")
				second += crawlCost(b, e, server.URL+"/")
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(first)/float64(b.N)/benchPages/1e6, "fresh-cpu-ms/page")
			b.ReportMetric(float64(second)/float64(b.N)/benchPages/1e6, "cached-cpu-ms/page")
			b.ReportMetric(float64(second)/float64(first), "x-of-fresh")
		})
	}
}

// crawlCost is what a crawl for Markdown costs, from its start until all of it is on disk.
func crawlCost(b *testing.B, e *Engine, seed string) time.Duration {
	began := cpu(b)
	job, err := e.Crawl(b.Context(), seed, CrawlOptions{Limit: 2 * benchPages, Sitemap: SitemapSkip, MaxConcurrency: benchWorkers})
	if err != nil {
		b.Fatal(err)
	}
	if s, err := job.Status(b.Context()); err != nil || s.Completed != benchPages {
		b.Fatalf("%+v, %v", s, err)
	}
	if err := e.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	return cpu(b) - began
}

// BenchmarkUnchanged compares a batch with change tracking on the first night with the second, on which nothing has changed, in CPU time of
// the whole process: where the site answers 304, and where it sends the same bytes. The third night is that of another process, which has
// the folder but no outputs.
func BenchmarkUnchanged(b *testing.B) {
	const pages = 300
	for _, validated := range []bool{true, false} {
		b.Run(map[bool]string{true: "304", false: "same bytes"}[validated], func(b *testing.B) {
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if validated {
					w.Header().Set("ETag", `"1"`)
				}
				if validated && r.Header.Get("If-None-Match") != "" {
					w.WriteHeader(http.StatusNotModified)
					return
				}
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprint(w, benchPage(int64(len(r.URL.Path))))
			}))
			defer site.Close()
			var urls []string
			for i := range pages {
				urls = append(urls, site.URL+"/"+strings.Repeat("p", i))
			}
			var nights [3]time.Duration
			for b.Loop() {
				dir := b.TempDir()
				for _, two := range [][]int{{0, 1}, {2}} {
					e := newTestEngine(b, Options{Render: RenderNever, Dir: dir, Policy: fetch.Policy{AllowPrivate: true}})
					for _, night := range two {
						nights[night] += trackCost(b, e, urls)
					}
					if err := e.Close(); err != nil {
						b.Fatal(err)
					}
				}
			}
			for i, name := range []string{"first-ms/page", "second-ms/page", "third-ms/page"} {
				b.ReportMetric(float64(nights[i])/float64(b.N)/pages/1e6, name)
			}
		})
	}
}

func trackCost(b *testing.B, e *Engine, urls []string) time.Duration {
	began := cpu(b)
	job, err := e.Batch(b.Context(), urls, BatchOptions{Scrape: trackWith(formats.Format{})})
	if err != nil {
		b.Fatal(err)
	}
	if s, err := job.Status(b.Context()); err != nil || s.Completed != len(urls) {
		b.Fatalf("%+v, %v", s, err)
	}
	if err := e.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	return cpu(b) - began
}
