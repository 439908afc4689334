package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// The first version of the service, for clients that still speak it: its bodies are read into the options of the second, and
// documents are given in its shape. The OpenAPI document describes the second alone, but for maps.
const (
	crawlPathV1 = "/v1/crawl"
	batchPathV1 = "/v1/batch/scrape"
)

// tableV1 lists the routes of the first version. A batch is read as a crawl too, which is how its clients wait for one, and errors are
// also read by DELETE, which is what they send.
func tableV1() []route {
	list := []route{
		{"POST /v1/scrape", EndpointScrape, 1, handleScrapeV1},
		{"GET /v1/scrape/{id}", EndpointStatus, 0, handleScrapeByID},
		{"POST " + crawlPathV1, EndpointCrawl, 1, handleStartCrawlV1},
		{"GET " + crawlPathV1 + "/active", EndpointStatus, 0, handleActiveCrawls},
		{"POST " + batchPathV1, EndpointBatch, 1, handleStartBatchV1},
		{"POST /v1/search", EndpointSearch, 2, handleSearchV1},
		{"POST /v1/extract", EndpointExtract, 1, handleStartExtractV1},
		{"GET /v1/extract/{id}", EndpointStatus, 0, of((*engine.Job).Extract, handleExtract)},
		{"GET /v1/team/credit-usage", EndpointStatus, 0, handleCreditUsageV1},
		{"GET /v1/team/credit-usage/historical", EndpointStatus, 0, handleCreditHistory},
		{"GET /v1/team/token-usage", EndpointStatus, 0, handleTokenUsageV1},
		{"GET /v1/team/token-usage/historical", EndpointStatus, 0, handleTokenHistory},
		{"GET /v1/team/queue-status", EndpointStatus, 0, handleQueueStatus},
	}
	for _, base := range []string{crawlPathV1, batchPathV1} {
		list = append(list,
			route{"GET " + base + "/{id}", EndpointStatus, 0, func(c *call) error { return handleJobV1(c, base) }},
			route{"DELETE " + base + "/{id}", EndpointStatus, 0, handleCancelV1},
			route{"GET " + base + "/{id}/errors", EndpointStatus, 0, handleErrorsV1},
			route{"DELETE " + base + "/{id}/errors", EndpointStatus, 0, handleErrorsV1},
		)
	}
	for base, instead := range map[string]string{
		"/v1/deep-research": "POST /v2/agent researches a question, and POST /v2/search searches and scrapes",
		"/v1/llmstxt":       "POST /v2/crawl gives the pages of a site as markdown, and POST /v2/map lists them",
	} {
		gone := func(*call) error { return notFound(base + " is no longer served: " + instead) }
		list = append(list, route{"POST " + base, EndpointStatus, 0, gone}, route{"GET " + base + "/{id}", EndpointStatus, 0, gone})
	}
	return list
}

// bodyV1 is the answer of a scrape.
type bodyV1 struct {
	Success  bool            `json:"success"`
	Data     json.RawMessage `json:"data"`
	Warning  string          `json:"warning,omitempty"`
	ScrapeID string          `json:"scrape_id,omitempty"`
}

// handleScrapeV1 is POST /v1/scrape.
func handleScrapeV1(c *call) error {
	var url string
	var v decode.FormatsV1
	o := engine.ScrapeOptions{Owner: c.team}
	if err := c.body(c.labels(decode.ScrapePageFieldsV1(&url, &o, &v, c.limits.ZeroDataRetention))); err != nil {
		return err
	}
	if err := v.Apply(&o); err != nil {
		return err
	}
	doc, err := scrape(c, url, o)
	if err != nil {
		return err
	}
	body, err := json.Marshal(c.documented(doc).Data)
	if err != nil {
		return err
	}
	body, err = documentV1(body, v.Extracts())
	if err != nil {
		return err
	}
	return c.reply(bodyV1{true, body, doc.Warning, doc.Metadata.ScrapeID})
}

// documentV1 puts a document into its older shape: the diff of change tracking is an object, and the data that a model made stands under
// extract where it was requested by that name.
func documentV1(doc json.RawMessage, extracts bool) (json.RawMessage, error) {
	if !bytes.Contains(doc, []byte(`"changeTracking":`)) && !extracts {
		return doc, nil
	}
	var d map[string]json.RawMessage
	if err := json.Unmarshal(doc, &d); err != nil {
		return nil, err
	}
	if extracts && d["json"] != nil {
		d["extract"] = d["json"]
		delete(d, "json")
	}
	if d["changeTracking"] != nil {
		tracking, err := trackingOfV1(d["changeTracking"])
		if err != nil {
			return nil, err
		}
		d["changeTracking"] = tracking
	}
	return json.Marshal(d)
}

// diffV1 is a unified diff and, where the fields weren't compared, what it says.
type diffV1 struct {
	Text string          `json:"text"`
	JSON json.RawMessage `json:"json"`
}

// trackingOfV1 nests the diff. Of compared fields, which have modes of their own, json stays where it is.
func trackingOfV1(raw json.RawMessage) (json.RawMessage, error) {
	var t map[string]json.RawMessage
	if err := json.Unmarshal(raw, &t); err != nil || t["diff"] == nil {
		return raw, err
	}
	var d diffV1
	if err := json.Unmarshal(t["diff"], &d.Text); err != nil {
		return nil, err
	}
	var parsed struct{ Files json.RawMessage }
	if json.Unmarshal(t["json"], &parsed) == nil && parsed.Files != nil {
		d.JSON = t["json"]
		delete(t, "json")
	} else {
		d.JSON = json.RawMessage(`{"files":[]}`)
	}
	var err error
	if t["diff"], err = json.Marshal(d); err != nil {
		return nil, err
	}
	return json.Marshal(t)
}

// jobV1 gives the documents of a crawl or batch in their older shape. What the request called its data isn't known any more: it stands
// under json.
type jobV1 struct{ documentJob }

// EachOfPage is that of the job.
func (j jobV1) EachOfPage(ctx context.Context, skip, limit int, each func(json.RawMessage) error) (next int, err error) {
	return j.documentJob.EachOfPage(ctx, skip, limit, func(doc json.RawMessage) error {
		doc, err := documentV1(doc, false)
		if err != nil {
			return err
		}
		return each(doc)
	})
}

// Stored is that of the job.
func (j jobV1) Stored(ctx context.Context, from uint64) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for doc, err := range j.documentJob.Stored(ctx, from) {
			if err == nil {
				doc, err = documentV1(doc, false)
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// documentJobOf finds the path's crawl or batch.
func (c *call) documentJobOf() (documentJob, error) {
	job, err := c.job()
	if err != nil {
		return nil, err
	}
	if crawl, ok := job.Crawl(); ok {
		return crawl, nil
	}
	if batch, ok := job.Batch(); ok {
		return batch, nil
	}
	return nil, otherKind(job)
}

// handleJobV1 is GET of a crawl or batch, or a WebSocket that follows it.
func handleJobV1(c *call, path string) error {
	job, err := c.documentJobOf()
	if err != nil {
		return err
	}
	return replyPage(c, jobV1{job}, path)
}

// handleCancelV1 ends a crawl or batch.
func handleCancelV1(c *call) error {
	job, err := c.documentJobOf()
	if err != nil {
		return err
	}
	return handleCancel(c, job)
}

// handleErrorsV1 lists the pages of a crawl or batch that failed.
func handleErrorsV1(c *call) error {
	job, err := c.documentJobOf()
	if err != nil {
		return err
	}
	if crawl, ok := job.(*engine.CrawlJob); ok {
		return handleCrawlErrors(c, crawl)
	}
	return replyErrors(c, job, nil, nil)
}

// handleStartCrawlV1 is POST /v1/crawl.
func handleStartCrawlV1(c *call) error {
	var url string
	o := engine.CrawlOptions{Owner: c.team}
	if err := c.body(c.labels(decode.WithUnsupported(decode.CrawlFieldsV1(&url, &o, c.limits.ZeroDataRetention)))); err != nil {
		return err
	}
	return startCrawl(c, url, o, crawlPathV1)
}

// handleStartBatchV1 is POST /v1/batch/scrape.
func handleStartBatchV1(c *call) error {
	var urls []string
	var v decode.FormatsV1
	o := engine.BatchOptions{Owner: c.team}
	if err := c.body(c.labels(decode.BatchFieldsV1(&urls, &o, &v, c.limits.ZeroDataRetention))); err != nil {
		return err
	}
	if err := v.Apply(&o.Scrape); err != nil {
		return err
	}
	return startBatch(c, urls, o, batchPathV1)
}

// searchBodyV1 is the answer of a search: results of the web, as documents.
type searchBodyV1 struct {
	Success bool            `json:"success"`
	Data    []engine.WebHit `json:"data"`
	Warning string          `json:"warning,omitempty"`
}

// defaultResultsV1 is how many results a search gives.
const defaultResultsV1 = 5

// handleSearchV1 is POST /v1/search.
func handleSearchV1(c *call) error {
	var query string
	o := engine.SearchOptions{Owner: c.team, Limit: defaultResultsV1}
	if err := c.body(c.labels(decode.WithUnsupported(decode.SearchFieldsV1(&query, &o, c.limits.ZeroDataRetention)))); err != nil {
		return err
	}
	if o.Lang == "en" && strings.EqualFold(o.Country, "us") {
		o.Lang, o.Country = "", "" // what its clients always send; on the internet, both are the default
	}
	found, err := searchFor(c, query, o)
	if err != nil {
		return err
	}
	return c.reply(searchBodyV1{true, append([]engine.WebHit{}, found.Data.Web...), found.Warning})
}

// handleStartExtractV1 is POST /v1/extract.
func handleStartExtractV1(c *call) error {
	o := engine.ExtractOptions{Owner: c.team}
	if err := c.body(c.labels(decode.WithUnsupported(decode.ExtractFieldsV1(&o, c.limits.ZeroDataRetention)))); err != nil {
		return err
	}
	return startExtract(c, o)
}

// leftV1 is what is left of credits or tokens.
type leftV1 struct {
	Success bool           `json:"success"`
	Data    map[string]any `json:"data"`
}

// newLeftV1 names what is left. There is no billing period.
func newLeftV1(unit string, left, plan int64) leftV1 {
	return leftV1{true, map[string]any{
		"remaining_" + unit: left, "plan_" + unit: plan, "billing_period_start": nil, "billing_period_end": nil,
	}}
}

// handleCreditUsageV1 is GET /v1/team/credit-usage.
func handleCreditUsageV1(c *call) error {
	left, plan, err := creditsLeft(c)
	if err != nil {
		return err
	}
	return c.reply(newLeftV1("credits", left, plan))
}

// handleTokenUsageV1 is GET /v1/team/token-usage.
func handleTokenUsageV1(c *call) error {
	return c.reply(newLeftV1("tokens", quota.Unlimited, quota.Unlimited))
}

// endV1 ends a WebSocket of the first version: done is the reason for closing, which its clients read as a message. A last status record
// would make them report all documents again.
func (s *stream) endV1(ctx context.Context, head jobHead) error {
	if head.Status == engine.JobFailed {
		return s.send(ctx, errorMessage{"error", head.Code, head.Error})
	}
	s.last = `{"type":"done"}`
	return nil
}
