package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

const (
	maxListed = 100
)

// handleStartAgent is POST /v2/agent. The model is the operator's, whatever the client calls it.
func handleStartAgent(c *call) error {
	o := engine.AgentOptions{Owner: c.team}
	if err := c.body(c.labels(decode.WithUnsupported(decode.AgentFields(&o, c.limits.ZeroDataRetention)))); err != nil {
		return err
	}
	if o.Prompt == "" {
		return decode.Required("prompt", "the goal, in words")
	}
	if o.MaxCredits == 0 {
		o.MaxCredits = decode.DefaultAgentCredits
	}
	can, err := c.credits.ReserveUpTo(c.r.Context(), 1, int64(o.MaxCredits))
	if err != nil {
		return err
	}
	o.MaxCredits = int(can)
	if o.IdempotencyKey, err = c.idempotencyKey(); err != nil {
		return err
	}
	job, err := start(c, "agent", func(ctx context.Context) (*engine.AgentJob, error) { return c.api.engine.StartAgent(ctx, o) })
	if err != nil {
		return err
	}
	c.credits.KeepFor(job.ID())
	return c.reply(started{Success: true, ID: job.ID()})
}

// agentItem is an agent in the list.
type agentItem struct {
	ID          string           `json:"id"`
	Status      string           `json:"status"`
	CreditsUsed int64            `json:"creditsUsed"`
	CreatedAt   *time.Time       `json:"createdAt,omitempty"`
	ExpiresAt   *time.Time       `json:"expiresAt,omitempty"`
	TargetHint  string           `json:"targetHint"`
	Origin      string           `json:"origin"`
	Integration string           `json:"integration,omitempty"`
	Settings    agentSettings    `json:"settings"`
	Options     agentOptionsBody `json:"options"`
}

// agentSettings are what people set in the service's own pages, which there are none of here.
type agentSettings struct {
	Hidden  bool `json:"hidden"`
	Starred bool `json:"starred"`
}

// agentOptionsBody are an agent's options as its request spells them.
type agentOptionsBody struct {
	Prompt string             `json:"prompt"`
	URLs   []string           `json:"urls,omitempty"`
	Schema json.RawMessage    `json:"schema,omitempty"`
	Model  string             `json:"model"`
	Effort engine.AgentEffort `json:"effort,omitempty"`
}

// ownModel stands for whatever model the operator has, in place of the service's names.
const ownModel = "operator"

// agentsBody lists the team's agents, newest first. Next leads to older ones; empty: there are none.
type agentsBody struct {
	Success bool        `json:"success"`
	Agents  []agentItem `json:"agents"`
	Next    string      `json:"next,omitempty"`
}

const agentsAtOnce = 20

// handleListAgents is GET /v2/agent. Those of one millisecond are on one page, as before can't separate them.
func handleListAgents(c *call) error {
	before, err := olderThan(c)
	if err != nil {
		return err
	}
	jobs, err := ofKind(c, false, (*engine.Job).Agent)
	if err != nil {
		return err
	}
	body := agentsBody{Success: true, Agents: []agentItem{}}
	last := int64(0)
	for _, job := range jobs {
		s, err := job.Status(c.r.Context())
		if err != nil {
			return err
		}
		at := s.CreatedAt.UnixMilli()
		if at >= before {
			continue
		}
		if len(body.Agents) >= agentsAtOnce && at != last {
			body.Next = strings.TrimRight(c.api.options.BaseURL, "/") + "/v2/agent?before=" + strconv.FormatInt(last, 10)
			break
		}
		item, err := agentItemOf(c, job, s)
		if err != nil {
			return err
		}
		body.Agents, last = append(body.Agents, item), at
	}
	return c.reply(body)
}

// olderThan reads the time, in Unix milliseconds, that the list begins below.
func olderThan(c *call) (int64, error) {
	q := c.r.URL.Query()
	if !q.Has("before") {
		return math.MaxInt64, nil
	}
	before, err := strconv.ParseInt(q.Get("before"), 10, 64)
	if err != nil || before < 0 {
		return 0, decode.Invalid("before", "want a time in Unix milliseconds")
	}
	return before, nil
}

func agentItemOf(c *call, job *engine.AgentJob, s engine.JobStatus) (agentItem, error) {
	o, err := job.AgentOptions(c.r.Context())
	if err != nil {
		return agentItem{}, err
	}
	said, err := job.Labels(c.r.Context())
	return agentItem{
		ID: s.ID, Status: processing(s.State), CreditsUsed: s.CreditsUsed, CreatedAt: stamp(s.CreatedAt), ExpiresAt: stamp(s.ExpiresAt),
		TargetHint: cmp.Or(s.URL, o.Prompt), Origin: cmp.Or(said.Origin, "api"), Integration: said.Integration,
		Options: agentOptionsBody{Prompt: o.Prompt, URLs: o.URLs, Schema: o.Schema, Model: ownModel, Effort: o.Effort},
	}, err
}

// doneBody is the answer without data.
type doneBody struct {
	Success bool `json:"success"`
}

// handleCancelAgent ends an agent.
func handleCancelAgent(c *call, job *engine.AgentJob) error {
	if err := job.Cancel(c.r.Context()); err != nil {
		return err
	}
	return c.reply(doneBody{true})
}
