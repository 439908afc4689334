package engine

import (
	"cmp"
	"slices"
	"time"

	"github.com/winnow-go/winnow/llm"
)

// CrawlParameters are the options of a crawl that can be derived from a description, in
// the service's spelling. What is unset (nil, empty, zero) has the default of
// [CrawlOptions].
type CrawlParameters struct {
	// URL is the seed.
	URL                string      `json:"url"`
	IncludePaths       []string    `json:"includePaths,omitempty"`
	ExcludePaths       []string    `json:"excludePaths,omitempty"`
	MaxDepth           *int        `json:"maxDepth,omitempty"`
	MaxDiscoveryDepth  *int        `json:"maxDiscoveryDepth,omitempty"`
	CrawlEntireDomain  *bool       `json:"crawlEntireDomain,omitempty"`
	AllowExternalLinks *bool       `json:"allowExternalLinks,omitempty"`
	AllowSubdomains    *bool       `json:"allowSubdomains,omitempty"`
	Sitemap            SitemapMode `json:"sitemap,omitempty"`

	IgnoreQueryParameters  *bool  `json:"ignoreQueryParameters,omitempty"`
	IgnoreRobotsTxt        *bool  `json:"ignoreRobotsTxt,omitempty"`
	RobotsUserAgent        string `json:"robotsUserAgent,omitempty"`
	DeduplicateSimilarURLs *bool  `json:"deduplicateSimilarURLs,omitempty"`
	// Delay in seconds.
	Delay float64 `json:"delay,omitempty"`
	Limit int     `json:"limit,omitempty"`

	// Usage of the model by [Engine.CrawlPreview], zero elsewhere: that of a crawl is in [JobStatus].
	Usage llm.Usage `json:"-"`
}

// Options returns o with those parameters where o is unset: what o has stays. A plain bool is unset where it is
// false.
func (p CrawlParameters) Options(o CrawlOptions) CrawlOptions {
	if len(o.IncludePaths) == 0 {
		o.IncludePaths = slices.Clone(p.IncludePaths)
	}
	if len(o.ExcludePaths) == 0 {
		o.ExcludePaths = slices.Clone(p.ExcludePaths)
	}
	o.MaxDepth = cmp.Or(o.MaxDepth, p.MaxDepth)
	o.MaxDiscoveryDepth = cmp.Or(o.MaxDiscoveryDepth, p.MaxDiscoveryDepth)
	o.Limit = cmp.Or(o.Limit, p.Limit)
	o.Sitemap = cmp.Or(o.Sitemap, p.Sitemap)
	o.DeduplicateSimilarURLs = cmp.Or(o.DeduplicateSimilarURLs, p.DeduplicateSimilarURLs)
	o.Delay = cmp.Or(o.Delay, time.Duration(p.Delay*float64(time.Second)))
	if o.RobotsUserAgent == "" && !o.IgnoreRobotsTxt { // one of them was the caller's word
		o.IgnoreRobotsTxt, o.RobotsUserAgent = isTrue(p.IgnoreRobotsTxt, false), p.RobotsUserAgent
	}
	o.CrawlEntireDomain = o.CrawlEntireDomain || isTrue(p.CrawlEntireDomain, false)
	o.AllowExternalLinks = o.AllowExternalLinks || isTrue(p.AllowExternalLinks, false)
	o.AllowSubdomains = o.AllowSubdomains || isTrue(p.AllowSubdomains, false)
	o.IgnoreQueryParameters = o.IgnoreQueryParameters || isTrue(p.IgnoreQueryParameters, false)
	return o
}

// parametersOf returns what options say. A plain bool counts only where it is true.
func parametersOf(url string, o CrawlOptions) CrawlParameters {
	said := func(b bool) *bool {
		if !b {
			return nil
		}
		return &b
	}
	return CrawlParameters{
		URL: url, IncludePaths: o.IncludePaths, ExcludePaths: o.ExcludePaths, MaxDepth: o.MaxDepth, MaxDiscoveryDepth: o.MaxDiscoveryDepth,
		CrawlEntireDomain: said(o.CrawlEntireDomain), AllowExternalLinks: said(o.AllowExternalLinks), AllowSubdomains: said(o.AllowSubdomains),
		Sitemap: o.Sitemap, IgnoreQueryParameters: said(o.IgnoreQueryParameters), IgnoreRobotsTxt: said(o.IgnoreRobotsTxt),
		RobotsUserAgent: o.RobotsUserAgent, DeduplicateSimilarURLs: o.DeduplicateSimilarURLs, Delay: o.Delay.Seconds(), Limit: o.Limit,
	}
}
