package crawling

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/traps"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
)

// endlessSite has offers of one text, each of which leads to two more. All else is that of a fakeSite.
type endlessSite struct {
	*fakeSite
	mu     sync.Mutex
	offers int
	after  int    // so many offers, stop is called
	stop   func() // as the end of a process

	stopped chan struct{}
}

func (s *endlessSite) Visit(ctx context.Context, item crawl.Item, ask Ask) (Visit, error) {
	var n int
	if read, _ := fmt.Sscanf(item.URL, seed+"offer/%d", &n); read == 0 {
		return s.fakeSite.Visit(ctx, item, ask)
	}
	s.mu.Lock()
	s.offers++
	if s.offers == s.after {
		go s.stop()
		s.mu.Unlock()
		<-ctx.Done()
		return Visit{}, ctx.Err()
	}
	s.mu.Unlock()
	sketch := traps.Of(item.URL, slices.Values([]string{"An offer that is made again and again"}))
	links := []string{fmt.Sprintf("%soffer/%d", seed, 2*n), fmt.Sprintf("%soffer/%d", seed, 2*n+1)}
	return Visit{Document: item.URL, URL: item.URL, Status: 200, Links: links, Sketch: &sketch}, nil
}

func endless() *endlessSite {
	return &endlessSite{fakeSite: &fakeSite{pages: map[string]string{seed: seed + "offer/1 " + seed + "page", seed + "page": ""}}}
}

func (s *endlessSite) kind(o Options) work.Kind {
	return work.Kind{Drop: Drop, Line: func(l *work.Line) (work.Task, work.LineOptions, error) { return Open(l, s, s, o) }}
}

// What holds nothing new is left after some pages, counted under its reason and named with counts; with FollowTraps it isn't.
func TestTraps_areLeftUnlessFollowed(t *testing.T) {
	for _, follow := range []bool{false, true} {
		s := endless()
		o := options(func(o *Options) { o.FollowTraps, o.Limit = follow, 200 })
		db := cache.NewMap()
		r := worktest.On(t, db, s.kind(o))
		record := worktest.Run(t, r, worktest.Create(t, r, seed))
		list, err := Traps(db, record.ID)
		if err != nil {
			t.Fatal(err)
		}
		denied := statsOf(t, r, record.ID).Denied[string(scope.Trap)]
		if follow && (s.offers != 198 || denied != 0 || len(list) != 0) {
			t.Errorf("followed: %d offers, %d denied, %+v", s.offers, denied, list)
		}
		if !follow && (s.offers > 30 || denied == 0 || len(list) != 1 || list[0].Name != "a.example/offer/{n}" || list[0].Left < denied || list[0].Fetched != s.offers) {
			t.Errorf("%d offers, %d denied, %+v", s.offers, denied, list)
		}
		if !slices.Contains(s.visited, seed+"page") {
			t.Errorf("visited %v", s.visited)
		}
	}
}

// A crawl that goes on in another process knows what the first has learnt.
func TestTraps_areRememberedByACrawlThatGoesOn(t *testing.T) {
	whole := endless()
	r := worktest.On(t, cache.NewMap(), whole.kind(options()))
	worktest.Run(t, r, worktest.Create(t, r, seed))
	for after := range 12 {
		s, db := endless(), cache.NewMap()
		first, stop := worktest.Ending(t, db, s.kind(options()))
		s.after, s.stopped = after+2, make(chan struct{})
		s.stop = func() { stop(); close(s.stopped) }
		record := worktest.Create(t, first, seed)
		if err := first.Start(record); err != nil {
			t.Fatal(err)
		}
		<-s.stopped
		second := worktest.On(t, db, s.kind(options()))
		worktest.Run(t, second, record)
		if s.offers != whole.offers+1 { // the one that was under way is fetched again
			t.Errorf("stopped after %d: %d offers, want %d", s.after, s.offers, whole.offers+1)
		}
	}
}

// Nothing of it stays when the crawl is dropped.
func TestDrop_forgetsWhatWasLearntOfTraps(t *testing.T) {
	s, db := endless(), cache.NewMap()
	r := worktest.On(t, db, s.kind(options()))
	record := worktest.Run(t, r, worktest.Create(t, r, seed))
	if err := Drop(db, record.ID); err != nil {
		t.Fatal(err)
	}
	err := db.View(func(tx jobs.Tx) error {
		for key := range tx.Scan(trapBucket, nil) {
			t.Errorf("there is still %q", key)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Pages that a sitemap lists are fetched whatever others like them held.
func TestTraps_takeNothingOfSitemaps(t *testing.T) {
	s := endless()
	for i := range 60 {
		s.sitemaps = map[string][]string{seed: append(s.sitemaps[seed], fmt.Sprintf("%soffer/%d", seed, 1_000_000+i))}
	}
	r := worktest.On(t, cache.NewMap(), s.kind(options(func(o *Options) { o.Limit = 1000 })))
	record := worktest.Run(t, r, worktest.Create(t, r, seed))
	f, err := r.Frontier(record.ID)
	if err != nil {
		t.Fatal(err)
	}
	results, err := f.Results(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for _, one := range results {
		if strings.HasPrefix(one.URL, seed+"offer/10000") {
			listed++
		}
	}
	if listed != 60 {
		t.Errorf("%d of 60", listed)
	}
}
