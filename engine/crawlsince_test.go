package engine

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats"
)

// nightly is a site whose pages change from night to night. Its first page lists all others.
type nightly struct {
	host     string
	lies     bool // ETags stay the same when pages change
	sitemap  bool // lists pages with the time of their last change
	oldDates bool // which stays the same too
	noisy    bool // dates of the day, counters and advertisements vary in the main content too

	mu     sync.Mutex
	pages  map[int]*edition
	led    map[int]int // to another page
	bytes  int
	whole  []int // that were sent
	vouch  []int // that were vouched for
	visits int   // each page has another number and another date
	now    time.Time
}

type edition struct {
	text  int // of which page it is
	no    int
	since time.Time
}

func newNightly(host string, pages int) *nightly {
	s := &nightly{host: host, pages: map[int]*edition{}, led: map[int]int{}, now: time.Date(2026, 11, 26, 2, 0, 0, 0, time.UTC)}
	for n := 1; n <= pages; n++ {
		s.pages[n] = &edition{n, 1, s.now}
	}
	return s
}

// night begins another one.
func (s *nightly) night(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(24 * time.Hour)
	s.bytes, s.whole, s.vouch = 0, nil, nil
	change()
}

func (s *nightly) edit(n int) { s.pages[n].no, s.pages[n].since = s.pages[n].no+1, s.now }

func (s *nightly) address(n int) string { return fmt.Sprintf("https://%s/p/%d", s.host, n) }

func (s *nightly) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *nightly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/p/"))
	page, is := s.pages[n]
	switch {
	case r.URL.Path == "/":
		s.send(w, r, -1, fmt.Sprintf("%x", fingerprint(s.list())), s.list())
	case r.URL.Path == "/sitemap.xml" && s.sitemap:
		fmt.Fprint(w, s.map_())
	case s.led[n] != 0:
		http.Redirect(w, r, fmt.Sprintf("/p/%d", s.led[n]), http.StatusMovedPermanently)
	case is:
		tag := strconv.Itoa(page.no)
		if s.lies {
			tag = "1"
		}
		s.send(w, r, n, tag, fmt.Sprintf("<h1>Page %d</h1><p>This is edition %d of page %d. %s", page.text, page.no, page.text, words(page.text, 60)))
	default:
		http.NotFound(w, r)
	}
}

func (s *nightly) send(w http.ResponseWriter, r *http.Request, n int, tag, content string) {
	w.Header().Set("ETag", fmt.Sprintf(`"%d-%s"`, n, tag))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
		s.vouch = append(s.vouch, n)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.visits++
	if s.noisy && n > 0 {
		tag += strconv.Itoa(s.visits)
		w.Header().Set("ETag", fmt.Sprintf(`"%d-%s"`, n, tag))
		content += fmt.Sprintf(`<p>Last updated: %s</p><p>%d views</p><p>Sponsored</p><p><a href="https://ads%d.example/buy?c=%d">Buy number %d</a></p>`,
			s.now.Format("2 January 2006"), 1000+s.visits, s.visits%7, s.visits, s.visits)
	}
	s.whole = append(s.whole, n)
	size, _ := fmt.Fprintf(w, `<!DOCTYPE html><html><head><title>Page %d</title></head><body><header>%d readers today, %s</header>
		<main>%s</main></body></html>`, n, s.visits, s.now.Format(time.RFC1123), content)
	s.bytes += size
}

func (s *nightly) list() string {
	var b strings.Builder
	for _, n := range slices.Sorted(maps.Keys(s.pages)) {
		fmt.Fprintf(&b, `<li><a href="/p/%d">Page %d of this site</a>`, n, n)
	}
	return "<ul>" + b.String() + "</ul>"
}

func (s *nightly) map_() string {
	var b strings.Builder
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for n, p := range s.pages {
		at := p.since
		if s.oldDates {
			at = time.Unix(0, 0)
		}
		fmt.Fprintf(&b, "<url><loc>%s</loc><lastmod>%s</lastmod></url>", s.address(n), at.Format(time.RFC3339))
	}
	return b.String() + "</urlset>"
}

func fingerprint(text string) uint64 {
	h := fnv.New64()
	_, _ = h.Write([]byte(text))
	return h.Sum64()
}

// words are those of one page, always the same.
func words(seed, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d ", fingerprint(fmt.Sprint(seed, i))%5000)
	}
	return b.String()
}

// feed crawls a site once more and returns what has changed, as "kind url" and the like.
func feed(t *testing.T, e *Engine, s *nightly, o CrawlOptions) (changes []string, job *CrawlJob) {
	t.Helper()
	job, err := e.Crawl(t.Context(), "https://"+s.host+"/", o)
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range job.Changes(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("%s %s", c.Kind, c.URL)
		if c.From != "" {
			text += " from " + c.From
		}
		if c.Diff != "" {
			text += " by " + strconv.Itoa(strings.Count(c.Diff, "\n+")-1)
		}
		changes = append(changes, text)
	}
	slices.Sort(changes)
	return changes, job
}

func wantChanges(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("changes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func nightEngine(t *testing.T, s *nightly, change ...func(*Options)) *Engine {
	return webEngine(t, nil, append([]func(*Options){func(o *Options) {
		o.Hosts, o.MaxPages, o.Render, o.Now = map[string]http.Handler{s.host: s}, 4, RenderNever, s.clock
	}}, change...)...)
}

func TestCrawl_comesAgain(t *testing.T) {
	t.Parallel()
	s := newNightly("nights.example", 40)
	e := nightEngine(t, s)
	if got, _ := feed(t, e, s, CrawlOptions{}); len(got) > 0 {
		t.Errorf("a first crawl reports %v", got)
	}
	first := s.bytes
	s.night(func() {
		s.edit(7)
		s.edit(9)
		s.pages[41] = &edition{41, 1, s.now}                 // new
		s.pages[42], s.pages[8] = &edition{8, 1, s.now}, nil // the text is elsewhere
		delete(s.pages, 8)                                   //
		delete(s.pages, 10)                                  // gone
		s.pages[43], s.led[11] = &edition{11, 1, s.now}, 43  // led elsewhere
		delete(s.pages, 11)                                  //
		s.led[12] = 13                                       // led to one that is known
		delete(s.pages, 12)                                  //
	})
	got, job := feed(t, e, s, CrawlOptions{Since: SinceLast})
	wantChanges(t, got,
		"changed https://nights.example/ by 3", "changed "+s.address(7)+" by 1", "changed "+s.address(9)+" by 1", "added "+s.address(41),
		"moved "+s.address(42)+" from "+s.address(8), "removed "+s.address(10), "moved "+s.address(43)+" from "+s.address(11),
		"moved "+s.address(13)+" from "+s.address(12),
	)
	counts, err := job.ChangeCounts(t.Context())
	if want := map[ChangeKind]int{PageAdded: 1, PageChanged: 3, PageRemoved: 1, PageMoved: 3}; err != nil || !maps.Equal(counts, want) {
		t.Errorf("counts are %v, %v, want %v", counts, err, want)
	}
	status, err := job.Status(t.Context())
	if err != nil || status.Completed != 6 || status.CreditsUsed != 6 {
		t.Errorf("the status is %+v, %v, want six documents: three that changed, three at new addresses", status, err)
	}
	if s.bytes > first*3/5 { // 17 of 41 are audited
		t.Errorf("%d bytes were sent, %d in the first night", s.bytes, first)
	}
	s.night(func() {})
	got, _ = feed(t, e, s, CrawlOptions{Since: job.ID()})
	wantChanges(t, got)
	if slices.Contains(s.vouch, 10) || len(s.vouch) < 20 {
		t.Errorf("vouched for %v", s.vouch)
	}
}

// Numbers of readers and the time stand in each page of the site, and on no page's account is a change reported.
func TestCrawl_thatComesAgainFindsLiars(t *testing.T) {
	t.Parallel()
	pages := sized(200)
	s := newNightly("liar.example", pages)
	s.lies = true
	e := nightEngine(t, s)
	feed(t, e, s, CrawlOptions{})
	missed := map[int]bool{}
	for night := 1; ; night++ {
		changed := []int{1 + night%pages, 1 + (night*37)%pages}
		s.night(func() {
			for _, n := range changed {
				s.edit(n)
				missed[n] = true
			}
		})
		got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast})
		if len(got) == 0 && night < 20 {
			continue // the ones that were looked at hadn't changed
		}
		var want []string
		for n := range missed {
			want = append(want, "changed "+s.address(n)+" by 1")
		}
		t.Logf("found in night %d", night)
		wantChanges(t, got, want...)
		break
	}
	s.night(func() { s.edit(27) })
	got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast})
	wantChanges(t, got, "changed "+s.address(27)+" by 1")
}

// Where a sitemap has named all changes, pages that it has nothing new of are not requested; where it is wrong, they are at once.
func TestCrawl_thatComesAgainBelievesSitemaps(t *testing.T) {
	t.Parallel()
	pages := 300
	if raced {
		pages = 100
	}
	s := newNightly("dated.example", pages)
	s.sitemap = true
	e := nightEngine(t, s)
	feed(t, e, s, CrawlOptions{})
	for night := 1; night <= 3; night++ {
		s.night(func() { s.edit(night) })
		got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast})
		wantChanges(t, got, "changed "+s.address(night)+" by 1")
		if asked := len(s.whole) + len(s.vouch); night > 2 && asked > 30 {
			t.Errorf("night %d: %d pages were requested", night, asked)
		}
	}
	s.oldDates = true
	s.night(func() {})
	feed(t, e, s, CrawlOptions{Since: SinceLast}) // which has other dates
	for night := 1; night < 60; night++ {
		s.night(func() {
			for n := range 10 {
				s.edit(1 + (night*10+n)%pages)
			}
		})
		if got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast}); len(got) > 0 {
			if len(got) != 10*night {
				t.Errorf("night %d: %d changes were found, want %d", night, len(got), 10*night)
			}
			return
		}
	}
	t.Error("pages changed under old dates, and no audit found it")
}

func TestCrawl_sinceIsRefused(t *testing.T) {
	t.Parallel()
	s := newNightly("since.example", 3)
	e := nightEngine(t, s, func(o *Options) { o.AllowZeroDataRetention = true })
	_, first := feed(t, e, s, CrawlOptions{})
	_, second := feed(t, e, s, CrawlOptions{})
	batch, err := e.Batch(t.Context(), []string{s.address(1)}, BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seed := "https://since.example/"
	for name, o := range map[string]CrawlOptions{
		"an id that isn't known":  {Since: "01890000-0000-7000-8000-000000000000"},
		"another owner's":         {Since: second.ID(), Owner: "other"},
		"a batch":                 {Since: batch.ID()},
		"one that isn't the last": {Since: first.ID()},
		"other options":           {Since: second.ID(), MaxDepth: new(3)},
		"zero data retention":     {Since: SinceLast, ZeroDataRetention: true},
		"lockdown":                {Since: SinceLast, Scrape: ScrapeOptions{Lockdown: true}},
		"a page from the cache":   {Since: SinceLast, Scrape: ScrapeOptions{MaxAge: new(time.Hour)}},
	} {
		if _, err := e.StartCrawl(t.Context(), seed, o); CodeOf(err) != CodeBadRequest {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got, _ := feed(t, e, s, CrawlOptions{Since: second.ID(), Limit: 50}); len(got) > 0 {
		t.Errorf("the last one with another limit reports %v", got)
	}
	got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast, Owner: "newcomer"})
	wantChanges(t, got, "added "+seed, "added "+s.address(1), "added "+s.address(2), "added "+s.address(3))
}

// Formats without markdown have no texts to compare: what a page shows counts.
func TestCrawl_sinceWithoutMarkdown(t *testing.T) {
	t.Parallel()
	s := newNightly("links.example", 5)
	e := nightEngine(t, s)
	o := CrawlOptions{Scrape: ScrapeOptions{Formats: []formats.Format{{Type: formats.Links}}}}
	feed(t, e, s, o)
	s.night(func() { s.edit(2) })
	o.Since = SinceLast
	got, _ := feed(t, e, s, o)
	if !slices.Contains(got, "changed "+s.address(2)) {
		t.Errorf("got %v", got)
	}
}

// A link to a page that is gone is no document to crawls that come again, night after night, and costs nothing.
func TestCrawl_sinceWithDeadLinks(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	e := webEngine(t, nil, func(o *Options) {
		o.Render, o.Hosts = RenderNever, map[string]http.Handler{"dead.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" && (dead.Load() || r.URL.Path != "/gone") {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("ETag", fmt.Sprintf(`"%t"`, dead.Load())) // what has validators is audited: its links are followed
			fmt.Fprintf(w, `<title>Alive</title><main><p>What is alive leads to what is dead: %t.</p><a href="/gone">gone</a></main>`, dead.Load())
		})}
	})
	for i, want := range []int{2, 1, 0, 0} {
		dead.Store(i > 0)
		o := CrawlOptions{Since: SinceLast}
		if i == 0 {
			o.Since = ""
		}
		job, err := e.Crawl(t.Context(), "https://dead.example/", o)
		if err != nil {
			t.Fatal(err)
		}
		if status, err := job.Status(t.Context()); err != nil || status.Completed != want || status.CreditsUsed != int64(want) || status.State != JobCompleted {
			t.Errorf("night %d: %+v, %v, want %d documents", i, status, err, want)
		}
	}
}

// A crawl that ends early reports what it has seen, and the next one the rest, nothing twice.
func TestCrawl_sinceAfterACancellation(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"in memory": "", "in a folder": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cancelHalfway(t, dir)
		})
	}
}

func cancelHalfway(t *testing.T, dir string) {
	s := newNightly("halves.example", 30)
	e := nightEngine(t, s, func(o *Options) { o.Dir, o.MaxPages = dir, 1 })
	feed(t, e, s, CrawlOptions{})
	s.night(func() {
		for n := 1; n <= 20; n++ {
			s.edit(n)
		}
	})
	job, err := e.StartCrawl(t.Context(), "https://halves.example/", CrawlOptions{Since: SinceLast})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	ctx, cancel := context.WithCancel(t.Context())
	for c, err := range job.Changes(ctx, 0) {
		if err != nil {
			break
		}
		if seen[c.URL]++; len(seen) == 5 {
			if _, err := e.StartCrawl(ctx, "https://halves.example/", CrawlOptions{Since: SinceLast}); CodeOf(err) != CodeBadRequest {
				t.Errorf("a second crawl at the same time: got %v", err)
			}
			if err := job.Cancel(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	cancel()
	rest, _ := feed(t, e, s, CrawlOptions{Since: SinceLast})
	for _, c := range rest {
		seen[strings.Fields(c)[1]]++
	}
	if len(seen) != 20 {
		t.Errorf("%d pages were reported, want 20", len(seen))
	}
	for url, times := range seen {
		if times != 1 {
			t.Errorf("%s was reported %d times", url, times)
		}
	}
}

// An engine that ends in the middle is no end of the crawl: the next one reports the rest.
func TestCrawl_sinceOverARestart(t *testing.T) {
	t.Parallel()
	s := newNightly("restart.example", 30)
	dir := t.TempDir()
	e := nightEngine(t, s, func(o *Options) { o.Dir = dir })
	feed(t, e, s, CrawlOptions{})
	s.night(func() {
		for n := 1; n <= 20; n++ {
			s.edit(n)
		}
	})
	job, err := e.StartCrawl(t.Context(), "https://restart.example/", CrawlOptions{Since: SinceLast})
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for range job.Changes(t.Context(), 0) {
		if first++; first == 7 {
			break
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = nightEngine(t, s, func(o *Options) { o.Dir = dir })
	again, err := e.Job(t.Context(), job.ID())
	if err != nil {
		t.Fatal(err)
	}
	crawl, _ := again.Crawl()
	seen := map[string]int{}
	for c, err := range crawl.Changes(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		seen[c.URL]++
	}
	if len(seen) != 20 || slices.Max(slices.Collect(maps.Values(seen))) != 1 {
		t.Errorf("%d pages were reported, want 20, each once: %v", len(seen), seen)
	}
}

func TestForget_dropsWhatIsKnownForACrawlThatComesAgain(t *testing.T) {
	t.Parallel()
	s := newNightly("forgotten.example", 3)
	e := nightEngine(t, s)
	feed(t, e, s, CrawlOptions{})
	if _, err := e.Forget(t.Context(), s.address(2)); err != nil {
		t.Fatal(err)
	}
	s.night(func() { s.edit(1) })
	got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast})
	wantChanges(t, got, "changed "+s.address(1)+" by 1", "added "+s.address(2))
}

// Of pages of one template in whose main content the date of the day, a counter and an advertisement vary, only real changes are reported.
func TestCrawl_thatComesAgainPassesOverNoise(t *testing.T) {
	t.Parallel()
	pages, nights := 100, 3
	if raced {
		pages, nights = 40, 2
	}
	s := newNightly("noisy.example", pages)
	s.noisy = true
	e := nightEngine(t, s)
	feed(t, e, s, CrawlOptions{})
	for night := 1; night <= nights; night++ {
		s.night(func() { s.edit(10 * night) })
		got, _ := feed(t, e, s, CrawlOptions{Since: SinceLast})
		if len(got) != 1 || !strings.HasPrefix(got[0], "changed "+s.address(10*night)) {
			t.Errorf("night %d: got %q, want one change", night, got)
		}
		if len(s.whole) < pages {
			t.Errorf("night %d: %d pages came whole, want all", night, len(s.whole))
		}
	}
}
