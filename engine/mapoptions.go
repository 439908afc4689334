package engine

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/mapping"
	"github.com/winnow-go/winnow/fetch/weburl"
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
	// IgnoreCache fetches the page and the sitemaps again, else a page of up to 2 and
	// sitemaps of up to 7 days are taken from the cache. UseIndex then defaults to false.
	IgnoreCache bool
	// UseIndex lists cached pages of the site too, of any age and any owner's request, and
	// takes titles and descriptions from them. Nil is true, false with IgnoreCache.
	UseIndex *bool
	// Location that the pages are shown. It needs a browser, as in a scrape; the sitemaps are
	// asked for with its languages, by a proxy of its country.
	Location *Location
	// Headers are sent to the page's own origin, and to no other. What is got with them is
	// neither kept nor taken from the cache.
	Headers map[string]string
	// Lockdown lists from the cache alone: nothing leaves the process, and no error contains
	// the URL. With nothing stored of the site the error is [CodeLockdownMiss].
	Lockdown bool
	// ObeyRobots fetches nothing that robots.txt forbids, keeps to its Crawl-delay between
	// further pages, and leaves URLs of the page's own origin out that it forbids, with a
	// warning. A page that it forbids is a [CodeRobots] error where nothing else of the site is known.
	ObeyRobots bool
	// RobotsUserAgent is the robot that ObeyRobots asks about: see [ScrapeOptions].
	RobotsUserAgent string
	// Owner is the tenant that pays the credits.
	Owner string
	// ZeroDataRetention keeps nothing of the map: neither pages, sitemaps nor robots.txt; no
	// error contains the URL. Refused unless [Options.AllowZeroDataRetention] is set.
	ZeroDataRetention bool
}

// Limits of a map.
const (
	defaultMapLimit = 5000
	maxMapTimeout   = 30 * time.Minute
	maxMapSearch    = 1000 // characters
	mapSitemapAge   = 7 * 24 * time.Hour
)

// mapPlan is a map with its defaults filled in and every option checked.
type mapPlan struct {
	request mapping.Request
	page    ScrapeOptions // how a page is got
}

// resolveMap fills in defaults and checks every option.
func (e *Engine) resolveMap(url string, o MapOptions) (*mapPlan, error) {
	p := &mapPlan{page: o.scrape()}
	if err := o.check(); err != nil {
		return nil, err
	}
	page, err := e.resolve(url, p.page) // its rules are the map's too
	if err != nil {
		return nil, err
	}
	p.request = o.request(page)
	_, err = scope.New(p.request.Scope)
	return p, err
}

// request is the map of a page.
func (o *MapOptions) request(page *plan) mapping.Request {
	strip := isTrue(o.IgnoreQueryParameters, true)
	return mapping.Request{
		URL:     page.URL,
		Search:  strings.TrimSpace(o.Search),
		Sitemap: mapping.Mode(o.sitemapMode()),
		Cached:  isTrue(o.UseIndex, !o.IgnoreCache),
		Limit:   cmp.Or(o.Limit, defaultMapLimit),
		Timeout: cmp.Or(o.Timeout, maxMapTimeout),
		ByPath:  isTrue(o.FilterByPath, true), StripQuery: strip,
		Scope: scope.Options{
			Seed: page.URL, IncludePaths: o.IncludePaths, ExcludePaths: o.ExcludePaths,
			CrawlEntireDomain: true, AllowSubdomains: isTrue(o.IncludeSubdomains, true), AllowExternalLinks: o.AllowExternalLinks,
			IgnoreQueryParameters: strip, DeduplicateSimilarURLs: true,
		},
		Offline: o.Lockdown, RobotsAgent: page.RobotsAgent,
	}
}

// sitemapMode is what the site's sitemaps are for.
func (o *MapOptions) sitemapMode() SitemapMode {
	if o.IgnoreSitemap {
		return SitemapSkip
	}
	return cmp.Or(o.Sitemap, SitemapInclude)
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

func (o *MapOptions) check() error {
	if err := o.Sitemap.validate("sitemap"); err != nil {
		return err
	}
	search := strings.TrimSpace(o.Search)
	switch {
	case o.IgnoreSitemap && o.Sitemap != "" && o.Sitemap != SitemapSkip:
		return &OptionError{Field: "ignoreSitemap", Value: true, Want: "false with sitemap " + string(o.Sitemap)}
	case o.Lockdown && o.IgnoreCache:
		return &OptionError{Field: "ignoreCache", Value: true, Want: "false with lockdown, which lists from the cache"}
	case o.Limit < 0 || o.Limit > mapping.MaxLinks:
		return &OptionError{Field: "limit", Value: o.Limit, Want: fmt.Sprintf("1 to %d", mapping.MaxLinks)}
	case o.Timeout < 0 || o.Timeout > maxMapTimeout:
		return &OptionError{Field: "timeout", Value: o.Timeout, Want: fmt.Sprintf("0 (none) to %s", maxMapTimeout)}
	case utf8.RuneCountInString(search) > maxMapSearch:
		return &OptionError{Field: "search", Value: search, Want: fmt.Sprintf("at most %d characters", maxMapSearch)}
	}
	return nil
}

func (p *mapPlan) private() bool { return p.page.Lockdown || p.page.ZeroDataRetention }

// pageAt is how the page at a URL is got: the caller's headers stay at their origin.
func (p *mapPlan) pageAt(href string) ScrapeOptions {
	o := p.page
	if !weburl.SameOrigin(p.request.URL, href) {
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
