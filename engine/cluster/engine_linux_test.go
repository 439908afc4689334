package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine"
)

func init() { roles["engine"] = runEngine }

// engineOrders are what a process with an engine is started with. With Crawl it crawls that site alone, and ends; without Server it is in no
// cluster.
type engineOrders struct{ Server, Site, Dir, Crawl string }

// runEngine is an engine in a process of its own, which finds all hosts at one address.
func runEngine(text string) error {
	var o engineOrders
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	options := engine.Options{Render: engine.RenderNever, Dir: filepath.Join(o.Dir, "engine"), MaxPages: 3}
	if allAt(o.Site)(&options); o.Server != "" {
		member, leave, err := o.join()
		if err != nil {
			return err
		}
		defer leave()
		options.Cluster = member
	}
	e, err := engine.New(options)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if o.Crawl == "" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		return e.Close()
	}
	job, err := e.Crawl(context.Background(), o.Crawl, crawlOptions())
	if err != nil {
		return err
	}
	status, err := job.Status(context.Background())
	fmt.Fprintf(os.Stderr, "%d of %d pages", status.Completed, status.Total)
	return errors.Join(err, e.Close())
}

func (o engineOrders) join() (member *Engines, leave func(), err error) {
	c, err := nats.Connect("nats://"+o.Server, nats.Timeout(time.Minute), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(c)
	if err != nil {
		return nil, nil, err
	}
	member, err = Join(context.Background(), Options{
		JetStream: js, Name: "e", Shards: 6, TTL: 600 * time.Millisecond, Wait: 700 * time.Millisecond,
		Local: func(shard int) (Store, error) {
			return cache.OpenFile(filepath.Join(o.Dir, fmt.Sprintf("shard-%d.db", shard)), cache.FileOptions{Kind: "shard"})
		},
	})
	return member, c.Close, err
}

// allAt has an engine find all hosts at one address.
func allAt(site string) func(*engine.Options) {
	return func(o *engine.Options) {
		o.Policy.AllowPrivate, o.Resolver = true, everywhere{}
		o.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, site)
		}
	}
}

// everywhere finds all names at one address.
type everywhere struct{}

func (everywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// Engines are killed in the middle of a crawl, and start again: no page is lost, and none is delivered twice.
func TestEngine_survivesKills(t *testing.T) {
	leftToUnraced(t)
	ctx := withDeadline(t)
	var visits atomic.Int64
	hosts := counted(bigSiteAt("http", 8, 20), &visits)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := hosts[r.Host]; h != nil {
			h.ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	defer site.Close()
	addr := host(t)
	start := func(name string) *process {
		return startProcess(t, "engine", engineOrders{Server: addr, Site: site.Listener.Addr().String(), Dir: filepath.Join(t.TempDir(), name)})
	}
	first, second := start("a"), start("b")
	reader := joinEngine(t, dial(t, addr), nil, allAt(site.Listener.Addr().String()))
	job, err := reader.StartCrawl(ctx, "http://h0.site.example/", crawlOptions())
	must(t, err)
	until(t, "pages are fetched", func() bool { return visits.Load() > 30 })
	first.kill()
	until(t, "it goes on", func() bool { return visits.Load() > 100 })
	second.kill()
	third := start("c")
	got := see(ctx, t, reader, job.ID())
	third.end()
	urls := got.urls(t)
	seen := map[string]bool{}
	for _, u := range urls {
		if seen[u] {
			t.Errorf("%s is there twice", u)
		}
		seen[u] = true
	}
	for h := range 8 {
		for p := range 20 {
			if u := fmt.Sprintf("http://h%d.site.example/p%d", h, p); !seen[u] {
				t.Errorf("%s is missing", u)
			}
		}
	}
	if got.Status.State != engine.JobCompleted || len(got.Errors) > 0 {
		t.Errorf("%+v, errors %+v", got.Status, got.Errors)
	}
}

// The processor's time of a page that an engine crawls alone, and as the one machine of a cluster.
func TestEngine_figuresOfAPage(t *testing.T) {
	leftToUnraced(t)
	pages := inFull(500, 10)
	hosts := bigSiteAt("http", 4, pages)
	words := strings.Repeat("<p>A paragraph of an ordinary page with some of its words, of which there are quite a few, and a <b>bold</b> one.</p>", 40)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := hosts[r.Host]; h != nil {
			if h.ServeHTTP(w, r); w.Header().Get("Content-Type") == "text/html" {
				fmt.Fprint(w, words)
			}
			return
		}
		http.NotFound(w, r)
	}))
	defer site.Close()
	crawl := func(server string) time.Duration {
		p := startProcess(t, "engine", engineOrders{server, site.Listener.Addr().String(), t.TempDir(), "http://h0.site.example/"})
		<-p.exited
		if log := p.err.tail(); p.ProcessState.ExitCode() != 0 || !strings.Contains(log, "of") {
			t.Fatalf("the engine: %s", log)
		}
		t.Logf("%s: %s of the processor", p.err.tail(), p.used())
		return p.used() / time.Duration(4*pages)
	}
	alone, together := crawl(""), crawl(host(t))
	t.Logf("%s a page alone, %s in a cluster: %.2f times", alone, together, float64(together)/float64(alone))
}
