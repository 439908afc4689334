package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

const (
	readingCredits = 4
)

// handleStartExtract is POST /v2/extract.
func handleStartExtract(c *call) error {
	o := engine.ExtractOptions{Owner: c.team}
	if err := c.body(c.labels(decode.WithUnsupported(decode.ExtractFields(&o, c.limits.ZeroDataRetention)))); err != nil {
		return err
	}
	return startExtract(c, o)
}

// startExtract starts an extraction within the limits of the key.
func startExtract(c *call, o engine.ExtractOptions) error {
	if len(o.URLs) == 0 && o.Prompt == "" {
		return decode.Required("urls", "urls or a prompt")
	}
	var err error
	if o.IdempotencyKey, err = c.idempotencyKey(); err != nil {
		return err
	}
	if err := reserveExtract(c, &o); err != nil {
		return err
	}
	job, err := start(c, "extract", func(ctx context.Context) (*engine.ExtractJob, error) { return c.api.engine.StartExtract(ctx, o) })
	if err != nil {
		return err
	}
	c.credits.KeepFor(job.ID())
	body := started{Success: true, ID: job.ID()}
	if err := body.listInvalid(c, o.IgnoreInvalidURLs, job.InvalidURLs); err != nil {
		return err
	}
	return c.reply(body)
}

// reserveExtract bounds the pages by the limits of the key: each costs a scrape, and the reading by a model.
func reserveExtract(c *call, o *engine.ExtractOptions) error {
	wanted := o.Limit
	if wanted == 0 {
		wanted = decode.DefaultExtractPages
	}
	price := priceOf(o.Scrape, o.ZeroDataRetention) + readingCredits
	can, err := c.credits.ReserveUpTo(c.r.Context(), price, int64(wanted)*price)
	if pages := int(can / price); pages < wanted {
		o.Limit = pages
	}
	o.MaxConcurrency = c.concurrencyOf(0)
	return err
}

// handleExtractOrAgent is GET /v2/extract/{id}, where agents can be read too.
func handleExtractOrAgent(c *call) error {
	job, err := c.job()
	if err != nil {
		return err
	}
	if agent, ok := job.Agent(); ok {
		return handleAgent(c, agent)
	}
	if extract, ok := job.Extract(); ok {
		return handleExtract(c, extract)
	}
	return otherKind(job)
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

// handleExtract returns the state of an extraction, with its result and sources once there are.
func handleExtract(c *call, job *engine.ExtractJob) error {
	body, state, err := answerOf(c, job)
	if err == nil && state == engine.JobCompleted {
		body.Sources, err = job.Sources(c.r.Context())
	}
	if err != nil {
		return err
	}
	return c.reply(body)
}

// handleAgent returns the state of an agent, with its result once there is one.
func handleAgent(c *call, job *engine.AgentJob) error {
	body, _, err := answerOf(c, job)
	if err != nil {
		return err
	}
	o, err := job.AgentOptions(c.r.Context())
	if err != nil {
		return err
	}
	body.Model, body.Effort = ownModel, o.Effort
	return c.reply(body)
}

// answerJob is a job that gives one answer.
type answerJob interface {
	Status(ctx context.Context) (engine.JobStatus, error)
	Result(ctx context.Context) (json.RawMessage, error)
}

func answerOf(c *call, job answerJob) (body answerBody, state engine.JobState, err error) {
	s, err := job.Status(c.r.Context())
	if err != nil {
		return body, "", err
	}
	head := headOf(s)
	body = answerBody{
		Success: s.State != engine.JobFailed, Status: processing(s.State), Code: head.Code, Error: head.Error, Warning: head.Warning,
		TokensUsed: int64(s.Usage.Tokens()), CreditsUsed: s.CreditsUsed, CreatedAt: head.CreatedAt, ExpiresAt: head.ExpiresAt,
	}
	if !s.State.Final() {
		return body, s.State, nil
	}
	// Of a job that failed there may be a part; why it failed stands in its status.
	body.Data, err = job.Result(c.r.Context())
	if s.State != engine.JobCompleted {
		err = nil
	}
	return body, s.State, err
}

// processing is the service's word for such a job while it runs.
func processing(s engine.JobState) string {
	if s == engine.JobScraping {
		return "processing"
	}
	return string(s)
}
