package engine

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/crawltest/mixedsite"
	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/engine/internal/judge/judgetest"
	"github.com/winnow-go/winnow/formats"
)

// BenchmarkMixedSite crawls a mixed local site in four ways: each page in a browser, exactly the needed ones, as the engine learns to, and
// by the evidence of each page alone. It prints how much of the text each way finds, how many pages are rendered that need no browser, how
// the times compare, and how often a verdict of some confidence is right. WINNOW_MIXED_PAGES is how many pages it has, 2000 by default.
//
// WINNOW_CORPUS, where it is set, names the folder that holds the samples wcxb-dev and wcxb-dev2: it prints too which share of these pages,
// whose text is in their HTML, is judged static by what is in the page.
//
//	go test ./engine -run '^$' -bench MixedSite -benchtime 1x
func BenchmarkMixedSite(b *testing.B) {
	needBrowser(b)
	pages, _ := strconv.Atoi(cmp.Or(os.Getenv("WINNOW_MIXED_PAGES"), "2000"))
	site := mixedsite.New(mixedsite.Options{Seed: 1, Pages: pages})
	for b.Loop() {
		always := crawlMixed(b, "always", site, Options{Render: RenderAlways})
		needed := crawlMixed(b, "exactly the needed", site, Options{RenderLearning: new(bool), RenderRules: neededRules(site)})
		learning := crawlMixed(b, "learning", site, Options{})
		alone := crawlMixed(b, "by evidence alone", site, Options{RenderLearning: new(bool)})
		b.ReportMetric(100*learning.found()/always.found(), "%text")
		b.ReportMetric(100*learning.needless(), "%needless")
		b.ReportMetric(learning.took.Seconds()/needed.took.Seconds(), "time/needed")
		b.ReportMetric(always.took.Seconds()/learning.took.Seconds(), "faster-than-always")
		fmt.Fprintf(os.Stderr, "the learning crawl: %+v\n%s", learning.report, reliability(alone.verdicts))
		reportSamples(b)
	}
}

// neededRules render the pages that need a browser, and no other.
func neededRules(site *mixedsite.Site) []RenderRule {
	var needed []string
	for p := range site.Pages() {
		if p.Needs {
			needed = append(needed, regexp.QuoteMeta(p.Path))
		}
	}
	return []RenderRule{
		{Pattern: "^https://" + regexp.QuoteMeta(mixedsite.Host) + "(" + strings.Join(needed, "|") + ")$", Render: RenderAlways},
		{Pattern: ".", Render: RenderNever},
	}
}

// mixedCrawl is what a crawl of the site came to.
type mixedCrawl struct {
	took              time.Duration
	pages, words, had int
	none, rendered    int            // pages that need no browser, and those of them that were rendered
	missed            map[string]int // pages with words missing, by template
	extra             map[string]int // pages rendered without need
	verdicts          []verdictOf
	report            RenderReport
}

// verdictOf a page: the probability with which it needs a browser, and whether it does.
type verdictOf struct {
	dynamic float64
	needs   bool
}

func (c mixedCrawl) found() float64    { return float64(c.had) / float64(c.words) }
func (c mixedCrawl) needless() float64 { return float64(c.rendered) / float64(c.none) }

func (c mixedCrawl) String() string {
	return fmt.Sprintf("%d pages in %.0f s; %.4f of the text; %d of %d pages rendered without need; missed %v; without need %v",
		c.pages, c.took.Seconds(), c.found(), c.rendered, c.none, c.missed, c.extra)
}

func crawlMixed(b *testing.B, way string, site *mixedsite.Site, o Options) mixedCrawl {
	b.Helper()
	site.Reset()
	browsed := &browsedPages{site: site, paths: map[string]bool{}}
	o.Hosts, o.Resolver = map[string]http.Handler{mixedsite.Host: browsed}, names{}
	e, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	c := CrawlOptions{Limit: 100_000}
	c.Scrape.OnlyMainContent, c.Scrape.Timeout = new(false), 5*time.Minute
	if _, err := e.Scrape(b.Context(), "https://"+mixedsite.Host+"/", ScrapeOptions{Render: RenderAlways, StoreInCache: new(bool)}); err != nil {
		b.Fatal(err) // the browser is there before the clock runs
	}
	browsed.reset()
	began := time.Now()
	job, err := e.Crawl(b.Context(), "https://"+mixedsite.Host+"/", c)
	if err != nil {
		b.Fatal(err)
	}
	m := mixedCrawl{took: time.Since(began), missed: map[string]int{}, extra: map[string]int{}}
	for doc, err := range job.Documents(b.Context(), 0) {
		if err != nil {
			b.Fatal(err)
		}
		m.add(b, site, doc)
	}
	if m.report, err = job.Rendering(b.Context()); err != nil {
		b.Fatal(err)
	}
	m.countLost(site)
	m.countBrowsed(site, browsed)
	fmt.Fprintf(os.Stderr, "%s: %s\n", way, m) // a benchmark's log is cut
	return m
}

func (c *mixedCrawl) add(b *testing.B, site *mixedsite.Site, doc *Document) {
	b.Helper()
	u, err := url.Parse(doc.Metadata.URL)
	if err != nil {
		b.Fatal(err)
	}
	p, ok := site.Page(u.Path)
	if !ok {
		b.Fatalf("no page of the site: %s", u)
	}
	c.pages++
	missing := len(p.Missing(doc.Markdown))
	c.had += len(p.Words) + len(p.Added) - missing
	if missing > 0 {
		c.missed[p.Template]++
	}
	if at := doc.Metadata.RenderConfidence; at > 0 {
		if strings.HasPrefix(doc.Metadata.RenderReason, "static") {
			at = 1 - at
		}
		c.verdicts = append(c.verdicts, verdictOf{at, p.Needs})
	}
}

// browsedPages notes which pages of the site a browser has requested: by their own way, for an audit, or again.
type browsedPages struct {
	site  *mixedsite.Site
	mu    sync.Mutex
	paths map[string]bool
}

func (b *browsedPages) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.paths)
}

func (b *browsedPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Sec-Fetch-Dest") == "document" { // which plain HTTP doesn't send
		b.mu.Lock()
		b.paths[r.URL.Path] = true
		b.mu.Unlock()
	}
	b.site.ServeHTTP(w, r)
}

// countBrowsed counts the pages that need no browser, and those of them that one has requested.
func (c *mixedCrawl) countBrowsed(site *mixedsite.Site, b *browsedPages) {
	for p := range site.Pages() {
		if p.Needs {
			continue
		}
		if c.none++; b.paths[p.Path] {
			c.rendered++
			c.extra[p.Template]++
		}
	}
}

// countLost counts the words of all pages, those that were not delivered included.
func (c *mixedCrawl) countLost(site *mixedsite.Site) {
	for p := range site.Pages() {
		c.words += len(p.Words) + len(p.Added)
	}
}

// reliability is a table: of the verdicts in a range of probabilities, how many pages need a browser.
func reliability(verdicts []verdictOf) string {
	bounds := []float64{0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 1.0001}
	b := strings.Builder{}
	b.WriteString("how often evidence alone is right:\n")
	for i := range bounds[1:] {
		in := slices.DeleteFunc(slices.Clone(verdicts), func(v verdictOf) bool { return v.dynamic < bounds[i] || v.dynamic >= bounds[i+1] })
		if len(in) == 0 {
			continue
		}
		said, needs := 0.0, 0
		for _, v := range in {
			if said += v.dynamic; v.needs {
				needs++
			}
		}
		low, high := wilson95(needs, len(in))
		fmt.Fprintf(&b, "said %.3f: %4d pages, %.3f need a browser (%.3f to %.3f)\n", said/float64(len(in)), len(in), float64(needs)/float64(len(in)), low, high)
	}
	return b.String()
}

func wilson95(k, n int) (low, high float64) {
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	return max(0, centre-half), min(1, centre+half)
}

// reportSamples judges real pages whose text is in their HTML.
func reportSamples(b *testing.B) {
	b.Helper()
	root := os.Getenv("WINNOW_CORPUS")
	if root == "" {
		b.Log("WINNOW_CORPUS is not set: no real pages are judged")
		return
	}
	static, all, library := 0, 0, judge.NewLibrary(maxScriptFacts, time.Now)
	for page, err := range judgetest.Samples(root) {
		if err != nil {
			b.Fatal(err)
		}
		if all++; judgedStatic(b, library, page) {
			static++
		}
	}
	b.Logf("real pages: %d of %d are judged static (%.1f %%)", static, all, 100*float64(static)/float64(all))
	b.ReportMetric(100*float64(static)/float64(all), "%real-static")
}

func judgedStatic(b *testing.B, library *judge.Library, page judgetest.Sample) bool {
	b.Helper()
	dom, err := formats.Parse(b.Context(), formats.Source{URL: page.URL, MediaType: "text/html", Body: page.HTML})
	if err != nil {
		b.Fatal(err)
	}
	e, from, err := judge.Look(b.Context(), dom, page.URL, http.StatusOK)
	if err == nil {
		err = library.Inline(b.Context(), from, &e)
	}
	if err != nil {
		b.Fatal(err)
	}
	return judge.Judge(e).Choice == judge.Static
}
