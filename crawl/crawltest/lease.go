package crawltest

import (
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

var leaseChecks = []check{
	{"an empty frontier is done", func(r *rig) {
		if items, wait := r.leaseWait(1); len(items) != 0 || !wait.Done || !wait.Until.IsZero() {
			r.Errorf("got %v, %+v", items, wait)
		}
	}},
	{"a leased item is out until it is completed", func(r *rig) {
		r.put(urls("http://a/")...)
		item := r.one()
		items, wait := r.leaseWait(1)
		if len(items) != 0 || wait.Done || !wait.Until.Equal(item.Until) || !item.Until.Equal(r.clock.Now().Add(time.Minute)) {
			r.Errorf("got %v, %+v", items, wait)
		}
		r.complete(item, crawl.Page{})
		r.wantNotified(wait)
		if items, wait := r.leaseWait(1); len(items) != 0 || !wait.Done {
			r.Errorf("got %v, %+v", items, wait)
		}
	}},
	{"a put wakes waiters", func(r *rig) {
		_, wait := r.leaseWait(1)
		r.put(urls("http://a/")...)
		r.wantNotified(wait)
	}},
	{"the end of a visit wakes waiters, and frees the host", func(r *rig) {
		r.open(crawl.Options{Pace: crawl.NewPace(crawl.PaceOptions{Concurrency: 1, Now: r.clock.Now})})
		r.put(urls("http://a/", "http://a/1")...)
		item := r.lease(2)[0]
		items, wait := r.leaseWait(1)
		if len(items) != 0 {
			r.Fatalf("leased %v", items)
		}
		item.Visit.End(crawl.Outcome{})
		r.wantNotified(wait)
		r.wantURLs("leased", urlsOf(r.lease(2), itemURL), "http://a/1")
	}},
	{"leases go round the hosts", func(r *rig) {
		for i := range 3 {
			r.put(urls(fmt.Sprintf("http://a/%d", i), fmt.Sprintf("http://a.b/%d", i), fmt.Sprintf("http://c/%d", i))...)
		}
		r.put(urls("http://huge/0", "http://huge/1", "http://huge/2", "http://huge/3", "http://huge/4")...)
		r.wantURLs("first", urlsOf(r.lease(6), itemURL), "http://a/0", "http://a.b/0", "http://c/0", "http://huge/0", "http://a/1", "http://a.b/1")
		r.wantURLs("then", urlsOf(r.lease(2), itemURL), "http://c/1", "http://huge/1")
	}},
	{"a host that was served goes behind the others", func(r *rig) {
		r.put(urls("http://a/0", "http://a/1", "http://a/2", "http://b/0", "http://b/1")...)
		r.wantURLs("order", r.drain(), "http://a/0", "http://b/0", "http://a/1", "http://b/1", "http://a/2")
	}},
	{"a host with fewer items out comes first", func(r *rig) {
		for i := range 6 {
			r.put(urls(fmt.Sprintf("http://slow/%d", i), fmt.Sprintf("http://quick/%d", i))...)
		}
		for _, item := range r.lease(4) { // the slow host keeps its two
			if item.Host == "quick" {
				r.complete(item, crawl.Page{})
			}
		}
		for range 4 {
			item := r.one()
			if item.Host != "quick" {
				r.Errorf("leased %s", item.URL)
			}
			r.complete(item, crawl.Page{})
		}
	}},
	{"a blocked host is passed over", func(r *rig) {
		r.put(urls("http://a/", "http://b/")...)
		until := r.clock.Now().Add(time.Minute)
		if err := r.f.Block(r.Context(), "a", until); err != nil {
			r.Fatal(err)
		}
		r.complete(r.one(), crawl.Page{})
		items, wait := r.leaseWait(1)
		if len(items) != 0 || !wait.Until.Equal(until) {
			r.Errorf("got %v, %+v, want none until %v", items, wait, until)
		}
		r.restart()
		if items := r.lease(1); len(items) != 0 {
			r.Errorf("leased %v after opening again", items)
		}
		r.clock.Set(until)
		r.wantURLs("leased", urlsOf(r.lease(1), itemURL), "http://a/")
	}},
	{"a lease that ends goes to another", func(r *rig) {
		r.put(urls("http://a/")...)
		old := r.one()
		r.clock.Advance(time.Minute)
		item := r.one()
		if item.URL != old.URL || item.ID != old.ID || item.Attempt != 2 {
			r.Errorf("got %+v", item)
		}
		r.wantLost(old)
		r.complete(item, crawl.Page{Result: []byte("second")})
		r.wantLost(old)
		if got := r.results(); len(got) != 1 || string(got[0].Data) != "second" || got[0].Attempts != 2 {
			r.Errorf("got %+v", got)
		}
	}},
	{"a lease that ends counts, noted or not", func(r *rig) {
		r.put(urls("http://a/", "http://a/1")...)
		r.one()
		r.one()
		r.clock.Advance(time.Minute)
		for _, item := range r.lease(2) {
			if item.Attempt != 2 {
				r.Errorf("attempt %d at %s, want 2", item.Attempt, item.URL)
			}
		}
	}},
	{"a block of a host is kept", func(r *rig) {
		asked := crawl.Outcome{Status: 429, RetryAfter: "60"}
		r.put(urls("http://done/", "http://failed/", "http://done/1")...)
		items := r.lease(2)
		for _, item := range items {
			item.Visit.End(asked)
		}
		r.complete(items[0], crawl.Page{})
		if err := r.f.Fail(r.Context(), items[1], time.Time{}, ""); err != nil {
			r.Fatal(err)
		}
		r.restart()
		if got, wait := r.leaseWait(2); len(got) != 0 || !wait.Until.Equal(r.clock.Now().Add(time.Minute)) {
			r.Errorf("leased %v, or %+v", got, wait)
		}
		r.clock.Advance(time.Minute)
		if got := r.lease(2); len(got) != 2 {
			r.Errorf("leased %v after the time was over", got)
		}
	}},
	{"a retry is due when the clock is set back", func(r *rig) {
		r.put(urls("http://a/", "http://b/")...)
		soon, late := r.one(), r.one()
		for i, item := range []crawl.Item{soon, late} {
			if err := r.f.Fail(r.Context(), item, r.clock.Now().Add(time.Duration(1+i*1e6)*time.Second), ""); err != nil {
				r.Fatal(err)
			}
		}
		if got, wait := r.leaseWait(2); len(got) != 0 || !wait.Until.Equal(r.clock.Now().Add(time.Second)) {
			r.Errorf("leased %v, or %+v", got, wait)
		}
		r.clock.Advance(time.Second)
		r.complete(r.one(), crawl.Page{})
		r.clock.Advance(-365 * 24 * time.Hour)
		r.put(urls("http://c/")...)
		if err := r.f.Fail(r.Context(), r.one(), r.clock.Now().Add(time.Second), ""); err != nil {
			r.Fatal(err)
		}
		r.wantURLs("due", urlsOf(r.lease(2), itemURL), "http://b/")
		r.clock.Advance(time.Second)
		r.wantURLs("then", urlsOf(r.lease(2), itemURL), "http://c/")
	}},
	{"a retry waits an hour at most", func(r *rig) {
		r.put(urls("http://a/")...)
		if err := r.f.Fail(r.Context(), r.one(), r.clock.Now().Add(24*time.Hour), ""); err != nil {
			r.Fatal(err)
		}
		if got, wait := r.leaseWait(1); len(got) != 0 || !wait.Until.Equal(r.clock.Now().Add(time.Hour)) {
			r.Errorf("leased %v, or %+v", got, wait)
		}
	}},
	{"a lease that has ended is good while no other worker has it", func(r *rig) {
		r.put(urls("http://a/", "http://a/1")...)
		item := r.one()
		r.clock.Advance(time.Hour)
		r.complete(item, crawl.Page{})
		r.wantURLs("left", r.drain(), "http://a/1")
	}},
	{"what was leased is ready at once when opened again", func(r *rig) {
		r.put(urls("http://a/", "http://a/1", "http://a/2")...)
		old := r.lease(2)
		r.restart()
		if s := r.stats(); s.Leased != 0 || s.Queued != 3 {
			r.Errorf("%+v", s)
		}
		r.wantLost(old[0])
		items := r.lease(3)
		r.wantURLs("leased", urlsOf(items, itemURL), "http://a/", "http://a/1", "http://a/2")
		r.wantLost(old[1])
		if items[0].Attempt != 2 || items[2].Attempt != 1 {
			r.Errorf("attempts %d and %d, want 2 and 1", items[0].Attempt, items[2].Attempt)
		}
	}},
	{"starts are written down with the next transaction", func(r *rig) {
		r.put(urls("http://a/", "http://a/1", "http://a/2")...)
		first := r.one()
		second := r.one()
		r.complete(first, crawl.Page{})
		r.restart()
		if item := r.one(); item.URL != second.URL || item.Attempt != 2 {
			r.Errorf("got %+v, want the second attempt at %s", item, second.URL)
		}
	}},
	{"an item that takes its process down runs out of attempts", func(r *rig) {
		r.put(urls("http://a/")...)
		for i := range 3 {
			if item := r.one(); item.Attempt != i+1 {
				r.Fatalf("attempt %d, want %d", item.Attempt, i+1)
			}
			r.restart()
		}
		item := r.one()
		if item.Attempt != 4 || !errors.Is(r.f.Fail(r.Context(), item, time.Time{}, ""), crawl.ErrAttempts) {
			r.Errorf("attempt %d, want 4, and that it can't fail any more", item.Attempt)
		}
		r.complete(item, crawl.Page{Failed: true, Code: "CRASH"})
		if s := r.stats(); s.Failed != 1 {
			r.Errorf("%+v", s)
		}
	}},
	{"a released item is as if it had never been leased", func(r *rig) {
		r.put(urls("http://a/", "http://a/1")...)
		item := r.one()
		if err := r.f.Release(r.Context(), item); err != nil {
			r.Fatal(err)
		}
		r.wantLost(item)
		r.restart()
		if again := r.one(); again.URL != "http://a/" || again.Attempt != 1 || again.ID != item.ID {
			r.Errorf("got %+v", again)
		}
	}},
	{"an Item that was not leased is lost", func(r *rig) { r.wantLost(crawl.Item{}) }},
}

func (r *rig) wantNotified(w crawl.Wait) {
	r.Helper()
	select {
	case <-w.Changed:
	default:
		r.Error("waiters aren't notified of the change")
	}
}

// wantLost: nothing can be done with the item, and trying changes nothing.
func (r *rig) wantLost(item crawl.Item) {
	r.Helper()
	before := r.stats()
	for name, err := range map[string]error{
		"Complete": r.f.Complete(r.Context(), item, crawl.Page{Result: []byte("x"), Found: urls("http://lost/"), Denied: []crawl.Denied{{Reason: "X", URL: "u"}}}),
		"Fail":     r.f.Fail(r.Context(), item, time.Time{}, ""),
		"Release":  r.f.Release(r.Context(), item),
	} {
		if !errors.Is(err, crawl.ErrLeaseLost) {
			r.Errorf("%s: got %v, want ErrLeaseLost", name, err)
		}
	}
	after := r.stats()
	same := after.Known == before.Known && after.Done == before.Done && after.Leased == before.Leased
	if !same || len(after.Denied) != len(before.Denied) {
		r.Errorf("a lost lease changed %+v to %+v", before, after)
	}
}
