package engine

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/llm"
)

// Bounds of what an extraction looks for in the web.
const (
	mostQueries  = 3
	longestQuery = 200 // characters
	hitsPerQuery = 10
)

// canSearch tells why an extraction can't look for pages in the web.
func (e *Engine) canSearch(private bool) error {
	_, err := e.searchers(private)
	return err
}

// web adds pages that searches of the web find, the first of each query in front.
func (c *chooser) web(ctx context.Context) error {
	queries, err := c.queries(ctx)
	if err != nil {
		return err
	}
	var first error
	var hits [][]string
	for _, q := range queries {
		urls, err := c.hits(ctx, q)
		first = orError(first, err)
		hits = append(hits, urls)
	}
	before := len(c.pages)
	for rank := range hitsPerQuery {
		for _, urls := range hits {
			if rank < len(urls) {
				c.add(fromSearch, urls[rank])
			}
		}
	}
	if len(c.pages) > before {
		return nil
	}
	return first
}

// hits are what one query finds. A search is paid for as any other.
func (c *chooser) hits(ctx context.Context, query string) ([]string, error) {
	o := SearchOptions{Limit: hitsPerQuery, Owner: c.owner, ZeroDataRetention: c.options.ZeroDataRetention, IgnoreInvalidURLs: true}
	if c.options.Scrape.Lockdown {
		o.Scrape = &ScrapeOptions{Lockdown: true}
	}
	p, err := c.engine.resolveSearch(query, o)
	if err != nil {
		return nil, err
	}
	p.scrape = nil // the job does that
	s := &searching{engine: c.engine, plan: p, began: c.engine.now(), id: uuid.Must(uuid.NewV7()).String()}
	found, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	var urls []string
	for _, hit := range found.Data.Web {
		if c.engine.mayFollow(hit.URL) {
			urls = append(urls, hit.URL)
		}
	}
	return urls, c.store.spend(c.id, c.owner, llm.Usage{}, s.credits)
}

// queries are what to search for: a model's words for the prompt, else the prompt itself.
func (c *chooser) queries(ctx context.Context) ([]string, error) {
	schema, err := llm.CompileSchema(json.RawMessage(queriesSchema))
	if err != nil {
		return nil, err
	}
	meter := llm.NewMeter(c.model, llm.MeterOptions{})
	answer, _, err := llm.JSON(ctx, meter, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: queriesPrompt}, {Role: llm.User, Text: c.wanted()},
	}}, schema)
	if spent := c.store.spend(c.id, c.owner, meter.Usage(), 0); spent != nil {
		return nil, spent
	}
	var named struct {
		Queries []string `json:"queries"`
	}
	if err != nil || json.Unmarshal(answer, &named) != nil {
		if ctx.Err() != nil || errors.Is(err, llm.ErrBudget) {
			return nil, err
		}
		named.Queries = nil
	}
	var queries []string
	for _, q := range named.Queries {
		if q = clipRunes(oneLine(q), longestQuery); q != "" && len(queries) < mostQueries && !slices.Contains(queries, q) {
			queries = append(queries, q)
		}
	}
	if len(queries) == 0 {
		queries = []string{clipRunes(strings.TrimSpace(oneLine(c.options.Prompt)), longestQuery)}
	}
	return queries, nil
}

const queriesPrompt = `You write queries for a web search engine that find pages to read for a task.
Answer with one JSON object whose "queries" are one to three short queries, in the language in which the pages are likely to be written, the best first.`

const queriesSchema = `{"type":"object","required":["queries"],"properties":{"queries":{"type":"array","items":{"type":"string"}}}}`
