package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/llm"
)

// Limits of what a crawl is planned with.
const (
	longestPrompt = 10_000 // characters
	sampleURLs    = 120    // of the site, that a model is shown
	sampleOf      = 5000   // URLs they are taken from
	sampleURL     = 300    // bytes that are shown of a URL
	planTime      = 3 * time.Minute
	planMapTime   = 60 * time.Second
	planTokens    = 100_000
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
	e.stores.ledger.Tokens(o.Owner, e.now(), used.Tokens())
	if err != nil {
		return nil, fail(ctx, err)
	}
	final := parametersOf(href, p.Options(o))
	final.Usage = used
	return &final, nil
}

// checkPrompt is the rule for prompts.
func checkPrompt(field, prompt string) error {
	if n := utf8.RuneCountInString(prompt); n > longestPrompt {
		return &OptionError{Field: field, Value: fmt.Sprintf("%d characters", n), Want: fmt.Sprintf("at most %d characters", longestPrompt)}
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
	p := &planner{engine: e, model: meter, url: href, options: o}
	generated, err := p.run(ctx)
	if err != nil && ctx.Err() != nil {
		err = ended(ctx, KindCrawl, href)
	}
	return generated, meter.Usage(), err
}

// sampleSite gives some URLs of a site: those that the prompt is about, and some from
// all over the list. A site that can't be asked gives none.
func (e *Engine) sampleSite(ctx context.Context, href string, o CrawlOptions) ([]string, error) {
	m, err := e.listSite(ctx, href, MapOptions{
		Search: clipRunes(o.Prompt, longestSearch), Limit: sampleOf, Timeout: planMapTime, FilterByPath: new(false),
		Headers: o.Scrape.Headers, Location: o.Scrape.Location, Lockdown: o.Scrape.Lockdown, ZeroDataRetention: o.ZeroDataRetention,
		ObeyRobots: !o.IgnoreRobotsTxt, RobotsUserAgent: o.RobotsUserAgent, Owner: o.Owner,
	})
	switch CodeOf(err) {
	case "":
		return sampleLinks(m.Links), nil
	case CodeBadRequest, CodeBlocked, CodeCancelled, CodeLockdownMiss:
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, nil
}

func sampleLinks(links []MapLink) []string {
	front := min(len(links), sampleURLs/2)
	rest := links[front:]
	room := min(sampleURLs-front, len(rest))
	var urls []string
	for _, l := range links[:front] {
		urls = append(urls, clip(l.URL, sampleURL))
	}
	for i := range room {
		urls = append(urls, clip(rest[i*len(rest)/room].URL, sampleURL))
	}
	return urls
}

// clip cuts a text to at most n bytes of valid UTF-8; clipRunes to n characters.
func clip(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }

func clipRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

// planner asks for the parameters of one crawl.
type planner struct {
	engine  *Engine
	model   llm.Model
	url     string
	options CrawlOptions
}

func (p *planner) run(ctx context.Context) (*CrawlParameters, error) {
	urls, err := p.engine.sampleSite(ctx, p.url, p.options)
	if err != nil {
		return nil, err
	}
	return p.plan(ctx, urls)
}

// plan asks, and once more where an answer breaks a rule.
func (p *planner) plan(ctx context.Context, urls []string) (*CrawlParameters, error) {
	schema, err := llm.CompileSchema(json.RawMessage(planSchema))
	if err != nil {
		return nil, err
	}
	messages := p.question(urls)
	var broken error
	for range 2 {
		answer, _, err := llm.JSON(ctx, p.model, llm.Request{Messages: messages}, schema)
		if err != nil {
			return nil, err
		}
		var made CrawlParameters
		if broken = p.check(answer, &made); broken == nil {
			return &made, nil
		}
		messages = append(messages,
			llm.Message{Role: llm.Assistant, Text: string(answer)},
			llm.Message{Role: llm.User, Text: "A parameter can't be used: " + broken.Error() + "\nAnswer again with all parameters, this one corrected."})
	}
	return nil, fmt.Errorf("%w: %v", llm.ErrMalformed, broken) // no option of the caller's: not wrapped
}

// check reads an answer and runs the rules of crawls over what it comes to.
func (p *planner) check(answer json.RawMessage, made *CrawlParameters) error {
	if err := json.Unmarshal(answer, made); err != nil {
		return err
	}
	made.URL = p.url
	if made.Delay < 0 || made.Delay > maxCrawlDelay.Seconds() {
		return &OptionError{Field: "delay", Value: made.Delay, Want: "0 to 60 seconds"}
	}
	_, err := p.engine.checkCrawl(p.url, made.Options(p.options))
	return err
}

// question is what the model is asked.
func (p *planner) question(urls []string) []llm.Message {
	paths := "the path of a URL, such as /blog/2024/title"
	if p.options.RegexOnFullURL {
		paths = "the whole URL"
	}
	var ask strings.Builder
	fmt.Fprintf(&ask, "The crawl begins at %s\n\nWhat is wanted:\n%s\n\n", p.url, p.options.Prompt)
	given := p.options
	given.Prompt = ""
	if fixed, err := json.Marshal(parametersOf(p.url, given)); err == nil {
		fmt.Fprintf(&ask, "Parameters that are decided already and stay as they are:\n%s\n\n", fixed)
	}
	if len(urls) > 0 {
		fmt.Fprintf(&ask, "Some URLs of the site:\n%s\n", llm.Fence("URLs of the site", strings.Join(urls, "\n")))
	} else {
		ask.WriteString("No URLs of the site are known.\n")
	}
	return []llm.Message{
		{Role: llm.System, Text: fmt.Sprintf(planPrompt, paths) + "\n" + llm.UntrustedRule},
		{Role: llm.User, Text: ask.String()},
	}
}

const planPrompt = `You choose the parameters of a crawl of one website, so that it fetches the pages that a person wants and few others.
Answer with one JSON object. Leave out, or set to null, each parameter that the person's words do not call for.

- includePaths: only pages that one of these regular expressions matches are fetched. excludePaths: pages that one of these matches are not fetched. The expressions are of Go's RE2 syntax (no look-around, no back-references), unanchored, and are matched with %s. Use ^ and $ where they are meant. Derive them from the URLs that you are shown; do not invent paths.
- maxDepth: how many path segments below the path of the start a page may have. maxDiscoveryDepth: how many links away from the start a page may be.
- crawlEntireDomain: true where pages beside or above the path of the start are wanted too. Else only what is below it is fetched.
- allowSubdomains: true where other hosts of the same domain are wanted. allowExternalLinks: true only where pages of other sites are wanted.
- sitemap: "include" (the usual), "skip" (links only), or "only" (nothing but what the sitemap lists).
- ignoreQueryParameters: true where URLs that differ in their query are the same page.
- deduplicateSimilarURLs: false only where similar URLs are wanted as pages of their own.
- ignoreRobotsTxt: true only where the person says so. robotsUserAgent: only where the person names one.
- delay: seconds between two requests, at most 60, only where the person wants it slow.
- limit: the most pages, where the person names a number.`

// planSchema is the form of the answer.
const planSchema = `{"type":"object","properties":{
"includePaths":{"type":["array","null"],"items":{"type":"string"},"maxItems":100},
"excludePaths":{"type":["array","null"],"items":{"type":"string"},"maxItems":100},
"maxDepth":{"type":["integer","null"]},
"maxDiscoveryDepth":{"type":["integer","null"]},
"crawlEntireDomain":{"type":["boolean","null"]},
"allowExternalLinks":{"type":["boolean","null"]},
"allowSubdomains":{"type":["boolean","null"]},
"sitemap":{"type":["string","null"],"enum":["include","skip","only",null]},
"ignoreQueryParameters":{"type":["boolean","null"]},
"ignoreRobotsTxt":{"type":["boolean","null"]},
"robotsUserAgent":{"type":["string","null"]},
"deduplicateSimilarURLs":{"type":["boolean","null"]},
"delay":{"type":["number","null"]},
"limit":{"type":["integer","null"]}
}}`
