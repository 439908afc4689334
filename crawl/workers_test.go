package crawl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/crawltest"
)

// fetching is an item that a worker is busy with.
type fetching struct {
	until time.Time
	item  crawl.Item
}

// crew are workers on a clock: a fetch takes as long as its host's latency, and nothing else takes any time.
type crew struct {
	t       *testing.T
	clock   *crawltest.Clock
	f       *crawl.Frontier
	workers int
	latency map[string]time.Duration
	done    map[string]time.Duration // host → when its last page was
	begun   []time.Time              // of each fetch
	busiest map[string]int           // most at once
}

func newCrew(t *testing.T, workers int, o crawl.PaceOptions, pages map[string]int, latency map[string]time.Duration) *crew {
	t.Helper()
	return newSmallCrew(t, 10_000, workers, o, pages, latency)
}

// newSmallCrew keeps fewer hosts in memory.
func newSmallCrew(t *testing.T, kept, workers int, o crawl.PaceOptions, pages map[string]int, latency map[string]time.Duration) *crew {
	t.Helper()
	clock := crawltest.NewClock()
	o.Now, o.Random = clock.Now, func() float64 { return 0 }
	db := cache.NewMap()
	t.Cleanup(func() { _ = db.Close() })
	f, err := crawl.Open(store{db}, "job", crawl.Options{Now: clock.Now, Pace: crawl.NewPace(o), Limit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	f.KeepHosts(kept)
	for h, n := range pages {
		var found []crawl.Found
		for i := range n {
			found = append(found, crawl.Found{URL: fmt.Sprintf("http://%s/%d", h, i)})
		}
		if _, err := f.Put(t.Context(), found); err != nil {
			t.Fatal(err)
		}
	}
	return &crew{t, clock, f, workers, latency, map[string]time.Duration{}, nil, map[string]int{}}
}

// crawl works until all is done, and returns how long that took.
func (c *crew) crawl() time.Duration {
	c.t.Helper()
	began := c.clock.Now()
	var busy []fetching
	for {
		var wait crawl.Wait
		for len(busy) < c.workers {
			items, w, err := c.f.Lease(c.t.Context(), 1, time.Hour)
			if err != nil {
				c.t.Fatal(err)
			}
			if wait = w; len(items) == 0 {
				break
			}
			c.begun = append(c.begun, c.clock.Now())
			busy = append(busy, fetching{c.clock.Now().Add(c.latency[items[0].Host]), items[0]})
		}
		c.count(busy)
		if len(busy) == 0 && wait.Done {
			return c.clock.Now().Sub(began)
		}
		busy = c.next(busy, wait, began)
	}
}

func (c *crew) count(busy []fetching) {
	now := map[string]int{}
	for _, b := range busy {
		now[b.item.Host]++
		c.busiest[b.item.Host] = max(c.busiest[b.item.Host], now[b.item.Host])
	}
}

// next moves the clock to whatever comes first: the end of a fetch, or the time to ask again.
func (c *crew) next(busy []fetching, wait crawl.Wait, began time.Time) []fetching {
	slices.SortStableFunc(busy, func(a, b fetching) int { return a.until.Compare(b.until) })
	free := len(busy) < c.workers && !wait.Until.IsZero()
	if len(busy) == 0 || free && wait.Until.Before(busy[0].until) {
		if wait.Until.IsZero() {
			c.t.Fatal("nothing is under way, and nothing to wait for")
		}
		c.clock.Set(wait.Until)
		return busy
	}
	c.clock.Set(busy[0].until)
	item := busy[0].item
	item.Visit.End(crawl.Outcome{Status: 200, Latency: c.latency[item.Host]})
	if err := c.f.Complete(c.t.Context(), item, crawl.Page{}); err != nil {
		c.t.Fatal(err)
	}
	c.done[item.Host] = c.clock.Now().Sub(began)
	return busy[1:]
}

func TestFrontier_aSlowHostDoesNotHoldUpOthers(t *testing.T) {
	pages := map[string]int{"slow.example": 100, "quick.example": 400, "small.example": 40}
	latency := map[string]time.Duration{"slow.example": time.Minute, "quick.example": 100 * time.Millisecond, "small.example": 100 * time.Millisecond}
	c := newCrew(t, 8, crawl.PaceOptions{}, pages, latency)
	c.crawl()
	// With a fair share of 8 workers for 3 hosts, 400 pages of 100 ms take 20 s for 2 workers; half of that when the small one is done.
	if c.done["quick.example"] > 20*time.Second || c.done["small.example"] > 3*time.Second {
		t.Errorf("done after %v", c.done)
	}
	// Then all workers are the slow host's.
	if c.busiest["slow.example"] != 8 {
		t.Errorf("busiest %v", c.busiest)
	}
}

func TestFrontier_aHugeHostDoesNotHoldUpOthers(t *testing.T) {
	pages, latency := map[string]int{"huge.example": 3000}, map[string]time.Duration{"huge.example": time.Second}
	for i := range 20 {
		h := fmt.Sprintf("small%d.example", i)
		pages[h], latency[h] = 5, time.Second
	}
	c := newCrew(t, 4, crawl.PaceOptions{Concurrency: 4}, pages, latency)
	c.crawl()
	for h, at := range c.done {
		if strings.HasPrefix(h, "small") && at > 60*time.Second { // 100 pages for 4 workers, with the huge one's share
			t.Errorf("%s is done after %v", h, at)
		}
	}
}

func TestFrontier_keepsTheDelayOfEachHost(t *testing.T) {
	const hosts, each = 30, 4
	pages, latency := map[string]int{}, map[string]time.Duration{}
	for i := range hosts {
		h := fmt.Sprintf("h%d.example", i)
		pages[h], latency[h] = each, 100*time.Millisecond
	}
	c := newCrew(t, 100, crawl.PaceOptions{Delay: 10 * time.Second}, pages, latency)
	// Hosts wait beside each other: all together take as long as one.
	if took, want := c.crawl(), each*100*time.Millisecond+(each-1)*10*time.Second; took != want {
		t.Errorf("took %v, want %v", took, want)
	}
	for h, n := range c.busiest {
		if n != 1 {
			t.Errorf("%d requests to %s at once", n, h)
		}
	}
}

// More hosts than are looked at in one call: none is overlooked, and none waits for long.
func TestFrontier_goesRoundManyHosts(t *testing.T) {
	const hosts = 1500
	pages, latency := map[string]int{}, map[string]time.Duration{}
	for i := range hosts {
		h := fmt.Sprintf("h%d.example", i)
		pages[h], latency[h] = 2, 10*time.Millisecond
	}
	c := newCrew(t, 50, crawl.PaceOptions{Delay: time.Minute}, pages, latency)
	took := c.crawl()
	// Each host twice, a minute apart; 50 workers need half a second for a round.
	if most := time.Minute + 2*time.Second; took > most || len(c.begun) != 2*hosts {
		t.Errorf("%d fetches in %v, want %d in %v", len(c.begun), took, 2*hosts, most)
	}
}

// The frontier keeps few of the hosts in memory; the others get their turn nevertheless.
func TestFrontier_servesMoreHostsThanItKeepsInMemory(t *testing.T) {
	const hosts, kept, each = 300, 10, 3
	pages, latency := map[string]int{}, map[string]time.Duration{}
	for i := range hosts {
		h := fmt.Sprintf("h%d.example", i)
		pages[h], latency[h] = each, time.Second
	}
	for _, tt := range []struct {
		name  string
		delay time.Duration
		most  time.Duration
	}{
		{"no delay", 0, hosts * each * time.Second / 10}, // 20 workers, with a few of them idle
		{"delay", 30 * time.Second, 10 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newSmallCrew(t, kept, 20, crawl.PaceOptions{Delay: tt.delay}, pages, latency)
			if took := c.crawl(); took > tt.most || len(c.begun) != hosts*each || len(c.done) != hosts {
				t.Errorf("%d fetches of %d hosts in %v, want %d of %d in %v", len(c.begun), len(c.done), took, hosts*each, hosts, tt.most)
			}
			if n := c.f.HostsInMemory(); n > kept {
				t.Errorf("%d hosts stay in memory", n)
			}
		})
	}
}

func TestFrontier_blockedHostsDoNotKeepOthersOutOfMemory(t *testing.T) {
	pages, latency := map[string]int{}, map[string]time.Duration{}
	for i := range 100 {
		h := fmt.Sprintf("h%d.example", i)
		pages[h], latency[h] = 2, time.Second
	}
	c := newSmallCrew(t, 10, 4, crawl.PaceOptions{}, pages, latency)
	for i := range 50 {
		if err := c.f.Block(t.Context(), fmt.Sprintf("h%d.example", i), c.clock.Now().Add(10*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	c.crawl()
	for h, at := range c.done {
		var n int
		if _, err := fmt.Sscanf(h, "h%d.", &n); err != nil || n < 50 == (at < 10*time.Minute) {
			t.Errorf("%s is done after %v, %v", h, at, err)
		}
		if n >= 50 && at > 2*time.Minute {
			t.Errorf("%s had to wait until %v", h, at)
		}
	}
}

// A host that comes when there is no room, and that the sweep for more has passed, isn't forgotten.
func TestFrontier_findsHostsThatCameTooLateForItsMemory(t *testing.T) {
	f := openJob(t, store{cache.NewMap()}, crawl.Options{})
	f.KeepHosts(2)
	put := func(hosts ...string) {
		for _, h := range hosts {
			if n, err := f.Put(t.Context(), []crawl.Found{{URL: "http://" + h + "/"}}); err != nil || n != 1 {
				t.Fatal(n, err)
			}
		}
	}
	work := func(items []crawl.Item) {
		for _, item := range items {
			if err := f.Complete(t.Context(), item, crawl.Page{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	put("p", "q", "r", "s")
	work(leaseAll(t, f, 1))                                // p is done,
	out := append(leaseAll(t, f, 2), leaseAll(t, f, 1)...) // and there is room for r beside q
	put("a", "z", "b")
	work(out)
	for range 10 {
		work(leaseAll(t, f, 10))
	}
	if s, err := f.Stats(t.Context()); err != nil || s.Done != 7 {
		t.Errorf("%+v, %v; want all 7 done", s, err)
	}
}

func TestPace_doesNotGrowWithTheNumberOfHosts(t *testing.T) {
	p, clock := newPace(crawl.PaceOptions{Hosts: 100})
	for i := range 5000 {
		v, _ := p.Begin(fmt.Sprintf("h%d.example", i))
		v.End(crawl.Outcome{Status: 200, Latency: time.Millisecond})
		clock.Advance(time.Millisecond)
	}
	if n := p.HostsRemembered(); n != 100 {
		t.Errorf("%d hosts are remembered, want 100", n)
	}
}
