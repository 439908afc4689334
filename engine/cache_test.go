package engine

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats"
)

// clock is a time that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// granary is a site on a virtual host that counts its requests and changes on request.
type granary struct {
	requests atomic.Int64
	page     atomic.Pointer[http.HandlerFunc]
}

func newGranary(body string) *granary {
	g := &granary{}
	g.shows(body)
	return g
}

func (g *granary) shows(body string) { g.serves(htmlPage(body).ServeHTTP) }

func (g *granary) serves(h http.HandlerFunc) { g.page.Store(&h) }

func (g *granary) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.requests.Add(1)
	(*g.page.Load())(w, r)
}

// cachingEngine never renders and knows one host.
func cachingEngine(t testing.TB, g http.Handler, change ...func(*Options)) *Engine {
	t.Helper()
	o := Options{Render: RenderNever, Hosts: map[string]http.Handler{"granary.example": g, "www.granary.example": g}}
	noNetwork(t)(&o)
	for _, c := range change {
		c(&o)
	}
	return newTestEngine(t, o)
}

const barley = `<html lang=en><title>Barley</title><main><h1>Barley</h1><p>Four sacks of barley lie in the dry.</p><a href="/oats">Oats</a></main></html>`

func scrapeOK(t *testing.T, e *Engine, url string, o ScrapeOptions) *Document {
	t.Helper()
	doc, err := e.Scrape(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestCache_aSecondScrapeIsServedFromIt(t *testing.T) {
	g, c := newGranary(barley), newClock()
	e := cachingEngine(t, g, func(o *Options) { o.Now = c.now })
	first := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
	if m := first.Metadata; m.CacheState != "miss" || m.CachedAt != nil || m.CreditsUsed != 1 {
		t.Errorf("first: %+v", m)
	}
	stored := c.now()
	c.pass(time.Hour)
	for _, url := range []string{"https://granary.example/", "http://www.granary.example/index.html", "granary.example/#part"} {
		doc := scrapeOK(t, e, url, ScrapeOptions{})
		if m := doc.Metadata; m.CacheState != "hit" || m.CachedAt == nil || !m.CachedAt.Equal(stored) || m.SourceURL != url || m.ScrapeID == first.Metadata.ScrapeID || m.CreditsUsed != 1 {
			t.Errorf("%s: %+v", url, m)
		}
		if doc.Markdown != first.Markdown || doc.Metadata.Title != "Barley" || doc.Metadata.RenderedBy != "http" || doc.Metadata.StatusCode != 200 {
			t.Errorf("%s: %+v", url, doc)
		}
	}
	if n := g.requests.Load(); n != 1 {
		t.Errorf("the site was asked %d times", n)
	}
}

func TestCache_anyFormatComesFromOneEntry(t *testing.T) {
	g := newGranary(barley)
	e := cachingEngine(t, g)
	scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
	doc := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{
		Formats: []formats.Format{{Type: formats.HTML}, {Type: formats.RawHTML}, {Type: formats.Links}, {Type: formats.Attributes, Selectors: []formats.Selector{{Selector: "a", Attribute: "href"}}}},
	})
	if doc.RawHTML != barley || !strings.Contains(doc.HTML, "<h1>") || len(doc.Links) != 1 || len(doc.Attributes) != 1 || doc.Markdown != "" {
		t.Errorf("got %+v", doc)
	}
	doc = scrapeOK(t, e, "https://granary.example/", ScrapeOptions{IncludeTags: []string{"h1"}, OnlyMainContent: new(false)})
	if doc.Markdown != "# Barley" {
		t.Errorf("got %q", doc.Markdown)
	}
	raw := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{Formats: []formats.Format{{Type: formats.RawBase64}}})
	if raw.RawBase64 == "" || g.requests.Load() != 1 {
		t.Errorf("raw %q after %d requests", raw.RawBase64, g.requests.Load())
	}
}

func TestCache_whatACallerChangesStaysWithIt(t *testing.T) {
	e := cachingEngine(t, newGranary(`<meta name=a content=1><meta name=a content=2>`+barley))
	o := ScrapeOptions{Formats: []formats.Format{{Type: formats.Links}}}
	for range 3 {
		doc := scrapeOK(t, e, "https://granary.example/", o)
		if doc.Links[0] != "https://granary.example/oats" || doc.Metadata.Extra["a"][0] != "1" {
			t.Fatalf("got %v, %v", doc.Links, doc.Metadata.Extra)
		}
		doc.Links[0], doc.Metadata.Extra["a"][0] = "mine", "mine"
	}
}

func TestCache_ages(t *testing.T) {
	g, c := newGranary(barley), newClock()
	e := cachingEngine(t, g, func(o *Options) { o.Now = c.now })
	url := "https://granary.example/"
	for i, step := range []struct {
		pass time.Duration
		o    ScrapeOptions
		want string // of cacheState, or the code
	}{
		{0, ScrapeOptions{MinAge: fresh}, string(CodeNoCachedData)},
		{0, ScrapeOptions{Lockdown: true}, string(CodeLockdownMiss)},
		{0, ScrapeOptions{}, "miss"},
		{0, ScrapeOptions{MinAge: new(time.Millisecond)}, "hit"},
		{0, ScrapeOptions{MinAge: new(time.Second)}, string(CodeNoCachedData)},
		{time.Hour, ScrapeOptions{MaxAge: fresh}, "bypass"},                // stores a second version
		{time.Minute, ScrapeOptions{MinAge: new(30 * time.Minute)}, "hit"}, // the first
		{0, ScrapeOptions{MaxAge: new(time.Second)}, "miss"},
		{48 * time.Hour, ScrapeOptions{}, "hit"},
		{time.Millisecond, ScrapeOptions{}, "miss"},
		{300 * 24 * time.Hour, ScrapeOptions{Lockdown: true}, "hit"},
		{0, ScrapeOptions{MinAge: new(time.Millisecond)}, "hit"},
		{0, ScrapeOptions{Lockdown: true, MaxAge: new(time.Hour)}, string(CodeLockdownMiss)},
	} {
		c.pass(step.pass)
		doc, err := e.Scrape(t.Context(), url, step.o)
		got := string(CodeOf(err))
		if err == nil {
			got = doc.Metadata.CacheState
		}
		if got != step.want {
			t.Errorf("step %d: %q, %v, want %q", i, got, err, step.want)
		}
	}
	if n := g.requests.Load(); n != 4 {
		t.Errorf("%d requests, want 4", n)
	}
}

func TestCache_anExpiredPageIsVouchedForByItsSite(t *testing.T) {
	g, c := &granary{}, newClock()
	var validators []string
	tag := `"1"`
	g.serves(func(w http.ResponseWriter, r *http.Request) {
		validators = append(validators, r.Header.Get("If-None-Match")+r.Header.Get("If-Modified-Since"))
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		htmlPage(barley).ServeHTTP(w, r)
	})
	e := cachingEngine(t, g, func(o *Options) { o.Now = c.now })
	url := "https://granary.example/"
	first := scrapeOK(t, e, url, ScrapeOptions{})
	c.pass(72 * time.Hour)
	renewed := scrapeOK(t, e, url, ScrapeOptions{})
	if m := renewed.Metadata; m.CacheState != "hit" || m.CachedAt == nil || !m.CachedAt.Equal(c.now()) || m.StatusCode != 200 || renewed.Markdown != first.Markdown {
		t.Errorf("renewed: %+v", renewed)
	}
	c.pass(time.Hour)
	if m := scrapeOK(t, e, url, ScrapeOptions{}).Metadata; m.CacheState != "hit" || g.requests.Load() != 2 {
		t.Errorf("after renewal: %+v, %d requests", m, g.requests.Load())
	}
	if v, err := e.Versions(t.Context(), url); err != nil || len(v) != 1 {
		t.Errorf("versions %+v, %v", v, err)
	}
	c.pass(72 * time.Hour)
	tag = `"2"`
	if m := scrapeOK(t, e, url, ScrapeOptions{}).Metadata; m.CacheState != "miss" {
		t.Errorf("changed: %+v", m)
	}
	if got := fmt.Sprintf("%q", validators); got != `["" "\"1\"" "\"1\""]` {
		t.Errorf("validators %s", got)
	}
}

// Revalidate has the site asked for a page that was stored a moment ago, conditionally, and a job says what came of it.
func TestCache_revalidateAsksEachTime(t *testing.T) {
	g, c := &granary{}, newClock()
	tag := `"1"`
	var asked []string
	g.serves(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("If-None-Match"))
		if w.Header().Set("ETag", tag); r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		htmlPage(barley).ServeHTTP(w, r)
	})
	e := cachingEngine(t, g, func(o *Options) { o.Now = c.now })
	const url = "https://granary.example/"
	again := ScrapeOptions{Revalidate: true}
	first := scrapeOK(t, e, url, ScrapeOptions{})
	stored := c.now()
	if doc := scrapeOK(t, e, url, again); doc.Markdown != first.Markdown || doc.Metadata.CacheState != "hit" || !doc.Metadata.CachedAt.Equal(stored) {
		t.Errorf("vouched for: %+v", doc)
	}
	tag = `"2"`
	if doc := scrapeOK(t, e, url, again); doc.Metadata.CacheState != "miss" {
		t.Errorf("changed: %+v", doc)
	}
	c.pass(time.Hour)
	for _, o := range []ScrapeOptions{again, {}} {
		job, err := e.Batch(t.Context(), []string{url}, BatchOptions{Scrape: o})
		if err != nil {
			t.Fatal(err)
		}
		c.pass(time.Hour)
		if r, err := job.Rendering(t.Context()); err != nil || r.Cache != 1 || !r.Oldest.Equal(c.now().Add(-time.Hour)) && o.Revalidate {
			t.Errorf("%+v: %+v, %v", o, r, err)
		} else if !o.Revalidate && !r.Oldest.Equal(c.now().Add(-2*time.Hour)) {
			t.Errorf("%+v: %+v", o, r)
		}
	}
	if got := fmt.Sprintf("%q", asked); got != `["" "\"1\"" "\"1\"" "\"2\""]` {
		t.Errorf("asked with %s", got)
	}
}

func TestCache_scrapesAtOnceCauseOneFetch(t *testing.T) {
	g := &granary{}
	arrived, open := make(chan struct{}, 100), make(chan struct{})
	g.serves(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-open
		htmlPage(barley).ServeHTTP(w, r)
	})
	e := cachingEngine(t, g)
	gone, leave := context.WithCancel(t.Context())
	var work sync.WaitGroup
	scrape := func(ctx context.Context, want Code) {
		work.Go(func() {
			doc, err := e.Scrape(ctx, "https://granary.example/", ScrapeOptions{})
			if CodeOf(err) != want || err == nil && !strings.Contains(doc.Markdown, "Four sacks") {
				t.Errorf("got %+v, %v, want %q", doc, err, want)
			}
		})
	}
	scrape(t.Context(), "")
	<-arrived
	for range 20 {
		scrape(t.Context(), "")
	}
	scrape(gone, CodeCancelled)
	leave()
	close(open)
	work.Wait()
	if n := g.requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// Whoever leaves first doesn't take the page from the others.
func TestCache_theOneWhoFetchesMayLeave(t *testing.T) {
	g := &granary{}
	arrived, open := make(chan struct{}, 100), make(chan struct{})
	g.serves(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		select {
		case <-open:
			htmlPage(barley).ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
	e := cachingEngine(t, g)
	ctx, leave := context.WithCancel(t.Context())
	first := make(chan error)
	go func() { _, err := e.Scrape(ctx, "https://granary.example/", ScrapeOptions{}); first <- err }()
	<-arrived
	second := make(chan error)
	go func() { _, err := e.Scrape(t.Context(), "https://granary.example/", ScrapeOptions{}); second <- err }()
	leave()
	if err := <-first; CodeOf(err) != CodeCancelled {
		t.Errorf("first: %v", err)
	}
	<-arrived
	close(open)
	if err := <-second; err != nil {
		t.Errorf("second: %v", err)
	}
}

func TestCache_anErrorIsNotServedUnlessItStays(t *testing.T) {
	t.Parallel()
	g := &granary{}
	g.serves(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "out of barley", http.StatusServiceUnavailable)
	})
	e := cachingEngine(t, g)
	for i, want := range []string{"miss", "miss", "miss", "hit"} {
		doc := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
		if doc.Metadata.CacheState != want || doc.Metadata.StatusCode != 503 {
			t.Errorf("%d: %+v", i, doc.Metadata)
		}
	}
}

func TestCache_secretsAreNeitherReadNorStored(t *testing.T) {
	g := newGranary(barley)
	e := cachingEngine(t, g)
	for i, url := range []string{"https://granary.example/", "https://user:pass@granary.example/"} {
		o := ScrapeOptions{}
		if i == 0 {
			o.Headers = map[string]string{"Cookie": "who=me"}
		}
		if m := scrapeOK(t, e, url, o).Metadata; m.CacheState != "bypass" {
			t.Errorf("%s: %+v", url, m)
		}
	}
	if st, err := e.CacheStats(t.Context()); err != nil || st.Versions != 0 {
		t.Errorf("stats %+v, %v", st, err)
	}
	scrapeOK(t, e, "https://granary.example/", ScrapeOptions{StoreInCache: new(false)})
	if st, err := e.CacheStats(t.Context()); err != nil || st.Versions != 0 {
		t.Errorf("storeInCache false: stats %+v, %v", st, err)
	}
}

func TestCache_outlivesTheEngine(t *testing.T) {
	dir, g := t.TempDir(), newGranary(barley)
	e := cachingEngine(t, g, func(o *Options) { o.Dir = dir })
	first := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = newTestEngine(t, Options{Dir: dir})
	doc := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{Lockdown: true, Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Links}}})
	if doc.Markdown != first.Markdown || len(doc.Links) != 1 || doc.Metadata.CreditsUsed != 5 {
		t.Errorf("got %+v", doc)
	}
	record, err := e.ScrapeByID(t.Context(), first.Metadata.ScrapeID)
	if err != nil || record.Document.Markdown != first.Markdown {
		t.Errorf("record %+v, %v", record, err)
	}
}

// What a page lacks is said each time: where it comes from the cache, and where its site sends or vouches for the same bytes.
func TestCache_storedPagesSayWhatTheyLack(t *testing.T) {
	g, tag := &granary{}, ""
	g.serves(func(w http.ResponseWriter, r *http.Request) {
		if w.Header().Set("ETag", tag); tag != "" && r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		htmlPage(barley+`<p id=price></p><script>fetch("/p").then(r => r.text()).then(t => document.getElementById("price").innerText = t)</script>`).
			ServeHTTP(w, r)
	})
	e := cachingEngine(t, g)
	const want = "1 empty place (#price) is filled by scripts, which plain HTTP does not run."
	for i, o := range []ScrapeOptions{{}, {}, {Revalidate: true}, {Revalidate: true}, {Revalidate: true}} {
		if i == 3 {
			tag = `"1"`
		}
		if doc := scrapeOK(t, e, "https://granary.example/", o); doc.Warning != want {
			t.Errorf("%d, %s: got the warning %q, want %q", i, doc.Metadata.CacheState, doc.Warning, want)
		}
	}
	if versions, err := e.Versions(t.Context(), "https://granary.example/"); err != nil || len(versions) != 1 || g.requests.Load() != 4 {
		t.Errorf("%d versions, %d requests, %v", len(versions), g.requests.Load(), err)
	}
}
