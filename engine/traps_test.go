package engine

import (
	"github.com/winnow-go/winnow/crawl/crawltest/trapsite"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/crawltest/mixedsite"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/formats"
)

// crawlCircles crawls a site, with a limit far above its pages.
func crawlCircles(t *testing.T, site http.Handler, o CrawlOptions) *CrawlJob {
	t.Helper()
	e := webEngine(t, nil, func(o *Options) { o.Hosts, o.MaxPages = map[string]http.Handler{"circles.example": site}, 8 })
	o.Scrape.Formats = []formats.Format{{Type: formats.Links}}
	o.Scrape.StoreInCache = new(false)
	job, err := e.Crawl(t.Context(), "https://circles.example/", o)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// A site of 3000 pages with traps of each kind takes at most a tenth more requests, and none of its pages is lost.
func TestCrawl_trapsAreLeft(t *testing.T) {
	t.Parallel()
	c := newCircles()
	var entrances []string
	for _, set := range []func() []string{c.spirals, c.calendars, c.parameters, c.templates} {
		entrances = append(entrances, set()...)
	}
	const needless = 300 // requests: for 3000 pages a tenth more
	c.tree(sized(3000), entrances...)
	job := crawlCircles(t, c, CrawlOptions{})
	fetched, wasted, lost := c.outcome()
	sum := 0
	for _, n := range wasted {
		sum += n
	}
	t.Logf("%d requests of real pages, %d of others: %v", fetched, sum, wasted)
	if len(lost) > 0 || fetched+sum > len(c.real)+needless {
		t.Errorf("%d of %d pages lost, %.10v; %d requests", len(lost), len(c.real), lost, fetched+sum)
	}
	list, err := job.Traps(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		t.Logf("%+v", p)
	}
	if !slices.ContainsFunc(list, func(p Trap) bool {
		return p.Kind == "repeat" && p.Pattern == "circles.example/trap/path/(…)" && p.Fetched > 0 && p.Left > 0
	}) {
		t.Errorf("the path that grows isn't among %+v", list)
	}
}

// Sites of one template, lists, calendars with events and paths that look like traps lose nothing.
func TestCrawl_ordinarySitesLoseNothing(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*circles){
		"shop": (*circles).shop, "old shop": (*circles).oldShop, "diary": (*circles).diary, "blog": (*circles).blog,
		"manual": (*circles).manual, "gallery": (*circles).gallery, "repository": (*circles).repository, "forum": (*circles).forum, "mirror": (*circles).mirror,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if raced && name != "shop" && name != "forum" {
				t.Skip("-race: two kinds of sites are enough for it")
			}
			c := newCircles()
			set(c)
			job := crawlCircles(t, c, CrawlOptions{})
			_, wasted, lost := c.outcome()
			list, err := job.Traps(t.Context())
			t.Logf("%d pages, %d lost, wasted %v; %+v", len(c.real), len(lost), wasted, list)
			if len(lost) > 0 || err != nil {
				t.Errorf("%d of %d pages lost: %.10v; %v", len(lost), len(c.real), lost, err)
			}
			if name != "forum" && len(list) > 0 {
				t.Errorf("left %+v", list)
			}
		})
	}
}

func TestCrawl_aMixedSiteLosesNothing(t *testing.T) {
	t.Parallel()
	pages := sized(600)
	if soak(10) == 10 {
		pages = 1000
	}
	site := mixedsite.New(mixedsite.Options{Seed: 1, Pages: pages})
	job := crawlCircles(t, site, CrawlOptions{})
	s, err := job.pageStats(t.Context())
	if err != nil || s.Denied[string(scope.Trap)] > 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A site with every trap needs no bound: what it must deliver is delivered.
func TestCrawl_aSiteWithEndlessTrapsEnds(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	const needless = 139 // documents: a tenth of a site of 1200 pages with its traps, which cost as much on a smaller one
	pages := 400
	if soak(10) == 10 {
		pages = 1200
	}
	o := trapsite.Options{Seed: 1, Pages: pages, SlowDelay: 20 * time.Millisecond, HugeBytes: 200 << 10}
	site := trapsite.New(o)
	o.Without = trapsite.Endless()
	want := trapsite.New(o).Want(trapsite.Want{})
	e := webEngine(t, nil, func(o *Options) { o.Hosts, o.MaxPages = site.Hosts(), 8 })
	job, err := e.Crawl(t.Context(), site.Seed(), CrawlOptions{Scrape: ScrapeOptions{Formats: []formats.Format{{Type: formats.Links}}, Timeout: 5 * time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	got := addressesOf(t, job)
	for _, href := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return trapsite.Want{}.Same(g, href) }) {
			t.Errorf("lost %s", href)
		}
	}
	requests := 0
	for _, n := range site.Hits() {
		requests += n
	}
	list, err := job.Traps(t.Context())
	t.Logf("%d wanted, %d requests, %d delivered; %+v", len(want), requests, len(got), list)
	if err != nil || len(got) > len(want)+needless {
		t.Errorf("%d delivered, want at most %d and %d more; %v", len(got), len(want), needless, err)
	}
}
