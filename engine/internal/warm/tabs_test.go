package warm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
)

// fakeTabs stands for the pool: it knows how many tabs are open.
type fakeTabs struct {
	open   atomic.Int64
	made   atomic.Int64
	refuse atomic.Bool
}

type fakeTab struct {
	of     *fakeTabs
	clear  time.Duration // takes so long
	fails  atomic.Bool
	mute   atomic.Bool // doesn't answer
	closed atomic.Bool
}

func (f *fakeTabs) make(context.Context, browser.PageOptions, string) (browserTab, error) {
	if f.refuse.Load() {
		return nil, errors.New("no browser")
	}
	f.made.Add(1)
	f.open.Add(1)
	return &fakeTab{of: f}, nil
}

func (t *fakeTab) Page(ctx context.Context) (*browser.Page, error) {
	if t.clear > 0 {
		select {
		case <-time.After(t.clear):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	if t.fails.Load() {
		return nil, errors.New("can't be cleared")
	}
	return &browser.Page{}, nil
}

func (t *fakeTab) Answers(context.Context) bool { return !t.mute.Load() }

func (t *fakeTab) Abandon() {
	if t.closed.CompareAndSwap(false, true) {
		t.of.open.Add(-1)
	}
}

func newFakeTabs(maxPages int) (*Tabs, *fakeTabs) {
	f := &fakeTabs{}
	return newTabs(maxPages, f.make), f
}

func onSite(origin string) Use { return Use{Origin: "https://" + origin, Host: origin} }

// visitTab is one page from begin to finish; it gives the tab that it was on, nil for none.
func visitTab(t *testing.T, w *Tabs, j *JobTabs, site string) browserTab {
	t.Helper()
	got := w.Begin(j, onSite(site))
	if got == nil {
		w.Finish(nil, false)
		return nil
	}
	if _, err := got.Page(t.Context(), browser.PageOptions{}); err != nil {
		t.Error(err)
	}
	w.Finish(got, true)
	return got.tab
}

func TestWarmTabs_jobGetsItsTabAgainForTheSameUseOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(10)
		a, b := w.OfJob(4), w.OfJob(4)
		first := visitTab(t, w, a, "a.example")
		if visitTab(t, w, a, "a.example") != first {
			t.Error("the same use: want the same tab")
		}
		if visitTab(t, w, b, "a.example") == first {
			t.Error("another job got the tab")
		}
		if visitTab(t, w, a, "b.example") == first {
			t.Error("another site got the tab")
		}
		other := onSite("a.example")
		other.Options.Headers = map[string]string{"X-A": "b"}
		for name, use := range map[string]Use{"options": other, "proxy": {Origin: "https://a.example", Host: "a.example", Proxy: fetch.Proxy{URL: "http://p"}}} {
			got := w.Begin(a, use)
			if got.was != nil {
				t.Errorf("other %s: got a used tab", name)
			}
			w.Finish(got, false)
		}
		a.End()
		b.End()
		if n := f.open.Load(); n != 0 || w.busy != 0 || len(w.stays) != 0 || a.tabs != 0 || b.tabs != 0 {
			t.Errorf("after the jobs: %d tabs open, %d busy, %d idle, %d and %d counted", n, w.busy, len(w.stays), a.tabs, b.tabs)
		}
	})
}

func TestWarmTabs_idleTabsEndAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(10)
		j := w.OfJob(4)
		visitTab(t, w, j, "a.example")
		time.Sleep(tabIdle - time.Second)
		visitTab(t, w, j, "a.example")
		time.Sleep(tabIdle - time.Second)
		if f.open.Load() != 1 || f.made.Load() != 1 {
			t.Errorf("%d open of %d, want one that is kept", f.open.Load(), f.made.Load())
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if f.open.Load() != 0 || j.tabs != 0 {
			t.Errorf("%d open, %d counted after the idle time", f.open.Load(), j.tabs)
		}
		j.End()
	})
}

func TestWarmTabs_idleOnesGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(3)
		j := w.OfJob(2)
		first := visitTab(t, w, j, "a.example")
		second := visitTab(t, w, j, "b.example")
		visitTab(t, w, j, "c.example") // its workers may have two
		synctest.Wait()
		if !first.(*fakeTab).closed.Load() || second.(*fakeTab).closed.Load() || f.open.Load() != 2 {
			t.Errorf("%d open; want the one that was idle longest to be closed", f.open.Load())
		}
		for range 3 { // pages of no job take every place
			w.Begin(nil, Use{})
		}
		synctest.Wait()
		if f.open.Load() != 0 || w.busy != 3 {
			t.Errorf("%d idle tabs are open beside %d pages", f.open.Load(), w.busy)
		}
		for range 3 {
			w.Finish(nil, false)
		}
		j.End()
	})
}

func TestWarmTabs_failedPagesTakeTheirTabWithThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(4)
		j := w.OfJob(2)
		got := w.Begin(j, onSite("a.example"))
		if _, err := got.Page(t.Context(), browser.PageOptions{}); err != nil {
			t.Fatal(err)
		}
		w.Finish(got, false)
		if f.open.Load() != 0 || j.tabs != 0 || w.busy != 0 {
			t.Errorf("%d open, %d counted, %d busy", f.open.Load(), j.tabs, w.busy)
		}
		f.refuse.Store(true)
		got = w.Begin(j, onSite("a.example"))
		if _, err := got.Page(t.Context(), browser.PageOptions{}); err == nil {
			t.Error("want the error of the pool")
		}
		w.Finish(got, true)
		j.End()
		if j.tabs != 0 || w.busy != 0 {
			t.Errorf("%d counted, %d busy after a tab that could not be opened", j.tabs, w.busy)
		}
	})
}

func TestWarmTabs_tabThatCannotBeClearedIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(4)
		j := w.OfJob(2)
		for _, when := range []string{"while idle", "while waited for"} {
			got := w.Begin(j, onSite("a.example"))
			if _, err := got.Page(t.Context(), browser.PageOptions{}); err != nil {
				t.Fatal(err)
			}
			bad := got.tab.(*fakeTab)
			bad.fails.Store(true)
			bad.clear = time.Second
			w.Finish(got, true)
			if when == "while idle" {
				time.Sleep(2 * time.Second)
			}
			if again := visitTab(t, w, j, "a.example"); again == browserTab(bad) || !bad.closed.Load() {
				t.Errorf("%s: the tab is used again, or open", when)
			}
		}
		j.End()
		if f.open.Load() != 0 {
			t.Errorf("%d tabs stay", f.open.Load())
		}
	})
}

// A renderer may have been stopped or killed while its tab waited.
func TestWarmTabs_tabThatDoesNotAnswerIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(4)
		j := w.OfJob(2)
		dead := visitTab(t, w, j, "a.example").(*fakeTab)
		dead.mute.Store(true)
		if again := visitTab(t, w, j, "a.example"); again != browserTab(dead) {
			t.Error("a tab that hasn't waited was asked")
		}
		time.Sleep(2 * probeAfter)
		if again := visitTab(t, w, j, "a.example"); again == browserTab(dead) || !dead.closed.Load() {
			t.Error("the tab is used again, or open")
		}
		j.End()
		if f.open.Load() != 0 {
			t.Errorf("%d tabs stay", f.open.Load())
		}
	})
}

func TestWarmTabs_cancelledWhileItsTabIsCleared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(4)
		j := w.OfJob(2)
		got := w.Begin(j, onSite("a.example"))
		if _, err := got.Page(t.Context(), browser.PageOptions{}); err != nil {
			t.Fatal(err)
		}
		got.tab.(*fakeTab).clear = time.Hour
		w.Finish(got, true)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		got = w.Begin(j, onSite("a.example"))
		if _, err := got.Page(ctx, browser.PageOptions{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		w.Finish(got, false)
		start := time.Now()
		j.End()
		if f.open.Load() != 0 || w.busy != 0 || time.Since(start) > time.Second {
			t.Errorf("%d open, %d busy, after %v", f.open.Load(), w.busy, time.Since(start))
		}
	})
}

// Many jobs with more workers than pages, of which some fail or are cancelled at any
// moment: never are more tabs and pages open than the pool has, never has a tab two pages,
// and nothing is left.
func TestWarmTabs_randomJobs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round := range rounds() {
		synctest.Test(t, func(t *testing.T) {
			const most = 5
			w, f := newFakeTabs(most)
			places := make(chan struct{}, most) // the engine's queue
			var inUse sync.Map
			var work sync.WaitGroup
			for job := range 4 {
				j := w.OfJob(1 + job)
				var workers sync.WaitGroup
				for worker := range 1 + job {
					random := rand.New(rand.NewPCG(seed, uint64(round*100+job*10+worker)))
					workers.Go(func() {
						for range 50 {
							places <- struct{}{}
							randomPage(t, w, j, random, &inUse)
							<-places
							time.Sleep(time.Duration(random.IntN(3)) * 10 * time.Second)
						}
					})
				}
				work.Go(func() { workers.Wait(); j.End() })
			}
			work.Wait()
			if f.open.Load() != 0 || w.busy != 0 || len(w.stays) != 0 {
				t.Errorf("%d open, %d busy, %d idle after all", f.open.Load(), w.busy, len(w.stays))
			}
		})
	}
}

func randomPage(t *testing.T, w *Tabs, j *JobTabs, random *rand.Rand, inUse *sync.Map) {
	if random.IntN(5) == 0 {
		j = nil
	}
	got := w.Begin(j, onSite(fmt.Sprintf("%d.example", random.IntN(3))))
	w.mu.Lock()
	if n := w.busy + len(w.stays); n > w.max {
		t.Errorf("%d pages and tabs, of %d", n, w.max)
	}
	if j != nil && j.tabs > j.max {
		t.Errorf("%d tabs of a job with %d workers", j.tabs, j.max)
	}
	w.mu.Unlock()
	if got == nil {
		time.Sleep(time.Second)
		w.Finish(nil, false)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(4000))*time.Millisecond)
	defer cancel()
	_, err := got.Page(ctx, browser.PageOptions{})
	if err == nil {
		if _, twice := inUse.LoadOrStore(got.tab, true); twice {
			t.Error("one tab has two pages")
		}
		time.Sleep(time.Second)
		own := got.tab.(*fakeTab)
		own.clear = time.Duration(random.IntN(3)) * time.Second
		own.fails.Store(random.IntN(10) == 0)
		inUse.Delete(got.tab)
	}
	w.Finish(got, err == nil && random.IntN(10) > 0)
}

// rounds is how many random jobs are tried: a tenth of them but in the long tests.
func rounds() int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return 100
	}
	return 10
}
