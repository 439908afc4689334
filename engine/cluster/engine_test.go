package cluster

import (
	"context"
	"fmt"
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
)

// joinEngine opens an engine that never renders, on virtual hosts, with a part in a cluster.
func joinEngine(t *testing.T, js jetstream.JetStream, hosts map[string]http.Handler, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	member, err := Join(t.Context(), Options{
		JetStream: js, Name: "e", Shards: 6, TTL: 600 * time.Millisecond, Wait: 700 * time.Millisecond,
		Local: func(int) (Store, error) { return cache.NewMap(), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	o := engine.Options{Render: engine.RenderNever, Hosts: hosts, MaxPages: 3, Cluster: member}
	for _, f := range change {
		f(&o)
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// bigSite has pages on several hosts of one domain, each of which links to some of the others, in all ways that matter to a crawl.
func bigSite(hosts, pages int, visits *atomic.Int64) map[string]http.Handler {
	all := map[string]http.Handler{}
	name := func(host int) string { return fmt.Sprintf("h%d.site.example", host%hosts) }
	for h := range hosts {
		mux := http.NewServeMux()
		mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "User-agent: *\nDisallow: /private\nSitemap: https://%s/sitemap.xml\n", r.Host)
		})
		mux.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprintf(w, "<urlset><url><loc>https://%s/orphan</loc></url></urlset>", r.Host)
		})
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			visits.Add(1)
			w.Header().Set("Content-Type", "text/html")
			var n int
			_, _ = fmt.Sscanf(r.URL.Path, "/p%d", &n)
			fmt.Fprintf(w, "<h1>Page %d of %s at %s</h1><p>Some words of its own.</p>", n, r.Host, r.URL.Path)
			for _, link := range []string{
				fmt.Sprintf("/p%d", (2*n+1)%pages), fmt.Sprintf("/p%d", (2*n+2)%pages), fmt.Sprintf("https://%s/p%d", name(h+1), n),
				"/private/x", "https://elsewhere.example/", fmt.Sprintf("/moved%d", n%3),
			} {
				fmt.Fprintf(w, `<a href="%s">link</a> `, link)
			}
		})
		for i := range 3 {
			mux.HandleFunc(fmt.Sprintf("/moved%d", i), func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, fmt.Sprintf("https://%s/target%d", name(h+2), i), http.StatusFound)
			})
		}
		mux.HandleFunc("/missing", http.NotFound)
		all[name(h)] = mux
	}
	return all
}

func documentURLs(t *testing.T, e *engine.Engine, id string) (urls []string) {
	t.Helper()
	job, err := e.Job(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	crawl, _ := job.Crawl()
	for doc, err := range crawl.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, doc.Metadata.URL)
	}
	return urls
}

func crawlOptions() engine.CrawlOptions {
	return engine.CrawlOptions{CrawlEntireDomain: true, AllowSubdomains: true, Limit: 1000}
}

// withDeadline ends a test that hangs, with what the engines wait for.
func withDeadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestEngine_threeMachinesCrawlWhatOneDoes(t *testing.T) {
	ctx := withDeadline(t)
	var visits atomic.Int64
	hosts := bigSite(5, 12, &visits)
	alone, err := engine.New(engine.Options{Render: engine.RenderNever, Hosts: hosts})
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	single, err := alone.Crawl(ctx, "https://h0.site.example/", crawlOptions())
	if err != nil {
		t.Fatal(err)
	}
	want := documentURLs(t, alone, single.ID())
	wantStatus, err := single.Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	wantDenied, err := single.RobotsBlocked(ctx)
	if err != nil {
		t.Fatal(err)
	}
	addr := host(t)
	var engines []*engine.Engine
	for range 3 {
		engines = append(engines, joinEngine(t, dial(t, addr), hosts))
	}
	job, err := engines[0].StartCrawl(ctx, "https://h0.site.example/", crawlOptions())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	var first []string
	var firstStatus engine.JobStatus
	for i, e := range engines {
		got := documentURLs(t, e, job.ID())
		j, err := e.Job(ctx, job.ID())
		if err != nil {
			t.Fatal(err)
		}
		status, err := j.Status(ctx)
		if err != nil {
			t.Fatal(err)
		}
		crawl, _ := j.Crawl()
		denied, err := crawl.RobotsBlocked(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first, firstStatus = got, status
		}
		status.Progress, firstStatus.Progress = engine.Progress{}, engine.Progress{}
		if !slices.Equal(got, first) || !reflect.DeepEqual(status, firstStatus) {
			t.Errorf("engine %d has %d documents and %+v, the first %d and %+v", i, len(got), status, len(first), firstStatus)
		}
		slices.Sort(denied)
		slices.Sort(wantDenied)
		if !slices.Equal(denied, wantDenied) {
			t.Errorf("robots.txt forbids %q, want %q", denied, wantDenied)
		}
		if status.State != engine.JobCompleted || status.Total != wantStatus.Total || status.CreditsUsed != wantStatus.CreditsUsed {
			t.Errorf("engine %d: %+v, the single one %+v", i, status, wantStatus)
		}
	}
	slices.Sort(first)
	slices.Sort(want)
	if !slices.Equal(first, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(first, "\n"), strings.Join(want, "\n"))
	}
}
