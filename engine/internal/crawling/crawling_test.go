package crawling

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
	"github.com/winnow-go/winnow/fetch/weburl"
)

const (
	seed = "https://a.example/"
	away = "-> " // where a page redirects to
)

var errNoPage = errors.New("no such page")

// fakeSite implements Pages and Site: pages are the links of a URL, or where it leads.
type fakeSite struct {
	pages    map[string]string
	robots   string
	shut     error // of robots.txt
	outside  string
	sitemaps map[string][]string // by seed; "!" is a problem

	mu          sync.Mutex
	visited     []string
	corrections work.Corrections
	again       map[string]string // what pages come to that are got again; the others are errors
}

func (s *fakeSite) Again(_ context.Context, _ work.Correction, item crawl.Item, _ Ask) (Visit, error) {
	links, ok := s.again[item.URL]
	switch {
	case !ok:
		return Visit{}, errNoPage
	case links == "":
		return Visit{InTx: noMore}, nil
	}
	return Visit{Document: "again " + item.URL, URL: item.URL, Links: strings.Fields(links), InTx: noMore}, nil
}

func noMore(jobs.Tx, uint64, int) error { return nil }

func (s *fakeSite) Corrections() work.Corrections { return s.corrections }

func (s *fakeSite) Visit(ctx context.Context, item crawl.Item, ask Ask) (Visit, error) {
	url := item.URL
	for s.visit(url); strings.HasPrefix(s.pages[url], away); s.visit(url) {
		url = strings.TrimPrefix(s.pages[url], away)
		if err := ask.Onward(ctx, url); err != nil {
			return Visit{}, err
		}
	}
	links, ok := s.pages[url]
	if !ok {
		return Visit{}, errNoPage
	}
	return Visit{Tried: work.Tried{Credits: 1}, Document: url, URL: url, Links: strings.Fields(links)}, nil
}

func (s *fakeSite) visit(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.visited = append(s.visited, url)
}

func (s *fakeSite) Outside(href string) error {
	if s.outside != "" && strings.Contains(href, s.outside) {
		return errors.New("outside")
	}
	return nil
}

func (s *fakeSite) Robots(context.Context, string) (*robots.File, error) {
	return robots.Parse([]byte(s.robots)), s.shut
}

func (s *fakeSite) Sitemaps(_ context.Context, seed string) iter.Seq2[sitemap.URL, error] {
	return func(yield func(sitemap.URL, error) bool) {
		for _, u := range s.sitemaps[seed] {
			var err error
			if u == "!" {
				err = &sitemap.Problem{Sitemap: seed + "sitemap.xml"}
			}
			if !yield(sitemap.URL{Loc: u}, err) {
				return
			}
		}
	}
}

// options are of a crawl that follows links in its whole host, one page at a time.
func options(change ...func(*Options)) Options {
	o := Options{
		Seed: seed, Scope: scope.Options{Seed: seed, CrawlEntireDomain: true, DeduplicateSimilarURLs: true},
		Agent: "winnow", Sitemaps: true, Links: true, Workers: 1, Limit: 100,
	}
	for _, f := range change {
		f(&o)
	}
	return o
}

// runnerOf runs crawls of a site.
func runnerOf(t *testing.T, db work.DB, s *fakeSite, o Options) *work.Runner {
	t.Helper()
	return runnerOver(t, db, s, s, o)
}

func runnerOver(t *testing.T, db work.DB, p Pages, s Site, o Options) *work.Runner {
	t.Helper()
	return worktest.On(t, db, work.Kind{Drop: dropAll, Line: func(l *work.Line) (work.Task, work.LineOptions, error) { return Open(l, p, s, o) }})
}

func crawlOf(t *testing.T, s *fakeSite, o Options) (*work.Runner, jobs.Record) {
	t.Helper()
	return crawlOver(t, s, s, o)
}

func crawlOver(t *testing.T, p Pages, s Site, o Options) (*work.Runner, jobs.Record) {
	t.Helper()
	r := runnerOver(t, cache.NewMap(), p, s, o)
	return r, worktest.Run(t, r, worktest.Create(t, r, seed))
}

func statsOf(t *testing.T, r *work.Runner, id string) crawl.Stats {
	t.Helper()
	f, err := r.Frontier(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCrawl_takesWhatBelongsToIt(t *testing.T) {
	s := &fakeSite{
		robots: "User-agent: *\nDisallow: /shut",
		pages: map[string]string{
			seed:       seed + "1 " + seed + "shut " + seed + "moved " + "https://b.example/",
			seed + "1": seed + " " + seed + "2",
			seed + "2": "", seed + "moved": away + seed + "1", seed + "listed": "",
		},
		sitemaps: map[string][]string{seed: {seed + "listed", "!", seed + "shut/too"}},
	}
	r, got := crawlOf(t, s, options())
	stats := statsOf(t, r, got.ID)
	if got.State != jobs.Completed || stats.Done != 4 || stats.Failed != 0 || got.Credits != 4 { // "moved" leads to a page that another has
		t.Errorf("got %+v, %+v", got, stats)
	}
	if stats.Denied[string(scope.RobotsTxt)] != 2 || stats.Denied[string(scope.ExternalLink)] != 1 {
		t.Errorf("denied %v", stats.Denied)
	}
	if slices.ContainsFunc(s.visited, func(u string) bool { return strings.Contains(u, "shut") }) {
		t.Errorf("visited %v", s.visited)
	}
	problems := 0
	for e, err := range r.Records.Past(t.Context(), got.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Type == "sitemap" {
			problems++
		}
	}
	if problems != 1 {
		t.Errorf("%d events of sitemaps", problems)
	}
}

func TestCrawl_optionsThatLeaveSomethingOut(t *testing.T) {
	s := &fakeSite{
		robots:   "User-agent: *\nDisallow: /shut",
		pages:    map[string]string{seed: seed + "1 " + seed + "shut", seed + "1": "", seed + "shut": "", seed + "listed": ""},
		sitemaps: map[string][]string{seed: {seed + "listed"}},
	}
	for name, c := range map[string]struct {
		change func(*Options)
		want   int
	}{
		"all":         {func(*Options) {}, 3},
		"no robots":   {func(o *Options) { o.Agent = "" }, 4},
		"no sitemaps": {func(o *Options) { o.Sitemaps = false }, 2},
		"no links":    {func(o *Options) { o.Links = false }, 2},
	} {
		r, got := crawlOf(t, s, options(c.change))
		if stats := statsOf(t, r, got.ID); stats.Done != c.want {
			t.Errorf("%s: %+v", name, stats)
		}
	}
}

func TestCrawl_failsWhereItsSeedDoes(t *testing.T) {
	for name, c := range map[string]struct {
		site *fakeSite
		want string
	}{
		"no page":     {&fakeSite{}, errNoPage.Error()},
		"outside":     {&fakeSite{pages: map[string]string{seed: ""}, outside: "a.example"}, "outside"},
		"unreachable": {&fakeSite{pages: map[string]string{seed: ""}, shut: &UnreachableError{Err: errors.New("503")}}, "503"},
	} {
		if _, got := crawlOf(t, c.site, options()); got.State != jobs.Failed || got.Error != c.want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	s := &fakeSite{pages: map[string]string{seed + "1": ""}, sitemaps: map[string][]string{seed: {seed + "1"}}}
	if _, got := crawlOf(t, s, options()); got.State != jobs.Completed {
		t.Errorf("with a page of a sitemap: got %+v", got)
	}
}

// A host that doesn't give its robots.txt is asked again when it says so, but not after the last attempt.
func TestCrawl_waitsForRobots(t *testing.T) {
	next := time.Now().Add(time.Hour)
	err := &UnreachableError{Err: errors.New("503"), Next: next}
	for attempt, want := range map[int]time.Time{1: next, work.Attempts: {}} {
		out := unreachable(crawl.Item{Attempt: attempt}, err)
		if !out.RetryAt.Equal(want) || out.Failed != err.Err {
			t.Errorf("attempt %d: %+v", attempt, out)
		}
	}
}

// A crawl whose seed redirects to another host goes on there, also after a restart.
func TestCrawl_movesWithItsSeed(t *testing.T) {
	const there = "https://b.example/"
	s := &fakeSite{
		pages:    map[string]string{seed: away + there, there: there + "1 " + seed + "2", there + "1": "", there + "listed": ""},
		sitemaps: map[string][]string{there: {there + "listed"}},
	}
	db := cache.NewMap()
	r := runnerOf(t, db, s, options())
	got := worktest.Run(t, r, worktest.Create(t, r, seed))
	if stats := statsOf(t, r, got.ID); got.State != jobs.Completed || stats.Done != 3 || stats.Denied[string(scope.ExternalLink)] != 1 {
		t.Errorf("got %+v, %+v", got, stats)
	}
	task := func() string {
		c := &crawler{line: &work.Line{Job: r.Job(got)}, o: options()}
		first, err := scope.New(c.o.Scope)
		if err != nil {
			t.Fatal(err)
		}
		c.scope.Store(first)
		if err := c.rebased(); err != nil {
			t.Fatal(err)
		}
		return string(c.scope.Load().Judge(scope.Link{URL: there + "1"}).Reason)
	}
	if reason := task(); reason != "" {
		t.Errorf("after a restart it is left out: %s", reason)
	}
	if err := Drop(db, got.ID, false); err != nil {
		t.Fatal(err)
	}
	if reason := task(); reason == "" {
		t.Error("its move is still known after it was forgotten")
	}
}

func TestHidden_isWhatTheNewestWholeCrawlWasNotLedTo(t *testing.T) {
	db := cache.NewMap()
	everything := func([]byte) bool { return true }
	began := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	whole := func(id string, params json.RawMessage, urls ...string) {
		t.Helper()
		began = began.Add(time.Hour)
		err := db.Update(func(tx jobs.Tx) error {
			for _, u := range urls {
				if err := reached(tx, u, began); err != nil {
					return err
				}
			}
			return nil
		})
		if err := errors.Join(err, covered(db, jobs.Record{ID: id, Created: began, Params: params})); err != nil {
			t.Fatal(err)
		}
	}
	want := func(when, url string, want bool, covers func([]byte) bool) {
		t.Helper()
		if got, err := Hidden(db, url, covers); got != want || err != nil {
			t.Errorf("%s: %s is hidden: %v, %v", when, url, got, err)
		}
	}
	want("before any crawl", seed+"1", false, everything)
	whole("first", json.RawMessage(`1`), seed+"1", seed+"2")
	want("after a crawl", seed+"1", false, everything)
	whole("second", json.RawMessage(`2`), seed+"2")
	want("after one that wasn't led to it", seed+"1", true, everything)
	want("after one that was", seed+"2", false, everything)
	want("after one that doesn't cover it", seed+"1", false, func(params []byte) bool { return string(params) != "2" })
	for range maxCovered {
		whole("more", nil, seed+"2")
	}
	n := 0
	err := db.View(func(tx jobs.Tx) error {
		for range tx.Scan(coveredBucket, nil) {
			n++
		}
		return nil
	})
	if err != nil || n != maxCovered {
		t.Errorf("%d crawls are remembered, %v", n, err)
	}
	if err := Forget(db, []string{weburl.Key(seed+"1") + weburl.KeyEnd}); err != nil {
		t.Fatal(err)
	}
	want("when it is forgotten", seed+"1", false, everything)
}

func dropAll(db work.DB, job string) error { return Drop(db, job, true) }
