package crawltest

import (
	"github.com/winnow-go/winnow/crawl"
)

var keepChecks = []check{
	{"what is kept uses its slot and is never fetched", func(r *rig) {
		r.open(crawl.Options{Limit: 3})
		r.keep("http://a/1")
		r.put(urls("http://a/", "http://a/1", "http://a/2", "http://a/3")...)
		r.complete(r.one(), crawl.Page{Kept: true, Found: urls("http://a/1", "http://a/4")})
		r.restart()
		r.wantURLs("fetched", r.drain(), "http://a/2")
		s := r.stats()
		if s.Known != 3 || s.Kept != 2 || s.Done != 1 || s.Queued != 0 || s.Refused != 2 {
			r.Errorf("%+v", s)
		}
		results, err := r.f.Results(r.Context(), 0, 10)
		if err != nil || len(results) != 1 {
			r.Errorf("got %d results, %v, want that of the page that was fetched", len(results), err)
		}
	}},
	{"what is kept is fetched after all, once", func(r *rig) {
		r.keep("http://a/1")
		r.put(urls("http://a/")...)
		r.complete(r.one(), crawl.Page{Kept: true})
		for range 2 { // a process that ends in between does it again
			if err := r.f.Renew(r.Context(), urls("http://a/", "http://a/1", "http://a/unknown")); err != nil {
				r.Fatal(err)
			}
			r.restart()
		}
		r.wantURLs("fetched", r.drain(), "http://a/1", "http://a/")
		if s := r.stats(); s.Known != 2 || s.Kept != 0 || s.Done != 2 || s.Queued != 0 {
			r.Errorf("%+v", s)
		}
	}},
	{"what is kept is written down together with what belongs to it", func(r *rig) {
		note := []byte("note")
		if err := r.f.Keep(r.Context(), urls("http://a/1"), func(tx crawl.Tx) error { return tx.Put("notes", note, note) }); err != nil {
			r.Fatal(err)
		}
		r.restart()
		err := r.db.View(func(tx crawl.Tx) error {
			if string(tx.Get("notes", note)) != "note" {
				r.Error("the note is lost")
			}
			return nil
		})
		if err != nil {
			r.Fatal(err)
		}
	}},
	{"likely ones come first, behind seeds, before what sitemaps list", func(r *rig) {
		r.put(
			crawl.Found{URL: "http://a/sitemap", Sitemap: true, Priority: 1},
			crawl.Found{URL: "http://a/rare", Hops: 7, Chance: 0.01}, crawl.Found{URL: "http://a/often", Hops: 9, Chance: 0.9},
			crawl.Found{URL: "http://a/always", Sitemap: true, Chance: 2},
			crawl.Found{URL: "http://a/seed"},
		)
		r.restart()
		r.wantURLs("fetched", r.drain(), "http://a/seed", "http://a/always", "http://a/often", "http://a/rare", "http://a/sitemap")
	}},
}

func (r *rig) keep(list ...string) {
	r.Helper()
	if err := r.f.Keep(r.Context(), urls(list...), nil); err != nil {
		r.Fatal(err)
	}
}
