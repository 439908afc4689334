package engine

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl/crawltest/trapsite"
	"github.com/winnow-go/winnow/formats"
)

// crawlOptions are the crawl's for what a trap site is asked to list.
func crawlOptions(w trapsite.Want) CrawlOptions {
	return CrawlOptions{
		IncludePaths: w.IncludePaths, ExcludePaths: w.ExcludePaths, RegexOnFullURL: w.RegexOnFullURL,
		MaxDepth: w.MaxDepth, MaxDiscoveryDepth: w.MaxDiscoveryDepth, Limit: w.Limit,
		CrawlEntireDomain: w.CrawlEntireDomain, AllowSubdomains: w.AllowSubdomains, AllowExternalLinks: w.AllowExternalLinks,
		IgnoreQueryParameters: w.IgnoreQueryParameters, DeduplicateSimilarURLs: w.DeduplicateSimilarURLs,
		Sitemap: SitemapMode(w.Sitemap), IgnoreRobotsTxt: w.IgnoreRobotsTxt,
	}
}

// addressesOf the job's documents.
func addressesOf(t *testing.T, job documented) (urls []string) {
	t.Helper()
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Error(err)
			return urls
		}
		urls = append(urls, doc.Metadata.URL)
	}
	return urls
}

// A crawl delivers the site's own list, no more, no less, each page once, per option.
func TestCrawl_ofASiteWithEveryTrap(t *testing.T) {
	t.Parallel()
	without := trapsite.Endless()
	quick := append(trapsite.Endless(), "slowhosts") // what a host's delay comes to is the same for each option
	// Where a page is found on a long way first, what lies behind it may be beyond the depth.
	shortcut := []string{"shortcut"}
	var crawls sync.WaitGroup
	slots := make(chan struct{}, 4)
	inRaces := []string{"as it is", "both", "one link"}
	for name, c := range map[string]struct {
		without []string
		want    trapsite.Want
	}{
		"as it is":             {without, trapsite.Want{}},
		"entire domain":        {quick, trapsite.Want{CrawlEntireDomain: true}},
		"subdomains":           {quick, trapsite.Want{AllowSubdomains: true}},
		"external links":       {quick, trapsite.Want{AllowExternalLinks: true}},
		"both":                 {without, trapsite.Want{AllowSubdomains: true, AllowExternalLinks: true}},
		"no sitemap":           {quick, trapsite.Want{Sitemap: "skip"}},
		"sitemap only":         {quick, trapsite.Want{Sitemap: "only"}},
		"no robots.txt":        {without, trapsite.Want{IgnoreRobotsTxt: true}},
		"no queries":           {shortcut, trapsite.Want{IgnoreQueryParameters: true, MaxDiscoveryDepth: new(4)}},
		"each spelling a page": {quick, trapsite.Want{DeduplicateSimilarURLs: new(false)}},
		"include":              {quick, trapsite.Want{IncludePaths: []string{"/docs/"}}},
		"exclude":              {quick, trapsite.Want{ExcludePaths: []string{"/docs/.*1"}}},
		"on the full URL":      {quick, trapsite.Want{ExcludePaths: []string{`\?`}, RegexOnFullURL: true}},
		"depth":                {quick, trapsite.Want{MaxDepth: new(1)}},
		"no depth":             {quick, trapsite.Want{MaxDepth: new(0)}},
		"one link":             {nil, trapsite.Want{MaxDiscoveryDepth: new(1)}},
		"three links":          {shortcut, trapsite.Want{MaxDiscoveryDepth: new(3)}},
	} {
		if raced && !slices.Contains(inRaces, name) {
			continue
		}
		crawls.Go(func() { // half of their time they wait for slow hosts, so a few at once
			slots <- struct{}{}
			defer func() { <-slots }()
			site := trapsite.New(trapsite.Options{Seed: 1, Without: c.without, SlowDelay: 20 * time.Millisecond, HugeBytes: 200 << 10})
			e := webEngine(t, nil, func(o *Options) { o.Hosts, o.MaxPages = site.Hosts(), 8 })
			o := crawlOptions(c.want)
			o.Scrape.Timeout = 5 * time.Minute // a page of five thousand links on a machine that is busy
			if name != "as it is" {
				o.Scrape.Formats = []formats.Format{{Type: formats.Links}} // what is made of a page isn't what these are about
			}
			job, err := e.Crawl(t.Context(), site.Seed(), o)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			got := addressesOf(t, job)
			if diff := site.Diff(c.want, got); diff != "" {
				errs, err := job.Errors(t.Context())
				t.Errorf("%s: %s\nfailed: %v, %v", name, diff, errs, err)
			}
			if twice := site.Twice(); len(twice) != 0 {
				t.Errorf("%s: fetched twice: %v", name, twice)
			}
			if s, err := job.Status(t.Context()); err != nil || s.State != JobCompleted || s.Completed != len(got) || s.Total != s.Completed+s.Failed {
				t.Errorf("%s: %+v, %v", name, s, err)
			}
		})
	}
	crawls.Wait()
}
