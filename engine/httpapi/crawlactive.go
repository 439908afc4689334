package httpapi

import (
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// crawlOptionsBody are a crawl's options as a request spells them, defaults left out. Its webhook is left out.
type crawlOptionsBody struct {
	Prompt                 string             `json:"prompt,omitempty"`
	IncludePaths           []string           `json:"includePaths,omitempty"`
	ExcludePaths           []string           `json:"excludePaths,omitempty"`
	RegexOnFullURL         bool               `json:"regexOnFullURL,omitempty"`
	MaxDepth               *int               `json:"maxDepth,omitempty"`
	MaxDiscoveryDepth      *int               `json:"maxDiscoveryDepth,omitempty"`
	Limit                  int                `json:"limit,omitempty"`
	CrawlEntireDomain      bool               `json:"crawlEntireDomain,omitempty"`
	AllowExternalLinks     bool               `json:"allowExternalLinks,omitempty"`
	AllowSubdomains        bool               `json:"allowSubdomains,omitempty"`
	Sitemap                engine.SitemapMode `json:"sitemap,omitempty"`
	IgnoreQueryParameters  bool               `json:"ignoreQueryParameters,omitempty"`
	DeduplicateSimilarURLs *bool              `json:"deduplicateSimilarURLs,omitempty"`
	IgnoreRobotsTxt        bool               `json:"ignoreRobotsTxt,omitempty"`
	RobotsUserAgent        string             `json:"robotsUserAgent,omitempty"`
	Delay                  float64            `json:"delay,omitempty"` // seconds
	MaxConcurrency         int                `json:"maxConcurrency,omitempty"`
	ScrapeOptions          scrapeOptionsBody  `json:"scrapeOptions"`
	Winnow                 winnowCrawlBody    `json:"winnow,omitzero"`
}

// winnowCrawlBody are the options of a crawl that only this service has.
type winnowCrawlBody struct {
	FollowTraps bool   `json:"followTraps,omitempty"`
	Since       string `json:"since,omitempty"`
}

// scrapeOptionsBody are scrape options as a request spells them, defaults left out. Headers, actions' texts and passwords may be
// secrets that not all of a team know: headers and passwords are left out, of actions there are only the types.
type scrapeOptionsBody struct {
	Formats             []formats.Format  `json:"formats,omitempty"`
	OnlyMainContent     *bool             `json:"onlyMainContent,omitempty"`
	OnlyCleanContent    bool              `json:"onlyCleanContent,omitempty"`
	IncludeTags         []string          `json:"includeTags,omitempty"`
	ExcludeTags         []string          `json:"excludeTags,omitempty"`
	MaxAge              *int64            `json:"maxAge,omitempty"` // ms, as all times
	MinAge              *int64            `json:"minAge,omitempty"`
	WaitFor             int64             `json:"waitFor,omitempty"`
	Timeout             int64             `json:"timeout,omitempty"`
	Mobile              bool              `json:"mobile,omitempty"`
	SkipTLSVerification *bool             `json:"skipTlsVerification,omitempty"`
	Parsers             []engine.Parser   `json:"parsers,omitempty"`
	Actions             []actionType      `json:"actions,omitempty"`
	Location            *engine.Location  `json:"location,omitempty"`
	RemoveBase64Images  *bool             `json:"removeBase64Images,omitempty"`
	BlockAds            *bool             `json:"blockAds,omitempty"`
	Proxy               engine.ProxyTier  `json:"proxy,omitempty"`
	StoreInCache        *bool             `json:"storeInCache,omitempty"`
	Lockdown            bool              `json:"lockdown,omitempty"`
	Profile             *engine.Profile   `json:"profile,omitempty"`
	Winnow              winnowOptionsBody `json:"winnow,omitzero"`
}

// winnowOptionsBody are the options that only this service has.
type winnowOptionsBody struct {
	LeftOut       bool          `json:"leftOut,omitempty"`
	CleanBelow    float64       `json:"cleanBelow,omitempty"`
	Render        engine.Render `json:"render,omitempty"`
	MinConfidence float64       `json:"minConfidence,omitempty"`
	Revalidate    bool          `json:"revalidate,omitempty"`
}

// actionType is what an action does, without on what.
type actionType struct {
	Type actions.Type `json:"type"`
}

func crawlOptionsOf(o engine.CrawlOptions) crawlOptionsBody {
	return crawlOptionsBody{
		Prompt: o.Prompt, IncludePaths: o.IncludePaths, ExcludePaths: o.ExcludePaths, RegexOnFullURL: o.RegexOnFullURL, MaxDepth: o.MaxDepth,
		MaxDiscoveryDepth: o.MaxDiscoveryDepth, Limit: o.Limit, CrawlEntireDomain: o.CrawlEntireDomain, AllowExternalLinks: o.AllowExternalLinks,
		AllowSubdomains: o.AllowSubdomains, Sitemap: o.Sitemap, IgnoreQueryParameters: o.IgnoreQueryParameters,
		DeduplicateSimilarURLs: o.DeduplicateSimilarURLs, IgnoreRobotsTxt: o.IgnoreRobotsTxt, RobotsUserAgent: o.RobotsUserAgent,
		Delay: o.Delay.Seconds(), MaxConcurrency: o.MaxConcurrency, ScrapeOptions: scrapeOptionsOf(o.Scrape),
		Winnow: winnowCrawlBody{o.FollowTraps, o.Since},
	}
}

func scrapeOptionsOf(o engine.ScrapeOptions) scrapeOptionsBody {
	b := scrapeOptionsBody{
		Formats: o.Formats, OnlyMainContent: o.OnlyMainContent, OnlyCleanContent: o.OnlyCleanContent, IncludeTags: o.IncludeTags,
		ExcludeTags: o.ExcludeTags, MaxAge: millis(o.MaxAge), MinAge: millis(o.MinAge), WaitFor: o.WaitFor.Milliseconds(),
		Timeout: o.Timeout.Milliseconds(), Mobile: o.Mobile, SkipTLSVerification: o.SkipTLSVerification, Location: o.Location,
		RemoveBase64Images: o.RemoveBase64Images, BlockAds: o.BlockAds, Proxy: o.Proxy, StoreInCache: o.StoreInCache, Lockdown: o.Lockdown,
		Profile: o.Profile, Winnow: winnowOptionsBody{o.LeftOut, o.CleanBelow, o.Render, o.MinConfidence, o.Revalidate},
	}
	for _, p := range o.Parsers {
		p.Password = ""
		b.Parsers = append(b.Parsers, p)
	}
	for _, a := range o.Actions {
		b.Actions = append(b.Actions, actionType{a.Type})
	}
	return b
}

func millis(d *time.Duration) *int64 {
	if d == nil {
		return nil
	}
	return new(d.Milliseconds())
}
