package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
)

// CrawlOptions are the options of a crawl. The zero value crawls what the site's sitemaps list and the links at and
// below the seed's path, at most 10,000 pages as markdown.
type CrawlOptions struct {
	// IncludePaths: only URLs that one of these regular expressions matches are crawled;
	// ExcludePaths: URLs that one of these matches aren't. They are Go's, unanchored, on the
	// path alone, or on the full URL with RegexOnFullURL. At most 1000 in both together,
	// 2000 characters each.
	IncludePaths, ExcludePaths []string
	RegexOnFullURL             bool
	// MaxDepth is how many path segments below the seed's path a URL may have. Nil: any.
	MaxDepth *int
	// MaxDiscoveryDepth is how many links away from the seed or a sitemap's page a URL may
	// be. Nil: any.
	MaxDiscoveryDepth *int
	// Limit of pages, 1 to 1,000,000. Zero is 10,000. Pages that fail don't count.
	Limit int
	// CrawlEntireDomain follows links to the whole host, not only to what is below the
	// seed's path; AllowSubdomains to all hosts of the registrable domain;
	// AllowExternalLinks one link off the site.
	CrawlEntireDomain, AllowSubdomains, AllowExternalLinks bool
	// Sitemap says whether the site's sitemaps are read. Empty is [SitemapInclude].
	Sitemap SitemapMode
	// IgnoreQueryParameters treats URLs that differ only in their query as one page.
	IgnoreQueryParameters bool
	// DeduplicateSimilarURLs treats http and https, with and without www., trailing slash and index file as one page; and
	// tracking parameters, session ids, the order of parameters and doubled slashes as none of the page's, once the site's
	// pages have shown that they make no difference there. Such URLs are among [CrawlJob.Denied] as DUPLICATE_URL. Pages
	// whose text is another at each request show nothing of the kind. Nil is true.
	DeduplicateSimilarURLs *bool
	// IgnoreRobotsTxt fetches what robots.txt forbids, in frames of pages too. RobotsUserAgent is the product token whose rules in the file
	// count. Empty is "winnow".
	IgnoreRobotsTxt bool
	RobotsUserAgent string
	// FollowTraps fetches pages also where others of the same form of address, such as the months of an endless calendar, held
	// nothing new: no other text and no way to further pages. [CrawlJob.Traps] lists what is left out without it.
	FollowTraps bool
	// Since is [SinceLast], or the id of a crawl of the same owner, seed and options (but for limits of time, number and pace), whose
	// pages this one goes on from; see [CrawlJob.Changes]. Each page that it had is requested conditionally, if it was got by plain HTTP,
	// else whole; one is not requested where the sitemap has the date of before and has been right so far. Some pages, a hundredth and at
	// least 16 of a host, are fetched whole nevertheless. Where that shows that a site spoke for a page which had changed, all that it
	// spoke for is fetched. Only pages that were added or changed give documents and cost credits. All that it has count for Limit. What
	// is needed for this is kept, of each page its markdown if that is among the formats (at most 1 MiB), until a crawl of the same
	// owner, seed and options without Since has ended; without [Options.Dir] for a day. An id of another owner or kind, of a crawl that
	// isn't the last, or one while another crawl goes on from it, is refused. Empty: each page counts as new.
	Since string
	// Delay between two requests to one host, at most 60 s. With one, a host gets one
	// request at a time. A Crawl-delay of robots.txt counts where it is longer.
	Delay time.Duration
	// MaxConcurrency bounds the pages that are active at once. Zero is [Options.MaxPages].
	MaxConcurrency int
	// Webhook receives the events of the job. Nil: none is sent.
	Webhook *Webhook
	// Scrape are the options of each page. Owner, ZeroDataRetention and ObeyRobots belong
	// to the crawl and must be unset; Lockdown crawls the cache.
	Scrape ScrapeOptions
	// Record is the file of an archive that is written of all that the crawl fetches, robots.txt and sitemaps included, by HTTP client and
	// browser alike, as by [Options.Record], which then hasn't it: its name ends in ".wacz", ".warc.gz" or ".warc". Where it exists it gets a
	// number, as in "site-2.wacz": so do those of engines that go on with the crawl. Nothing is taken from the cache. It is whole once the
	// crawl has ended, which fails where it can't be written. Unset with Since, ZeroDataRetention, Lockdown of Scrape, and
	// [Options.Replay]. Empty: the crawl has none of its own.
	Record string
	// Prompt describes in plain words what to crawl, at most 10,000 characters: before the crawl starts,
	// [Options.Model] derives options from it as [Engine.CrawlPreview] does. Options that are set here win;
	// [CrawlJob.CrawlPlan] has the outcome. Empty: no model is called.
	Prompt string
	// Owner is the tenant that owns the job.
	Owner string
	// ZeroDataRetention keeps the job in memory only: the job and its documents are gone when the engine closes.
	ZeroDataRetention bool
	// IdempotencyKey makes a repeated call find the job of the first; the same key with
	// another request is a [CodeIdempotency] error. Empty: none.
	IdempotencyKey string
}

// SinceLast is a [CrawlOptions.Since]: the last crawl of the same owner, seed and options that has ended. Where there is none, each page is
// an added one.
const SinceLast = "last"

// EventSitemap is the type of an event that reports a problem with a sitemap. Its Data is an object with url and
// error.
const EventSitemap = "sitemap"

// Limits of a crawl.
const (
	defaultCrawlLimit = 10_000
	maxCrawlLimit     = 1_000_000
	maxCrawlDelay     = 60 * time.Second
	maxConcurrency    = 1000
)

// crawlParams are what a crawl is resumed with; their JSON is stored.
type crawlParams struct {
	URL     string       `json:"url"`
	Options CrawlOptions `json:"options"`
	// Generated is what a model derived from the prompt; the Options are complete.
	Generated *CrawlParameters `json:"generated,omitempty"`
	// Used is what that took.
	Used llm.Usage `json:"used,omitzero"`
}

// StartCrawl starts a crawl and returns at once. The job runs in the background until it has ended or the engine
// closes; with [Options.Dir] the next engine resumes it. With a Prompt it returns when the options are derived.
func (e *Engine) StartCrawl(ctx context.Context, url string, o CrawlOptions) (*CrawlJob, error) {
	job, err := e.startCrawl(ctx, url, o)
	if err != nil {
		return nil, refusal(KindCrawl, url, err, o.private())
	}
	return newCrawlJob(job), nil
}

func (e *Engine) startCrawl(ctx context.Context, url string, o CrawlOptions) (*Job, error) {
	href, err := e.checkCrawl(url, o)
	if err != nil {
		return nil, err
	}
	if err := e.checkSince(ctx, href, o); err != nil {
		return nil, err
	}
	asked := o
	asked.Limit = cmp.Or(o.Limit, defaultCrawlLimit)
	params, err := json.Marshal(crawlParams{URL: href, Options: asked})
	if err == nil && !o.private() {
		err = e.spread.Refuse(KindCrawl, params)
	}
	if err != nil {
		return nil, err
	}
	n := jobs.New{
		Kind: KindCrawl, Owner: o.Owner, URL: url, Params: params, Webhook: (*jobs.Webhook)(o.Webhook), IdempotencyKey: o.IdempotencyKey,
	}
	if o.Prompt != "" {
		return e.startPlanned(ctx, n, crawlParams{URL: href, Options: o})
	}
	return e.startJob(ctx, o.private(), n, noPreparation)
}

// startPlanned has a model complete the options before the crawl starts. A repeated request finds its job without
// another call of the model.
func (e *Engine) startPlanned(ctx context.Context, n jobs.New, p crawlParams) (*Job, error) {
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	private := p.Options.private()
	n.Request = n.Params
	runner := e.runnerFor(private)
	if r, found, err := runner.Records.Earlier(ctx, n); err != nil || found {
		job := jobOf(runner, r)
		job.found = found
		return job, jobError(err)
	}
	generated, used, err := e.planCrawl(ctx, p.URL, p.Options)
	if err != nil {
		return nil, failure(ctx, KindCrawl, n.URL, err)
	}
	p.Generated, p.Options, p.Used = generated, generated.Options(p.Options), used
	p.Options.Limit = cmp.Or(p.Options.Limit, defaultCrawlLimit)
	if n.Params, err = json.Marshal(p); err != nil {
		return nil, err
	}
	return e.startJob(ctx, private, n, func(j *work.Job) error { return j.Spend(used, 0) })
}

// Crawl is StartCrawl that waits for the end. When ctx ends first, the job is
// cancelled.
func (e *Engine) Crawl(ctx context.Context, url string, o CrawlOptions) (*CrawlJob, error) {
	job, err := e.StartCrawl(ctx, url, o)
	if err != nil {
		return nil, err
	}
	return job, job.finish(ctx)
}

// private reports whether the job leaves no trace.
func (o CrawlOptions) private() bool { return o.ZeroDataRetention || o.Scrape.Lockdown }

// checkCrawl checks every option and returns the normalised seed.
func (e *Engine) checkCrawl(url string, o CrawlOptions) (string, error) {
	if err := checkCrawlOptions(o); err != nil {
		return "", err
	}
	p, err := e.resolve(url, o.page())
	if err != nil {
		return "", err
	}
	if _, err := scope.New(o.scope(p.URL)); err != nil {
		return "", ownOption(err)
	}
	return p.URL, e.taped.Check(o.Record, o.private() || o.Since != "")
}

func checkCrawlOptions(o CrawlOptions) error {
	if err := o.Sitemap.validate("sitemap"); err != nil {
		return err
	}
	if err := checkPrompt("prompt", o.Prompt); err != nil {
		return err
	}
	switch {
	case o.Limit < 0 || o.Limit > maxCrawlLimit:
		return &OptionError{Field: "limit", Value: o.Limit, Want: fmt.Sprintf("1 to %d, or 0 for %d", maxCrawlLimit, defaultCrawlLimit)}
	case o.Delay < 0 || o.Delay > maxCrawlDelay:
		return &OptionError{Field: "delay", Value: o.Delay, Want: fmt.Sprintf("0 to %s", maxCrawlDelay)}
	case o.IgnoreRobotsTxt && o.RobotsUserAgent != "":
		return &OptionError{Field: "robotsUserAgent", Value: o.RobotsUserAgent, Want: "unset with ignoreRobotsTxt"}
	case o.Scrape.ObeyRobots || o.Scrape.RobotsUserAgent != "":
		return &OptionError{Field: "scrapeOptions.obeyRobots", Value: true, Want: "unset: a crawl obeys robots.txt unless ignoreRobotsTxt is set"}
	}
	return checkJobOptions(o.MaxConcurrency, o.Scrape, "scrapeOptions.")
}

// checkJobOptions are the rules of crawl and batch alike.
func checkJobOptions(concurrency int, o ScrapeOptions, prefix string) error {
	switch {
	case concurrency < 0 || concurrency > maxConcurrency:
		return &OptionError{Field: "maxConcurrency", Value: concurrency, Want: fmt.Sprintf("1 to %d, or 0 for the engine's own", maxConcurrency)}
	case o.Owner != "":
		return &OptionError{Field: prefix + "owner", Value: o.Owner, Want: "unset: it is the job's"}
	case o.ZeroDataRetention:
		return &OptionError{Field: prefix + "zeroDataRetention", Value: true, Want: "unset: it is the job's"}
	case o.OnStep != nil:
		return &OptionError{Field: prefix + "onStep", Value: "set", Want: "unset: a job goes on in other processes"}
	}
	return nil
}

// page returns the options of each page.
func (o CrawlOptions) page() ScrapeOptions {
	p := o.Scrape
	p.Owner, p.ZeroDataRetention = o.Owner, o.ZeroDataRetention
	p.Revalidate = p.Revalidate || o.Since != ""
	return p
}

func (o CrawlOptions) scope(seed string) scope.Options {
	return scope.Options{
		Seed:                   seed,
		IncludePaths:           o.IncludePaths,
		ExcludePaths:           o.ExcludePaths,
		RegexOnFullURL:         o.RegexOnFullURL,
		MaxDepth:               o.MaxDepth,
		MaxDiscoveryDepth:      o.MaxDiscoveryDepth,
		CrawlEntireDomain:      o.CrawlEntireDomain,
		AllowSubdomains:        o.AllowSubdomains,
		AllowExternalLinks:     o.AllowExternalLinks,
		IgnoreQueryParameters:  o.IgnoreQueryParameters,
		DeduplicateSimilarURLs: isTrue(o.DeduplicateSimilarURLs, true),
	}
}
