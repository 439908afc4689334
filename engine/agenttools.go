package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/agent"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/drivepage"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

var _ agent.Tools = (*agentRun)(nil)

// Search asks the engine's providers. A public one can't lead to a virtual host.
func (r *agentRun) Search(ctx context.Context, query string, limit int) ([]agent.Hit, error) {
	o := SearchOptions{Limit: limit, Owner: r.options.Owner, ZeroDataRetention: r.options.ZeroDataRetention, IgnoreInvalidURLs: true}
	p, err := r.engine.resolveSearch(query, o)
	if err != nil {
		return nil, err
	}
	result, err := r.engine.find(ctx, p)
	if err != nil {
		return nil, err
	}
	r.pay(result.Credits)
	var hits []agent.Hit
	for _, h := range result.Data.Web {
		if r.engine.mayFollow(h.URL) {
			hits = append(hits, agent.Hit{URL: h.URL, Title: h.Title, Description: h.Description})
		}
	}
	return hits, nil
}

// Map lists a site.
func (r *agentRun) Map(ctx context.Context, address, about string, limit int) ([]agent.Hit, error) {
	o := MapOptions{
		Search: about, Limit: limit, IncludeSubdomains: new(false), FilterByPath: new(false), Timeout: time.Minute,
		ObeyRobots: r.options.ObeyRobots, Owner: r.options.Owner, ZeroDataRetention: r.options.ZeroDataRetention,
	}
	result, err := r.engine.listSite(ctx, address, o)
	if err != nil {
		return nil, err
	}
	r.pay(result.Credits)
	var hits []agent.Hit
	for _, l := range result.Links {
		hits = append(hits, agent.Hit{URL: l.URL, Title: l.Title, Description: l.Description})
	}
	return hits, nil
}

// Scrape reads a page.
func (r *agentRun) Scrape(ctx context.Context, address string) (agent.Page, error) {
	s, err := r.engine.newScrape(address, r.options.page())
	if err != nil {
		return agent.Page{}, err
	}
	page, err := r.visit(ctx, s)
	if err == nil && s.status() >= http.StatusBadRequest {
		err = fmt.Errorf("the page answers with status %d", s.status())
	}
	return page, err
}

// visit runs a scrape of the job and gives what readers see of the page.
func (r *agentRun) visit(ctx context.Context, s *scrape) (agent.Page, error) {
	s.job = r.Record.ID
	var page read.Page
	_, err := s.do(ctx, func(ctx context.Context) (err error) {
		page, err = s.readable(ctx)
		return err
	})
	r.pay(s.cost)
	return agent.Page{URL: page.URL, Title: page.Title, Text: page.Text}, err
}

// Interact lets the model work on a page of the pool.
func (r *agentRun) Interact(ctx context.Context, address, goal string, o drive.Options) (agent.Interaction, error) {
	options := r.options.page()
	options.Render, options.Timeout, options.OnlyMainContent = RenderAlways, maxTimeout, new(false)
	options.MaxAge, options.StoreInCache, options.SkipTLSVerification = new(time.Duration(0)), new(false), new(false)
	s, err := r.engine.newScrape(address, options)
	if err != nil {
		return agent.Interaction{}, err
	}
	model, used := llm.NewMeter(r.steps, llm.MeterOptions{}), false
	var got agent.Interaction
	var ended error
	s.OnPage = func(ctx context.Context, page *browser.Page) error {
		if used {
			return errCrashedAtWork
		}
		used = true
		o.Allow = s.obedient(ctx, o.Allow)
		got.Outcome, ended = drive.Run(ctx, model, drivepage.New(page, 0), goal, o)
		if page.URL() != "" && ended == nil {
			return nil
		}
		return pageLost(ended)
	}
	got.Page, err = r.visit(ctx, s)
	r.pay(modelCredits)
	if ended != nil {
		return got, modelLost(ended)
	}
	return got, err
}

// obedient adds to what says where a page may go what robots.txt says, where that is asked.
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

var errCrashedAtWork = errors.New("the browser crashed while the page was worked on")

// pageLost reports whether what ended the work on a page ends the visit too.
func pageLost(err error) error {
	if errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrClosed) {
		return err
	}
	return nil
}

// modelLost makes the model's errors end the agent: without it there is no going on.
func modelLost(err error) error {
	if classifyModel(err) != "" {
		return agent.Fatal(err)
	}
	return err
}
