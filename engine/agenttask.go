package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/agent"
	"github.com/winnow-go/winnow/engine/internal/codes"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/drivepage"
	"github.com/winnow-go/winnow/engine/internal/prices"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// runAgent does the job of an agent, or resumes it.
func (e *Engine) runAgent(ctx context.Context, j *work.Job) error {
	var o AgentOptions
	if err := j.Params(&o); err != nil {
		return err
	}
	t, err := e.agentTask(o)
	if err != nil {
		return err
	}
	t.Tools = agentTools{e, o, j.Record.ID}
	return agent.Work(ctx, j, t)
}

// agentTask gives the options of the task but for its tools.
func (e *Engine) agentTask(o AgentOptions) (t agent.TaskOptions, err error) {
	if t.Schema, err = o.schema(); err != nil {
		return t, err
	}
	if t.Model, err = e.modelFor(o.ZeroDataRetention); err != nil {
		return t, err
	}
	_, cannot := e.searchers(o.ZeroDataRetention)
	t.Prompt, t.URLs, t.Strict, t.Search, t.Plan = o.Prompt, o.URLs, o.StrictConstrainToURLs, cannot == nil, o.Effort != EffortLow
	t.MaxSteps, t.MaxPages, t.MaxTime, t.Now = o.MaxSteps, o.MaxPages, o.Timeout, e.now
	t.MaxCredits, t.MaxTokens = o.MaxCredits, o.MaxTokens
	t.Event = func(s toolloop.Step) any { return ModelStep(s) }
	return t, nil
}

// agentTools implements [agent.Tools].
type agentTools struct {
	engine  *Engine
	options AgentOptions
	job     string
}

// Search calls the engine's providers. A public one can't lead to a virtual host.
func (t agentTools) Search(ctx context.Context, query string, limit int) (hits agent.Hits, err error) {
	o := SearchOptions{Limit: limit, Owner: t.options.Owner, ZeroDataRetention: t.options.ZeroDataRetention, IgnoreInvalidURLs: true}
	p, err := t.engine.resolveSearch(query, o)
	if err != nil {
		return hits, err
	}
	result, err := t.engine.find(ctx, p)
	if err != nil {
		return hits, err
	}
	hits.Credits = result.Credits
	for _, h := range result.Data.Web {
		if t.engine.mayFollow(h.URL) {
			hits.List = append(hits.List, agent.Hit{URL: h.URL, Title: h.Title, Description: h.Description})
		}
	}
	return hits, nil
}

// Map lists a site.
func (t agentTools) Map(ctx context.Context, address, about string, limit int) (hits agent.Hits, err error) {
	o := MapOptions{
		Search: about, Limit: limit, IncludeSubdomains: new(false), FilterByPath: new(false), Timeout: time.Minute,
		ObeyRobots: t.options.ObeyRobots, Owner: t.options.Owner, ZeroDataRetention: t.options.ZeroDataRetention,
	}
	result, err := t.engine.listSite(ctx, address, o)
	if err != nil {
		return hits, err
	}
	hits.Credits = result.Credits
	for _, l := range result.Links {
		hits.List = append(hits.List, agent.Hit{URL: l.URL, Title: l.Title, Description: l.Description})
	}
	return hits, nil
}

// Scrape reads a page.
func (t agentTools) Scrape(ctx context.Context, address string) (agent.Page, error) {
	s, err := t.engine.newScrape(address, t.options.page())
	if err != nil {
		return agent.Page{}, err
	}
	page, err := t.visit(ctx, s)
	if err == nil && s.status() >= http.StatusBadRequest {
		err = fmt.Errorf("the page answers with status %d", s.status())
	}
	return page, err
}

// visit runs a scrape of the job and returns what readers see of the page.
func (t agentTools) visit(ctx context.Context, s *scrape) (agent.Page, error) {
	s.job = t.job
	var page read.Page
	_, err := s.do(ctx, func(ctx context.Context) (err error) {
		page, err = s.readable(ctx)
		return err
	})
	return agent.Page{URL: page.URL, Title: page.Title, Text: page.Text, Credits: s.cost}, err
}

// Interact has a model operate a page of the pool.
func (t agentTools) Interact(ctx context.Context, m llm.Model, address, goal string, o drive.Options) (got agent.Interaction, err error) {
	options := t.options.page()
	options.Render, options.Timeout, options.OnlyMainContent = RenderAlways, maxTimeout, new(false)
	options.MaxAge, options.StoreInCache, options.SkipTLSVerification = new(time.Duration(0)), new(false), new(false)
	s, err := t.engine.newScrape(address, options)
	if err != nil {
		return got, err
	}
	once := &drivepage.Once{Model: m, Goal: goal, Options: o}
	s.OnPage = func(ctx context.Context, page *browser.Page) error {
		once.Options.Allow = s.obedient(ctx, o.Allow)
		return once.Run(ctx, page)
	}
	got.Page, err = t.visit(ctx, s)
	got.Page.Credits += prices.Model
	got.Outcome = once.Outcome
	if once.Err != nil {
		return got, modelLost(once.Err)
	}
	return got, err
}

// obedient adds to the check of where a page may go what robots.txt says, where that is requested.
func (s *scrape) obedient(ctx context.Context, allow func(address string) error) func(address string) error {
	return func(address string) error {
		if err := allow(address); err != nil {
			return err
		}
		if s.obey(ctx, address) != nil {
			return errRobotsForbid // the cause has words of the site's
		}
		return nil
	}
}

var errRobotsForbid = errors.New("the site's robots.txt forbids it")

// modelLost makes the model's errors end the agent: it can't continue without one.
func modelLost(err error) error {
	if codes.Model(err) != "" {
		return agent.Fatal(err)
	}
	return err
}
