package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/engine/internal/crawlplan"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/llm"
)

// Limits of what a crawl is planned with.
const (
	sampleOf    = 5000 // URLs of the site that a model's sample is taken from
	planTime    = 3 * time.Minute
	planMapTime = 60 * time.Second
	planTokens  = 100_000
)

// CrawlPreview makes crawl parameters of a description in plain words, of at most 10,000
// characters: a model is shown it and up to 120 URLs of the site, and what it answers is
// checked by the rules of [Engine.StartCrawl]; what breaks one gets a second try, then
// the error is [CodeModelFailed]. Options that are set in o win. Nothing is crawled, and
// it costs no credits, and of the model at most 100,000 tokens. A site that can't be mapped is planned for by the words alone.
func (e *Engine) CrawlPreview(ctx context.Context, url, prompt string, o CrawlOptions) (*CrawlParameters, error) {
	fail := func(ctx context.Context, err error) error {
		f := failure(ctx, "crawl preview", url, err)
		if o.private() {
			return privateFailure(f)
		}
		return f
	}
	o.Prompt = prompt
	if prompt == "" {
		return nil, fail(context.Background(), &OptionError{Field: "prompt", Value: prompt, Want: "what to crawl, in words"})
	}
	href, err := e.checkCrawl(url, o)
	if err != nil {
		return nil, fail(context.Background(), err)
	}
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, fail(context.Background(), err)
	}
	defer done()
	p, used, err := e.planCrawl(ctx, href, o)
	e.stores.Ledger.Tokens(o.Owner, e.now(), used.Tokens())
	if err != nil {
		return nil, fail(ctx, err)
	}
	final := parametersOf(href, p.Options(o))
	final.Usage = used
	return &final, nil
}

// checkPrompt is the rule for prompts.
func checkPrompt(field, prompt string) error {
	if n := utf8.RuneCountInString(prompt); n > maxPrompt {
		return &OptionError{Field: field, Value: fmt.Sprintf("%d characters", n), Want: fmt.Sprintf("at most %d characters", maxPrompt)}
	}
	return nil
}

// planCrawl lets a model make parameters of the options' prompt.
func (e *Engine) planCrawl(ctx context.Context, href string, o CrawlOptions) (_ *CrawlParameters, _ llm.Usage, err error) {
	defer recovered(&err)
	model, err := e.modelFor(o.private())
	if err != nil {
		return nil, llm.Usage{}, err
	}
	ctx, clock := deadline.With(ctx, planTime)
	defer clock.Stop()
	meter := llm.NewMeter(model, llm.MeterOptions{MaxTokens: planTokens})
	generated, err := e.generateParameters(ctx, meter, href, o)
	if err != nil && ctx.Err() != nil {
		err = ended(ctx, KindCrawl, href)
	}
	return generated, meter.Usage(), err
}

// generateParameters has a model make parameters that pass the rules of crawls.
func (e *Engine) generateParameters(ctx context.Context, model llm.Model, href string, o CrawlOptions) (*CrawlParameters, error) {
	urls, err := e.sampleSite(ctx, href, o)
	if err != nil {
		return nil, err
	}
	given := o
	given.Prompt = ""
	decided, err := json.Marshal(parametersOf(href, given))
	if err != nil {
		return nil, err
	}
	var made CrawlParameters
	_, err = crawlplan.Run(ctx, model, crawlplan.Request{
		URL: href, Prompt: o.Prompt, FullURL: o.RegexOnFullURL, Decided: decided, URLs: urls,
		Check: func(answer json.RawMessage) (err error) {
			made, err = e.readParameters(href, answer, o)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	return &made, nil
}

// readParameters reads an answer and runs the rules of crawls over what it comes to.
func (e *Engine) readParameters(href string, answer json.RawMessage, o CrawlOptions) (made CrawlParameters, err error) {
	if err := json.Unmarshal(answer, &made); err != nil {
		return made, err
	}
	made.URL = href
	if made.Delay < 0 || made.Delay > maxCrawlDelay.Seconds() {
		return made, &OptionError{Field: "delay", Value: made.Delay, Want: "0 to 60 seconds"}
	}
	_, err = e.checkCrawl(href, made.Options(o))
	return made, err
}

// sampleSite gives some URLs of a site: those that the prompt is about, and some from
// all over the list. A site that can't be asked gives none.
func (e *Engine) sampleSite(ctx context.Context, href string, o CrawlOptions) ([]string, error) {
	m, err := e.listSite(ctx, href, MapOptions{
		Search: clip.Runes(o.Prompt, maxMapSearch), Limit: sampleOf, Timeout: planMapTime, FilterByPath: new(false),
		Headers: o.Scrape.Headers, Location: o.Scrape.Location, Lockdown: o.Scrape.Lockdown, ZeroDataRetention: o.ZeroDataRetention,
		ObeyRobots: !o.IgnoreRobotsTxt, RobotsUserAgent: o.RobotsUserAgent, Owner: o.Owner,
	})
	switch CodeOf(err) {
	case "":
		var urls []string
		for _, l := range m.Links {
			urls = append(urls, l.URL)
		}
		return crawlplan.Sample(urls), nil
	case CodeBadRequest, CodeBlocked, CodeCancelled, CodeLockdownMiss:
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, nil
}
