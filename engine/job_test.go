package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// chain is a site of n pages, each leading to the next two.
func chain(n int) map[string]string {
	pages := map[string]string{"a.example/": linksTo("/p1", "/p2")}
	for i := 1; i < n; i++ {
		pages[fmt.Sprintf("a.example/p%d", i)] = linksTo(fmt.Sprintf("/p%d", i+1), fmt.Sprintf("/p%d", i+2))
	}
	for i := n; i < n+2; i++ {
		pages[fmt.Sprintf("a.example/p%d", i)] = linksTo()
	}
	return pages
}

func TestJob_isFoundAgainByLaterEngines(t *testing.T) {
	dir := t.TempDir()
	e := webEngine(t, chain(5), func(o *Options) { o.Dir = dir })
	job, urls := crawled(t, e, "https://a.example/", CrawlOptions{Owner: "team"})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = newTestEngine(t, Options{Dir: dir})
	again := refound(t, e, job.ID(), (*Job).Crawl)
	if again.Owner() != "team" || again.Kind() != KindCrawl {
		t.Fatalf("%+v", again)
	}
	if got := documentsOf(t, again); !slices.Equal(got, urls) {
		t.Errorf("got %v, want %v", got, urls)
	}
	for id := range strings.FieldsSeq("nobody 01a1ffdd-0000-7000-8000-000000000000") {
		if _, err := e.Job(t.Context(), id); CodeOf(err) != CodeNotFound {
			t.Errorf("%s: %v", id, err)
		}
	}
	all, err := e.Jobs(t.Context(), false)
	active, errActive := e.Jobs(t.Context(), true)
	if err != nil || errActive != nil || len(all) != 1 || len(active) != 0 {
		t.Errorf("%d jobs, %d active, %v, %v", len(all), len(active), err, errActive)
	}
}

// slowly serves a site whose pages wait for open.
func slowly(pages map[string]string, open <-chan struct{}) map[string]http.Handler {
	hosts := web(pages)
	for host, h := range hosts {
		hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" && r.URL.Path != "/robots.txt" {
				select {
				case <-open:
				case <-r.Context().Done():
				}
			}
			h.ServeHTTP(w, r)
		})
	}
	return hosts
}

func TestJob_cancelFlipsAtOnceAndKeepsWhatIsDone(t *testing.T) {
	open := make(chan struct{})
	e := webEngine(t, chain(5), func(o *Options) { o.Hosts = slowly(chain(5), open) })
	job, err := e.StartCrawl(t.Context(), "https://a.example/", CrawlOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range job.Documents(t.Context(), 0) {
		break // the seed
	}
	if err := job.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	status, err := job.Status(t.Context())
	if err != nil || status.State != JobCancelled || status.Completed != 1 {
		t.Errorf("%+v, %v", status, err)
	}
	close(open)
	if got := documentsOf(t, job); !slices.Equal(got, []string{"https://a.example/"}) {
		t.Errorf("got %v", got)
	}
	if err := job.Cancel(t.Context()); CodeOf(err) != CodeFinished {
		t.Errorf("again: %v", err)
	}
}

// endedTime is a context whose time is over when the test says so.
type endedTime struct {
	context.Context
	over chan struct{}
}

func (c endedTime) Done() <-chan struct{} { return c.over }

func (c endedTime) Err() error {
	select {
	case <-c.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestCrawl_thatIsNotWaitedForAnyMoreIsCancelled(t *testing.T) {
	ctx := endedTime{context.Background(), make(chan struct{})}
	over := sync.OnceFunc(func() { close(ctx.over) })
	e := webEngine(t, map[string]string{"a.example/": linksTo("/slow")}, func(o *Options) {
		site := o.Hosts["a.example"]
		o.Hosts["a.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				over()
				<-r.Context().Done()
			}
			site.ServeHTTP(w, r)
		})
	})
	job, err := e.Crawl(ctx, "https://a.example/", CrawlOptions{})
	if CodeOf(err) != CodeTimeout {
		t.Fatalf("got %v", err)
	}
	if status, err := job.Status(t.Context()); err != nil || status.State != JobCancelled {
		t.Errorf("%+v, %v", status, err)
	}
}

func TestJob_aFailedSeedIsAFailedJobWithItsReason(t *testing.T) {
	e := webEngine(t, nil, func(o *Options) { o.Resolver = names{} })
	job, err := e.Crawl(t.Context(), "https://nowhere.example/", CrawlOptions{IgnoreRobotsTxt: true})
	if err != nil {
		t.Fatal(err)
	}
	status, err := job.Status(t.Context())
	if err != nil || status.State != JobFailed || status.Code != CodeDNS || status.Error == "" || status.Failed != 1 {
		t.Errorf("%+v, %v", status, err)
	}
	errs, err := job.Errors(t.Context())
	if err != nil || len(errs) != 1 || errs[0].URL != "https://nowhere.example/" || errs[0].Code != CodeDNS {
		t.Errorf("%+v, %v", errs, err)
	}
}

func TestJob_eventsCanBeReadAgainFromAnyNumber(t *testing.T) {
	e := webEngine(t, chain(10))
	job, err := e.StartCrawl(t.Context(), "https://a.example/", CrawlOptions{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(since uint64) (types []string, seqs []uint64) {
		for ev, err := range job.Events(t.Context(), since) {
			if err != nil {
				t.Fatal(err)
			}
			types, seqs = append(types, ev.Type), append(seqs, ev.Seq)
			if ev.Type == "page" {
				var p PageEvent
				if err := json.Unmarshal(ev.Data, &p); err != nil || p.URL == "" || p.Progress.Known == 0 {
					t.Errorf("data %s, %v", ev.Data, err)
				}
			}
		}
		return types, seqs
	}
	types, seqs := read(0) // while it runs
	if types[0] != "started" || types[len(types)-1] != "completed" || len(types) != 2+12 || !slices.IsSorted(seqs) || seqs[0] != 1 {
		t.Errorf("%v %v", types, seqs)
	}
	for since := range uint64(len(seqs)) {
		if again, _ := read(since); !slices.Equal(again, types[since:]) {
			t.Errorf("since %d: %v", since, again)
		}
	}
}

func TestJob_pagesAreCutAtTenMebibytes(t *testing.T) {
	t.Parallel()
	job := FilledBatch(t, newTestEngine(t, Options{}), "", &Document{Markdown: strings.Repeat("grain ", 600_000)}, 5) // of 3.6 MB
	var sizes []int
	skip := 0
	for skip >= 0 {
		p, err := job.Page(t.Context(), skip, 0)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, d := range p.Documents {
			total += len(d)
		}
		if total > 10<<20 && len(p.Documents) > 1 {
			t.Errorf("a page of %d bytes", total)
		}
		sizes = append(sizes, len(p.Documents))
		skip = p.Next
	}
	if fmt.Sprint(sizes) != "[2 2 1]" {
		t.Errorf("pages of %v documents", sizes)
	}
	if p, err := job.Page(t.Context(), 1, 2); err != nil {
		t.Error(err)
	} else if len(p.Documents) != 2 || p.Next != 3 {
		t.Errorf("got %d documents, next %d", len(p.Documents), p.Next)
	}
	for _, bad := range [][2]int{{-1, 1}, {0, 1001}, {0, -1}} {
		if _, err := job.Page(t.Context(), bad[0], bad[1]); CodeOf(err) != CodeBadRequest {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestJob_anIdempotencyKeyFindsTheFirst(t *testing.T) {
	e := webEngine(t, chain(3))
	o := CrawlOptions{IdempotencyKey: "once", Limit: 2}
	first, err := e.Crawl(t.Context(), "https://a.example/", o)
	if err != nil {
		t.Fatal(err)
	}
	second, err := e.StartCrawl(t.Context(), "https://a.example/", o)
	if err != nil || second.ID() != first.ID() || first.Found() || !second.Found() {
		t.Errorf("%v, %v", second, err)
	}
	o.Limit = 3
	if _, err := e.StartCrawl(t.Context(), "https://a.example/", o); CodeOf(err) != CodeIdempotency {
		t.Errorf("got %v", err)
	}
	b := BatchOptions{IdempotencyKey: "batch"}
	one, err := e.Batch(t.Context(), []string{"a.example/p1"}, b)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := e.StartBatch(t.Context(), []string{"a.example/p1"}, b); err != nil || two.ID() != one.ID() {
		t.Errorf("%v, %v", two, err)
	}
	if _, err := e.StartBatch(t.Context(), []string{"a.example/p2"}, b); CodeOf(err) != CodeIdempotency {
		t.Errorf("other URLs: %v", err)
	}
}

// A job that an engine leaves behind is taken up by the next on the same folder.
func TestJob_isResumed(t *testing.T) {
	dir, open := t.TempDir(), make(chan struct{})
	var requests sync.Map
	counted := func(hosts map[string]http.Handler) map[string]http.Handler {
		for host, h := range hosts {
			hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n, _ := requests.LoadOrStore(r.URL.Path, new(atomic.Int64))
				n.(*atomic.Int64).Add(1)
				h.ServeHTTP(w, r)
			})
		}
		return hosts
	}
	start := func(hosts map[string]http.Handler, resume *bool) *Engine {
		return webEngine(t, nil, func(o *Options) { o.Dir, o.Hosts, o.ResumeJobs = dir, hosts, resume })
	}
	e := start(counted(slowly(chain(20), open)), nil)
	job, err := e.StartCrawl(t.Context(), "https://a.example/", CrawlOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range job.Documents(t.Context(), 0) {
		break
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	close(open)
	e = start(counted(web(chain(20))), new(false))
	if again, err := e.Job(t.Context(), job.ID()); err != nil {
		t.Error(err)
	} else if s, err := again.Status(t.Context()); err != nil || s.State != JobScraping || s.Completed != 1 {
		t.Errorf("not resumed: %+v, %v", s, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = start(counted(web(chain(20))), nil)
	again := refound(t, e, job.ID(), (*Job).Crawl)
	if got := documentsOf(t, again); len(got) != 22 || len(slices.Compact(got)) != 22 {
		t.Errorf("%d documents: %v", len(got), got)
	}
	if n, _ := requests.Load("/"); n.(*atomic.Int64).Load() != 1 {
		t.Errorf("the seed was fetched %d times", n.(*atomic.Int64).Load())
	}
}

func TestJob_whatIsKeptInMemoryIsBounded(t *testing.T) {
	pages := map[string]string{"a.example/": linksTo("/1", "/2")}
	for i := 1; i <= 2; i++ {
		pages[fmt.Sprintf("a.example/%d", i)] = linksTo(fmt.Sprintf("/%d/", i)) + noise(i, 200_000)
	}
	e := webEngine(t, pages)
	must(t, e.durable.Close())
	var err error
	e.durable, err = e.openJobs(e.stores.State, 50_000, nil)
	must(t, err)
	job, err := e.Crawl(t.Context(), "https://a.example/", CrawlOptions{MaxConcurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := job.Status(t.Context()); err != nil || s.State != JobFailed || !strings.Contains(s.Error, "Options.Dir") {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestJob_expires(t *testing.T) {
	c := newClock()
	e := webEngine(t, chain(2), func(o *Options) { o.Now = c.now })
	job, _ := crawled(t, e, "https://a.example/", CrawlOptions{})
	c.pass(24*time.Hour + time.Second)
	if _, err := job.Status(t.Context()); CodeOf(err) != CodeNotFound {
		t.Errorf("got %v", err)
	}
	if _, err := e.Job(t.Context(), job.ID()); CodeOf(err) != CodeNotFound {
		t.Errorf("got %v", err)
	}
}

func TestBatch_deliversEachURLAsOftenAsItIsGiven(t *testing.T) {
	var fetched atomic.Int64
	e := webEngine(t, nil, func(o *Options) {
		o.Hosts = map[string]http.Handler{"a.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fetched.Add(1)
			htmlPage("<p>At "+r.URL.Path+"</p>").ServeHTTP(w, r)
		})}
	})
	urls := []string{"https://a.example/2", "a.example/1", "https://a.example/2", "not a url", "http://a.example/1", "https://A.example/2"}
	job, err := e.Batch(t.Context(), urls, BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := fetched.Load(); n != 2 {
		t.Errorf("fetched %d times", n)
	}
	var got []string
	for doc, err := range job.Ordered(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, doc.Metadata.SourceURL+" "+doc.Markdown)
	}
	want := []string{"https://a.example/2 At /2", "a.example/1 At /1", "https://a.example/2 At /2", "http://a.example/1 At /1", "https://A.example/2 At /2"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if invalid, err := job.InvalidURLs(t.Context()); err != nil || !slices.Equal(invalid, []string{"not a url"}) {
		t.Errorf("invalid %v, %v", invalid, err)
	}
	status, err := job.Status(t.Context())
	if err != nil || status.Total != 5 || status.Completed != 5 || status.CreditsUsed != 2 {
		t.Errorf("%+v, %v", status, err)
	}
	events := 0
	for ev := range job.Events(t.Context(), 0) {
		if ev.Type == "page" {
			events++
		}
	}
	if events != 5 {
		t.Errorf("%d events of pages", events)
	}
}

func TestBatch_whatFailsIsAmongTheErrors(t *testing.T) {
	e := webEngine(t, map[string]string{"a.example/": "<p>Here.</p>"}, func(o *Options) { o.Resolver = names{} })
	job, err := e.Batch(t.Context(), []string{"https://nowhere.example/", "https://a.example/", "https://a.example/missing"}, BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for doc, err := range job.Ordered(t.Context()) {
		if err != nil {
			got = append(got, string(CodeOf(err)))
			continue
		}
		got = append(got, fmt.Sprint(doc.Metadata.StatusCode))
	}
	if fmt.Sprint(got) != "[SCRAPE_DNS_RESOLUTION_ERROR 200 404]" {
		t.Errorf("got %v", got)
	}
	if s, err := job.Status(t.Context()); err != nil || s.State != JobCompleted || s.Total != 3 || s.Completed != 2 || s.Failed != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestBatch_aPageThatIsDoneIsDeliveredForWhatIsAddedToo(t *testing.T) {
	open := make(chan struct{})
	hosts := slowly(chain(5), open)
	hosts["b.example"] = htmlPage("<p>done at once</p>")
	e := webEngine(t, nil, func(o *Options) { o.Hosts = hosts })
	job, err := e.StartBatch(t.Context(), []string{"https://b.example/", "https://a.example/p1"}, BatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for event, err := range job.Events(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Type == "page" {
			break
		}
	}
	if _, err := e.StartBatch(t.Context(), []string{"b.example"}, BatchOptions{AppendToID: job.ID()}); err != nil {
		t.Fatal(err)
	}
	close(open)
	var got []string
	for doc, err := range job.Ordered(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, doc.Metadata.SourceURL)
	}
	if want := []string{"https://b.example/", "https://a.example/p1", "b.example"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBatch_canBeAddedToWhileItIsAtWork(t *testing.T) {
	open := make(chan struct{})
	e := webEngine(t, nil, func(o *Options) { o.Hosts = slowly(chain(5), open) })
	job, err := e.StartBatch(t.Context(), []string{"https://a.example/p1"}, BatchOptions{Owner: "o"})
	if err != nil {
		t.Fatal(err)
	}
	more, err := e.StartBatch(t.Context(), []string{"https://a.example/p2", "https://a.example/p1"}, BatchOptions{Owner: "o", AppendToID: job.ID()})
	if err != nil || more.ID() != job.ID() {
		t.Fatal(more, err)
	}
	for name, o := range map[string]BatchOptions{
		"other owner":  {AppendToID: job.ID()},
		"unknown":      {AppendToID: "nobody", Owner: "o"},
		"with options": {AppendToID: job.ID(), Owner: "o", MaxConcurrency: 3},
	} {
		if _, err := e.StartBatch(t.Context(), []string{"https://a.example/p3"}, o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	close(open)
	n := 0
	for doc, err := range job.Ordered(t.Context()) {
		if err != nil || doc == nil {
			t.Error(err)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d documents", n)
	}
	if _, err := e.StartBatch(t.Context(), []string{"https://a.example/p3"}, BatchOptions{AppendToID: job.ID(), Owner: "o"}); CodeOf(err) != CodeFinished {
		t.Errorf("afterwards: %v", err)
	}
}

func TestBatch_refuses(t *testing.T) {
	e := newTestEngine(t, Options{})
	for _, c := range []struct {
		field string
		urls  []string
		o     BatchOptions
	}{
		{"urls", nil, BatchOptions{}},
		{"urls", []string{"not a url"}, BatchOptions{}},
		{"urls[1]", []string{"https://a.example/", "ftp://x"}, BatchOptions{IgnoreInvalidURLs: new(false)}},
		{"maxConcurrency", []string{"https://a.example/"}, BatchOptions{MaxConcurrency: -1}},
		{"timeout", []string{"https://a.example/"}, BatchOptions{Scrape: ScrapeOptions{Timeout: 1}}},
		{"owner", []string{"https://a.example/"}, BatchOptions{Scrape: ScrapeOptions{Owner: "x"}}},
		{"zeroDataRetention", []string{"https://a.example/"}, BatchOptions{ZeroDataRetention: true}},
		{"webhook.url", []string{"https://a.example/"}, BatchOptions{Webhook: &Webhook{URL: "ftp://x"}}},
	} {
		_, err := e.StartBatch(t.Context(), c.urls, c.o)
		wantRefusal(t, err, c.field, CodeBadRequest)
	}
}

func TestStartCrawl_refuses(t *testing.T) {
	e := newTestEngine(t, Options{})
	for _, c := range []struct {
		field string
		o     CrawlOptions
	}{
		{"limit", CrawlOptions{Limit: -1}},
		{"limit", CrawlOptions{Limit: 1_000_001}},
		{"delay", CrawlOptions{Delay: 61 * time.Second}},
		{"delay", CrawlOptions{Delay: -1}},
		{"sitemap", CrawlOptions{Sitemap: "maybe"}},
		{"includePaths[0]", CrawlOptions{IncludePaths: []string{"("}}},
		{"excludePaths[1]", CrawlOptions{ExcludePaths: []string{"x", "["}}},
		{"maxDepth", CrawlOptions{MaxDepth: new(-1)}},
		{"maxDiscoveryDepth", CrawlOptions{MaxDiscoveryDepth: new(-1)}},
		{"maxConcurrency", CrawlOptions{MaxConcurrency: 1001}},
		{"robotsUserAgent", CrawlOptions{IgnoreRobotsTxt: true, RobotsUserAgent: "x"}},
		{"scrapeOptions.obeyRobots", CrawlOptions{Scrape: ScrapeOptions{ObeyRobots: true}}},
		{"scrapeOptions.owner", CrawlOptions{Scrape: ScrapeOptions{Owner: "x"}}},
		{"scrapeOptions.onStep", CrawlOptions{Scrape: ScrapeOptions{OnStep: func(Step) {}}}},
		{"timeout", CrawlOptions{Scrape: ScrapeOptions{Timeout: time.Millisecond}}},
		{"webhook.events", CrawlOptions{Webhook: &Webhook{URL: "https://h.example/", Events: []string{"lunch"}}}},
		{"prompt", CrawlOptions{Prompt: strings.Repeat("ä", maxPrompt+1)}},
		{"zeroDataRetention", CrawlOptions{ZeroDataRetention: true}},
	} {
		_, err := e.StartCrawl(t.Context(), "https://a.example/", c.o)
		wantRefusal(t, err, c.field, CodeBadRequest)
	}
	_, err := e.StartCrawl(t.Context(), "ftp://a.example/", CrawlOptions{})
	wantRefusal(t, err, "url", CodeBadRequest)
}

// receiver is a real server that collects webhooks.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []map[string]any
	heads  []http.Header
	got    chan string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{got: make(chan string, 100)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		data, err := io.ReadAll(q.Body)
		var body map[string]any
		if err = errors.Join(err, json.Unmarshal(data, &body)); err != nil {
			t.Error(err)
			return
		}
		r.mu.Lock()
		r.bodies, r.heads = append(r.bodies, body), append(r.heads, q.Header)
		r.mu.Unlock()
		r.got <- fmt.Sprint(body["type"])
	}))
	t.Cleanup(r.Close)
	return r
}

func TestWebhook_isToldWhatHappens(t *testing.T) {
	hook := newReceiver(t)
	e := webEngine(t, chain(1), func(o *Options) {
		o.Policy, o.DialContext, o.Resolver = fetch.Policy{AllowPrivate: true}, nil, nil
	})
	job, err := e.StartCrawl(t.Context(), "https://a.example/", CrawlOptions{
		Webhook: &Webhook{URL: hook.URL, Headers: map[string]string{"X-Own": "yes"}, Metadata: map[string]string{"for": "me"}, Secret: "s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for range 5 {
		types = append(types, <-hook.got)
	}
	if fmt.Sprint(types) != "[crawl.started crawl.page crawl.page crawl.page crawl.completed]" {
		t.Errorf("got %v", types)
	}
	hook.mu.Lock()
	defer hook.mu.Unlock()
	first := hook.bodies[1]
	doc := first["data"].([]any)[0].(map[string]any)
	if first["id"] != job.ID() || first["success"] != true || doc["markdown"] == "" || first["metadata"].(map[string]any)["for"] != "me" {
		t.Errorf("got %v", first)
	}
	if h := hook.heads[1]; h.Get("X-Own") != "yes" || !strings.HasPrefix(h.Get("X-Winnow-Signature"), "sha256=") {
		t.Errorf("headers %v", h)
	}
}

func TestWebhook_obeysTheEgressPolicy(t *testing.T) {
	hook := newReceiver(t)
	var log logBuffer
	e := webEngine(t, chain(1), func(o *Options) { o.DialContext, o.Resolver, o.Logger = nil, nil, log.logger() })
	job, err := e.Crawl(t.Context(), "https://a.example/", CrawlOptions{Webhook: &Webhook{URL: hook.URL}})
	if err != nil {
		t.Fatal(err)
	}
	if status, err := job.Status(t.Context()); err != nil || status.State != JobCompleted {
		t.Errorf("%+v, %v", status, err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if len(hook.bodies) != 0 {
		t.Errorf("a hook on a private address was told %v", hook.bodies)
	}
}

// A job under zero data retention is readable while its engine lives, and nowhere else.
func TestZeroDataRetention_ofAJobLeavesNoTrace(t *testing.T) {
	dir, log := t.TempDir(), &logBuffer{}
	const marker = "kernelmarker"
	e := webEngine(t, map[string]string{
		"hushed.example/":           linksTo("/secretpath") + marker,
		"hushed.example/secretpath": "<p>" + marker + "</p>",
		"loud.example/loudpath":     "<p>loud</p>",
	}, func(o *Options) { o.Dir, o.Logger, o.AllowZeroDataRetention = dir, log.logger(), true })
	o := CrawlOptions{ZeroDataRetention: true, Scrape: ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.RawHTML}}}}
	job, urls := crawled(t, e, "https://hushed.example/", o)
	if len(urls) != 2 {
		t.Errorf("got %v", urls)
	}
	batch, err := e.Batch(t.Context(), []string{"https://hushed.example/secretpath"}, BatchOptions{ZeroDataRetention: true})
	if err != nil || len(documentsOf(t, batch)) != 1 {
		t.Error(err)
	}
	if _, err := e.Batch(t.Context(), []string{"https://loud.example/loudpath"}, BatchOptions{}); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if found := foundIn(t, dir, marker, "hushed.example", "secretpath", job.ID()); len(found) != 0 {
		t.Errorf("found in %v", found)
	}
	if found := foundIn(t, dir, "loudpath"); len(found) == 0 {
		t.Error("the search doesn't find what was kept")
	}
	if text := log.String(); strings.Contains(text, "hushed") || strings.Contains(text, marker) {
		t.Errorf("found in the log:\n%s", text)
	}
	e = newTestEngine(t, Options{Dir: dir})
	if _, err := e.Job(t.Context(), job.ID()); CodeOf(err) != CodeNotFound {
		t.Errorf("got %v", err)
	}
}

func TestActivity_isPagedWithoutGapsOrRepeats(t *testing.T) {
	c := newClock()
	e := webEngine(t, chain(3), func(o *Options) { o.Now, o.AllowZeroDataRetention = c.now, true })
	var want []string
	for i := range 7 {
		doc := scrapeOK(t, e, "https://a.example/", ScrapeOptions{Owner: fmt.Sprint(i % 2)})
		want = append([]string{doc.Metadata.ScrapeID}, want...)
		if i%3 == 0 {
			c.pass(time.Second) // several have one time
		}
	}
	scrapeOK(t, e, "https://a.example/p1", ScrapeOptions{ZeroDataRetention: true})
	job, _ := crawled(t, e, "https://a.example/", CrawlOptions{Owner: "2"})
	want = append([]string{job.ID()}, want...)
	var got []string
	for cursor, more := "", true; more; more = cursor != "" {
		list, next, err := e.Activity(t.Context(), ActivityQuery{Limit: 3, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			got = append(got, a.ID)
		}
		cursor = next
		scrapeOK(t, e, "https://a.example/", ScrapeOptions{Owner: "late"})
		c.pass(time.Second)
	}
	if len(got) != len(want) || got[0] != want[0] {
		t.Errorf("got %v\nwant %v", got, want)
	}
	slices.Sort(got)
	if len(slices.Compact(got)) != len(want) {
		t.Errorf("repeats in %v", got)
	}
	own, _, err := e.Activity(t.Context(), ActivityQuery{Owner: new("1"), Endpoint: "scrape"})
	if err != nil || len(own) != 3 || own[0].Target != "https://a.example/" {
		t.Errorf("%+v, %v", own, err)
	}
	if crawls, _, err := e.Activity(t.Context(), ActivityQuery{Endpoint: KindCrawl}); err != nil || len(crawls) != 1 {
		t.Errorf("%+v, %v", crawls, err)
	}
	for _, bad := range []ActivityQuery{{Limit: -1}, {Limit: 1001}, {Cursor: "!"}, {Cursor: "eA"}} {
		if _, _, err := e.Activity(t.Context(), bad); CodeOf(err) != CodeBadRequest {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	c.pass(25 * time.Hour)
	if list, _, err := e.Activity(t.Context(), ActivityQuery{}); err != nil || len(list) != 0 {
		t.Errorf("after a day: %+v, %v", list, err)
	}
}

func TestActivity_aMapIsOneRequest(t *testing.T) {
	e := webEngine(t, chain(3))
	m, err := e.Map(t.Context(), "https://user:secret@a.example/", MapOptions{Owner: "o"})
	if err != nil || len(m.Links) == 0 {
		t.Fatalf("%+v, %v", m, err)
	}
	if _, err := e.Map(t.Context(), "https://a.example/", MapOptions{Lockdown: true}); err != nil {
		t.Fatal(err)
	}
	list, _, err := e.Activity(t.Context(), ActivityQuery{})
	if err != nil || len(list) != 1 || list[0].ID != m.ID || list[0].Endpoint != "map" || list[0].Owner != "o" || list[0].Target != "https://a.example/" {
		t.Errorf("%+v, %v", list, err)
	}
}
