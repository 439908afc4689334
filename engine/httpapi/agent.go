package httpapi

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/engine"
)

const (
	mostAgentURLs = 100
	mostCredits   = 1_000_000
	mostListed    = 100
)

// startAgent is POST /v2/agent. The model is the operator's, whatever the client calls it.
func (c *call) startAgent() error {
	o := engine.AgentOptions{Owner: c.team}
	if err := c.body(c.labels(c.agentFields(&o))); err != nil {
		return err
	}
	if o.Prompt == "" {
		return required("prompt", "the goal, in words")
	}
	left, err := c.remaining()
	if err != nil {
		return err
	}
	if o.MaxCredits == 0 {
		o.MaxCredits = defaultAgentCredits
	}
	o.MaxCredits = int(min(int64(o.MaxCredits), left))
	if o.IdempotencyKey, err = c.idempotencyKey(); err != nil {
		return err
	}
	job, err := work(c, "agent", func(ctx context.Context) (*engine.Job, error) { return c.api.engine.StartAgent(ctx, o) })
	if err != nil {
		return err
	}
	return c.reply(started{Success: true, ID: job.ID()})
}

const defaultAgentCredits = 2500

func (c *call) agentFields(o *engine.AgentOptions) fields {
	var name string
	return fields{
		"prompt":                text(&o.Prompt, 1, longestAsk),
		"urls":                  texts(&o.URLs, mostAgentURLs),
		"schema":                object(&o.Schema),
		"maxCredits":            whole(&o.MaxCredits, 1, mostCredits),
		"strictConstrainToURLs": flag(&o.StrictConstrainToURLs),
		"model":                 word(&name, "spark-1-pro", "spark-1-mini", "spark-2"),
		"effort":                word(&o.Effort, engine.EffortLow, engine.EffortMedium, engine.EffortHigh),
		"webhook":               webhook(&o.Webhook),
		"zeroDataRetention":     c.retention(&o.ZeroDataRetention),
		"threadId":              unsupported,
		"mode":                  unsupported,
		"exchange":              unsupported,
	}
}

// agentItem is an agent in the list.
type agentItem struct {
	ID          string     `json:"id"`
	Status      string     `json:"status"`
	CreditsUsed int64      `json:"creditsUsed"`
	CreatedAt   *time.Time `json:"createdAt,omitempty"`
	ExpiresAt   *time.Time `json:"expiresAt,omitempty"`
}

// agentsBody lists the team's agents.
type agentsBody struct {
	Success bool        `json:"success"`
	Agents  []agentItem `json:"agents"`
}

// listAgents is GET /v2/agent: the newest hundred of the team.
func (c *call) listAgents() error {
	jobs, err := c.ofTeam(false, engine.KindAgent)
	if err != nil {
		return err
	}
	list := []agentItem{}
	for _, job := range jobs[:min(len(jobs), mostListed)] {
		s, err := job.Status(c.r.Context())
		if err != nil {
			return err
		}
		list = append(list, agentItem{s.ID, processing(s.State), s.CreditsUsed, stamp(s.CreatedAt), stamp(s.ExpiresAt)})
	}
	return c.reply(agentsBody{true, list})
}

// doneBody is the answer where there is nothing to tell.
type doneBody struct {
	Success bool `json:"success"`
}

// cancelAgent ends an agent.
func (c *call) cancelAgent(job *engine.Job) error {
	if err := job.Cancel(c.r.Context()); err != nil {
		return err
	}
	return c.reply(doneBody{true})
}
