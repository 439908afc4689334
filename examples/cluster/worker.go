package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/cluster"
)

// report is a line that a worker prints.
type report struct {
	Name   string
	Shards int
	Pages  int64  // that it has fetched
	Ended  bool   // the job
	Total  *total // when it was to count
}

// total is what is in the documents of the job.
type total struct{ Pages, Twice int }

const (
	key     = "tour"          // by which all workers find the job, and the first one makes it
	lease   = 2 * time.Second // after which a worker that is silent is taken for dead
	every   = 200 * time.Millisecond
	shards  = 16
	slowest = 5 * time.Minute // for a page, on a machine that does all of this at once
)

// worker is one engine of the cluster.
type worker struct {
	settings
	member *cluster.Engines
	engine *engine.Engine

	mu  sync.Mutex
	out *json.Encoder
}

// runWorker is a worker until its input ends.
func runWorker(text string, in io.Reader, out io.Writer) error {
	signal.Ignore(os.Interrupt) // the program that started it ends it
	w := &worker{out: json.NewEncoder(out)}
	if err := json.Unmarshal([]byte(text), &w.settings); err != nil {
		return err
	}
	c, err := nats.Connect(w.Server, nats.Timeout(slowest), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		return err
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		return err
	}
	if w.member, err = cluster.Join(context.Background(), w.options(js)); err != nil {
		return err
	}
	if w.engine, err = engine.New(w.engineOptions()); err != nil {
		return errors.Join(err, w.member.Close())
	}
	return w.work(in)
}

func (w *worker) options(js jetstream.JetStream) cluster.Options {
	return cluster.Options{
		JetStream: js, Name: "example", Shards: shards, TTL: lease,
		Local: func(shard int) (cluster.Store, error) {
			return cache.OpenFile(filepath.Join(w.Folder, fmt.Sprintf("%s-%d.db", w.Name, shard)), cache.FileOptions{Kind: "shard"})
		},
	}
}

// engineOptions lead to the site whatever the host is.
func (w *worker) engineOptions() engine.Options {
	o := engine.Options{
		Cluster: w.member, Dir: filepath.Join(w.Folder, w.Name), Render: engine.RenderNever, MaxPages: 8, Resolver: everywhere{},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, w.Site)
		},
	}
	o.Policy.AllowPrivate = true
	return o
}

// everywhere finds all names on this machine.
type everywhere struct{}

func (everywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// work reports how it goes, and does what the lines of the input want.
func (w *worker) work(in io.Reader) error {
	ctx, end := context.WithCancel(context.Background())
	var reporting sync.WaitGroup
	reporting.Go(func() { w.reports(ctx) })
	var errs error
	for lines := bufio.NewScanner(in); lines.Scan(); {
		errs = errors.Join(errs, w.obey(ctx, lines.Text()))
	}
	end()
	reporting.Wait()
	return errors.Join(errs, w.engine.Close())
}

func (w *worker) obey(ctx context.Context, line string) error {
	if line != "count" {
		return fmt.Errorf("a line that is not known: %q", line)
	}
	t, err := w.count(ctx)
	return errors.Join(err, w.print(report{Name: w.Name, Total: t}))
}

// job returns the crawl, which is made by the first worker that wants it.
func (w *worker) job(ctx context.Context) (*engine.CrawlJob, error) {
	return w.engine.StartCrawl(ctx, address(0), engine.CrawlOptions{
		IdempotencyKey: key, Limit: w.Pages, Delay: w.Delay, CrawlEntireDomain: true, AllowSubdomains: true,
		Sitemap: engine.SitemapSkip, IgnoreRobotsTxt: true, FollowTraps: true,
		Scrape: engine.ScrapeOptions{Timeout: slowest},
	})
}

// reports prints how it goes until ctx ends.
func (w *worker) reports(ctx context.Context) {
	for ctx.Err() == nil {
		r := report{Name: w.Name, Shards: len(w.member.Shards()), Pages: w.engine.Stats().Credits}
		if job, err := w.job(ctx); err == nil {
			status, err := job.Status(ctx)
			r.Ended = err == nil && status.State.Final()
		}
		if w.print(r) != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
	}
}

func (w *worker) print(r report) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Encode(r)
}

// count reads the documents of the job, which has ended.
func (w *worker) count(ctx context.Context) (*total, error) {
	job, err := w.job(ctx)
	if err != nil {
		return nil, err
	}
	t, seen := &total{}, map[string]bool{}
	for doc, err := range job.Documents(ctx, 0) {
		if err != nil {
			return nil, err
		}
		if t.Pages++; seen[doc.Metadata.SourceURL] {
			t.Twice++
		}
		seen[doc.Metadata.SourceURL] = true
	}
	return t, nil
}
