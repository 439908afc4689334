package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/engine"
)

const (
	mostExtractURLs  = 10
	mostExtractPages = 1000

	defaultExtractPages = 50
	readingCredits      = 4
	longestJob          = 24 * 3600 * 1000 // ms
)

// startExtract is POST /v2/extract.
func (c *call) startExtract() error {
	o := engine.ExtractOptions{Owner: c.team}
	if err := c.body(c.labels(elsewhere(c.extractFields(&o)))); err != nil {
		return err
	}
	if len(o.URLs) == 0 && o.Prompt == "" {
		return required("urls", "urls or a prompt")
	}
	var err error
	if o.IdempotencyKey, err = c.idempotencyKey(); err != nil {
		return err
	}
	if err := c.affordExtract(&o); err != nil {
		return err
	}
	job, err := c.start("extract", func(ctx context.Context) (*engine.Job, error) { return c.api.engine.StartExtract(ctx, o) })
	if err != nil {
		return err
	}
	c.promise(job.ID())
	body := started{Success: true, ID: job.ID()}
	if o.IgnoreInvalidURLs == nil || *o.IgnoreInvalidURLs {
		invalid, err := job.InvalidURLs(c.r.Context())
		if err != nil {
			return err
		}
		body.InvalidURLs = new(append([]string{}, invalid...))
	}
	return c.reply(body)
}

// affordExtract bounds the pages by the key's limits: each costs a scrape, and to be read by a model.
func (c *call) affordExtract(o *engine.ExtractOptions) error {
	asked := o.Limit
	if asked == 0 {
		asked = defaultExtractPages
	}
	price := priceOf(o.Scrape, o.ZeroDataRetention) + readingCredits
	can, err := c.affordUpTo(price, int64(asked)*price)
	if pages := int(can / price); pages < asked {
		o.Limit = pages
	}
	o.MaxConcurrency = c.concurrencyOf(0)
	return err
}

func (c *call) extractFields(o *engine.ExtractOptions) fields {
	return fields{
		"urls":               texts(&o.URLs, mostExtractURLs),
		"prompt":             text(&o.Prompt, 1, longestAsk),
		"systemPrompt":       text(&o.SystemPrompt, 0, longestAsk),
		"schema":             object(&o.Schema),
		"limit":              whole(&o.Limit, 1, mostExtractPages),
		"ignoreSitemap":      flag(&o.IgnoreSitemap),
		"includeSubdomains":  flagOr(&o.IncludeSubdomains),
		"allowExternalLinks": flag(&o.AllowExternalLinks),
		"enableWebSearch":    flag(&o.EnableWebSearch),
		"scrapeOptions":      inlaid(&o.Scrape, scrapeFields),
		"showSources":        flag(&o.ShowSources),
		"timeout":            span(&o.Timeout, time.Millisecond, leastTimeout, longestJob),
		"ignoreInvalidURLs":  flagOr(&o.IgnoreInvalidURLs),
		"webhook":            webhook(&o.Webhook),
		"zeroDataRetention":  c.retention(&o.ZeroDataRetention),
		"agent":              unsupported,
		"urlTrace":           unsupported,
	}
}

// extractOrAgent is GET /v2/extract/{id}, where agents can be read too.
func (c *call) extractOrAgent() error {
	job, err := c.job(engine.KindExtract, engine.KindAgent)
	if err != nil {
		return err
	}
	return c.answer(job)
}

// answerBody is the status of a job that gives one answer.
type answerBody struct {
	Success     bool                            `json:"success"`
	Status      string                          `json:"status"`
	Data        json.RawMessage                 `json:"data,omitempty"`
	Code        engine.Code                     `json:"code,omitempty"`
	Error       string                          `json:"error,omitempty"`
	Warning     string                          `json:"warning,omitempty"`
	Sources     map[string][]engine.FieldSource `json:"sources,omitempty"`
	TokensUsed  int64                           `json:"tokensUsed"`
	CreditsUsed int64                           `json:"creditsUsed"`
	CreatedAt   *time.Time                      `json:"createdAt,omitempty"`
	ExpiresAt   *time.Time                      `json:"expiresAt,omitempty"`
	Model       string                          `json:"model,omitempty"` // of an agent
	Effort      engine.AgentEffort              `json:"effort,omitempty"`
}

// answer tells how an extraction or an agent stands, with its result once there is one.
func (c *call) answer(job *engine.Job) error {
	s, err := job.Status(c.r.Context())
	if err != nil {
		return err
	}
	head := headOf(s)
	body := answerBody{
		Success: s.State != engine.JobFailed, Status: processing(s.State), Code: head.Code, Error: head.Error, Warning: s.Warning,
		TokensUsed: int64(s.Usage.Tokens()), CreditsUsed: s.CreditsUsed, CreatedAt: head.CreatedAt, ExpiresAt: head.ExpiresAt,
	}
	if job.Kind() == engine.KindAgent {
		o, err := job.AgentOptions(c.r.Context())
		if err != nil {
			return err
		}
		body.Model, body.Effort = ownModel, o.Effort
	}
	if !s.State.Final() {
		return c.reply(body)
	}
	// Of a job that failed there may be a part; why it failed stands in its status.
	body.Data, err = job.Result(c.r.Context())
	if err != nil && s.State == engine.JobCompleted {
		return err
	}
	if job.Kind() == engine.KindExtract && s.State == engine.JobCompleted {
		if body.Sources, err = job.Sources(c.r.Context()); err != nil {
			return err
		}
	}
	return c.reply(body)
}

// processing is the service's word for such a job at work.
func processing(s engine.JobState) string {
	if s == engine.JobScraping {
		return "processing"
	}
	return string(s)
}
