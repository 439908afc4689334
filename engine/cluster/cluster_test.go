package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// madeUp is a site of many hosts whose pages are fetched as the test lets them.
type madeUp struct {
	pages, hosts int

	mu      sync.Mutex
	turn    *sync.Cond
	allowed int            // pages that may still be fetched
	visits  map[string]int // by URL
	by      map[string]int // by member
	hold    string         // the member whose next page is held
	held    string         // that page
	fetched int            // how often it was when it was held
	goOn    bool           // it is held no more
	closed  bool
}

func newMadeUp(t *testing.T, pages, hosts int) *madeUp {
	s := &madeUp{pages: pages, hosts: hosts, visits: map[string]int{}, by: map[string]int{}}
	s.turn = sync.NewCond(&s.mu)
	t.Cleanup(func() { s.change(func() { s.closed = true }) })
	return s
}

func (s *madeUp) url(page int) string {
	return fmt.Sprintf("https://h%d.example/%d", page%s.hosts, page)
}

// change changes something that pages wait for.
func (s *madeUp) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	s.turn.Broadcast()
}

func (s *madeUp) look(f func() bool) func() bool {
	return func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return f()
	}
}

// visitor fetches for a member: a page leads to two others, as a tree does, and back to the first.
func (s *madeUp) visitor(name string) func(context.Context, Job, crawl.Item) Outcome {
	return func(ctx context.Context, job Job, item crawl.Item) (out Outcome) {
		s.await(ctx, name, item.URL)
		switch {
		case job.ID == "failing" && item.URL == s.url(0) && item.Attempt == 1:
			return Outcome{RetryAt: time.Now(), Cause: "once more"}
		case job.ID == "failing" && item.URL == s.url(1):
			panic("a page of the test")
		}
		var host, page int
		_, _ = fmt.Sscanf(item.URL, "https://h%d.example/%d", &host, &page)
		for _, to := range []int{2*page + 1, 2*page + 2, 0} {
			if to < s.pages {
				out.Page.Found = append(out.Page.Found, crawl.Found{URL: s.url(to), Hops: item.Hops + 1})
			}
		}
		out.Page.Result, out.Events = []byte(item.URL), [][]byte{[]byte(item.URL)}
		return out
	}
}

func (s *madeUp) await(ctx context.Context, name, url string) {
	defer context.AfterFunc(ctx, func() { s.change(func() {}) })()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.allowed == 0 && !s.closed && ctx.Err() == nil {
		s.turn.Wait()
	}
	s.allowed--
	s.visits[url]++
	s.by[name]++
	if s.hold != name {
		return
	}
	s.hold, s.held, s.fetched = "", url, s.visits[url]
	for !s.goOn && !s.closed {
		s.turn.Wait()
	}
}

// ended waits for the end of a job, and returns its events.
func ended(t *testing.T, m *Member, id string) (events []Event) {
	t.Helper()
	var last uint64
	until(t, "the end of the job", func() bool {
		now, err := m.Status(t.Context(), id)
		last = now.Events
		return err == nil && now.State == Ended
	})
	until(t, "its events", func() bool {
		more, err := m.Events(t.Context(), id, uint64(len(events)), 1000)
		events = append(events, more...)
		return err == nil && uint64(len(events)) >= last
	})
	return events
}

// Three members crawl a site. One loses its connection and is ended; another one, whose connection freezes while it fetches a page, comes
// back when the others have taken its shards and its page: each page is there once.
func TestMember_onePageOnceWhateverDies(t *testing.T) {
	const pages = 120
	s, addr := newMadeUp(t, pages, 30), host(t)
	jsB, frozen := dial(t, addr), newProxy(t, addr)
	a, b := join(t, dial(t, addr), s.visitor("a")), join(t, jsB, s.visitor("b"))
	c := join(t, dial(t, frozen.addr()), s.visitor("c"))
	until(t, "shares", func() bool { return len(a.Shards()) == 2 && len(b.Shards()) == 2 && len(c.Shards()) == 2 })
	must(t, started(t, a, s, Job{ID: "job", Limit: 1000}))
	s.change(func() { s.allowed = 30 })
	until(t, "30 pages", s.look(func() bool { return s.allowed == 0 }))

	jsB.Conn().Close()
	s.change(func() { s.hold, s.allowed = "c", 1000 })
	if err := b.Close(); err != nil {
		t.Errorf("a member without a connection is closed: %v", err)
	}
	until(t, "a page of c", s.look(func() bool { return s.held != "" }))
	frozen.freeze(true)
	until(t, "all shards of one", func() bool { return len(a.Shards()) == 6 })
	until(t, "the page that c has", s.look(func() bool { return s.visits[s.held] > s.fetched }))
	frozen.freeze(false)
	s.change(func() { s.goOn = true })

	events, seen := ended(t, a, "job"), map[string]bool{}
	for i, e := range events {
		if url := string(e.Data); e.Number != uint64(i+1) || seen[url] {
			t.Errorf("event %d has the number %d, and %s was there: %t", i+1, e.Number, url, seen[url])
		}
		seen[string(e.Data)] = true
	}
	if len(seen) != pages {
		t.Errorf("%d pages of %d", len(seen), pages)
	}
	until(t, "c is back", func() bool { return len(c.Shards()) == 3 })
	t.Logf("visits %v", s.by)

	if err := c.Leave(t.Context()); err != nil {
		t.Errorf("leave: %v", err)
	}
	until(t, "all shards of one again", func() bool { return len(a.Shards()) == 6 })
	limited(t, a, s)
	failing(t, a, s)
	cancelled(t, a, s)
}

// started starts a job that begins with the first page.
func started(t *testing.T, m *Member, s *madeUp, job Job) error {
	t.Helper()
	return settled(t, func() error { return m.Start(t.Context(), job, []crawl.Found{{URL: s.url(0)}}) })
}

// limited is a job that has more pages than it may have.
func limited(t *testing.T, m *Member, s *madeUp) {
	t.Helper()
	must(t, started(t, m, s, Job{ID: "limited", Limit: 17, Data: []byte(`{"a":1}`)}))
	if events := ended(t, m, "limited"); len(events) != 17 {
		t.Errorf("%d pages, want the limit of 17", len(events))
	}
	var now Status
	err := settled(t, func() (err error) { now, err = m.Status(t.Context(), "limited"); return err })
	if err != nil || now.Limit != 17 || string(now.Data) != `{"a":1}` {
		t.Errorf("got %+v, %v", now, err)
	}
}

// failing is a job whose first page is to be fetched again, and one of whose pages panics.
func failing(t *testing.T, m *Member, s *madeUp) {
	t.Helper()
	must(t, started(t, m, s, Job{ID: "failing", Limit: 3}))
	urls := map[string]bool{}
	for _, e := range ended(t, m, "failing") {
		urls[string(e.Data)] = true
	}
	if urls[s.url(1)] || !urls[s.url(0)] || !urls[s.url(2)] {
		t.Errorf("got %v, want all but page 1", urls)
	}
}

// cancelled is a job that is ended before it has fetched a page.
func cancelled(t *testing.T, m *Member, s *madeUp) {
	t.Helper()
	s.change(func() { s.allowed = 0 })
	must(t, started(t, m, s, Job{ID: "cancelled", Limit: 10}))
	must(t, settled(t, func() error { return m.Cancel(t.Context(), "cancelled") }))
	if events := ended(t, m, "cancelled"); len(events) != 0 {
		t.Errorf("%d pages", len(events))
	}
	removed(t, m, s, "cancelled")
	removed(t, m, s, "job")
	if err := settled(t, func() error { _, err := m.Status(t.Context(), "none"); return err }); !errors.Is(err, ErrUnknownJob) {
		t.Errorf("a job that isn't there: %v", err)
	}
}

// removed is a job that is unknown from then on, and can't be made again.
func removed(t *testing.T, m *Member, s *madeUp, id string) {
	t.Helper()
	for range 2 {
		if err := settled(t, func() error { return m.Remove(t.Context(), id) }); err != nil {
			t.Error(err)
		}
	}
	for what, do := range map[string]func() error{
		"status":            func() error { _, err := m.Status(t.Context(), id); return err },
		"events":            func() error { _, err := m.Events(t.Context(), id, 0, 10); return err },
		"cancel":            func() error { return m.Cancel(t.Context(), id) },
		"remove an unknown": func() error { return m.Remove(t.Context(), "none") },
	} {
		if err := settled(t, do); !errors.Is(err, ErrUnknownJob) {
			t.Errorf("%s: %s: %v, want ErrUnknownJob", id, what, err)
		}
	}
	if err := started(t, m, s, Job{ID: id, Limit: 10}); !errors.Is(err, ErrRemoved) {
		t.Errorf("%s is made again: %v", id, err)
	}
}

// Seeds of more bytes than the server takes in one message are in the job all the same. They are long, since each is a page to be fetched.
func TestStart_moreThanAMessageHas(t *testing.T) {
	s, js := newMadeUp(t, 1, 1), dial(t, host(t))
	s.allowed = 10_000
	m := join(t, js, s.visitor("a"))
	var seeds []crawl.Found
	size := 0
	for i := 0; size <= int(js.Conn().MaxPayload()); i++ {
		seeds = append(seeds, crawl.Found{URL: fmt.Sprintf("https://h%d.example/1?%d=%s", i%30, i, strings.Repeat("x", 6000))})
		size += len(seeds[i].URL)
	}
	until(t, "start", func() bool { return m.Start(t.Context(), Job{ID: "large", Limit: 10_000}, seeds) == nil })
	if events := ended(t, m, "large"); len(events) != len(seeds)+1 { // all lead to page 0
		t.Errorf("%d pages of %d", len(events), len(seeds)+1)
	}
}

// Pages of many hosts that lead to one address, which is itself found as well in the second job: it is there once.
func TestMember_whereRedirectsLead(t *testing.T) {
	const to = "https://end.example/"
	visit := func(_ context.Context, _ Job, item crawl.Item) Outcome {
		out := Outcome{Events: [][]byte{[]byte(item.URL)}, Page: crawl.Page{Result: []byte("a page")}}
		if item.URL != to {
			out.Moved = crawl.Found{URL: to}
		}
		return out
	}
	addr := host(t)
	a, b := join(t, dial(t, addr), visit), join(t, dial(t, addr), visit)
	until(t, "shares", func() bool { return len(a.Shards()) == 3 && len(b.Shards()) == 3 })
	var seeds []crawl.Found
	for i := range 12 {
		seeds = append(seeds, crawl.Found{URL: fmt.Sprintf("https://h%d.example/", i)})
	}
	for job, seeds := range map[string][]crawl.Found{"led": seeds, "found": append(seeds, crawl.Found{URL: to})} {
		until(t, "start", func() bool { return a.Start(t.Context(), Job{ID: job, Limit: 100}, seeds) == nil })
		if events := ended(t, b, job); len(events) != 1 {
			t.Errorf("%s: %d pages, want 1", job, len(events))
		}
	}
}

func TestOpen_namesTheOptionThatIsWrong(t *testing.T) {
	js := dial(t, host(t))
	right := Options{
		JetStream: js, Name: "x", Shards: 2, Local: func(int) (Store, error) { return cache.NewMap(), nil },
		Visit: func(context.Context, Job, crawl.Item) Outcome { return Outcome{} },
	}
	first, err := Open(t.Context(), right)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	for field, change := range map[string]func(*Options){
		"JetStream": func(o *Options) { o.JetStream = nil },
		"Local":     func(o *Options) { o.Local = nil },
		"Visit":     func(o *Options) { o.Visit = nil },
		"Name":      func(o *Options) { o.Name = "a.b" },
		"Shards":    func(o *Options) { o.Shards = 5000 },
		"TTL":       func(o *Options) { o.TTL = time.Millisecond },
		"Workers":   func(o *Options) { o.Workers = -1 },
		"Replicas":  func(o *Options) { o.Replicas = 6 },
		"Inbox":     func(o *Options) { o.InboxBytes = 1000 },
		"Shards is": func(o *Options) { o.Shards = 7 }, // another number than the cluster has
	} {
		o := right
		change(&o)
		if m, err := Open(t.Context(), o); m != nil || err == nil || !strings.Contains(err.Error(), "Options."+field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
