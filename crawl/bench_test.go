package crawl_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

const (
	benchWorkers = 16
	benchLinks   = 10
	benchResult  = 2 << 10 // bytes of a page's result
)

// BenchmarkFrontier crawls a made-up site whose pages cost nothing: what is measured is the frontier alone, each item leased and completed by
// itself. peak-heap-MB is the most that was in use at once above the start; transactions/page are syncs of the disk.
func BenchmarkFrontier(b *testing.B) {
	stores := []struct {
		name string
		open func(b *testing.B) cache.DB
	}{
		{"file", func(b *testing.B) cache.DB {
			f, err := cache.OpenFile(filepath.Join(b.TempDir(), "state.db"), cache.FileOptions{Kind: "crawl benchmark"})
			if err != nil {
				b.Fatal(err)
			}
			return f
		}},
		{"memory", func(*testing.B) cache.DB { return cache.NewMap() }},
	}
	for _, s := range stores {
		for _, pages := range []int{1_000, 100_000} {
			b.Run(fmt.Sprintf("%s/pages=%d", s.name, pages), func(b *testing.B) {
				for b.Loop() {
					db := s.open(b)
					benchCrawl(b, db, pages)
					if err := db.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func benchCrawl(b *testing.B, db cache.DB, pages int) {
	counted := &counting{DB: store{db}}
	pace := crawl.NewPace(crawl.PaceOptions{Concurrency: benchWorkers})
	f, err := crawl.Open(counted, "bench", crawl.Options{Limit: pages, Pace: pace})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := f.Put(b.Context(), []crawl.Found{{URL: benchURL(0)}}); err != nil {
		b.Fatal(err)
	}
	peak := watchHeap()
	began := time.Now()
	var work sync.WaitGroup
	for i := range benchWorkers {
		work.Go(func() { benchWorker(b, f, pages, rand.New(rand.NewPCG(1, uint64(i)))) })
	}
	work.Wait()
	took := time.Since(began)
	b.ReportMetric(float64(peak())/(1<<20), "peak-heap-MB")
	b.ReportMetric(float64(pages)/took.Seconds(), "pages/s")
	b.ReportMetric(float64(counted.transactions.Load())/float64(pages), "transactions/page")
	b.ReportMetric(0, "ns/op")
	if s, err := f.Stats(b.Context()); err != nil || s.Done != pages {
		b.Fatalf("%+v, %v", s, err)
	}
}

func benchURL(i int) string { return fmt.Sprintf("https://www.example.com/section/article-%d.html", i) }

// benchWorker: page i links to the next ones in a tree, and to others at random, so all are reached and most links are known.
func benchWorker(b *testing.B, f *crawl.Frontier, pages int, random *rand.Rand) {
	result := make([]byte, benchResult)
	for {
		items, wait, err := f.Lease(b.Context(), 1, time.Minute)
		if err != nil {
			b.Error(err)
			return
		}
		if len(items) == 0 {
			if wait.Done {
				return
			}
			<-wait.Changed
			continue
		}
		item := items[0]
		var at int
		if _, err := fmt.Sscanf(item.URL, "https://www.example.com/section/article-%d.html", &at); err != nil {
			b.Error(err)
			return
		}
		found := make([]crawl.Found, benchLinks)
		for k := range found {
			to := random.IntN(pages)
			if k < 3 {
				to = min(3*at+k+1, pages-1)
			}
			found[k] = crawl.Found{URL: benchURL(to), Hops: item.Hops + 1, From: item.URL}
		}
		item.Visit.End(crawl.Outcome{Status: 200, Latency: time.Millisecond})
		if err := f.Complete(b.Context(), item, crawl.Page{Result: result, Found: found}); err != nil {
			b.Error(err)
			return
		}
	}
}

// counting counts the transactions that Updates were written in: those of one group are given the same Tx.
type counting struct {
	crawl.DB
	mu           sync.Mutex
	last         crawl.Tx
	transactions atomic.Int64
}

func (c *counting) Update(f func(crawl.Tx) error) error {
	return c.DB.Update(func(tx crawl.Tx) error {
		c.mu.Lock()
		if tx != c.last {
			c.last = tx
			c.transactions.Add(1)
		}
		c.mu.Unlock()
		return f(tx)
	})
}

// watchHeap samples the heap until it is asked for the peak above what was in use at first.
func watchHeap() (peak func() uint64) {
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	runtime.GC()
	start, most := inUse(), uint64(0)
	stop := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				most = max(most, inUse())
			case <-stop:
				return
			}
		}
	})
	return func() uint64 {
		close(stop)
		watch.Wait()
		return most - min(start, most)
	}
}

// BenchmarkFrontier_known puts 100 000 URLs in line in memory; live-B/URL is what each holds there, and after it was completed without a result.
func BenchmarkFrontier_known(b *testing.B) {
	const n = 100_000
	found := make([]crawl.Found, n)
	for i := range found {
		found[i] = crawl.Found{URL: benchURL(i), Hops: 1, From: benchURL(i / 10)}
	}
	for b.Loop() {
		live := liveHeap()
		db := cache.NewMap()
		f, err := crawl.Open(store{db}, "bench", crawl.Options{Limit: n})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Put(b.Context(), found); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(liveHeap()-live)/n, "live-B/URL")
		_ = db.Close()
	}
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
