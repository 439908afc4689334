package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/traps"
	"github.com/winnow-go/winnow/engine/internal/crawling"
)

// CrawlJob is a crawl that [Engine.StartCrawl] started. Safe for concurrent use.
type CrawlJob struct {
	*Job
	jobDocuments
	jobRendering
}

func newCrawlJob(j *Job) *CrawlJob {
	return &CrawlJob{Job: j, jobDocuments: jobDocuments{j}, jobRendering: jobRendering{j}}
}

// CrawlOptions returns the options of the crawl, with defaults and what a model derived from its prompt.
func (j *CrawlJob) CrawlOptions(ctx context.Context) (CrawlOptions, error) {
	var p crawlParams
	err := j.params(ctx, &p)
	return p.Options, err
}

// CrawlPlan is what a crawl's [CrawlOptions.Prompt] led to.
type CrawlPlan struct {
	// Generated is what the model derived from the prompt.
	Generated CrawlParameters `json:"promptGeneratedOptions"`
	// Final is what the crawl runs with: the caller's own options, and Generated where those are unset.
	Final CrawlParameters `json:"finalCrawlerOptions"`
}

// CrawlPlan returns what the crawl's prompt led to; nil for a crawl without one.
func (j *CrawlJob) CrawlPlan(ctx context.Context) (*CrawlPlan, error) {
	var p crawlParams
	if err := j.params(ctx, &p); err != nil || p.Generated == nil {
		return nil, err
	}
	return &CrawlPlan{Generated: *p.Generated, Final: parametersOf(p.URL, p.Options)}, nil
}

// Denied is why URLs that a crawl found are not part of it.
type Denied struct {
	// Reason in the service's words, such as "EXTERNAL_LINK" or "ROBOTS_TXT".
	Reason string
	// Count of URLs, and the first 1000 of them.
	Count int
	URLs  []string
}

// Denied lists what the crawl left out, by reason.
func (j *CrawlJob) Denied(ctx context.Context) ([]Denied, error) {
	s, err := j.pageStats(ctx)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	var list []Denied
	for _, reason := range slices.Sorted(maps.Keys(s.Denied)) {
		urls, err := j.denied(ctx, reason)
		if err != nil {
			return nil, err
		}
		list = append(list, Denied{Reason: reason, Count: s.Denied[reason], URLs: urls})
	}
	return list, nil
}

// Traps lists the patterns of addresses of which the crawl left some out, under the reason "TRAP", since the pages of them that it
// fetched held nothing new; most left out first. Pages of sitemaps are never left out. Empty with [CrawlOptions.FollowTraps].
func (j *CrawlJob) Traps(ctx context.Context) ([]traps.Pattern, error) {
	list, err := crawling.Traps(j.runner.DB(), j.id)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	return list, nil
}

// RobotsBlocked lists the URLs that robots.txt forbids, at most 1000.
func (j *CrawlJob) RobotsBlocked(ctx context.Context) ([]string, error) {
	return j.denied(ctx, string(scope.RobotsTxt))
}

func (j *CrawlJob) denied(ctx context.Context, reason string) ([]string, error) {
	f, err := j.runner.Frontier(j.id)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	urls, err := f.DeniedURLs(ctx, reason)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	return urls, nil
}
