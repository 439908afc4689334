package decode

import (
	"maps"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// Limits of the service for crawls.
const (
	maxPages     = 1_000_000
	DefaultPages = 10_000
	MaxPatterns  = 1000
	maxDepth     = 1000
	maxDelay     = 60 // seconds
	MaxPrompt    = 10_000
)

// CrawlFields are those of a crawl. zdr permits zero data retention, here as in all bodies.
func CrawlFields(url *string, o *engine.CrawlOptions, zdr bool) Fields {
	return Fields{
		"url":                    URL(url),
		"prompt":                 Text(&o.Prompt, 0, MaxPrompt), // n8n's nodes send an empty one with every crawl
		"includePaths":           Texts(&o.IncludePaths, MaxPatterns),
		"excludePaths":           Texts(&o.ExcludePaths, MaxPatterns),
		"regexOnFullURL":         Flag(&o.RegexOnFullURL),
		"maxDepth":               wholeOr(&o.MaxDepth, 0, maxDepth),
		"maxDiscoveryDepth":      wholeOr(&o.MaxDiscoveryDepth, 0, maxDepth),
		"limit":                  Whole(&o.Limit, 1, maxPages),
		"crawlEntireDomain":      Flag(&o.CrawlEntireDomain),
		"allowExternalLinks":     Flag(&o.AllowExternalLinks),
		"allowSubdomains":        Flag(&o.AllowSubdomains),
		"sitemap":                sitemap(&o.Sitemap),
		"ignoreQueryParameters":  Flag(&o.IgnoreQueryParameters),
		"deduplicateSimilarURLs": flagOr(&o.DeduplicateSimilarURLs),
		"ignoreRobotsTxt":        Flag(&o.IgnoreRobotsTxt),
		"robotsUserAgent":        Text(&o.RobotsUserAgent, 0, MaxLabel),
		"delay":                  seconds(&o.Delay, maxDelay),
		"maxConcurrency":         Whole(&o.MaxConcurrency, 1, MaxConcurrency),
		"webhook":                webhook(&o.Webhook),
		"scrapeOptions":          inlaid(&o.Scrape, ScrapeFields),
		"zeroDataRetention":      retention(&o.ZeroDataRetention, zdr),
		"winnow":                 winnowCrawl(o),
	}
}

// winnowCrawl are the options of a crawl that only this service has.
func winnowCrawl(o *engine.CrawlOptions) Reader {
	f := Fields{"followTraps": Flag(&o.FollowTraps), "since": Text(&o.Since, 1, MaxLabel)}
	return Reader{func() Schema { return f.Shape().Titled("WinnowCrawlOptions") }, f.Read}
}

func sitemap(into *engine.SitemapMode) Reader {
	return Word(into, engine.SitemapInclude, engine.SitemapSkip, engine.SitemapOnly)
}

const (
	maxBatchURLs   = 100_000
	MaxConcurrency = 1000
	maxEvents      = 100
)

// BatchFields are those of a batch: the scrape options stand beside the URLs.
func BatchFields(urls *[]string, o *engine.BatchOptions, zdr bool) Fields {
	f := ScrapeFields(&o.Scrape)
	maps.Copy(f, Fields{
		"urls":              Texts(urls, maxBatchURLs),
		"webhook":           webhook(&o.Webhook),
		"maxConcurrency":    Whole(&o.MaxConcurrency, 1, MaxConcurrency),
		"ignoreInvalidURLs": flagOr(&o.IgnoreInvalidURLs),
		"appendToId":        Text(&o.AppendToID, 1, MaxLabel),
		"zeroDataRetention": retention(&o.ZeroDataRetention, zdr),
	})
	return f
}

// webhook reads where to send events. The engine checks it, and applies the egress policy when it sends one.
func webhook(into **engine.Webhook) Reader {
	return maybe(into, func(w *engine.Webhook) Reader {
		return shortOr("Webhook", "url", Text(&w.URL, 1, maxURL), Fields{
			"headers": texted(&w.Headers), "metadata": texted(&w.Metadata), "events": Texts(&w.Events, maxEvents),
			"secret": Text(&w.Secret, 0, maxText),
		})
	})
}

// ExtractFields are those of an extraction.
func ExtractFields(o *engine.ExtractOptions, zdr bool) Fields {
	return Fields{
		"urls":               Texts(&o.URLs, maxExtractURLs),
		"prompt":             Text(&o.Prompt, 0, MaxPrompt),
		"systemPrompt":       Text(&o.SystemPrompt, 0, MaxPrompt),
		"schema":             JSONObject(&o.Schema),
		"limit":              Whole(&o.Limit, 1, maxExtractPages),
		"ignoreSitemap":      Flag(&o.IgnoreSitemap),
		"includeSubdomains":  flagOr(&o.IncludeSubdomains),
		"allowExternalLinks": Flag(&o.AllowExternalLinks),
		"enableWebSearch":    Flag(&o.EnableWebSearch),
		"scrapeOptions":      inlaid(&o.Scrape, ScrapeFields),
		"showSources":        Flag(&o.ShowSources),
		"timeout":            span(&o.Timeout, time.Millisecond, minTimeout, maxJobTimeout),
		"ignoreInvalidURLs":  flagOr(&o.IgnoreInvalidURLs),
		"webhook":            webhook(&o.Webhook),
		"zeroDataRetention":  retention(&o.ZeroDataRetention, zdr),
		"agent":              unsupported,
		"urlTrace":           unsupported,
	}
}

// AgentFields are those of an agent.
func AgentFields(o *engine.AgentOptions, zdr bool) Fields {
	var name string
	return Fields{
		"prompt":                Text(&o.Prompt, 1, MaxPrompt),
		"urls":                  Texts(&o.URLs, maxAgentURLs),
		"schema":                JSONObject(&o.Schema),
		"maxCredits":            Whole(&o.MaxCredits, 1, maxCredits),
		"strictConstrainToURLs": Flag(&o.StrictConstrainToURLs),
		"model":                 Word(&name, "spark-1-pro", "spark-1-mini", "spark-2"),
		"effort":                Word(&o.Effort, engine.EffortLow, engine.EffortMedium, engine.EffortHigh),
		"webhook":               webhook(&o.Webhook),
		"zeroDataRetention":     retention(&o.ZeroDataRetention, zdr),
		"threadId":              unsupported,
		"mode":                  unsupported,
		"exchange":              unsupported,
	}
}

// Limits of the service for batches, extractions and agents.
const (
	maxExtractURLs  = 10
	maxExtractPages = 1000
	maxJobTimeout   = 24 * 3600 * 1000 // ms
	maxAgentURLs    = 100
	maxCredits      = 1_000_000
)

// Defaults of the service that are not the engine's.
const (
	DefaultExtractPages = 50
	DefaultAgentCredits = 2500
)
