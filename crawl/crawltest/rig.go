package crawltest

import (
	"slices"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// rig is a store, a clock and a frontier, with steps that fail the test when they don't work.
type rig struct {
	*testing.T
	db     crawl.DB
	clock  *Clock
	f      *crawl.Frontier
	reopen func(t *testing.T, db crawl.DB) crawl.DB
	opt    crawl.Options
}

func newRig(t *testing.T, db crawl.DB, reopen func(*testing.T, crawl.DB) crawl.DB) *rig {
	t.Helper()
	r := &rig{T: t, db: db, clock: NewClock(), reopen: reopen}
	r.open(crawl.Options{})
	return r
}

// open opens the job with other options.
func (r *rig) open(o crawl.Options) {
	r.Helper()
	o.Now = r.clock.Now
	f, err := crawl.Open(r.db, "job", o)
	if err != nil {
		r.Fatal(err)
	}
	r.f, r.opt = f, o
}

// restart is the end of the process and the next one's beginning. The Pace is a new one.
func (r *rig) restart() {
	r.Helper()
	r.db = r.reopen(r.T, r.db)
	r.opt.Pace = nil
	r.open(r.opt)
}

func (r *rig) put(found ...crawl.Found) int {
	r.Helper()
	n, err := r.f.Put(r.Context(), found)
	if err != nil {
		r.Fatal(err)
	}
	return n
}

// urls makes Founds of plain URLs.
func urls(list ...string) (found []crawl.Found) {
	for _, u := range list {
		found = append(found, crawl.Found{URL: u})
	}
	return found
}

func (r *rig) leaseWait(n int) ([]crawl.Item, crawl.Wait) {
	r.Helper()
	items, wait, err := r.f.Lease(r.Context(), n, time.Minute)
	if err != nil {
		r.Fatal(err)
	}
	return items, wait
}

func (r *rig) lease(n int) []crawl.Item {
	r.Helper()
	items, _ := r.leaseWait(n)
	return items
}

// one leases the one item that must be ready.
func (r *rig) one() crawl.Item {
	r.Helper()
	items := r.lease(1)
	if len(items) != 1 {
		r.Fatalf("leased %d items, want 1", len(items))
	}
	return items[0]
}

func (r *rig) complete(item crawl.Item, page crawl.Page) {
	r.Helper()
	if err := r.f.Complete(r.Context(), item, page); err != nil {
		r.Fatal(err)
	}
}

// drain completes all that is ready, one after the other, and returns the URLs in order.
func (r *rig) drain() (order []string) {
	r.Helper()
	for {
		items := r.lease(1)
		if len(items) == 0 {
			return order
		}
		order = append(order, items[0].URL)
		r.complete(items[0], crawl.Page{})
	}
}

func (r *rig) stats() crawl.Stats {
	r.Helper()
	s, err := r.f.Stats(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	if s.Known != s.Queued+s.Leased+s.Done+s.Failed+s.Kept {
		r.Errorf("known URLs don't add up: %+v", s)
	}
	return s
}

func (r *rig) results() []crawl.Result { r.Helper(); return all(r.T, r.f.Results) }
func (r *rig) errors() []crawl.Result  { r.Helper(); return all(r.T, r.f.Errors) }

func (r *rig) wantURLs(what string, got []string, want ...string) {
	r.Helper()
	if !slices.Equal(got, want) {
		r.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func urlsOf[T any](list []T, url func(T) string) (out []string) {
	for _, one := range list {
		out = append(out, url(one))
	}
	return out
}

func itemURL(i crawl.Item) string     { return i.URL }
func resultURL(r crawl.Result) string { return r.URL }
