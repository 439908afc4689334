package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster"
)

// report is a line that a worker prints.
type report struct {
	Name   string
	Shards int
	Pages  int64         // that it has fetched
	State  cluster.State // of the job; "": unknown
	Total  *total        // when it was to count
}

// total is what is in the events of the job.
type total struct {
	By    map[string]int // pages by the worker that completed them
	Twice int
}

const (
	job    = "tour"
	lease  = 2 * time.Second // after which a worker that is silent is taken for dead
	every  = 200 * time.Millisecond
	shards = 16
)

// worker is one member of the cluster.
type worker struct {
	settings
	client *http.Client
	member *cluster.Member
	pages  atomic.Int64

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
	c, err := nats.Connect(w.Server, nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		return err
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		return err
	}
	w.client = &http.Client{Transport: &http.Transport{DialContext: w.dial}}
	if w.member, err = cluster.Open(context.Background(), w.options(js)); err != nil {
		return err
	}
	return w.work(in)
}

func (w *worker) options(js jetstream.JetStream) cluster.Options {
	return cluster.Options{
		JetStream: js, Name: "example", Shards: shards, TTL: lease, Visit: w.visit,
		Local: func(shard int) (cluster.Store, error) {
			return cache.OpenFile(filepath.Join(w.Folder, fmt.Sprintf("%s-%d.db", w.Name, shard)), cache.FileOptions{Kind: "shard"})
		},
	}
}

// dial leads to the site whatever the host is.
func (w *worker) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, w.Site)
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
	ctx, end = context.WithTimeout(context.Background(), lease)
	defer end()
	return errors.Join(errs, w.member.Leave(ctx))
}

func (w *worker) obey(ctx context.Context, line string) error {
	switch line {
	case "start":
		return w.start(ctx)
	case "count":
		t, err := w.count(ctx)
		return errors.Join(err, w.print(report{Name: w.Name, Total: t}))
	}
	return fmt.Errorf("a line that is not known: %q", line)
}

// start starts the job, as soon as the member that has its home is there.
func (w *worker) start(ctx context.Context) error {
	made := cluster.Job{ID: job, Limit: w.Pages, Delay: w.Delay}
	for {
		err := w.member.Start(ctx, made, []crawl.Found{{URL: address(0)}})
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(every)
	}
}

// visit fetches a page.
func (w *worker) visit(ctx context.Context, _ cluster.Job, item crawl.Item) (out cluster.Outcome) {
	found, err := w.fetch(ctx, item.URL)
	if err != nil {
		return cluster.Outcome{RetryAt: time.Now().Add(time.Second), Cause: err.Error()}
	}
	w.pages.Add(1)
	for _, to := range found {
		out.Page.Found = append(out.Page.Found, crawl.Found{URL: to, Hops: item.Hops + 1})
	}
	out.Events = [][]byte{[]byte(w.Name + " " + item.URL)}
	return out
}

func (w *worker) fetch(ctx context.Context, url string) ([]string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := w.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status)
	}
	return strings.Fields(string(body)), err
}

// reports prints how it goes until ctx ends.
func (w *worker) reports(ctx context.Context) {
	for ctx.Err() == nil {
		r := report{Name: w.Name, Shards: len(w.member.Shards()), Pages: w.pages.Load()}
		if now, err := w.member.Status(ctx, job); err == nil {
			r.State = now.State
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

// count reads the events of the job, which has ended: they are the pages that were completed.
func (w *worker) count(ctx context.Context) (*total, error) {
	now, err := w.member.Status(ctx, job)
	if err != nil {
		return nil, err
	}
	t, seen := &total{By: map[string]int{}}, map[string]bool{}
	for last := uint64(0); last < now.Events && ctx.Err() == nil; {
		list, err := w.member.Events(ctx, job, last, 500)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			last = e.Number
			t.add(string(e.Data), seen)
		}
	}
	return t, ctx.Err()
}

func (t *total) add(event string, seen map[string]bool) {
	name, url, _ := strings.Cut(event, " ")
	t.By[name]++
	if seen[url] {
		t.Twice++
	}
	seen[url] = true
}
