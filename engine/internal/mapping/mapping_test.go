package mapping

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// site is a site of pages with links. It notes what is fetched.
type site struct {
	pages   map[string]*Page
	failed  *PageError        // of every page that is not there
	files   map[string]string // sitemaps
	robots  string            // "" is none
	virtual string            // the only virtual host

	mu      sync.Mutex
	fetched []string
}

func (s *site) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetched = append(s.fetched, what)
}

var errMissing = errors.New("not there")

func (s *site) Page(_ context.Context, href string, _ time.Duration) (*Page, *PageError) {
	s.note(href)
	if p := s.pages[href]; p != nil {
		return p, nil
	}
	return nil, s.failed
}

func (s *site) Robots(_ context.Context, href string) (*robots.File, error) {
	s.note("robots.txt")
	if s.robots == "" {
		return nil, errMissing
	}
	return robots.Parse([]byte(s.robots)), nil
}

func (s *site) Fetch(_ context.Context, href string) (io.ReadCloser, error) {
	s.note(href)
	if s.files[href] == "" {
		return nil, errMissing
	}
	return io.NopCloser(strings.NewReader(s.files[href])), nil
}

func (s *site) Strange(from, to string) bool {
	return weburl.Hostname(to) == s.virtual && weburl.Hostname(from) != s.virtual
}

const home = "https://a.example/"

// run maps the site's home page.
func run(t *testing.T, s *site, c Cache, change func(*Request)) (Result, error) {
	t.Helper()
	r := requestFor(home, true, false)
	r.Sitemap, r.Cached, r.Timeout = Include, true, time.Minute
	if change != nil {
		change(&r)
	}
	ctx, clock := deadline.With(t.Context(), r.Timeout)
	defer clock.Stop()
	return Run(ctx, r, Deps{Site: s, Cache: c, Log: slog.New(slog.DiscardHandler)})
}

func cachedPages(hrefs ...string) shelf {
	c := shelf{}
	for _, href := range hrefs {
		c[href] = Link{URL: href, Title: "cached"}
	}
	return c
}

func TestRun_listsPageSitemapsAndCacheInThisOrder(t *testing.T) {
	s := &site{
		pages: map[string]*Page{home: {URL: home, Status: 200, Title: "Home", Links: []string{home + "b", home + "no"}}},
		files: map[string]string{home + "sitemap.xml": "<urlset><url><loc>" + home + "c</loc></url></urlset>"}, robots: "User-agent: *\nDisallow: /no",
	}
	got, err := run(t, s, cachedPages(home+"b", home+"d"), func(r *Request) { r.RobotsAgent = "winnow" })
	want := "{https://a.example/ [{https://a.example/ Home  <nil>} {https://a.example/b cached  <nil>} {https://a.example/c   <nil>} {https://a.example/d cached  <nil>}] [URLs that the site's robots.txt forbids are left out: 1.]}"
	if fmt.Sprint(got) != want || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestRun_aPageThatThePolicyRefusesEndsTheMap(t *testing.T) {
	s := &site{failed: &PageError{Reason: "BLOCKED", Refused: true, Err: errMissing}}
	if _, err := run(t, s, cachedPages(home+"b"), nil); !errors.Is(err, errMissing) || len(s.fetched) != 1 {
		t.Errorf("got %v, fetched %q", err, s.fetched)
	}
}

func TestRun_aSilentSiteIsNotAskedForMore(t *testing.T) {
	s := &site{failed: &PageError{Reason: "DNS", Silent: true, Err: errMissing}}
	if _, err := run(t, s, shelf{}, nil); !errors.Is(err, errMissing) || len(s.fetched) != 1 {
		t.Errorf("got %v, fetched %q", err, s.fetched)
	}
	got, err := run(t, s, cachedPages(home+"b", home+"c"), nil)
	if err != nil || len(got.Links) != 2 || strings.Join(got.Warnings, " ") != "The page itself could not be read (DNS)." || len(s.fetched) != 2 {
		t.Errorf("got %+v, %v, fetched %q", got, err, s.fetched)
	}
}

func TestRun_offlineNeitherRobotsNorFurtherPagesAreFetched(t *testing.T) {
	s := &site{pages: map[string]*Page{home: {URL: home, Status: 200, Links: []string{home + "b"}}}}
	got, err := run(t, s, shelf{}, func(r *Request) { r.Offline, r.RobotsAgent, r.Sitemap = true, "winnow", Skip })
	if err != nil || len(got.Links) != 2 || len(s.fetched) != 1 {
		t.Errorf("got %+v, %v, fetched %q", got, err, s.fetched)
	}
}

func TestRun_noVirtualHostIsReachedFromOutside(t *testing.T) {
	s := &site{failed: &PageError{Err: errMissing}, virtual: "inner.a.example", pages: map[string]*Page{
		home: {URL: home, Status: 200, Links: []string{"https://inner.a.example/x", "https://b.a.example/y"}},
	}}
	got, err := run(t, s, shelf{}, func(r *Request) { r.Sitemap = Skip })
	if fetched := strings.Join(s.fetched, " "); err != nil || len(got.Links) != 3 || fetched != home+" https://b.a.example/y" {
		t.Errorf("got %+v, %v, fetched %s", got, err, fetched)
	}
}

// broken is a cache that can't be read.
type broken struct{ Cache }

func (broken) Keys(context.Context, string, string, int) ([]string, error) { return nil, errMissing }

func TestRun_aBrokenCacheCostsOnlyItsPages(t *testing.T) {
	s := &site{pages: map[string]*Page{home: {URL: home, Status: 200}}}
	got, err := run(t, s, broken{}, func(r *Request) { r.Sitemap = Skip })
	if err != nil || len(got.Links) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRun_aPanicIsAnError(t *testing.T) {
	s := &site{pages: map[string]*Page{home: {URL: home, Status: 200}}}
	if _, err := run(t, s, nil, nil); err == nil || !strings.Contains(err.Error(), "panic: ") {
		t.Errorf("got %v", err)
	}
}
