package crawltest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/crawl"
)

var denyChecks = []check{
	{"denied URLs are counted and listed by reason", func(r *rig) {
		r.deny("ROBOTS_TXT", "http://a/2", "http://a/1")
		r.put(urls("http://a/")...)
		r.complete(r.one(), crawl.Page{Denied: []crawl.Denied{
			{Reason: "ROBOTS_TXT", URL: "http://a/1"}, {Reason: "ROBOTS_TXT", URL: "http://a/0"}, {Reason: "EXTERNAL", URL: "http://a/1"},
		}})
		r.restart()
		r.wantURLs("robots", r.denied("ROBOTS_TXT"), "http://a/2", "http://a/1", "http://a/0")
		r.wantURLs("external", r.denied("EXTERNAL"), "http://a/1")
		r.wantURLs("none", r.denied("ROBOTS"))
		if s := r.stats(); s.Denied["ROBOTS_TXT"] != 3 || s.Denied["EXTERNAL"] != 1 || len(s.Denied) != 2 {
			r.Errorf("%+v", s)
		}
	}},
	{"the list of a reason is bounded, its count isn't", func(r *rig) {
		var list []string
		for i := range 1200 {
			list = append(list, fmt.Sprintf("http://a/%d", i))
		}
		r.deny("X", list...)
		r.deny("X", list[0], strings.Repeat("u", 17<<10))
		if got := r.denied("X"); len(got) != 1000 || got[999] != "http://a/999" {
			r.Errorf("%d listed", len(got))
		}
		if got := r.stats().Denied["X"]; got != 1201 {
			r.Errorf("counted %d, want 1201", got)
		}
	}},
	{"what was denied is fetched after all, once", func(r *rig) {
		r.deny("SAME", "http://a/1", "http://a/2", "http://a/3")
		r.put(urls("http://a/", "http://a/2", "http://a/4")...)
		gone := r.one() // it is left out when its turn comes
		r.complete(gone, crawl.Page{Silent: true, Denied: []crawl.Denied{{Reason: "SAME", URL: gone.URL}}})
		back := []crawl.Retaken{
			{Found: urls("http://a/1")[0], Reason: "SAME"}, {Found: gone.Found, Reason: "SAME", Holder: gone.ID},
			{Found: urls("http://a/2")[0], Reason: "SAME"}, {Found: urls("http://a/4")[0], Reason: "NONE", Holder: gone.ID},
		}
		for range 2 { // a process that ends in between does it again
			if err := r.f.Retake(r.Context(), back); err != nil {
				r.Fatal(err)
			}
			r.restart()
		}
		r.wantURLs("fetched", r.drain(), "http://a/2", "http://a/4", "http://a/1", "http://a/")
		if err := r.f.Retake(r.Context(), back); err != nil {
			r.Fatal(err)
		}
		r.wantURLs("fetched again", r.drain())
		r.wantURLs("denied", r.denied("SAME"), "http://a/2", "http://a/3")
		if s := r.stats(); s.Denied["SAME"] != 2 || len(s.Denied) != 1 || s.Done != 4 {
			r.Errorf("%+v", s)
		}
	}},
	{"reasons are bounded", func(r *rig) {
		for i := range 100 {
			r.deny(fmt.Sprintf("R%d", i), "http://a/")
		}
		r.deny("", "http://b/")
		r.deny(strings.Repeat("x", 1000), "http://c/")
		r.deny("R\x001", "http://d/")
		got := r.stats().Denied
		if len(got) != 64 || got["OTHER"] != 3 || got["R1"] != 2 {
			r.Errorf("%d reasons: %v", len(got), got)
		}
	}},
	{"a dropped job is gone, and no other", func(r *rig) {
		other, err := crawl.Open(r.db, "other", r.opt)
		if err != nil {
			r.Fatal(err)
		}
		if _, err := other.Put(r.Context(), numbered(5)); err != nil {
			r.Fatal(err)
		}
		r.fill()
		item := r.one()
		if err := r.f.Drop(r.Context()); err != nil {
			r.Fatal(err)
		}
		_, put := r.f.Put(r.Context(), numbered(1))
		_, _, lease := r.f.Lease(r.Context(), 1, 0)
		_, stats := r.f.Stats(r.Context())
		for i, err := range []error{put, lease, stats, r.f.Complete(r.Context(), item, crawl.Page{})} {
			if !errors.Is(err, crawl.ErrDropped) {
				r.Errorf("call %d: got %v, want ErrDropped", i, err)
			}
		}
		r.wantEmpty("job")
		r.open(r.opt)
		if s := r.stats(); s.Known != 0 || len(s.Denied) != 0 || r.put(numbered(1)...) != 1 {
			r.Errorf("%+v", s)
		}
		if s, err := other.Stats(r.Context()); err != nil || s.Known != 5 {
			r.Errorf("the other job: %+v, %v", s, err)
		}
	}},
	{"a drop that was broken off is ended by another", func(r *rig) {
		r.fill()
		broken := &breaking{DB: r.db, left: 3}
		if err := crawl.Drop(r.Context(), broken, "job"); !errors.Is(err, errBroken) {
			r.Fatalf("got %v", err)
		}
		r.db = r.reopen(r.T, r.db)
		if _, err := crawl.Open(r.db, "job", r.opt); !errors.Is(err, crawl.ErrDropped) {
			r.Errorf("got %v, want ErrDropped", err)
		}
		r.wantEmpty("job")
	}},
	{"a job has a name, and not a long one", func(r *rig) {
		for _, name := range []string{"", strings.Repeat("x", 257)} {
			if _, err := crawl.Open(r.db, name, r.opt); !errors.Is(err, crawl.ErrTooLarge) {
				r.Errorf("%d bytes: %v", len(name), err)
			}
		}
	}},
}

func (r *rig) deny(reason string, list ...string) {
	r.Helper()
	var denied []crawl.Denied
	for _, u := range list {
		denied = append(denied, crawl.Denied{Reason: reason, URL: u})
	}
	if err := r.f.Deny(r.Context(), denied...); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) denied(reason string) []string {
	r.Helper()
	list, err := r.f.DeniedURLs(r.Context(), reason)
	if err != nil {
		r.Fatal(err)
	}
	return list
}

// fill puts rows of every kind into the job.
func (r *rig) fill() {
	r.open(crawl.Options{Limit: 2000})
	r.put(numbered(2500)...)
	r.complete(r.one(), crawl.Page{Result: []byte("x")})
	r.complete(r.one(), crawl.Page{Failed: true})
	if err := r.f.Fail(r.Context(), r.one(), r.clock.Now().Add(1e9), ""); err != nil {
		r.Fatal(err)
	}
	if err := r.f.Block(r.Context(), "b", r.clock.Now().Add(1e9)); err != nil {
		r.Fatal(err)
	}
	r.deny("X", "http://a/")
}

// wantEmpty drops the job and looks for rows that it left: those of a number that no job has.
func (r *rig) wantEmpty(job string) {
	r.Helper()
	if err := crawl.Drop(r.Context(), r.db, job); err != nil {
		r.Fatal(err)
	}
	err := r.db.View(func(tx crawl.Tx) error {
		for _, bucket := range []string{"state", "seen", "queue", "later", "reserve", "results", "errors", "denials", "denied", "blocks"} {
			for key := range tx.Scan("crawl."+bucket, nil) {
				if len(key) < 8 || key[7] == 1 { // the first job's number
					r.Errorf("%s: a row is left: %q", bucket, key)
				}
			}
		}
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
}

var errBroken = errors.New("broken off")

// breaking is a DB whose process ends after some transactions.
type breaking struct {
	crawl.DB
	left int
}

func (b *breaking) Update(f func(crawl.Tx) error) error {
	if b.left--; b.left < 0 {
		return errBroken
	}
	return b.DB.Update(f)
}
