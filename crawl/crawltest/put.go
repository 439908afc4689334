package crawltest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

var putChecks = []check{
	{"a key is claimed once", func(r *rig) {
		if got := r.put(urls("http://a/", "http://a/", "http://a/1")...); got != 2 {
			r.Errorf("accepted %d, want 2", got)
		}
		if got := r.put(crawl.Found{URL: "http://a/other", Key: "http://a/1"}); got != 0 {
			r.Errorf("accepted %d under a key that is known, want 0", got)
		}
		r.restart()
		if got := r.put(urls("http://a/", "http://a/2")...); got != 1 {
			r.Errorf("accepted %d after opening again, want 1", got)
		}
		r.wantURLs("fetched", r.drain(), "http://a/", "http://a/1", "http://a/2")
		if got := r.put(urls("http://a/1")...); got != 0 {
			r.Errorf("accepted %d that are done, want 0", got)
		}
	}},
	{"of callers at the same time one gets the key", func(r *rig) {
		var wins atomic.Int64
		var work sync.WaitGroup
		for range 8 {
			work.Go(func() {
				n, err := r.f.Put(r.Context(), urls("http://a/", "http://a/1", "http://b/"))
				if err != nil {
					r.Error(err)
				}
				wins.Add(int64(n))
			})
		}
		work.Wait()
		if wins.Load() != 3 || r.stats().Known != 3 {
			r.Errorf("%d accepted, %+v; want 3", wins.Load(), r.stats())
		}
	}},
	{"what has no host or is too long is not accepted", func(r *rig) {
		got := r.put(urls("", "http://", "/path", "http://[", "mailto:a@b", "http://a\x00b/",
			"http://a/"+strings.Repeat("x", 16<<10), "http://"+strings.Repeat("x", 2000))...)
		if got += r.put(crawl.Found{URL: "http://a/", Key: strings.Repeat("k", 16<<10+1)}); got != 0 || r.stats().Known != 0 {
			r.Errorf("accepted %d", got)
		}
	}},
	{"large numbers go in", func(r *rig) {
		if got := r.put(numbered(2500)...); got != 2500 || r.stats().Queued != 2500 {
			r.Errorf("accepted %d, %+v", got, r.stats())
		}
	}},
	{"a host's URLs go by hops, sitemap order and order of finding", orderOfWork},
	{"what was found is given as it was", func(r *rig) {
		want := crawl.Found{URL: "http://A.example:81/x?y#z", Key: "k", Hops: 3, From: "http://a/", Sitemap: true, Priority: 0.25, LastMod: r.clock.Now()}
		r.put(want)
		got := r.one()
		if !got.LastMod.Equal(want.LastMod) {
			r.Errorf("LastMod %v, want %v", got.LastMod, want.LastMod)
		}
		if got.LastMod = want.LastMod; got.Found != want || got.Host != "a.example:81" || got.Attempt != 1 || got.ID == 0 {
			r.Errorf("got %+v, want %+v", got, want)
		}
	}},
	{"a ctx that has ended is an error", func(r *rig) {
		ctx, cancel := context.WithCancel(r.Context())
		r.put(urls("http://a/")...)
		item := r.one()
		cancel()
		_, put := r.f.Put(ctx, urls("http://a/1"))
		_, _, lease := r.f.Lease(ctx, 1, 0)
		_, results := r.f.Results(ctx, 0, 1)
		_, stats := r.f.Stats(ctx)
		_, claim := r.f.Claim(ctx, item, "k")
		_, denied := r.f.DeniedURLs(ctx, "X")
		for i, err := range []error{put, lease, results, stats, claim, denied, r.f.Complete(ctx, item, crawl.Page{}), r.f.Fail(ctx, item, r.clock.Now(), ""),
			r.f.Release(ctx, item), r.f.Block(ctx, "a", r.clock.Now()), r.f.Deny(ctx, crawl.Denied{Reason: "X"}), r.f.Drop(ctx)} {
			if !errors.Is(err, context.Canceled) {
				r.Errorf("call %d: %v", i, err)
			}
		}
		r.complete(item, crawl.Page{})
	}},
}

func orderOfWork(r *rig) {
	day := func(n int) time.Time { return r.clock.Now().AddDate(0, 0, n) }
	r.put(
		crawl.Found{URL: "http://a/hop2", Hops: 2},
		crawl.Found{URL: "http://a/hop1", Hops: 1},
		crawl.Found{URL: "http://a/hop1-later", Hops: 1},
		crawl.Found{URL: "http://a/map-nothing", Sitemap: true, Priority: -1},
		crawl.Found{URL: "http://a/map-low", Sitemap: true, Priority: 0.1, LastMod: day(9)},
		crawl.Found{URL: "http://a/map-old", Sitemap: true, Priority: 0.9, LastMod: day(1)},
		crawl.Found{URL: "http://a/map-new", Sitemap: true, Priority: 0.9, LastMod: day(2)},
		crawl.Found{URL: "http://a/map-undated", Sitemap: true, Priority: 0.9},
		crawl.Found{URL: "http://a/map-top", Sitemap: true, Priority: 1},
		crawl.Found{URL: "http://a/late", Hops: 1, Late: true},
		crawl.Found{URL: "http://a/hop3", Hops: 3},
		crawl.Found{URL: "http://a/seed"},
	)
	r.wantURLs("order", r.drain(), "http://a/seed", "http://a/map-top", "http://a/map-new", "http://a/map-old", "http://a/map-undated",
		"http://a/map-nothing", "http://a/map-low", "http://a/hop1", "http://a/hop1-later", "http://a/hop2", "http://a/hop3", "http://a/late")
}
