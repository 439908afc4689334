package crawltest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

var completeChecks = []check{
	{"results come in the order of completion, with what was found", func(r *rig) {
		r.put(crawl.Found{URL: "http://a/", Key: "k"})
		r.clock.Advance(time.Second)
		r.complete(r.one(), crawl.Page{Result: []byte("seed"), Code: "OK", Found: []crawl.Found{
			{URL: "http://a/1", Hops: 1, From: "http://a/"}, {URL: "http://a/2", Hops: 1},
		}})
		items := r.lease(2)
		r.complete(items[1], crawl.Page{Result: []byte("two")})
		r.complete(items[0], crawl.Page{Result: []byte("one")})
		r.restart()
		got := r.results()
		r.wantURLs("results", urlsOf(got, resultURL), "http://a/", "http://a/2", "http://a/1")
		first := got[0]
		if first.Sequence != 1 || first.Key != "k" || string(first.Data) != "seed" || first.Code != "OK" ||
			!first.Completed.Equal(r.clock.Now()) || first.Attempts != 1 {
			r.Errorf("got %+v", first)
		}
		if last := got[2]; last.Key != "http://a/1" || last.From != "http://a/" || last.Hops != 1 || last.ID != items[0].ID {
			r.Errorf("got %+v", last)
		}
		if s := r.stats(); s.Done != 3 || s.Bytes != 10 {
			r.Errorf("%+v", s)
		}
	}},
	{"results are read by cursor, as many as requested", func(r *rig) {
		r.put(numbered(30)...)
		order := r.drain()
		got, err := r.f.Results(r.Context(), 10, 5)
		if err != nil || len(got) != 5 || got[0].Sequence != 11 {
			r.Fatalf("got %d, %v", len(got), err)
		}
		r.wantURLs("page", urlsOf(got, resultURL), order[10:15]...)
		for _, after := range []uint64{30, 31, 1<<64 - 1} {
			if got, err := r.f.Results(r.Context(), after, 5); err != nil || len(got) != 0 {
				r.Errorf("after %d: %d results, %v", after, len(got), err)
			}
		}
	}},
	{"a page of results is cut at 10 MiB, but never empty", func(r *rig) {
		r.put(numbered(4)...)
		for _, size := range []int{4 << 20, 4 << 20, 4 << 20, 11 << 20} {
			r.complete(r.one(), crawl.Page{Result: make([]byte, size)})
		}
		var pages []int
		for after := uint64(0); after < 4; {
			got, err := r.f.Results(r.Context(), after, 100)
			if err != nil || len(got) == 0 {
				r.Fatalf("after %d: %d results, %v", after, len(got), err)
			}
			pages = append(pages, len(got))
			after = got[len(got)-1].Sequence
		}
		if !slices.Equal(pages, []int{2, 1, 1}) {
			r.Errorf("pages of %v results", pages)
		}
	}},
	{"failed pages are errors, not results", func(r *rig) {
		r.put(urls("http://a/", "http://a/1")...)
		r.complete(r.one(), crawl.Page{Failed: true, Code: "SCRAPE_TIMEOUT", Result: []byte("why")})
		r.complete(r.one(), crawl.Page{})
		if got := r.errors(); len(got) != 1 || got[0].URL != "http://a/" || got[0].Sequence != 1 ||
			got[0].Code != "SCRAPE_TIMEOUT" || string(got[0].Data) != "why" {
			r.Errorf("got %+v", got)
		}
		if got := r.results(); len(got) != 1 || got[0].URL != "http://a/1" || got[0].Sequence != 1 {
			r.Errorf("got %+v", got)
		}
	}},
	{"a page may have several results, and rows of the caller beside them", func(r *rig) {
		r.put(urls("http://a/")...)
		var first uint64
		inTx := func(tx crawl.Tx, sequence uint64) error {
			first = sequence
			return tx.Put("beside", []byte("key"), []byte("value"))
		}
		r.complete(r.one(), crawl.Page{Result: []byte("one"), More: [][]byte{[]byte("two"), []byte("three")}, Found: urls("http://a/1"), InTx: inTx})
		got := r.results()
		if first != 1 || len(got) != 3 || string(got[2].Data) != "three" || got[2].Sequence != 3 || got[2].ID != got[0].ID {
			r.Errorf("first %d, got %+v", first, got)
		}
		if s := r.stats(); s.Done != 3 || s.Known != 4 || s.Queued != 1 {
			r.Errorf("%+v", s)
		}
		err := r.db.View(func(tx crawl.Tx) error {
			if string(tx.Get("beside", []byte("key"))) != "value" {
				r.Error("the row beside the result is missing")
			}
			return nil
		})
		if err != nil {
			r.Error(err)
		}
	}},
	{"an error of the caller's own rows undoes the whole, and the item stays leased", func(r *rig) {
		r.put(urls("http://a/")...)
		item, no := r.one(), errors.New("no")
		fail := crawl.Page{Result: []byte("x"), Found: urls("http://a/1"), InTx: func(crawl.Tx, uint64) error { return no }}
		if err := r.f.Complete(r.Context(), item, fail); !errors.Is(err, no) {
			r.Errorf("got %v", err)
		}
		if s := r.stats(); s.Done != 0 || s.Known != 1 || s.Leased != 1 {
			r.Errorf("%+v", s)
		}
		r.complete(item, crawl.Page{})
	}},
	{"a silent page leaves nothing and gives its place back", func(r *rig) {
		r.open(crawl.Options{Limit: 2})
		r.put(urls("http://a/", "http://a/1", "http://a/2")...)
		r.complete(r.one(), crawl.Page{Silent: true, Result: []byte("x"), Denied: []crawl.Denied{{Reason: "ROBOTS_TXT", URL: "http://a/"}}})
		if s := r.stats(); s.Done != 0 || s.Failed != 0 || s.Known != 2 || s.Queued != 2 || s.Bytes != 0 || s.Denied["ROBOTS_TXT"] != 1 {
			r.Errorf("%+v", s)
		}
		if n := r.put(urls("http://a/")...); n != 0 {
			r.Error("it is accepted again")
		}
		if got := r.results(); len(got) != 0 {
			r.Errorf("results %+v", got)
		}
	}},
	{"a page with very many links loses none", func(r *rig) {
		r.put(urls("http://a/")...)
		r.complete(r.one(), crawl.Page{Found: numbered(2500)})
		if s := r.stats(); s.Known != 2501 || s.Queued != 2500 || s.Done != 1 {
			r.Errorf("%+v", s)
		}
		r.wantURLs("first", urlsOf(r.lease(2), itemURL), "http://a/0", "http://a/1")
	}},
	{"a result that is too large is refused, and the lease stays", func(r *rig) {
		r.put(urls("http://a/")...)
		item := r.one()
		if err := r.f.Complete(r.Context(), item, crawl.Page{Result: make([]byte, 256<<20+1)}); !errors.Is(err, crawl.ErrTooLarge) {
			r.Errorf("got %v", err)
		}
		r.complete(item, crawl.Page{})
	}},
	{"a code is cut", func(r *rig) {
		r.put(urls("http://a/")...)
		r.complete(r.one(), crawl.Page{Code: strings.Repeat("x", 1000)})
		if got := r.results()[0].Code; len(got) != 256 {
			r.Errorf("%d bytes", len(got))
		}
	}},
	{"a failed attempt goes behind its equals", func(r *rig) {
		r.put(urls("http://a/0", "http://a/1")...)
		r.put(crawl.Found{URL: "http://a/hop", Hops: 1})
		item := r.one()
		if err := r.f.Fail(r.Context(), item, time.Time{}, "reset"); err != nil {
			r.Fatal(err)
		}
		r.wantLost(item)
		got := r.lease(2)
		r.wantURLs("order", urlsOf(got, itemURL), "http://a/1", "http://a/0")
		if got[1].Attempt != 2 || got[1].Cause != "reset" || got[1].ID != item.ID {
			r.Errorf("got %+v", got[1])
		}
	}},
	{"a failed attempt counts, noted or not", func(r *rig) {
		r.put(urls("http://a/0", "http://a/1")...)
		r.one()
		if err := r.f.Fail(r.Context(), r.one(), time.Time{}, ""); err != nil {
			r.Fatal(err)
		}
		if item := r.one(); item.Attempt != 2 {
			r.Errorf("attempt %d at %s, want 2", item.Attempt, item.URL)
		}
		r.restart() // a further attempt is noted at once, whatever else is out
		for _, item := range r.lease(2) {
			if want := map[string]int{"http://a/0": 2, "http://a/1": 3}[item.URL]; item.Attempt != want {
				r.Errorf("attempt %d at %s, want %d", item.Attempt, item.URL, want)
			}
		}
	}},
	{"a retry waits for its time", func(r *rig) {
		r.put(urls("http://a/0")...)
		at := r.clock.Now().Add(time.Minute)
		if err := r.f.Fail(r.Context(), r.one(), at, ""); err != nil {
			r.Fatal(err)
		}
		r.restart()
		items, wait := r.leaseWait(1)
		if len(items) != 0 || wait.Done || !wait.Until.Equal(at) || r.stats().Queued != 1 {
			r.Errorf("got %v, %+v, want none until %v", items, wait, at)
		}
		r.clock.Set(at)
		if item := r.one(); item.Attempt != 2 {
			r.Errorf("got %+v", item)
		}
	}},
	{"many retries that are due at once all come back", func(r *rig) {
		r.open(crawl.Options{Pace: crawl.NewPace(crawl.PaceOptions{Concurrency: 1000, Now: r.clock.Now})})
		r.put(numbered(150)...)
		var work sync.WaitGroup // together they share transactions
		for _, item := range r.lease(150) {
			work.Go(func() {
				if err := r.f.Fail(r.Context(), item, r.clock.Now().Add(time.Second), ""); err != nil {
					r.Error(err)
				}
			})
		}
		work.Wait()
		r.clock.Advance(time.Second)
		if got := len(r.lease(150)) + len(r.lease(150)); got != 150 {
			r.Errorf("%d came back, want 150", got)
		}
	}},
	{"attempts run out", func(r *rig) {
		r.open(crawl.Options{Attempts: 2})
		r.put(urls("http://a/")...)
		if err := r.f.Fail(r.Context(), r.one(), time.Time{}, ""); err != nil {
			r.Fatal(err)
		}
		item := r.one()
		if err := r.f.Fail(r.Context(), item, time.Time{}, ""); !errors.Is(err, crawl.ErrAttempts) {
			r.Errorf("got %v, want ErrAttempts", err)
		}
		r.complete(item, crawl.Page{Failed: true})
	}},
	{"a claimed key isn't fetched, and stays with the item", func(r *rig) {
		r.put(urls("http://a/from", "http://a/known")...)
		item := r.one()
		r.wantClaim(item, "http://a/to", true)
		r.wantClaim(item, "http://a/to", true)
		r.wantClaim(item, "http://a/from", true)
		r.wantClaim(item, "http://a/known", false)
		r.restart()
		again := r.one()
		r.wantClaim(again, "http://a/to", true)
		r.wantClaim(r.one(), "http://a/to", false)
		if got := r.put(urls("http://a/to")...); got != 0 {
			r.Errorf("accepted %d", got)
		}
	}},
	{"data isn't shared with what is kept", func(r *rig) {
		r.put(urls("http://a/")...)
		r.complete(r.one(), crawl.Page{Result: []byte("data")})
		r.results()[0].Data[0] = 'x'
		if got := r.results()[0].Data; !bytes.Equal(got, []byte("data")) {
			r.Errorf("got %q", got)
		}
	}},
}

func (r *rig) wantClaim(item crawl.Item, key string, want bool) {
	r.Helper()
	if own, err := r.f.Claim(r.Context(), item, key); err != nil || own != want {
		r.Errorf("claim of %s: %v, %v; want %v", key, own, err, want)
	}
}

// numbered makes n URLs of one host.
func numbered(n int) (found []crawl.Found) {
	for i := range n {
		found = append(found, crawl.Found{URL: fmt.Sprintf("http://a/%d", i)})
	}
	return found
}
