package crawltest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

const (
	simulationsInFull = 200
	sitePages         = 200
)

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

func simulations(t *testing.T, open func(*testing.T) crawl.DB, reopen func(*testing.T, crawl.DB) crawl.DB) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	db := open(t)
	for i := range soak(simulationsInFull) {
		s := newSimulation(t, db, random)
		s.run(reopen)
		db = s.db
		if t.Failed() {
			t.Fatalf("simulation %d of seed %d: %d pages, limit %d, hops %d, %d workers", i, seed, len(s.site), s.limit, s.hops, s.workers)
		}
	}
}

// simulation is one crawl of a random site by workers that fail, die and are restarted.
type simulation struct {
	t       *testing.T
	db      crawl.DB
	clock   *Clock
	site    []page
	byURL   map[string]int
	limit   int // 0: none
	hops    int // pages at so many hops aren't followed; 0: all are
	workers int
	delay   time.Duration
	lives   int // openings of the job before it is left to end
	seed    uint64

	f         *crawl.Frontier
	stop      atomic.Bool
	left      atomic.Int64 // completions before the next restart
	alive     atomic.Int64 // workers
	idle      atomic.Int64 // of them
	completed sync.Map     // URL → stamp
	stamp     atomic.Int64
	abandoned chan crawl.Item // leased when the process ended
}

func newSimulation(t *testing.T, db crawl.DB, random *rand.Rand) *simulation {
	s := &simulation{t: t, db: db, clock: NewClock(), site: randomSite(random, sitePages), byURL: map[string]int{}}
	s.workers, s.lives, s.seed = 1+random.IntN(8), random.IntN(3), random.Uint64()
	for i, p := range s.site {
		s.byURL[p.url] = i
	}
	switch random.IntN(4) {
	case 0:
		s.limit = 1 + random.IntN(len(s.site))
	case 1:
		s.hops = 1 + random.IntN(4)
	case 2:
		s.delay = time.Duration(random.IntN(1000)) * time.Millisecond
	}
	return s
}

func (s *simulation) run(reopen func(*testing.T, crawl.DB) crawl.DB) {
	for run := 0; ; run++ {
		s.open()
		s.left.Store(1 << 40)
		if run < s.lives {
			s.left.Store(int64(len(s.site) / (s.lives + 1)))
		}
		s.abandoned = make(chan crawl.Item, s.workers)
		s.work(run)
		close(s.abandoned)
		if !s.stop.Load() {
			break
		}
		s.stop.Store(false)
		s.db = reopen(s.t, s.db)
	}
	s.check()
	if err := s.f.Drop(s.t.Context()); err != nil {
		s.t.Error(err)
	}
}

// open opens the job as a new process would, and tries what the last one had in hand.
func (s *simulation) open() {
	o := crawl.Options{Limit: s.limit, Attempts: 1000, Now: s.clock.Now}
	random := rand.New(rand.NewPCG(s.seed, 1))
	o.Pace = crawl.NewPace(crawl.PaceOptions{Now: s.clock.Now, Delay: s.delay, Concurrency: 3, Random: random.Float64})
	f, err := crawl.Open(s.db, "simulation", o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.f = f
	if _, err := f.Put(s.t.Context(), []crawl.Found{{URL: s.site[0].url}}); err != nil {
		s.t.Fatal(err)
	}
	if s.abandoned == nil {
		return
	}
	for item := range s.abandoned {
		if err := f.Complete(s.t.Context(), item, crawl.Page{}); !errors.Is(err, crawl.ErrLeaseLost) {
			s.t.Errorf("completing an item of an earlier process: %v", err)
		}
	}
}

func (s *simulation) work(run int) {
	var work sync.WaitGroup
	s.idle.Store(0)
	s.alive.Store(int64(s.workers))
	for i := range s.workers {
		random := rand.New(rand.NewPCG(s.seed, uint64(run*100+i+2)))
		work.Go(func() { s.worker(random) })
	}
	work.Wait()
}

// worker leases and handles until the crawl is done or its process ends.
func (s *simulation) worker(random *rand.Rand) {
	ctx := s.t.Context()
	defer s.wake()
	defer s.alive.Add(-1)
	for !s.stop.Load() && !s.t.Failed() {
		began := s.stamp.Load()
		items, wait, err := s.f.Lease(ctx, 1+random.IntN(3), time.Minute)
		if err != nil {
			s.t.Error(err)
			return
		}
		for _, item := range items {
			s.unfinished(item, began)
			s.handle(ctx, random, item)
		}
		if wait.Done && len(items) == 0 {
			return
		}
		if len(items) == 0 {
			s.wait(wait)
		}
	}
}

// unfinished checks that an item wasn't completed before its lease was requested.
func (s *simulation) unfinished(item crawl.Item, began int64) {
	if stamp, done := s.completed.Load(item.URL); done && stamp.(int64) <= began {
		s.t.Errorf("%s is leased again after its completion", item.URL)
	}
}

// wait waits for a change. Who is the last to be idle moves the clock instead.
func (s *simulation) wait(w crawl.Wait) {
	if s.idle.Add(1) < s.alive.Load() && !s.stop.Load() {
		<-w.Changed
		s.idle.Add(-1)
		return
	}
	s.idle.Add(-1)
	select {
	case <-w.Changed:
		return
	default:
	}
	if w.Until.IsZero() {
		s.t.Error("all are idle, and there is nothing to wait for")
		return
	}
	s.clock.Set(w.Until)
}

// wake wakes the workers that wait, to look whether all is over.
func (s *simulation) wake() {
	if _, err := s.f.Put(s.t.Context(), nil); err != nil {
		s.t.Error(err)
	}
}

// handle does with an item what may happen to one.
func (s *simulation) handle(ctx context.Context, random *rand.Rand, item crawl.Item) {
	if s.stop.Load() {
		select {
		case s.abandoned <- item:
		default:
		}
		return
	}
	p := s.site[s.byURL[item.URL]]
	switch n := random.IntN(40); {
	case n == 0:
		return // the worker dies; the lease ends by itself
	case n == 1:
		s.must(s.f.Release(ctx, item))
	case p.flaky >= item.Attempt:
		item.Visit.End(crawl.Outcome{Err: errors.New("reset")})
		s.must(s.f.Fail(ctx, item, s.clock.Now().Add(time.Duration(random.IntN(3))*time.Second), "reset"))
	default:
		item.Visit.End(crawl.Outcome{Status: 200, Latency: time.Millisecond})
		s.complete(ctx, item, p)
	}
}

// must: a lease may be lost to another worker; nothing else may go wrong.
func (s *simulation) must(err error) bool {
	if err != nil && !errors.Is(err, crawl.ErrLeaseLost) {
		s.t.Error(err)
	}
	return err == nil
}

func (s *simulation) complete(ctx context.Context, item crawl.Item, p page) {
	done := crawl.Page{Failed: p.dead, Result: []byte(item.URL)}
	if !p.dead && (s.hops == 0 || item.Hops < s.hops) {
		for _, to := range p.links {
			done.Found = append(done.Found, crawl.Found{URL: s.site[to].url, Hops: item.Hops + 1, From: item.URL})
		}
	}
	if !s.must(s.f.Complete(ctx, item, done)) {
		return
	}
	s.completed.Store(item.URL, s.stamp.Add(1))
	if s.left.Add(-1) == 0 {
		s.stop.Store(true) // the process ends
	}
}

// check compares what is in the store with the model.
func (s *simulation) check() {
	done, failed := all(s.t, s.f.Results), all(s.t, s.f.Errors)
	got := map[string]crawl.Result{}
	bytes := int64(0)
	for _, list := range [][]crawl.Result{done, failed} {
		for i, r := range list {
			if _, twice := got[r.URL]; twice {
				s.t.Errorf("%s is there twice", r.URL)
			}
			if r.Sequence != uint64(i+1) || string(r.Data) != r.URL {
				s.t.Errorf("result %d is %+v", i+1, r)
			}
			got[r.URL] = r
			bytes += int64(len(r.Data))
		}
	}
	stats, err := s.f.Stats(s.t.Context())
	stats.Denied = nil
	want := crawl.Stats{Known: len(got), Done: len(done), Failed: len(failed), Bytes: bytes, Refused: stats.Refused}
	if err != nil || !reflect.DeepEqual(stats, want) {
		s.t.Errorf("%+v, %v; counted %+v", stats, err, want)
	}
	s.compare(got, len(done), len(failed))
}

func (s *simulation) compare(got map[string]crawl.Result, done, failed int) {
	want := reachable(s.site)
	for url := range got {
		if _, ok := want[url]; !ok {
			s.t.Errorf("%s was fetched, and can't be reached", url)
		}
	}
	full := len(got) == len(want)
	switch {
	case s.hops > 0:
		s.closed(got)
	case s.limit == 0 && !full:
		s.t.Errorf("%d pages were fetched, want %d", len(got), len(want))
	case s.limit > 0 && done > s.limit || s.limit > 0 && !full && done < s.limit && done+failed < 2*s.limit:
		s.t.Errorf("%d done and %d failed of %d under a limit of %d", done, failed, len(want), s.limit)
	}
}

// closed: with a limit of hops, all links of the pages above it were followed, and none of the others.
func (s *simulation) closed(got map[string]crawl.Result) {
	linked := map[string]bool{s.site[0].url: true}
	for url, r := range got {
		p := s.site[s.byURL[url]]
		if r.Hops > s.hops {
			s.t.Errorf("%s is %d hops away", url, r.Hops)
		}
		if p.dead || r.Hops == s.hops {
			continue
		}
		for _, to := range p.links {
			linked[s.site[to].url] = true
		}
	}
	for url := range linked {
		if _, ok := got[url]; !ok {
			s.t.Errorf("%s was found and not fetched", url)
		}
	}
	if len(linked) != len(got) {
		s.t.Errorf("%d were fetched, %d found", len(got), len(linked))
	}
}

// all reads a list by cursor, a few at a time.
func all(t *testing.T, list func(context.Context, uint64, int) ([]crawl.Result, error)) (out []crawl.Result) {
	t.Helper()
	for after := uint64(0); ; {
		some, err := list(t.Context(), after, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			return out
		}
		after = some[len(some)-1].Sequence
		out = slices.Concat(out, some)
	}
}
