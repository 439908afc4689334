//go:build unix

package engine

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// bulletin is a site of pages of 43 kB, of which a hundredth change from night to night; each links to ten others.
type bulletin struct {
	pages   int
	sitemap bool
	night   atomic.Int64
	bytes   atomic.Int64
	now     time.Time
	filling string
}

func newBulletin(pages int, sitemap bool) *bulletin {
	return &bulletin{pages: pages, sitemap: sitemap, now: time.Date(2026, 11, 26, 2, 0, 0, 0, time.UTC), filling: "<p>" + words(1, 7600) + "</p>"}
}

// edition is the night in which a page changed last.
func (s *bulletin) edition(n int) int {
	night := int(s.night.Load())
	for ; night > 0; night-- {
		if n%100 == night%100 {
			return night
		}
	}
	return 0
}

func (s *bulletin) clock() time.Time {
	return s.now.Add(time.Duration(s.night.Load()) * 24 * time.Hour)
}

func (s *bulletin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/sitemap.xml" && s.sitemap {
		s.list(w)
		return
	}
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if r.URL.Path != "/" && (err != nil || n >= s.pages) {
		http.NotFound(w, r)
		return
	}
	edition := s.edition(n)
	tag := fmt.Sprintf(`"%d-%d"`, n, edition)
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	size, _ := fmt.Fprintf(w, "<!DOCTYPE html><html><head><title>Page %d</title></head><body><header>It is %s</header><main><h1>Page %d</h1><p>Edition %d of this page.</p>%s<ul>",
		n, s.clock().Format(time.RFC1123), n, edition, s.filling[:40_000])
	for i := range 10 {
		if to := 10*n + i + 1; to < s.pages {
			more, _ := fmt.Fprintf(w, `<li><a href="/%d">Page %d</a>`, to, to)
			size += more
		}
	}
	s.bytes.Add(int64(size))
}

func (s *bulletin) list(w http.ResponseWriter) {
	fmt.Fprint(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for n := range s.pages {
		at := s.now.Add(time.Duration(s.edition(n)) * 24 * time.Hour)
		size, _ := fmt.Fprintf(w, "<url><loc>https://bulletin.example/%d</loc><lastmod>%s</lastmod></url>\n", n, at.Format(time.RFC3339))
		s.bytes.Add(int64(size))
	}
	fmt.Fprint(w, "</urlset>")
}

// BenchmarkCrawl_comesAgain crawls 10,000 pages, of which a hundredth change each night, and reports parts of the first night: processor
// time, the site's included, and bytes of pages and sitemaps.
func BenchmarkCrawl_comesAgain(b *testing.B) {
	for _, sitemap := range []bool{false, true} {
		b.Run(fmt.Sprintf("sitemap=%t", sitemap), func(b *testing.B) {
			for range b.N {
				s := newBulletin(10_000, sitemap)
				dir := b.TempDir()
				first, bytes := s.crawl(b, dir, CrawlOptions{}, 0)
				for night := 1; night <= 4; night++ {
					s.night.Add(1)
					again, sent := s.crawl(b, dir, CrawlOptions{Since: SinceLast}, s.pages/100)
					b.ReportMetric(float64(again)/float64(first), fmt.Sprintf("cpu%d/first", night))
					b.ReportMetric(float64(sent)/float64(bytes), fmt.Sprintf("bytes%d/first", night))
				}
				b.ReportMetric(float64(first.Microseconds())/float64(s.pages), "µs/page/first")
			}
		})
	}
}

// crawl crawls the site in an engine of its own, and wants a number of changes.
func (s *bulletin) crawl(b *testing.B, dir string, o CrawlOptions, changes int) (used time.Duration, sent int64) {
	b.Helper()
	s.bytes.Store(0)
	before := cpu(b)
	e, err := New(Options{Dir: dir, Hosts: map[string]http.Handler{"bulletin.example": s}, Render: RenderNever, MaxPages: 8, Now: s.clock})
	if err != nil {
		b.Fatal(err)
	}
	o.Limit, o.Scrape.StoreInCache = 2*s.pages, new(false)
	job, err := e.Crawl(b.Context(), "https://bulletin.example/", o)
	if err != nil {
		b.Fatal(err)
	}
	counts, err := job.ChangeCounts(b.Context())
	if err != nil || counts[PageChanged] != changes || len(counts) > 1 {
		b.Errorf("changes are %v, %v, want %d", counts, err, changes)
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	return cpu(b) - before, s.bytes.Load()
}
