package extracting

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/llm"
)

// Bounds of what is looked for in the web.
const (
	maxQueries   = 3
	maxQuery     = 200 // characters
	hitsPerQuery = 10
)

// web adds pages that searches of the web find, the first of each query in front.
func (c *chooser) web(ctx context.Context) error {
	queries, err := c.queries(ctx)
	if err != nil {
		return err
	}
	var first error
	var hits [][]string
	for _, q := range queries {
		urls, err := c.Web.Search(ctx, q, hitsPerQuery)
		first = or(first, err)
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

// queries are what to search for: a model's words for the prompt, else the prompt itself.
func (c *chooser) queries(ctx context.Context) ([]string, error) {
	schema, err := llm.CompileSchema(json.RawMessage(queriesSchema))
	if err != nil {
		return nil, err
	}
	meter := llm.NewMeter(c.Model, llm.MeterOptions{})
	answer, _, err := llm.JSON(ctx, meter, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: queriesPrompt}, {Role: llm.User, Text: c.wanted()},
	}}, schema)
	if spent := c.Spend(meter.Usage()); spent != nil {
		return nil, spent
	}
	if err != nil && (ctx.Err() != nil || errors.Is(err, llm.ErrBudget)) {
		return nil, err
	}
	queries := queriesIn(answer)
	if err != nil || len(queries) == 0 {
		queries = []string{clip.Runes(oneLine(c.Prompt), maxQuery)}
	}
	return queries, nil
}

// queriesIn are those of an answer that can be used; none where it is no answer.
func queriesIn(answer json.RawMessage) []string {
	var given struct {
		Queries []string `json:"queries"`
	}
	if json.Unmarshal(answer, &given) != nil {
		return nil
	}
	var queries []string
	for _, q := range given.Queries {
		if q = clip.Runes(oneLine(q), maxQuery); q != "" && len(queries) < maxQueries && !slices.Contains(queries, q) {
			queries = append(queries, q)
		}
	}
	return queries
}

const queriesPrompt = `You write queries for a web search engine that find pages to read for a task.
Answer with one JSON object whose "queries" are one to three short queries, in the language in which the pages are likely to be written, the best first.`

const queriesSchema = `{"type":"object","required":["queries"],"properties":{"queries":{"type":"array","items":{"type":"string"}}}}`
