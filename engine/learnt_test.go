package engine

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/page"
)

// changingSite has pages of one template, to whose texts a script adds from a page on, which their HTML doesn't show.
type changingSite struct {
	pages int
	from  int // the first page to which the script adds
}

// opaque is a script that no one understands who doesn't run it.
const opaque = `const name = (...parts) => parts.join("")
window[name("fe", "tch")]("/more" + location.pathname).then(r => r.text()).then(t => {
	if (t) document[name("query", "Selector")]("article")[name("insert", "AdjacentHTML")]("beforeend", t)
})`

func (s *changingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch name, _ := strings.CutPrefix(r.URL.Path, "/more/"); {
	case r.URL.Path == "/":
		s.index(w, r)
	case r.URL.Path == "/add.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, opaque)
	case name != r.URL.Path:
		s.more(w, name)
	case strings.HasPrefix(r.URL.Path, "/blog/") || r.URL.Path == "/hidden":
		htmlPage(`<article><h1>`+r.URL.Path+`</h1>`+grainText+`</article><script src=/add.js></script>`).ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *changingSite) index(w http.ResponseWriter, r *http.Request) {
	var links strings.Builder
	for i := range s.pages {
		fmt.Fprintf(&links, "<li><a href=/blog/post-%d>Post %d</a></li>", i, i)
	}
	htmlPage("<h1>Blog</h1><ul>"+links.String()+"</ul>").ServeHTTP(w, r)
}

func (s *changingSite) more(w http.ResponseWriter, name string) {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "blog/post-"))
	if err == nil && n >= s.from {
		fmt.Fprintf(w, `<p>Malt of number %d is made by soaking grains in water and drying them.</p><a href=/hidden>Hidden</a><a href=/hidden?2>Hidden</a>`, n)
	}
}

// crawlBlog crawls a changing site, one page after the other.
func crawlBlog(t *testing.T, e *Engine) *CrawlJob {
	t.Helper()
	job, err := e.Crawl(t.Context(), "http://blog.example/", CrawlOptions{MaxConcurrency: 1, Sitemap: SitemapSkip})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// withMalt are the numbers of the documents that have what the script adds.
func withMalt(t *testing.T, job *CrawlJob) (numbers []uint64) {
	t.Helper()
	n := uint64(0)
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; strings.Contains(doc.Markdown, "Malt of number") {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

func TestCrawl_pagesGotTheWrongWayAreGotAgain(t *testing.T) {
	leftToUnraced(t)
	needBrowser(t)
	t.Parallel()
	e := newTestEngine(t, Options{Browser: BrowserOptions{Shared: commonBrowser(t)}, Hosts: map[string]http.Handler{"blog.example": &changingSite{pages: 30, from: 10}}})
	job := crawlBlog(t, e)
	if malt := withMalt(t, job); len(malt) != 20 {
		t.Errorf("%d of 20 pages have what the script adds", len(malt))
	}
	status, err := job.Status(t.Context())
	if err != nil || status.State != JobCompleted || status.Completed != 33 || status.CreditsUsed != 33 {
		t.Errorf("got %+v, %v; want the index, 30 pages, and two to which only the browser's version led", status, err)
	}
	r, err := job.Rendering(t.Context())
	if err != nil || r.HTTP+r.Browser != 33 || r.Browser < 20 || r.Audits == 0 || len(r.Overturned) != 1 || r.Overturned[0] != "/blog/*" || len(r.Kept) != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	var corrected []uint64 // none where the first page to which the script adds is drawn for an audit, which no test decides
	for ev, err := range job.Past(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Type == "page.corrected" {
			corrected = append(corrected, ev.Result)
		}
	}
	if len(corrected) != r.Corrected {
		t.Errorf("events of %v, %d corrected", corrected, r.Corrected)
	}
	for _, n := range corrected {
		if !slices.Contains(withMalt(t, job), n) {
			t.Errorf("document %d was corrected, and has no more than before", n)
		}
	}
}

// What a crawl learns that leaves no trace, it alone knows.
func TestCrawl_withoutRetentionLearnsForItself(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e := newTestEngine(t, Options{Browser: BrowserOptions{Shared: commonBrowser(t)}, AllowZeroDataRetention: true, Hosts: map[string]http.Handler{"blog.example": &changingSite{pages: 12}}})
	job, err := e.Crawl(t.Context(), "http://blog.example/", CrawlOptions{MaxConcurrency: 1, Sitemap: SitemapSkip, ZeroDataRetention: true})
	if err != nil {
		t.Fatal(err)
	}
	if malt := withMalt(t, job); len(malt) != 12 {
		t.Errorf("%d of 12 pages have what the script adds", len(malt))
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if kept, err := e.stores.Learnt.Stats(t.Context()); err != nil || kept.Keys != 0 {
		t.Errorf("%d templates are kept, %v", kept.Keys, err)
	}
}

// What a crawl has learnt, the next one knows, and so does a scrape.
func TestScrape_knowsWhatCrawlsHaveLearnt(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	site := &changingSite{pages: 12}
	e := newTestEngine(t, Options{Browser: BrowserOptions{Shared: commonBrowser(t)}, Hosts: map[string]http.Handler{"blog.example": site}})
	if malt := withMalt(t, crawlBlog(t, e)); len(malt) != 12 {
		t.Errorf("%d of 12 pages have what the script adds", len(malt))
	}
	doc, err := e.Scrape(t.Context(), "http://blog.example/blog/post-99", ScrapeOptions{MaxAge: new(time.Duration)})
	if err != nil || doc.Metadata.RenderedBy != string(page.ByBrowser) || !strings.Contains(doc.Metadata.RenderReason, "learnt of /blog/*") {
		t.Errorf("got %+v, %v", doc, err)
	}
}

func TestCrawl_withoutLearningGoesByTheEvidence(t *testing.T) {
	e := newTestEngine(t, Options{RenderLearning: new(bool), Hosts: map[string]http.Handler{"blog.example": &changingSite{pages: 12}}})
	job := crawlBlog(t, e)
	if malt := withMalt(t, job); len(malt) != 0 {
		t.Errorf("documents %v have what the script adds", malt)
	}
	if r, err := job.Rendering(t.Context()); err != nil || r.Audits != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// Where no browser can be had, a crawl goes on without audits.
func TestCrawl_withoutABrowserIsNotAudited(t *testing.T) {
	e := newTestEngine(t, Options{
		Hosts:   map[string]http.Handler{"blog.example": &changingSite{pages: 12}},
		Browser: BrowserOptions{Install: browser.InstallNever, Executable: filepath.Join(t.TempDir(), "none")},
	})
	job := crawlBlog(t, e)
	r, err := job.Rendering(t.Context())
	if err != nil || r.HTTP != 13 || r.Audits != 0 || r.MissedMax != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestRenderRules(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	e := newTestEngine(t, Options{
		Browser:     BrowserOptions{Shared: commonBrowser(t)},
		Hosts:       map[string]http.Handler{"blog.example": &changingSite{pages: 12}},
		RenderRules: []RenderRule{{Pattern: `/post-7$`, Render: RenderAuto}, {Pattern: `^http://blog\.example/blog/`, Render: RenderAlways}},
	})
	for href, want := range map[string]string{
		"http://blog.example/blog/post-7": "static", "http://blog.example/blog/post-8": "the rule", "http://blog.example/hidden": "static",
	} {
		doc, err := e.Scrape(t.Context(), href, ScrapeOptions{})
		if err != nil || !strings.HasPrefix(doc.Metadata.RenderReason, want) {
			t.Errorf("%s: got %+v, %v", href, doc, err)
		}
		if doc, err = e.Scrape(t.Context(), href, ScrapeOptions{Render: RenderNever, MaxAge: new(time.Duration)}); err != nil || doc.Metadata.RenderReason != "asked for" {
			t.Errorf("%s, never: got %+v, %v", href, doc, err)
		}
	}
}

func TestRenderRules_areChecked(t *testing.T) {
	for field, rule := range map[string]RenderRule{
		"RenderRules[0].Pattern": {Pattern: "(", Render: RenderAlways},
		"RenderRules[0].Render":  {Pattern: "/blog/", Render: "sometimes"},
	} {
		_, err := New(Options{RenderRules: []RenderRule{rule}})
		if refused, ok := errors.AsType[*OptionError](err); !ok || refused.Field != field {
			t.Errorf("got %v, want %s", err, field)
		}
	}
}
