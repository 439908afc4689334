package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/batching"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
)

// AgentEffort sets the limits of an agent that are unset.
type AgentEffort string

// The efforts of the service, with the limits of steps, pages and tokens that each stands for.
const (
	EffortLow    AgentEffort = "low"    // 15 steps, 10 pages, 300,000 tokens, without a plan
	EffortMedium AgentEffort = "medium" // 40 steps, 30 pages, 1,000,000 tokens; the default
	EffortHigh   AgentEffort = "high"   // 100 steps, 100 pages, 3,000,000 tokens
)

// AgentOptions are the options of an agent. Prompt is required.
type AgentOptions struct {
	// Prompt is the goal in words, at most 10,000 characters.
	Prompt string
	// URLs to begin with, at most 100. Their sites (host and port, "www." or not) are all that the agent may read;
	// without any, the sites that its searches find, which needs a search provider. A page that is redirected to
	// another site is not shown to the model; pages load images and scripts from anywhere.
	URLs []string
	// StrictConstrainToURLs allows only the URLs themselves: no map, no links.
	StrictConstrainToURLs bool
	// Schema is a JSON Schema that the result follows. Empty: an object that the model chooses, {"answer": text}
	// where it gives only a text.
	Schema json.RawMessage `json:",omitempty"`
	// MaxCredits of the job, 1 or more. Zero is 2500. It is checked after each step: the last one may exceed it.
	MaxCredits int
	// Effort sets the limits that are unset. Empty is [EffortMedium].
	Effort AgentEffort
	// MaxSteps of the model, at most 200, steps on a page included; MaxPages to read or operate, at most 1000;
	// MaxTokens of the model. Zero: by Effort.
	MaxSteps, MaxPages, MaxTokens int
	// Timeout of the job, 1 s to 24 h, the installation of a browser included. Zero is 15 minutes.
	Timeout time.Duration
	// ObeyRobots skips pages that robots.txt forbids, and follows no links to them.
	ObeyRobots bool
	// Webhook receives started, action, completed, failed and cancelled. Nil: none is sent.
	Webhook *Webhook
	// Owner is the tenant that owns the job.
	Owner string
	// ZeroDataRetention keeps the job in memory only: it is gone when the engine closes. The model and the search
	// provider must then be declared local.
	ZeroDataRetention bool
	// IdempotencyKey makes a repeated call find the job of the first; the same key with
	// another request is a [CodeIdempotency] error. Empty: none.
	IdempotencyKey string
}

// Limits of an agent.
const (
	defaultAgentCredits = 2500
	maxAgentURLs        = 100
	maxAgentSteps       = 200
	maxAgentPages       = 1000
	defaultAgentTime    = 15 * time.Minute
	maxAgentTime        = 24 * time.Hour
)

// efforts fill in limits.
var efforts = map[AgentEffort]struct{ steps, pages, tokens int }{
	EffortLow:    {15, 10, 300_000},
	EffortMedium: {40, 30, 1_000_000},
	EffortHigh:   {100, 100, 3_000_000},
}

// StartAgent starts an agent on its goal and returns at once. Step by step [Options.Model] chooses what is done: it
// searches, maps sites, reads pages, operates them in a browser without a profile, notes what it finds, and makes the
// result of its notes ([AgentJob.Result]). Each step is an "action" event with a [ModelStep]; [AgentJob.Trace] lists
// them. When a limit ends the job, the result is made of what was found until then, with a warning; when nothing was
// found, or the model gives up, the job fails with [CodeAgentFailed].
//
// The text of pages is untrusted data for the model: it can change neither the goal nor the tools, and the engine
// checks which sites may be read. An agent that the end of its engine interrupted is resumed by the next, with its
// plan, notes and limits; the conversation starts over. A page costs what a scrape does, and 4 credits more each time
// that the model operates it; a search and a map cost the same as by themselves.
func (e *Engine) StartAgent(ctx context.Context, o AgentOptions) (*AgentJob, error) {
	job, err := e.startAgent(ctx, o)
	if err != nil {
		return nil, refusal(KindAgent, "", err, o.ZeroDataRetention)
	}
	return newAgentJob(job), nil
}

// Agent is StartAgent that waits for the end. When ctx ends first, the job is cancelled.
func (e *Engine) Agent(ctx context.Context, o AgentOptions) (*AgentJob, error) {
	job, err := e.StartAgent(ctx, o)
	if err != nil {
		return nil, err
	}
	return job, job.finish(ctx)
}

func (e *Engine) startAgent(ctx context.Context, o AgentOptions) (*Job, error) {
	o, err := e.checkAgent(o)
	if err != nil {
		return nil, err
	}
	params, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	first := ""
	if len(o.URLs) > 0 {
		first = o.URLs[0]
	}
	return e.startJob(ctx, o.ZeroDataRetention, jobs.New{
		Kind: KindAgent, Owner: o.Owner, URL: first, Params: params, Webhook: (*jobs.Webhook)(o.Webhook), IdempotencyKey: o.IdempotencyKey,
	}, noPreparation)
}

// checkAgent checks every option and sets the defaults.
func (e *Engine) checkAgent(o AgentOptions) (AgentOptions, error) {
	limits, known := efforts[cmp.Or(o.Effort, EffortMedium)]
	if !known {
		return o, &OptionError{Field: "effort", Value: string(o.Effort), Want: "low, medium or high"}
	}
	if err := o.check(); err != nil {
		return o, err
	}
	var err error
	if len(o.URLs) > 0 {
		if o.URLs, _, err = batching.Split(o.URLs, false, wantURL); err != nil {
			return o, err
		}
		o.URLs, err = normalised(o.URLs)
	}
	o.Effort = cmp.Or(o.Effort, EffortMedium)
	o.MaxCredits, o.Timeout = cmp.Or(o.MaxCredits, defaultAgentCredits), cmp.Or(o.Timeout, defaultAgentTime)
	o.MaxSteps, o.MaxPages = cmp.Or(o.MaxSteps, limits.steps), cmp.Or(o.MaxPages, limits.pages)
	o.MaxTokens = cmp.Or(o.MaxTokens, limits.tokens)
	if err != nil {
		return o, err
	}
	return o, e.checkAgentMeans(o)
}

// normalised returns the URLs in the form in which pages are compared.
func normalised(urls []string) (list []string, err error) {
	for _, u := range urls {
		href, err := parseTarget(u)
		if err != nil {
			return nil, err
		}
		list = append(list, href)
	}
	return list, nil
}

func (o AgentOptions) check() error {
	if err := checkPrompt("prompt", o.Prompt); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(o.Prompt) == "":
		return &OptionError{Field: "prompt", Value: "", Want: fmt.Sprintf("1 to %d characters", maxPrompt)}
	case len(o.URLs) > maxAgentURLs:
		return &OptionError{Field: "urls", Value: len(o.URLs), Want: fmt.Sprintf("at most %d", maxAgentURLs)}
	case o.StrictConstrainToURLs && len(o.URLs) == 0:
		return &OptionError{Field: "strictConstrainToURLs", Value: true, Want: "false without urls"}
	case o.MaxCredits < 0:
		return &OptionError{Field: "maxCredits", Value: o.MaxCredits, Want: fmt.Sprintf("1 or more, or 0 for %d", defaultAgentCredits)}
	case o.MaxSteps < 0 || o.MaxSteps > maxAgentSteps:
		return &OptionError{Field: "maxSteps", Value: o.MaxSteps, Want: fmt.Sprintf("1 to %d, or 0 for that of the effort", maxAgentSteps)}
	case o.MaxPages < 0 || o.MaxPages > maxAgentPages:
		return &OptionError{Field: "maxPages", Value: o.MaxPages, Want: fmt.Sprintf("1 to %d, or 0 for that of the effort", maxAgentPages)}
	case o.MaxTokens < 0:
		return &OptionError{Field: "maxTokens", Value: o.MaxTokens, Want: "1 or more, or 0 for those of the effort"}
	case o.Timeout < 0 || o.Timeout > maxAgentTime || o.Timeout > 0 && o.Timeout < time.Second:
		return &OptionError{Field: "timeout", Value: o.Timeout, Want: fmt.Sprintf("1s to %s, or 0 for %s", maxAgentTime, defaultAgentTime)}
	}
	_, err := o.schema()
	return err
}

// schema is nil where none is given.
func (o AgentOptions) schema() (*llm.Schema, error) { return ExtractOptions{Schema: o.Schema}.schema() }

// page returns the options of each page that is read.
func (o AgentOptions) page() ScrapeOptions {
	return ScrapeOptions{Owner: o.Owner, ZeroDataRetention: o.ZeroDataRetention, ObeyRobots: o.ObeyRobots}
}

// checkAgentMeans returns an error where the engine lacks what the request needs.
func (e *Engine) checkAgentMeans(o AgentOptions) error {
	if _, err := e.resolve("https://example.com/", o.page()); err != nil { // the options are everybody's
		return err
	}
	if _, err := e.modelFor(o.ZeroDataRetention); err != nil {
		return err
	}
	if len(o.URLs) == 0 {
		_, err := e.searchers(o.ZeroDataRetention)
		return err
	}
	return nil
}
