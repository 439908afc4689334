package crawltest

import (
	"fmt"

	"github.com/winnow-go/winnow/crawl"
)

var limitChecks = []check{
	{"no more than the limit are accepted", func(r *rig) {
		r.open(crawl.Options{Limit: 3})
		if got := r.put(numbered(5)...); got != 3 {
			r.Errorf("accepted %d, want 3", got)
		}
		r.restart()
		r.complete(r.one(), crawl.Page{Found: urls("http://b/")})
		if got := r.drain(); len(got) != 2 {
			r.Errorf("fetched %q", got)
		}
		if s := r.stats(); s.Known != 3 || s.Done != 3 || s.Refused != 3 {
			r.Errorf("%+v", s)
		}
	}},
	{"a failed page gives its place to the first that was over the limit", func(r *rig) {
		r.open(crawl.Options{Limit: 2})
		r.put(crawl.Found{URL: "http://a/far", Hops: 2})
		r.put(numbered(2)...)
		r.put(crawl.Found{URL: "http://a/near", Hops: 0, Sitemap: true}, crawl.Found{URL: "http://a/farther", Hops: 3})
		r.complete(r.one(), crawl.Page{Failed: true})
		r.restart()
		r.complete(r.one(), crawl.Page{Failed: true})
		r.wantURLs("then", r.drain(), "http://a/near", "http://a/far")
	}},
	{"a crawl in which all fails comes to an end", func(r *rig) {
		r.open(crawl.Options{Limit: 5})
		r.put(numbered(1)...)
		n := 0
		for ; ; n++ {
			items := r.lease(1)
			if len(items) == 0 {
				break
			}
			found := urls(fmt.Sprintf("http://b/%d", n), fmt.Sprintf("http://c/%d", n))
			r.complete(items[0], crawl.Page{Failed: true, Found: found})
		}
		if s := r.stats(); n != 10 || s.Known != 10 || s.Failed != 10 || s.Queued != 0 {
			r.Errorf("%d fetched, %+v, want twice the limit", n, s)
		}
	}},
	{"what waits for a place is bounded", func(r *rig) {
		r.open(crawl.Options{Limit: 1})
		r.put(numbered(1500)...)
		r.put(numbered(1500)...)
		if s := r.stats(); s.Known != 1 || s.Queued != 1 || s.Refused != 1499+499 {
			r.Errorf("%+v", s)
		}
	}},
}
