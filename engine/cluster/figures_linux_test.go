package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

func init() { roles["single"] = runSingle }

// runSingle crawls with one frontier in a file, as the engine of one machine does, and ends.
func runSingle(text string) error {
	w := &workerRole{}
	if err := json.Unmarshal([]byte(text), &w.o); err != nil {
		return err
	}
	w.client = w.newClient()
	db, err := cache.OpenFile(filepath.Join(w.o.Dir, "single.db"), cache.FileOptions{Kind: "shard"})
	if err != nil {
		return err
	}
	defer db.Close()
	f, err := crawl.Open(db, "job", crawl.Options{Limit: 100_000})
	if err != nil {
		return err
	}
	if _, err := f.Put(context.Background(), []crawl.Found{{URL: fmt.Sprintf("http://h%d.example/0/", 0)}}); err != nil {
		return err
	}
	fmt.Println("it runs")
	ctx, end := context.WithCancel(context.Background())
	defer end()
	var work sync.WaitGroup
	for range w.o.Workers {
		work.Go(func() { w.singleWorker(ctx, end, f) })
	}
	work.Wait()
	return nil
}

// singleWorker fetches until all pages are there.
func (w *workerRole) singleWorker(ctx context.Context, end func(), f *crawl.Frontier) {
	for ctx.Err() == nil {
		items, wait, err := f.Lease(ctx, 1, time.Minute)
		if err == nil && len(items) == 0 {
			select {
			case <-ctx.Done():
			case <-wait.Changed:
			case <-time.After(time.Second):
			}
		}
		for _, item := range items {
			out := w.visit(ctx, Job{}, item)
			out.Page.InTx = func(tx crawl.Tx, n uint64) error {
				if n == uint64(w.o.Pages) {
					end()
				}
				return tx.Put("events", fmt.Appendf(nil, "%09d", n), out.Events[0])
			}
			err = f.Complete(context.WithoutCancel(ctx), item, out.Page)
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, err)
			end()
		}
	}
}

// traffic is what the NATS server has received and sent.
type traffic struct {
	InMsgs   int64 `json:"in_msgs"`
	OutMsgs  int64 `json:"out_msgs"`
	InBytes  int64 `json:"in_bytes"`
	OutBytes int64 `json:"out_bytes"`
}

func (c *servers) traffic() (now traffic) {
	c.Helper()
	r, err := http.Get("http://" + c.nats.addrs[1] + "/varz")
	if err != nil {
		c.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(&now); err != nil {
		c.Fatal(err)
	}
	return now
}

// used is the processor's time of a process that has ended.
func (p *process) used() time.Duration {
	return p.ProcessState.UserTime() + p.ProcessState.SystemTime()
}

// The processor's time of one, two and three workers against one frontier, on the same pages over HTTP, and what goes over NATS. The
// fetching is nearly nothing here, so that the rest is seen.
func TestFigures_aPage(t *testing.T) {
	leftToUnraced(t)
	figurePages := inFull(2000, 60)
	newSite := func() *webSite {
		s := &webSite{madeUp: newMadeUp(t, figurePages, 300)}
		s.allowed = many
		return s
	}
	p := startProcess(t, "single", workerOrders{Name: "single", Site: serveSite(t, newSite()), Dir: t.TempDir(), Workers: 8, Pages: figurePages})
	until(t, "the end of one frontier", func() bool {
		select {
		case <-p.exited:
			return true
		default:
			return false
		}
	})
	t.Logf("one frontier: %s a page; %s", p.used()/time.Duration(figurePages), p.err.tail())
	for n := 1; n <= inFull(3, 1); n++ {
		c := newServers(t, newSite(), serverOrders{})
		var list []*process
		for i := range n {
			list = append(list, c.join(fmt.Sprint("w", i), c.addr(), func(o *workerOrders) { o.Workers, o.Shards, o.TTL = 8, 12, 5*time.Second }))
		}
		c.shares(12/n, list...)
		before, began := c.traffic(), time.Now()
		c.start(list[0], "job")
		c.events(list[0], "job")
		took, after := time.Since(began), c.traffic()
		var workers time.Duration
		for _, p := range list {
			p.end()
			workers += p.used()
		}
		c.nats.end()
		t.Logf("%d workers: %s a page, and %s of the server; %.1f messages and %d bytes to it, %.1f and %d from it; %s in all", n,
			workers/time.Duration(figurePages), c.nats.used()/time.Duration(figurePages),
			float64(after.InMsgs-before.InMsgs)/float64(figurePages), (after.InBytes-before.InBytes)/int64(figurePages),
			float64(after.OutMsgs-before.OutMsgs)/float64(figurePages), (after.OutBytes-before.OutBytes)/int64(figurePages), took.Round(time.Millisecond))
	}
}

// How long it takes from a worker's death until the others have its shards, and until the first of its pages is fetched.
func TestFigures_takeOver(t *testing.T) {
	leftToUnraced(t)
	for _, ttl := range inFull([]time.Duration{time.Second, 10 * time.Second}, []time.Duration{time.Second}) {
		c := newServers(t, newWebSite(t), serverOrders{})
		lease := func(o *workerOrders) { o.TTL, o.Shards = ttl, 12 }
		a, b, x := c.join("a", c.addr(), lease), c.join("b", c.addr(), lease), c.join("x", c.addr(), lease)
		c.shares(4, a, b, x)
		c.start(a, "job")
		c.fetched(c.site.pages / 4)
		x.kill()
		began := time.Now()
		c.shares(6, a, b)
		t.Logf("a lease of %s: %s until the others have the shards", ttl, time.Since(began).Round(10*time.Millisecond))
		c.site.change(func() { c.site.allowed = many })
		c.events(a, "job")
	}
}
