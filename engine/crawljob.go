package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/crawl/scope"
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

// Trap is a form of address of which a crawl left pages out, since those that it fetched held nothing new.
type Trap struct {
	// Kind is "repeat" (paths that repeat themselves), "calendar", "query" (two parameters or more), "template", or
	// "circle": whatever is found on pages that held nothing new.
	Kind string `json:"kind"`
	// Pattern is the host and the form, such as a.example/events/{date}; of a circle the host alone.
	Pattern string `json:"pattern"`
	// Fetched pages of it, and how many of them held something new.
	Fetched int `json:"fetched"`
	New     int `json:"new"`
	// Left is how many links to it were left out; one that stands on several pages counts each time.
	Left int `json:"left"`
}

// Traps lists what the crawl left out under the reason "TRAP", by the form of address, most first. A form is left after some 6 to 24 pages
// in a row without new text or new links, more where earlier ones had them. Pages of sitemaps are never left out. Empty with
// [CrawlOptions.FollowTraps].
func (j *CrawlJob) Traps(ctx context.Context) (list []Trap, err error) {
	patterns, err := crawling.Traps(j.runner.DB(), j.id)
	if err != nil {
		return nil, j.fail(ctx, err)
	}
	for _, p := range patterns {
		list = append(list, Trap{string(p.Kind), p.Name, p.Fetched, p.New, p.Left})
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
