package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// joinEngine opens an engine that never renders, on virtual hosts, with a part in a cluster.
func joinEngine(t *testing.T, js jetstream.JetStream, hosts map[string]http.Handler, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	e := mustJoin(t, js, hosts, change...)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// mustJoin is joinEngine that leaves it to the caller to close the engine.
func mustJoin(t *testing.T, js jetstream.JetStream, hosts map[string]http.Handler, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	return engineOf(t, joined(t, js, 600*time.Millisecond), hosts, change...)
}

// joined is a part in a cluster, which no engine has yet.
func joined(t *testing.T, js jetstream.JetStream, ttl time.Duration) *Engines {
	t.Helper()
	member, err := Join(t.Context(), Options{
		JetStream: js, Name: "e", Shards: 6, TTL: ttl, Wait: 700 * time.Millisecond,
		Local: func(int) (Store, error) { return cache.NewMap(), nil },
	})
	must(t, err)
	return member
}

func engineOf(t *testing.T, member *Engines, hosts map[string]http.Handler, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	o := engine.Options{Render: engine.RenderNever, Hosts: hosts, MaxPages: 3, Cluster: member}
	for _, f := range change {
		f(&o)
	}
	e, err := engine.New(o)
	must(t, err)
	return e
}

// bigSite has pages on several hosts of one domain, each of which links to some of the others, in all ways that matter to a crawl.
func bigSite(hosts, pages int) map[string]http.Handler { return bigSiteAt("https", hosts, pages) }

func bigSiteAt(scheme string, hosts, pages int) map[string]http.Handler {
	all := map[string]http.Handler{}
	name := func(host int) string { return fmt.Sprintf("h%d.site.example", host%hosts) }
	for h := range hosts {
		mux := http.NewServeMux()
		mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "User-agent: *\nDisallow: /private\nSitemap: %s://%s/sitemap.xml\n", scheme, r.Host)
		})
		mux.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprintf(w, "<urlset><url><loc>%s://%s/orphan</loc></url></urlset>", scheme, r.Host)
		})
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			var n int
			_, _ = fmt.Sscanf(r.URL.Path, "/p%d", &n)
			fmt.Fprintf(w, "<h1>Page %d of %s at %s</h1><p>Some words of its own.</p>", n, r.Host, r.URL.Path)
			for _, link := range []string{
				fmt.Sprintf("/p%d", (2*n+1)%pages), fmt.Sprintf("/p%d", (2*n+2)%pages), fmt.Sprintf("//%s/p%d", name(h+1), n),
				"/private/x", "https://elsewhere.example/", fmt.Sprintf("/moved%d", n%3),
			} {
				fmt.Fprintf(w, `<a href="%s">link</a> `, link)
			}
		})
		for i := range 3 {
			mux.HandleFunc(fmt.Sprintf("/moved%d", i), func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, fmt.Sprintf("//%s/target%d", name(h+2), i), http.StatusFound)
			})
		}
		mux.HandleFunc("/missing", http.NotFound)
		all[name(h)] = mux
	}
	return all
}

func crawlOptions() engine.CrawlOptions {
	busy := engine.ScrapeOptions{Timeout: 5 * time.Minute} // a minute, the default, is little on a machine with much else to do
	return engine.CrawlOptions{CrawlEntireDomain: true, AllowSubdomains: true, Limit: 1000, Scrape: busy}
}

// withDeadline ends a test that hangs, with what the engines wait for, shortly before go test ends all.
func withDeadline(t *testing.T) context.Context {
	t.Helper()
	end, ok := t.Deadline()
	if !ok {
		return t.Context()
	}
	ctx, cancel := context.WithDeadline(t.Context(), end.Add(-40*time.Second))
	t.Cleanup(cancel)
	return ctx
}

// engines opens some in one cluster.
func engines(t *testing.T, n int, hosts map[string]http.Handler, change ...func(*engine.Options)) (list []*engine.Engine) {
	t.Helper()
	addr := host(t)
	for range n {
		list = append(list, joinEngine(t, dial(t, addr), hosts, change...))
	}
	return list
}

// seen is what readers get of a crawl that has ended.
type seen struct {
	Status    engine.JobStatus
	Documents []string
	Errors    []engine.JobError
	Events    []engine.Event
	Denied    []engine.Denied
	Robots    []string
	Traps     []engine.Trap
	Labels    engine.Labels
}

func see(ctx context.Context, t *testing.T, e *engine.Engine, id string) (s seen) {
	t.Helper()
	job, err := e.Job(ctx, id)
	must(t, err)
	s.Status, err = job.Wait(ctx)
	must(t, err)
	s.Status.Progress = engine.Progress{} // its rate is the reader's
	for ev, err := range job.Past(ctx) {
		must(t, err)
		s.Events = append(s.Events, ev)
	}
	s.Labels, err = job.Labels(ctx)
	must(t, err)
	crawl, _ := job.Crawl()
	for skip := 0; skip >= 0; {
		page, err := crawl.Page(ctx, skip, 7)
		must(t, err)
		for _, doc := range page.Documents {
			s.Documents = append(s.Documents, string(doc))
		}
		skip = page.Next
	}
	s.Errors, err = crawl.Errors(ctx)
	must(t, err)
	s.Denied, err = crawl.Denied(ctx)
	must(t, err)
	s.Robots, err = crawl.RobotsBlocked(ctx)
	must(t, err)
	s.Traps, err = crawl.Traps(ctx)
	must(t, err)
	return s
}

// urls are those of the documents, sorted.
func (s seen) urls(t *testing.T) (list []string) {
	t.Helper()
	for _, data := range s.Documents {
		var doc engine.Document
		must(t, json.Unmarshal([]byte(data), &doc))
		list = append(list, doc.Metadata.URL)
	}
	slices.Sort(list)
	return list
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same fails where two readers see other things.
func same(t *testing.T, a, b seen) {
	t.Helper()
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range va.NumField() {
		if x, y := va.Field(i).Interface(), vb.Field(i).Interface(); !reflect.DeepEqual(x, y) {
			one, _ := json.Marshal(x)
			other, _ := json.Marshal(y)
			t.Errorf("%s: one has\n%s\nthe other\n%s", va.Type().Field(i).Name, one, other)
		}
	}
}

func deniedBy(s seen, reason string) (list []string) {
	for _, d := range s.Denied {
		if d.Reason == reason {
			list = slices.Sorted(slices.Values(d.URLs))
		}
	}
	return list
}

// What three machines crawl is what one does, whatever the options, and all of them have it in the same order with the same numbers.
func TestEngine_crawlsWhatOneMachineDoes(t *testing.T) {
	ctx := withDeadline(t)
	hosts := bigSite(5, inFull(12, 6))
	alone, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: hosts})
	must(t, err)
	defer alone.Close()
	list := engines(t, 3, hosts)
	for name, change := range map[string]func(*engine.CrawlOptions){
		"all":      func(*engine.CrawlOptions) {},
		"one host": func(o *engine.CrawlOptions) { o.AllowSubdomains = false },
		"depth":    func(o *engine.CrawlOptions) { o.MaxDiscoveryDepth = new(2) },
		"paths": func(o *engine.CrawlOptions) {
			o.IncludePaths, o.ExcludePaths = []string{"/p[0-9]*$", "^/$"}, []string{"/p3"}
		},
		"no sitemap":       func(o *engine.CrawlOptions) { o.Sitemap = engine.SitemapSkip },
		"only the sitemap": func(o *engine.CrawlOptions) { o.Sitemap = engine.SitemapOnly },
		"no robots.txt":    func(o *engine.CrawlOptions) { o.IgnoreRobotsTxt = true },
		"external":         func(o *engine.CrawlOptions) { o.AllowExternalLinks = true },
		"each spelling":    func(o *engine.CrawlOptions) { o.DeduplicateSimilarURLs = new(false) },
		"links":            func(o *engine.CrawlOptions) { o.Scrape.Formats = []formats.Format{{Type: formats.Links}} },
	} {
		t.Run(name, func(t *testing.T) {
			o := crawlOptions()
			change(&o)
			job, err := alone.Crawl(ctx, "https://h0.site.example/", o)
			must(t, err)
			want := see(ctx, t, alone, job.ID())
			job, err = list[0].StartCrawl(engine.WithLabels(ctx, engine.Labels{Origin: "a test"}), "https://h0.site.example/", o)
			must(t, err)
			got := see(ctx, t, list[0], job.ID())
			for _, e := range list[1:] {
				same(t, got, see(ctx, t, e, job.ID()))
			}
			if urls, wanted := got.urls(t), want.urls(t); !slices.Equal(urls, wanted) || len(urls) == 0 {
				t.Errorf("got %d documents\n%s\nwant %d\n%s", len(urls), strings.Join(urls, "\n"), len(wanted), strings.Join(wanted, "\n"))
			}
			if g, w := got.Status, want.Status; g.Total != w.Total || g.Completed != w.Completed || g.CreditsUsed != w.CreditsUsed || g.State != w.State {
				t.Errorf("status %+v, want %+v", g, w)
			}
			if len(got.Errors) != len(want.Errors) || got.Labels.Origin != "a test" {
				t.Errorf("errors %+v, want %+v; labels %+v", got.Errors, want.Errors, got.Labels)
			}
			for _, d := range want.Denied {
				if g := deniedBy(got, d.Reason); !slices.Equal(g, slices.Sorted(slices.Values(d.URLs))) {
					t.Errorf("%s: denied %q, want %q", d.Reason, g, d.URLs)
				}
			}
			for i, ev := range got.Events {
				if ev.Seq != uint64(i+1) {
					t.Fatalf("event %d has number %d", i, ev.Seq)
				}
			}
		})
	}
}

// Seeds that fail, and those that lead to another site.
func TestEngine_seeds(t *testing.T) {
	ctx := withDeadline(t)
	hosts := bigSite(4, 5)
	hosts["old.example"] = http.RedirectHandler("https://h1.site.example/", http.StatusMovedPermanently)
	hosts["empty.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
		}
	})
	hosts["circle.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		http.Redirect(w, r, "/", http.StatusFound)
	})
	alone, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: hosts})
	must(t, err)
	defer alone.Close()
	list := engines(t, 2, hosts)
	for _, seed := range []string{"https://old.example/", "https://empty.example/", "https://circle.example/"} {
		t.Run(seed, func(t *testing.T) {
			job, err := alone.Crawl(ctx, seed, crawlOptions())
			must(t, err)
			want := see(ctx, t, alone, job.ID())
			job, err = list[0].StartCrawl(ctx, seed, crawlOptions())
			must(t, err)
			got := see(ctx, t, list[0], job.ID())
			same(t, got, see(ctx, t, list[1], job.ID()))
			if urls, wanted := got.urls(t), want.urls(t); !slices.Equal(urls, wanted) {
				t.Errorf("got %q, want %q", urls, wanted)
			}
			g, w := got.Status, want.Status
			if g.State != w.State || g.Code != w.Code || g.Error != w.Error || g.Total != w.Total || g.Warning != w.Warning {
				t.Errorf("status %+v, want %+v", g, w)
			}
		})
	}
}

func TestEngine_refusesWhatItCannotSpread(t *testing.T) {
	ctx := withDeadline(t)
	e := engines(t, 1, bigSite(1, 1))[0]
	for field, o := range map[string]engine.CrawlOptions{
		"since":                 {Since: engine.SinceLast},
		"record":                {Record: t.TempDir() + "/x.wacz"},
		"scrapeOptions.formats": {Scrape: engine.ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.ChangeTracking}}}},
		"scrapeOptions.profile": {Scrape: engine.ScrapeOptions{Render: engine.RenderAlways, Profile: &engine.Profile{Name: "x"}}},
		"options":               {Scrape: engine.ScrapeOptions{IncludeTags: slices.Repeat([]string{"." + strings.Repeat("x", 900)}, 160)}},
	} {
		_, err := e.StartCrawl(ctx, "https://h0.site.example/", o)
		refused, ok := errors.AsType[*engine.OptionError](err)
		if !ok || refused.Field != field || engine.CodeOf(err) != engine.CodeBadRequest {
			t.Errorf("%s: got %v", field, err)
		}
	}
	if _, err := e.Job(ctx, "0198f2a0-0000-7000-8000-000000000000"); engine.CodeOf(err) != engine.CodeNotFound {
		t.Errorf("an unknown job: %v", err)
	}
}

// Documents of any size get through, at most Limit of them.
func TestEngine_largeDocumentsAndALimit(t *testing.T) {
	ctx := withDeadline(t)
	size := 2 << 20
	if raced {
		size = 600 << 10 // three pieces: the pages are read no other way
	}
	text := func(page string) string {
		var b strings.Builder
		random := rand.NewChaCha8([32]byte([]byte(fmt.Sprintf("%-32s", page))))
		for b.Len() < size {
			b.WriteString("<p>")
			for range 64 {
				fmt.Fprintf(&b, "%x ", random.Uint64())
			}
		}
		return b.String()
	}
	hosts := map[string]http.Handler{}
	for h := range 4 {
		hosts[fmt.Sprintf("h%d.site.example", h)] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".txt") || strings.HasSuffix(r.URL.Path, ".xml") {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			for to := range 4 {
				fmt.Fprintf(w, `<a href="https://h%d.site.example/%d">to</a>`, to, len(r.URL.Path))
				fmt.Fprintf(w, `<a href="https://h%d.site.example%sx">to</a>`, to, r.URL.Path)
			}
			fmt.Fprint(w, text(r.Host+r.URL.Path))
		})
	}
	list := engines(t, 2, hosts)
	o := crawlOptions()
	o.Limit = inFull(9, 5)
	job, err := list[0].StartCrawl(ctx, "https://h0.site.example/", o)
	must(t, err)
	got := see(ctx, t, list[0], job.ID())
	same(t, got, see(ctx, t, list[1], job.ID()))
	if len(got.Documents) != o.Limit || got.Status.Total != o.Limit {
		t.Errorf("%d documents, %+v", len(got.Documents), got.Status)
	}
	for _, doc := range got.Documents {
		if len(doc) < size/2 {
			t.Errorf("a document has %d bytes", len(doc))
		}
	}
}

// A job is cancelled from whatever machine, and is so on all; what is there stays.
func TestEngine_cancelFromAnotherMachine(t *testing.T) {
	ctx := withDeadline(t)
	release := make(chan struct{})
	var waiting atomic.Int64
	hosts := map[string]http.Handler{"h.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			waiting.Add(1)
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<h1>a page</h1><p>words</p><a href="/a">a</a> <a href="/b">b</a> <a href="/c">c</a> <a href="/d">d</a>`)
	})}
	list := engines(t, 2, hosts)
	o := engine.CrawlOptions{Sitemap: engine.SitemapSkip, IgnoreRobotsTxt: true}
	job, err := list[0].StartCrawl(ctx, "https://h.example/", o)
	must(t, err)
	until(t, "pages are fetched", func() bool { return waiting.Load() > 0 })
	other, err := list[1].Job(ctx, job.ID())
	must(t, err)
	until(t, "the seed is counted", func() bool {
		status, err := other.Status(ctx)
		must(t, err)
		return status.State == engine.JobScraping && status.Total == 5 && status.Completed == 1
	})
	must(t, other.Cancel(ctx))
	close(release)
	if err := other.Cancel(ctx); engine.CodeOf(err) != engine.CodeFinished {
		t.Errorf("a second time: %v", err)
	}
	got := see(ctx, t, list[0], job.ID())
	same(t, got, see(ctx, t, list[1], job.ID()))
	if got.Status.State != engine.JobCancelled || len(got.Documents) != 1 || got.Status.Total != 5 {
		t.Errorf("%+v with %d documents", got.Status, len(got.Documents))
	}
}

// An idempotency key finds the job on all machines.
func TestEngine_idempotencyKeys(t *testing.T) {
	ctx := withDeadline(t)
	list := engines(t, 2, bigSite(1, 2))
	o := crawlOptions()
	o.IdempotencyKey = "key"
	job, err := list[0].StartCrawl(ctx, "https://h0.site.example/", o)
	must(t, err)
	again, err := list[1].StartCrawl(ctx, "https://h0.site.example/", o)
	if err != nil || again.ID() != job.ID() || !again.Found() || job.Found() {
		t.Errorf("got %v, %v", again, err)
	}
	o.Limit = 5
	if _, err := list[1].StartCrawl(ctx, "https://h0.site.example/", o); engine.CodeOf(err) != engine.CodeIdempotency {
		t.Errorf("another request: %v", err)
	}
}

// lasting are engines of one cluster, each of which has its shards and keeps them, however slow the machine is: an owner of a job's home
// that has just got it lets more pages through.
func lasting(t *testing.T, n int, hosts map[string]http.Handler) (list []*engine.Engine) {
	t.Helper()
	addr := host(t)
	var members []*Engines
	for i := range n {
		members = append(members, joined(t, dial(t, addr), 30*time.Second))
		list = append(list, engineOf(t, members[i], hosts))
		t.Cleanup(func() { must(t, list[i].Close()) })
	}
	for _, m := range members {
		until(t, "shares", func() bool { return len(m.Shards()) == 6/n })
	}
	return list
}

// As many pages as the job allows are fetched at once, on all machines together, with its delay between those of a host.
func TestEngine_maxConcurrency(t *testing.T) {
	ctx := withDeadline(t)
	var at, most atomic.Int64
	inner := bigSite(6, 3)
	hosts := map[string]http.Handler{}
	for name, h := range inner {
		hosts[name] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/p") {
				now := at.Add(1)
				defer at.Add(-1)
				for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
				}
				time.Sleep(time.Millisecond)
			}
			h.ServeHTTP(w, r)
		})
	}
	list := lasting(t, 3, hosts)
	o := crawlOptions()
	o.MaxConcurrency = 2
	job, err := list[0].StartCrawl(ctx, "https://h0.site.example/", o)
	must(t, err)
	if got := see(ctx, t, list[1], job.ID()); got.Status.State != engine.JobCompleted || len(got.Documents) < 18 || most.Load() > 2 {
		t.Errorf("%+v, %d documents, %d pages at once", got.Status, len(got.Documents), most.Load())
	}
}

// A batch is delivered in the spellings in which it was given, in the order of giving, by all machines.
func TestEngine_batch(t *testing.T) {
	ctx := withDeadline(t)
	hosts := bigSite(5, 40)
	hosts["gone.example"] = http.RedirectHandler("https://gone.example/", http.StatusFound)
	list := engines(t, 3, hosts)
	var urls []string
	for i := range 40 {
		urls = append(urls, fmt.Sprintf("https://h%d.site.example/p%d", i%5, i))
	}
	urls = append(urls, "https://H0.site.example:443/p0", "no address", "https://gone.example/", urls[3])
	job, err := list[0].StartBatch(ctx, urls, engine.BatchOptions{})
	must(t, err)
	var first []string
	for i, e := range list {
		j, err := e.Job(ctx, job.ID())
		must(t, err)
		batch, _ := j.Batch()
		status, err := batch.Wait(ctx)
		must(t, err)
		if status.Total != 43 || status.Completed != 42 || status.Failed != 1 || status.CreditsUsed != 40 {
			t.Errorf("engine %d: %+v", i, status)
		}
		invalid, err := batch.InvalidURLs(ctx)
		if err != nil || len(invalid) != 1 {
			t.Errorf("engine %d: invalid %q, %v", i, invalid, err)
		}
		var got []string
		for doc, err := range batch.Ordered(ctx) {
			if err != nil {
				got = append(got, string(engine.CodeOf(err)))
				continue
			}
			got = append(got, doc.Metadata.SourceURL)
		}
		if i == 0 {
			first = got
		}
		if !slices.Equal(got, first) || len(got) != 43 || got[40] != urls[40] || got[7] != urls[7] || got[42] != urls[3] {
			t.Errorf("engine %d: got %q, the first %q", i, got, first)
		}
	}
	if _, err := list[1].StartBatch(ctx, urls, engine.BatchOptions{AppendToID: job.ID()}); engine.CodeOf(err) != engine.CodeBadRequest {
		t.Errorf("append: %v", err)
	}
}
