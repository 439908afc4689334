package crawling

import (
	"context"
	"slices"
	"testing"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Where redirects lead is judged before they are followed: nothing that is forbidden is fetched, and each page once, whatever leads to it.
func TestCrawl_judgesRedirectsBeforeItFollowsThem(t *testing.T) {
	to := func(path string) string { return away + seed + path }
	s := &fakeSite{
		robots: "User-agent: *\nDisallow: /shut",
		pages: map[string]string{
			seed:        seed + "r1 " + seed + "r2 " + seed + "r3 " + seed + "target " + seed + "to-shut " + seed + "out " + seed + "far",
			seed + "r1": to("target"), seed + "r2": to("target"), seed + "r3": to("hop"), seed + "hop": to("target"), seed + "target": "",
			seed + "to-shut": to("shut"), seed + "shut": "", seed + "out": away + "https://b.example/", "https://b.example/": "",
			seed + "far": to("far/2"), seed + "far/2": to("far/3"), seed + "far/3": "",
		},
	}
	for _, workers := range []int{1, 4} {
		s.visited = nil
		r, got := crawlOf(t, s, options(func(o *Options) { o.Workers = workers }))
		stats := statsOf(t, r, got.ID)
		if got.State != jobs.Completed || stats.Done != 3 || stats.Denied[string(scope.RobotsTxt)] != 1 || stats.Denied[string(scope.Redirect)] != 1 {
			t.Errorf("got %+v, %+v", got, stats)
		}
		slices.Sort(s.visited)
		if again := slices.Compact(slices.Clone(s.visited)); len(again) != len(s.visited) {
			t.Errorf("%d workers: visited %v, each once", workers, s.visited)
		}
		for _, never := range []string{seed + "shut", "https://b.example/"} {
			if slices.Contains(s.visited, never) {
				t.Errorf("%s was fetched", never)
			}
		}
	}
}

// A page that is led by way of another's way, and comes to an address of its own, is not lost.
func TestCrawl_pagesShareAWay(t *testing.T) {
	s := &sharedWay{fakeSite: &fakeSite{pages: map[string]string{seed: seed + "1 " + seed + "2 " + seed + "3"}}}
	r, got := crawlOver(t, s, s.fakeSite, options(func(o *Options) { o.Workers = 3 }))
	if stats := statsOf(t, r, got.ID); stats.Done != 4 {
		t.Errorf("got %+v", stats)
	}
}

// sharedWay leads each page to one address that sets a cookie, and back.
type sharedWay struct{ *fakeSite }

func (s *sharedWay) Visit(ctx context.Context, item crawl.Item, ask Ask) (Visit, error) {
	if item.URL != seed {
		for _, to := range []string{seed + "cookie", item.URL} {
			if err := ask.Onward(ctx, to); err != nil {
				return Visit{}, err
			}
		}
		return Visit{Document: item.URL, URL: item.URL}, nil
	}
	return s.fakeSite.Visit(ctx, item, ask)
}

// A page is fetched twice where a link to it is found while another page is on its way there. It is paid once, as it gives one document.
func TestCrawl_whatIsFetchedTwiceCostsOnce(t *testing.T) {
	pages := map[string]string{seed: seed + "old " + seed + "list", seed + "old": away + seed + "new", seed + "list": seed + "new", seed + "new": ""}
	s := &crossing{&fakeSite{pages: pages}, make(chan struct{}), make(chan struct{})}
	r, got := crawlOver(t, s, s.fakeSite, options(func(o *Options) { o.Workers = 2 }))
	stats := statsOf(t, r, got.ID)
	slices.Sort(s.visited)
	if want := []string{seed, seed + "list", seed + "new", seed + "new", seed + "old"}; !slices.Equal(s.visited, want) {
		t.Fatalf("visited %v, want %v", s.visited, want)
	}
	if got.State != jobs.Completed || stats.Done != 3 || got.Credits != 3 {
		t.Errorf("got %+v, %+v, want three pages and three credits", got, stats)
	}
}

// crossing has the list of new pages come when the old one is on its way, which ends when the new one is there.
type crossing struct {
	*fakeSite
	led, there chan struct{}
}

func (s *crossing) Visit(ctx context.Context, item crawl.Item, ask Ask) (Visit, error) {
	switch item.URL {
	case seed + "old":
		judge := ask.Onward
		ask.Onward = func(ctx context.Context, to string) error {
			err := judge(ctx, to)
			close(s.led)
			<-s.there
			return err
		}
	case seed + "list":
		<-s.led
	case seed + "new":
		defer close(s.there)
	}
	return s.fakeSite.Visit(ctx, item, ask)
}
