package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/llm"
)

// AgentEffort says how far an agent may go where its limits don't say.
type AgentEffort string

// The efforts of the service. Each comment gives the limits of steps, pages and tokens that it stands for.
const (
	EffortLow    AgentEffort = "low"    // 15 steps, 10 pages, 300,000 tokens, and no plan is made
	EffortMedium AgentEffort = "medium" // 40 steps, 30 pages, 1,000,000 tokens; the default
	EffortHigh   AgentEffort = "high"   // 100 steps, 100 pages, 3,000,000 tokens
)

// AgentOptions say what an agent is to find out, and how far it may go. A Prompt is required.
type AgentOptions struct {
	// Prompt is the goal in words, at most 10,000 characters.
	Prompt string
	// URLs to begin with, at most 100. Their sites (host and port, "www." or not) are all that the agent
	// may ask for; without any, the sites of what its searches find, for which a provider is needed. A page
	// that is redirected elsewhere isn't shown to the model; pages load pictures and scripts from where they will.
	URLs []string
	// StrictConstrainToURLs leaves nothing within reach but the URLs themselves: no map, no links.
	StrictConstrainToURLs bool
	// Schema is a JSON Schema that the result follows. Empty: an object of the model's choice, {"answer": text} where it gives
	// a text alone.
	Schema json.RawMessage `json:",omitempty"`
	// MaxCredits ends the work, 1 or more. Zero is 2500. It is looked at after each step: the last one may go beyond.
	MaxCredits int
	// Effort fills in the limits that aren't set. Empty is [EffortMedium].
	Effort AgentEffort
	// MaxSteps of the model, at most 200, single steps on a page among them; MaxPages that are read or operated, at most 1000; MaxTokens
	// of the model. Zero: by Effort.
	MaxSteps, MaxPages, MaxTokens int
	// Timeout of the work, 1 s to 24 h, installing a browser included. Zero is 15 minutes.
	Timeout time.Duration
	// ObeyRobots reads nothing that robots.txt forbids, and follows no link there.
	ObeyRobots bool
	// Webhook is told of started, action, completed, failed and cancelled. Nil: nobody is.
	Webhook *Webhook
	// Owner is whom the job belongs to.
	Owner string
	// ZeroDataRetention keeps the job in memory only: it ends with the engine. The model must be declared local then, and so the
	// search provider.
	ZeroDataRetention bool
	// IdempotencyKey makes a repeated call find the job of the first; the same key with
	// another request is a [CodeIdempotency] error. Empty: none.
	IdempotencyKey string
}

// Limits of an agent.
const (
	defaultAgentCredits = 2500
	mostAgentURLs       = 100
	mostAgentSteps      = 200
	mostAgentPages      = 1000
	defaultAgentTime    = 15 * time.Minute
	longestAgent        = 24 * time.Hour
)

// efforts fill in limits.
var efforts = map[AgentEffort]struct{ steps, pages, tokens int }{
	EffortLow:    {15, 10, 300_000},
	EffortMedium: {40, 30, 1_000_000},
	EffortHigh:   {100, 100, 3_000_000},
}

// StartAgent starts an agent on its goal and returns at once. Step by step [Options.Model] chooses what is done: it searches, maps
// sites, reads pages, operates them in a browser without a profile, and notes what it finds; of that it makes the result
// ([AgentJob.Result]). Every step is an "action" event that carries a [ModelStep]; [AgentJob.Trace] lists them. When a limit ends the work
// the result is made of what was found by then, with a warning; of nothing found, or when the model gives up, the job
// fails with [CodeAgentFailed].
//
// What pages say is told to the model as foreign text; it can change neither the goal nor the tools, and which sites are within
// reach is checked here, not by the model. A job that the end of its engine interrupted is gone on with by the next, from its plan,
// notes and limits; the conversation starts over. A page costs what a scrape does, and 4 credits more each
// time that the model operates it; a search and a map cost what they cost by themselves.
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

// checkAgent checks every option and fills in the defaults.
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
		if o.URLs, _, err = sortURLs(o.URLs, false); err != nil {
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

// normalised are the URLs in the form in which pages are compared.
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
	case len(o.URLs) > mostAgentURLs:
		return &OptionError{Field: "urls", Value: len(o.URLs), Want: fmt.Sprintf("at most %d", mostAgentURLs)}
	case o.StrictConstrainToURLs && len(o.URLs) == 0:
		return &OptionError{Field: "strictConstrainToURLs", Value: true, Want: "false without urls"}
	case o.MaxCredits < 0:
		return &OptionError{Field: "maxCredits", Value: o.MaxCredits, Want: fmt.Sprintf("1 or more, or 0 for %d", defaultAgentCredits)}
	case o.MaxSteps < 0 || o.MaxSteps > mostAgentSteps:
		return &OptionError{Field: "maxSteps", Value: o.MaxSteps, Want: fmt.Sprintf("1 to %d, or 0 for that of the effort", mostAgentSteps)}
	case o.MaxPages < 0 || o.MaxPages > mostAgentPages:
		return &OptionError{Field: "maxPages", Value: o.MaxPages, Want: fmt.Sprintf("1 to %d, or 0 for that of the effort", mostAgentPages)}
	case o.MaxTokens < 0:
		return &OptionError{Field: "maxTokens", Value: o.MaxTokens, Want: "1 or more, or 0 for those of the effort"}
	case o.Timeout < 0 || o.Timeout > longestAgent || o.Timeout > 0 && o.Timeout < time.Second:
		return &OptionError{Field: "timeout", Value: o.Timeout, Want: fmt.Sprintf("1s to %s, or 0 for %s", longestAgent, defaultAgentTime)}
	}
	_, err := o.schema()
	return err
}

// schema is nil where none is given.
func (o AgentOptions) schema() (*llm.Schema, error) { return ExtractOptions{Schema: o.Schema}.schema() }

// page gives the options of each page that is read.
func (o AgentOptions) page() ScrapeOptions {
	return ScrapeOptions{Owner: o.Owner, ZeroDataRetention: o.ZeroDataRetention, ObeyRobots: o.ObeyRobots}
}

// checkAgentMeans asks whether the engine has what the request needs.
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
