package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
)

// ExtractOptions are the options of an extraction. URLs or a Prompt are required.
type ExtractOptions struct {
	// URLs of pages, at most 10. One that ends in "*" stands for all pages at and below it: the site is mapped, and
	// the relevant pages are chosen. Without URLs, the web is searched.
	URLs []string
	// Prompt says in words what is wanted, SystemPrompt how the model is to go about it;
	// at most 10,000 characters each.
	Prompt, SystemPrompt string
	// Schema is a JSON Schema that the result follows. Empty: the model chooses a form.
	Schema json.RawMessage `json:",omitempty"`
	// Limit of pages that are read, 1 to 1000. Zero is 50. The given pages come first, then
	// those that were mapped and found, the most relevant in front.
	Limit int
	// IgnoreSitemap maps by links alone; IncludeSubdomains maps all hosts of the domain,
	// nil is true; AllowExternalLinks takes pages of other sites that a map finds.
	IgnoreSitemap      bool
	IncludeSubdomains  *bool
	AllowExternalLinks bool
	// EnableWebSearch finds further pages by web search: up to 10 for each of up to three queries that the model
	// derives from the Prompt. It needs [Options.Search], else it is a [CodeSearchNotConfigured] error.
	EnableWebSearch bool
	// Scrape are the options of each page; markdown is always among the formats. Owner and
	// ZeroDataRetention belong to the job and must be unset.
	Scrape ScrapeOptions
	// Evidence makes each value carry a quote of a page that holds it; a value without one
	// becomes null, with a warning.
	Evidence bool
	// ShowSources records the pages that each value comes from, with the quotes where Evidence is set; see
	// [ExtractJob.Sources].
	ShowSources bool
	// Timeout of the whole job, at most 24 hours; zero: none. The result is then made of what was read, with a
	// warning; when that is nothing, the job fails with [CodeTimeout].
	Timeout time.Duration
	// MaxTokens that the model may use for the job; zero: no limit. When they are used up the result is made of the
	// pages read until then, with a warning; with none it is [CodeModelBudget].
	MaxTokens int
	// IgnoreInvalidURLs leaves out what is no web address; [ExtractJob.InvalidURLs] lists it. Nil is true; false: the
	// request is refused.
	IgnoreInvalidURLs *bool
	// MaxConcurrency bounds the pages that are active at once. Zero is [Options.MaxPages].
	MaxConcurrency int
	// Webhook receives started, completed and failed. Nil: none is sent.
	Webhook *Webhook
	// Owner is the tenant that owns the job.
	Owner string
	// ZeroDataRetention keeps the job in memory only: it is gone when the engine closes. The model must then be
	// declared local, as under Scrape.Lockdown.
	ZeroDataRetention bool
	// IdempotencyKey makes a repeated call find the job of the first; the same key with
	// another request is a [CodeIdempotency] error. Empty: none.
	IdempotencyKey string
}

// Limits of an extraction.
const (
	maxExtractURLs      = 10
	maxExtractPages     = 1000
	defaultExtractPages = 50
	maxExtractTime      = 24 * time.Hour
)

// extractParams are what an extraction is resumed with; their JSON is stored.
type extractParams struct {
	Options ExtractOptions `json:"options"` // complete
	Invalid []string       `json:"invalid,omitempty"`
}

// StartExtract starts reading pages for data of one form, and returns at once. The pages are scraped as those of a
// batch, a model reads each, and what it finds is merged: [ExtractJob.Result] returns that, [ExtractJob.Documents]
// the pages, [ExtractJob.URLTrace] what became of each. Where one page fails, the others count. The job runs in the
// background as a crawl does; pages that an earlier engine has read are neither scraped nor read again. A page costs
// what a scrape with the format json does, a map one credit, a search what [Engine.Search] does.
func (e *Engine) StartExtract(ctx context.Context, o ExtractOptions) (*ExtractJob, error) {
	job, err := e.startExtract(ctx, o)
	if err != nil {
		return nil, refusal(KindExtract, "", err, o.private())
	}
	return newExtractJob(job), nil
}

// Extract is StartExtract that waits for the end. When ctx ends first, the job is
// cancelled.
func (e *Engine) Extract(ctx context.Context, o ExtractOptions) (*ExtractJob, error) {
	job, err := e.StartExtract(ctx, o)
	if err != nil {
		return nil, err
	}
	return job, job.finish(ctx)
}

func (o ExtractOptions) private() bool { return o.ZeroDataRetention || o.Scrape.Lockdown }

// page returns the options of each page.
func (o ExtractOptions) page() ScrapeOptions {
	p := o.Scrape
	p.Owner, p.ZeroDataRetention = o.Owner, o.ZeroDataRetention
	if !slices.ContainsFunc(p.Formats, func(f formats.Format) bool { return f.Type == formats.Markdown }) {
		p.Formats = append([]formats.Format{{Type: formats.Markdown}}, p.Formats...)
	}
	return p
}

func (e *Engine) startExtract(ctx context.Context, o ExtractOptions) (*Job, error) {
	p, err := e.checkExtract(o)
	if err != nil {
		return nil, err
	}
	params, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	first := ""
	if len(p.Options.URLs) > 0 {
		first = p.Options.URLs[0]
	}
	return e.startJob(ctx, o.private(), jobs.New{
		Kind: KindExtract, Owner: o.Owner, URL: first, Params: params, Webhook: (*jobs.Webhook)(o.Webhook), IdempotencyKey: o.IdempotencyKey,
	}, noPreparation)
}

// checkExtract checks every option and sets the defaults.
func (e *Engine) checkExtract(o ExtractOptions) (p extractParams, err error) {
	if err := checkExtractOptions(o); err != nil {
		return p, err
	}
	if o.URLs, p.Invalid, err = splitSites(o.URLs, isTrue(o.IgnoreInvalidURLs, true)); err != nil {
		return p, err
	}
	o.Limit = cmp.Or(o.Limit, defaultExtractPages)
	o.EnableWebSearch = o.EnableWebSearch || len(o.URLs) == 0
	p.Options = o
	return p, e.checkMeans(o)
}

func checkExtractOptions(o ExtractOptions) error {
	for field, text := range map[string]string{"prompt": o.Prompt, "systemPrompt": o.SystemPrompt} {
		if err := checkPrompt(field, text); err != nil {
			return err
		}
	}
	switch {
	case len(o.URLs) == 0 && strings.TrimSpace(o.Prompt) == "":
		return &OptionError{Field: "urls", Value: 0, Want: "at least one, or a prompt"}
	case len(o.URLs) > maxExtractURLs:
		return &OptionError{Field: "urls", Value: len(o.URLs), Want: fmt.Sprintf("at most %d", maxExtractURLs)}
	case o.EnableWebSearch && strings.TrimSpace(o.Prompt) == "":
		return &OptionError{Field: "enableWebSearch", Value: true, Want: "a prompt beside it: it says what to look for"}
	case o.Limit < 0 || o.Limit > maxExtractPages:
		return &OptionError{Field: "limit", Value: o.Limit, Want: fmt.Sprintf("1 to %d, or 0 for %d", maxExtractPages, defaultExtractPages)}
	case o.Timeout < 0 || o.Timeout > maxExtractTime || o.Timeout > 0 && o.Timeout < time.Second:
		return &OptionError{Field: "timeout", Value: o.Timeout, Want: fmt.Sprintf("1s to %s, or 0 for none", maxExtractTime)}
	case o.MaxTokens < 0:
		return &OptionError{Field: "maxTokens", Value: o.MaxTokens, Want: "0 (no limit) or more"}
	}
	if _, err := o.schema(); err != nil {
		return err
	}
	return checkJobOptions(o.MaxConcurrency, o.Scrape, "scrapeOptions.")
}

// schema is nil where none is given.
func (o ExtractOptions) schema() (*llm.Schema, error) {
	if len(o.Schema) == 0 {
		return nil, nil
	}
	s, err := llm.CompileSchema(o.Schema)
	if err != nil {
		return nil, &OptionError{Field: "schema", Value: string(o.Schema), Want: "a JSON Schema that holds all that it refers to", Err: err}
	}
	return s, nil
}

// checkMeans returns an error where the engine lacks what the request needs.
func (e *Engine) checkMeans(o ExtractOptions) error {
	at := "https://example.com/" // found later; the options are everybody's
	if len(o.URLs) > 0 {
		at = strings.TrimSuffix(o.URLs[0], "*")
	}
	if _, err := e.resolve(at, o.page()); err != nil {
		return err
	}
	if _, err := e.modelFor(o.private()); err != nil {
		return err
	}
	if !o.EnableWebSearch {
		return nil
	}
	_, err := e.searchers(o.private())
	return err
}

// splitSites separates web addresses, also those that end in "*", from other texts.
func splitSites(urls []string, ignore bool) (valid, invalid []string, err error) {
	for i, u := range urls {
		_, err := parseTarget(strings.TrimSuffix(u, "*"))
		switch {
		case err == nil:
			valid = append(valid, u)
		case ignore:
			invalid = append(invalid, u)
		default:
			return nil, nil, &OptionError{Field: fmt.Sprintf("urls[%d]", i), Value: u, Want: wantURL}
		}
	}
	if len(urls) > 0 && len(valid) == 0 {
		return nil, nil, &OptionError{Field: "urls", Value: len(urls), Want: "at least one valid URL"}
	}
	return valid, invalid, nil
}
