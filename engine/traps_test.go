package engine

import (
	"net/http"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

// crawlCircles crawls a site, with a limit far above its pages.
func crawlCircles(t *testing.T, c *circles, o CrawlOptions) *CrawlJob {
	t.Helper()
	e := webEngine(t, nil, func(o *Options) { o.Hosts, o.MaxPages = map[string]http.Handler{"circles.example": c}, 8 })
	o.Scrape.Formats = []formats.Format{{Type: formats.Links}}
	o.Scrape.StoreInCache = new(false)
	job, err := e.Crawl(t.Context(), "https://circles.example/", o)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// A site of 3000 pages with traps of each kind takes at most 1.1 times as many requests, and none of its pages is lost.
func TestCrawl_trapsAreLeft(t *testing.T) {
	t.Parallel()
	c := newCircles()
	var entrances []string
	for _, set := range []func() []string{c.spirals, c.calendars, c.parameters, c.templates} {
		entrances = append(entrances, set()...)
	}
	c.tree(3000, entrances...)
	job := crawlCircles(t, c, CrawlOptions{})
	fetched, wasted, lost := c.outcome()
	sum := 0
	for _, n := range wasted {
		sum += n
	}
	t.Logf("%d requests of real pages, %d of others: %v", fetched, sum, wasted)
	if len(lost) > 0 || fetched+sum > len(c.real)*11/10 {
		t.Errorf("%d of %d pages lost, %.10v; %d requests", len(lost), len(c.real), lost, fetched+sum)
	}
	list, err := job.Traps(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		t.Logf("%+v", p)
	}
}
