package httpapi

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// Limits of the service for crawls.
const (
	mostPages    = 1_000_000
	defaultPages = 10_000
	mostPatterns = 1000
	mostDepth    = 1000
	mostDelay    = 60 // seconds
	longestAsk   = 10_000
)

// startCrawl is POST /v2/crawl.
func (c *call) startCrawl() error {
	var url string
	o := engine.CrawlOptions{Owner: c.team}
	if err := c.body(c.labels(elsewhere(c.crawlFields(&url, &o)))); err != nil {
		return err
	}
	if url == "" {
		return required("url", wantURL)
	}
	if err := c.crawlMayStart(&o); err != nil {
		return err
	}
	job, err := c.start("crawl", func(ctx context.Context) (*engine.Job, error) { return c.api.engine.StartCrawl(ctx, url, o) })
	if err != nil {
		return err
	}
	c.promise(job.ID())
	body := started{Success: true, ID: job.ID(), URL: c.statusURL(crawlPath, job.ID())}
	if body.CrawlPlan, err = job.CrawlPlan(c.r.Context()); err != nil {
		return err
	}
	return c.reply(body)
}

// crawlMayStart bounds the crawl by the key's limits.
func (c *call) crawlMayStart(o *engine.CrawlOptions) (err error) {
	asked := o.Limit
	if asked == 0 {
		asked = defaultPages
	}
	price := priceOf(o.Scrape, o.ZeroDataRetention)
	can, err := c.affordUpTo(price, int64(asked)*price)
	if err != nil {
		return err
	}
	if pages := int(can / price); pages < asked {
		o.Limit = pages
	}
	o.MaxConcurrency = c.concurrencyOf(o.MaxConcurrency)
	o.IdempotencyKey, err = c.idempotencyKey()
	return err
}

func (c *call) crawlFields(url *string, o *engine.CrawlOptions) fields {
	return fields{
		"url":                    target(url),
		"prompt":                 text(&o.Prompt, 1, longestAsk),
		"includePaths":           texts(&o.IncludePaths, mostPatterns),
		"excludePaths":           texts(&o.ExcludePaths, mostPatterns),
		"regexOnFullURL":         flag(&o.RegexOnFullURL),
		"maxDepth":               wholeOr(&o.MaxDepth, 0, mostDepth),
		"maxDiscoveryDepth":      wholeOr(&o.MaxDiscoveryDepth, 0, mostDepth),
		"limit":                  whole(&o.Limit, 1, mostPages),
		"crawlEntireDomain":      flag(&o.CrawlEntireDomain),
		"allowExternalLinks":     flag(&o.AllowExternalLinks),
		"allowSubdomains":        flag(&o.AllowSubdomains),
		"sitemap":                sitemap(&o.Sitemap),
		"ignoreQueryParameters":  flag(&o.IgnoreQueryParameters),
		"deduplicateSimilarURLs": flagOr(&o.DeduplicateSimilarURLs),
		"ignoreRobotsTxt":        flag(&o.IgnoreRobotsTxt),
		"robotsUserAgent":        text(&o.RobotsUserAgent, 0, longestLabel),
		"delay":                  seconds(&o.Delay, mostDelay),
		"maxConcurrency":         whole(&o.MaxConcurrency, 1, mostConcurrency),
		"webhook":                webhook(&o.Webhook),
		"scrapeOptions":          inlaid(&o.Scrape, scrapeFields),
		"zeroDataRetention":      c.retention(&o.ZeroDataRetention),
	}
}

func sitemap(into *engine.SitemapMode) reader {
	return word(into, engine.SitemapInclude, engine.SitemapSkip, engine.SitemapOnly)
}

// crawlPreview is POST /v2/crawl/params-preview.
func (c *call) crawlPreview() error {
	var url, prompt string
	err := c.body(c.labels(fields{"url": target(&url), "prompt": text(&prompt, 1, longestAsk)}))
	switch {
	case err != nil:
		return err
	case url == "":
		return required("url", wantURL)
	case prompt == "":
		return required("prompt", "what to crawl, in words")
	}
	parameters, err := work(c, "crawl preview", func(ctx context.Context) (*engine.CrawlParameters, error) {
		return c.api.engine.CrawlPreview(ctx, url, prompt, engine.CrawlOptions{Owner: c.team})
	})
	if err != nil {
		return err
	}
	return c.reply(previewBody{true, parameters})
}

// previewBody is what a prompt means for a crawl.
type previewBody struct {
	Success bool                    `json:"success"`
	Data    *engine.CrawlParameters `json:"data"`
}

// activeCrawl is one of the team's crawls at work.
type activeCrawl struct {
	ID        string           `json:"id"`
	TeamID    string           `json:"teamId"`
	URL       string           `json:"url"`
	CreatedAt *time.Time       `json:"created_at,omitempty"`
	Options   crawlOptionsBody `json:"options"`
}

// crawlsBody lists the team's crawls at work.
type crawlsBody struct {
	Success bool          `json:"success"`
	Crawls  []activeCrawl `json:"crawls"`
}

// activeCrawls is GET /v2/crawl/active.
func (c *call) activeCrawls() error {
	jobs, err := c.ofTeam(true, engine.KindCrawl)
	if err != nil {
		return err
	}
	list := []activeCrawl{}
	for _, job := range jobs {
		s, err := job.Status(c.r.Context())
		if err != nil {
			return err
		}
		o, err := job.CrawlOptions(c.r.Context())
		if err != nil {
			return err
		}
		list = append(list, activeCrawl{s.ID, s.Owner, s.URL, stamp(s.CreatedAt), crawlOptionsOf(o)})
	}
	return c.reply(crawlsBody{true, list})
}
