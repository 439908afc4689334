package engine

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/formats"
)

// MapOptions are the options of one map. The zero value lists up to 5000 URLs of the
// site and its subdomains.
type MapOptions struct {
	// Search puts what is about it in front: the 500 most relevant URLs by their words,
	// titles and descriptions (BM25; no model, no network), then the others. At most 1000 characters.
	Search string
	// Sitemap says what the site's sitemaps are for. Empty is [SitemapInclude]. With
	// [SitemapSkip], or where there is none, links come from the page, the cache and a look
	// at up to 100 pages, breadth first.
	Sitemap SitemapMode
	// IgnoreSitemap is the older spelling of [SitemapSkip]. Refused beside another Sitemap.
	IgnoreSitemap bool
	// IncludeSubdomains lists all hosts of the registrable domain (by the public suffix list),
	// else the page's own alone, with and without "www.". Nil is true.
	IncludeSubdomains *bool
	// IgnoreQueryParameters lists URLs without their query, each once. Nil is true.
	IgnoreQueryParameters *bool
	// FilterByPath lists only what is at or below the page's path, on every host of the site:
	// with /docs also /docs/a, not /docs-old. Of a page such as /docs/index.html the folder
	// counts. Nil is true.
	FilterByPath *bool
	// AllowExternalLinks lists links to other sites too: pages, not home pages, and no social media.
	AllowExternalLinks bool
	// IncludePaths and ExcludePaths are Go regular expressions on the path, as of a crawl:
	// unanchored, exclusion first; on other sites ExcludePaths are on the URL. At most 1000
	// in both, 2000 characters each, 100 000 in all.
	IncludePaths, ExcludePaths []string
	// Limit of URLs, 1 to 100 000. Zero is 5000.
	Limit int
	// Timeout after which the map ends with what it has found so far, and a warning; with
	// nothing found it is a [CodeMapTimeout] error. Installing a browser isn't counted. At
	// most 30 minutes. Zero: none, but each part has its own: the page 60 s, the sitemaps
	// 30 s, the look at further pages 60 s.
	Timeout time.Duration
	// IgnoreCache fetches the page and the sitemaps anew, else a page of up to 2 and
	// sitemaps of up to 7 days are taken from the cache. UseIndex then defaults to false.
	IgnoreCache bool
	// UseIndex lists cached pages of the site too, of any age, whoever had them fetched, and
	// takes titles and descriptions from them. Nil is true, false with IgnoreCache.
	UseIndex *bool
	// Location that the pages are shown. It needs a browser, as in a scrape; the sitemaps are
	// asked for with its languages, by a proxy of its country.
	Location *Location
	// Headers are sent to the page's own origin, and to no other. What is got with them is
	// neither kept nor taken from the cache.
	Headers map[string]string
	// Lockdown lists from the cache alone: nothing leaves the process, and no error tells
	// the URL. With nothing stored of the site the error is [CodeLockdownMiss].
	Lockdown bool
	// ObeyRobots fetches nothing that robots.txt forbids, keeps to its Crawl-delay between
	// further pages, and leaves URLs of the page's own origin out that it forbids, with a
	// warning. A page that it forbids is a [CodeRobots] error where nothing else tells of the site.
	ObeyRobots bool
	// RobotsUserAgent is the robot that ObeyRobots asks about: see [ScrapeOptions].
	RobotsUserAgent string
	// Owner whom the credits belong to.
	Owner string
	// ZeroDataRetention keeps nothing of the map: neither pages, sitemaps nor robots.txt; no
	// error tells the URL. Refused unless [Options.AllowZeroDataRetention] is set.
	ZeroDataRetention bool
}

// Limits of a map.
const (
	defaultMapLimit = 5000
	mostMapLimit    = 100_000
	longestMap      = 30 * time.Minute
	longestSearch   = 1000 // characters
	mapPageTime     = 60 * time.Second
	mapSitemapTime  = 30 * time.Second
	mapSitemapAge   = 7 * 24 * time.Hour
	mostMapSitemaps = 25
)

// mapPlan is a map with its defaults filled in and every option checked.
type mapPlan struct {
	source string // the URL as asked for
	url    string // normalised
	search string

	sitemap SitemapMode
	index   bool
	limit   int
	most    int // URLs that are kept until they are ranked and cut
	timeout time.Duration

	byPath     bool
	stripQuery bool
	scope      scope.Options

	page ScrapeOptions // how a page is got
}

// resolveMap fills in defaults and checks every option.
func (e *Engine) resolveMap(url string, o MapOptions) (*mapPlan, error) {
	p := &mapPlan{
		source:     url,
		search:     strings.TrimSpace(o.Search),
		index:      isTrue(o.UseIndex, !o.IgnoreCache),
		limit:      orDefault(o.Limit, defaultMapLimit),
		timeout:    orDefault(o.Timeout, longestMap),
		byPath:     isTrue(o.FilterByPath, true),
		stripQuery: isTrue(o.IgnoreQueryParameters, true),
		page:       o.scrape(),
	}
	if err := p.check(o); err != nil {
		return nil, err
	}
	page, err := e.resolve(url, p.page) // its rules are the map's too
	if err != nil {
		return nil, err
	}
	p.url = page.url
	p.scope = scope.Options{
		Seed: p.url, IncludePaths: o.IncludePaths, ExcludePaths: o.ExcludePaths,
		CrawlEntireDomain: true, AllowSubdomains: isTrue(o.IncludeSubdomains, true), AllowExternalLinks: o.AllowExternalLinks,
		IgnoreQueryParameters: p.stripQuery, DeduplicateSimilarURLs: true,
	}
	_, err = scope.New(p.scope)
	return p, err
}

// scrape is how the map's pages are got.
func (o *MapOptions) scrape() ScrapeOptions {
	page := ScrapeOptions{
		Formats: []formats.Format{{Type: formats.Links}}, OnlyMainContent: new(false),
		Headers: o.Headers, Location: o.Location, Owner: o.Owner,
		Lockdown: o.Lockdown, ZeroDataRetention: o.ZeroDataRetention,
		ObeyRobots: o.ObeyRobots, RobotsUserAgent: o.RobotsUserAgent,
	}
	if o.IgnoreCache {
		page.MaxAge = new(time.Duration(0))
	}
	return page
}

func (p *mapPlan) check(o MapOptions) error {
	if err := o.Sitemap.validate("sitemap"); err != nil {
		return err
	}
	p.sitemap = orDefault(o.Sitemap, SitemapInclude)
	if o.IgnoreSitemap {
		if o.Sitemap != "" && o.Sitemap != SitemapSkip {
			return &OptionError{Field: "ignoreSitemap", Value: true, Want: "false with sitemap " + string(o.Sitemap)}
		}
		p.sitemap = SitemapSkip
	}
	if o.Lockdown && o.IgnoreCache {
		return &OptionError{Field: "ignoreCache", Value: true, Want: "false with lockdown, which lists from the cache"}
	}
	return p.checkRanges()
}

func (p *mapPlan) checkRanges() error {
	switch {
	case p.limit < 1 || p.limit > mostMapLimit:
		return &OptionError{Field: "limit", Value: p.limit, Want: fmt.Sprintf("1 to %d", mostMapLimit)}
	case p.timeout < 0 || p.timeout > longestMap:
		return &OptionError{Field: "timeout", Value: p.timeout, Want: fmt.Sprintf("0 (none) to %s", longestMap)}
	case utf8.RuneCountInString(p.search) > longestSearch:
		return &OptionError{Field: "search", Value: p.search, Want: fmt.Sprintf("at most %d characters", longestSearch)}
	}
	p.most = p.limit
	if p.search != "" {
		p.most = mostMapLimit // what is most relevant may come last
	}
	return nil
}

func (p *mapPlan) private() bool { return p.page.Lockdown || p.page.ZeroDataRetention }

// pageAt is how the page at a URL is got: the caller's headers stay at their origin.
func (p *mapPlan) pageAt(href string) ScrapeOptions {
	o := p.page
	if !sameOrigin(p.url, href) {
		o.SkipTLSVerification = new(skipTLS(o))
		o.Headers = nil
	}
	return o
}

// sitemaps is how the sitemaps are got.
func (p *mapPlan) sitemaps() ScrapeOptions {
	o := p.page
	if o.MaxAge == nil && !o.Lockdown {
		o.MaxAge = new(mapSitemapAge)
	}
	return o
}
