package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/window"
)

// handleStartCrawl is POST /v2/crawl.
func handleStartCrawl(c *call) error {
	var url string
	o := engine.CrawlOptions{Owner: c.team}
	if err := c.body(c.labels(decode.WithUnsupported(decode.CrawlFields(&url, &o, c.limits.ZeroDataRetention)))); err != nil {
		return err
	}
	return startCrawl(c, url, o, crawlPath)
}

// startCrawl starts a crawl within the limits of the key. path is that of its status.
func startCrawl(c *call, url string, o engine.CrawlOptions, path string) error {
	if url == "" {
		return decode.Required("url", decode.WantURL)
	}
	if err := crawlMayStart(c, &o); err != nil {
		return err
	}
	done, err := c.roomToStart()
	if err != nil {
		return err
	}
	defer done()
	job, err := start(c, "crawl", func(ctx context.Context) (*engine.CrawlJob, error) { return c.api.engine.StartCrawl(ctx, url, o) })
	if err != nil {
		return err
	}
	c.credits.KeepFor(job.ID())
	body := started{Success: true, ID: job.ID(), URL: c.statusURL(path, job.ID())}
	if body.CrawlPlan, err = job.CrawlPlan(c.r.Context()); err != nil {
		return err
	}
	return replyStarted(c, job, body)
}

// crawlMayStart bounds the crawl by the key's limits.
func crawlMayStart(c *call, o *engine.CrawlOptions) (err error) {
	wanted := o.Limit
	if wanted == 0 {
		wanted = decode.DefaultPages
	}
	price := priceOf(o.Scrape, o.ZeroDataRetention)
	can, err := c.credits.ReserveUpTo(c.r.Context(), price, int64(wanted)*price)
	if err != nil {
		return err
	}
	if pages := int(can / price); pages < wanted {
		o.Limit = pages
	}
	o.MaxConcurrency = c.concurrencyOf(o.MaxConcurrency)
	o.IdempotencyKey, err = c.idempotencyKey()
	return err
}

// handleCrawlPreview is POST /v2/crawl/params-preview.
func handleCrawlPreview(c *call) error {
	var url, prompt string
	err := c.body(c.labels(decode.Fields{"url": decode.URL(&url), "prompt": decode.Text(&prompt, 1, decode.MaxPrompt)}))
	switch {
	case err != nil:
		return err
	case url == "":
		return decode.Required("url", decode.WantURL)
	case prompt == "":
		return decode.Required("prompt", "what to crawl, in words")
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

// activeCrawl is one of the team's running crawls.
type activeCrawl struct {
	ID        string           `json:"id"`
	TeamID    string           `json:"teamId"`
	URL       string           `json:"url"`
	CreatedAt *time.Time       `json:"created_at,omitempty"`
	Options   crawlOptionsBody `json:"options"`
}

// crawlsBody lists the team's running crawls.
type crawlsBody struct {
	Success bool          `json:"success"`
	Crawls  []activeCrawl `json:"crawls"`
}

// handleActiveCrawls is GET /v2/crawl/active.
func handleActiveCrawls(c *call) error {
	jobs, err := ofKind(c, true, (*engine.Job).Crawl)
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

// errorsWinnow is what only this service says of the pages that a crawl left out.
type errorsWinnow struct {
	Denied []deniedItem `json:"denied"`
}

// deniedItem has the URLs that are not part of a crawl for one reason.
type deniedItem struct {
	Reason string   `json:"reason"`
	Count  int      `json:"count"`
	URLs   []string `json:"urls"`
}

// handleCrawlErrors lists the pages that failed, and those that the crawl left out, with the reason.
func handleCrawlErrors(c *call, job *engine.CrawlJob) error {
	blocked, err := job.RobotsBlocked(c.r.Context())
	if err != nil {
		return err
	}
	denied, err := job.Denied(c.r.Context())
	if err != nil {
		return err
	}
	out := &errorsWinnow{[]deniedItem{}}
	for _, d := range denied {
		out.Denied = append(out.Denied, deniedItem{d.Reason, d.Count, append([]string{}, d.URLs...)})
	}
	return replyErrors(c, job, blocked, out)
}

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
	Budget        window.Budget `json:"budget,omitzero"`
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
		Profile: o.Profile, Winnow: winnowOptionsBody{o.LeftOut, o.CleanBelow, o.Render, o.MinConfidence, o.Revalidate, o.Budget},
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

// changesBody is a part of what a crawl that came again has found to have changed.
type changesBody struct {
	Success bool            `json:"success"`
	Status  engine.JobState `json:"status"`
	Changes []engine.Change `json:"changes"`
	Next    string          `json:"next,omitempty"`
}

// maxChanges is how many changes are in one answer, and about how many bytes.
const (
	maxChanges     = 1000
	maxChangeBytes = 10 << 20
)

// handleCrawlChanges lists what has changed since the earlier crawl; as lines, it follows the crawl to its end.
func handleCrawlChanges(c *call, job *engine.CrawlJob) error {
	skip, limit, err := windowOf(c)
	if err != nil {
		return err
	}
	from := uint64(skip)
	if streamType(c.r) == linesType {
		return streamChanges(c, job, from)
	}
	status, err := job.Status(c.r.Context()) // first: what is found later is in the next part
	if err != nil {
		return err
	}
	body, size := changesBody{Success: true, Status: status.State, Changes: []engine.Change{}}, 0
	for change, err := range job.StoredChanges(c.r.Context(), from) {
		if err != nil {
			return err
		}
		if len(body.Changes) == cmp.Or(limit, maxChanges) || size > maxChangeBytes {
			body.Next = changesURL(c, job.ID(), from)
			break
		}
		from, size, body.Changes = from+1, size+len(change.Diff), append(body.Changes, change)
	}
	if !status.State.Final() {
		body.Next = changesURL(c, job.ID(), from)
	}
	return c.reply(body)
}

func changesURL(c *call, id string, from uint64) string {
	return fmt.Sprintf("%s/changes?skip=%d", c.statusURL(crawlPath, id), from)
}

// streamChanges sends each change as a line as soon as it is found.
func streamChanges(c *call, job *engine.CrawlJob, from uint64) error {
	done, err := c.roomForStream()
	if err != nil {
		return err
	}
	defer done()
	out := &lines{w: c.w, kind: linesType}
	for change, err := range job.Changes(c.r.Context(), from) {
		if err != nil {
			return err
		}
		line, err := json.Marshal(change)
		if err != nil {
			return err
		}
		if err := out.send(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.send(nil)
}
