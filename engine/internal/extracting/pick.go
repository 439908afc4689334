package extracting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/llm"
)

// Bounds of the choice among a site's pages.
const (
	pickFrom   = 100  // pages that a model judges in one request
	maxJudged  = 1000 // pages that are judged at all, the most relevant by their words
	pickAtOnce = 4    // requests of one choice that are under way
	shownURL   = 300  // bytes of an address
	shownTitle = 120  // bytes of a title or description
)

// words are what the pages' addresses and titles are searched for.
func (c *chooser) words() string {
	words := c.Prompt
	if c.Schema != nil {
		words += " " + strings.Join(fieldNames(c.Schema.Raw()), " ")
	}
	return strings.TrimSpace(words)
}

// fieldNames are the names of all properties of a schema, each once, in order.
func fieldNames(schema json.RawMessage) []string {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	names := appendNames(nil, root)
	slices.Sort(names)
	return slices.Compact(names)
}

func appendNames(names []string, v any) []string {
	switch v := v.(type) {
	case map[string]any:
		if fields, ok := v["properties"].(map[string]any); ok {
			for name := range fields {
				names = append(names, name)
			}
		}
		for _, child := range v {
			names = appendNames(names, child)
		}
	case []any:
		for _, child := range v {
			names = appendNames(names, child)
		}
	}
	return names
}

// pick lets the model choose among the pages of a site, where there are more than are to
// be read. Links come with the most relevant by their words in front; that is the choice
// where the model gives none.
func (c *chooser) pick(ctx context.Context, links []Link) []string {
	room := c.Limit - len(c.pages)
	if len(links) <= room || room <= 0 {
		return addresses(links)
	}
	picked, failed := c.pickAll(ctx, links[:min(len(links), maxJudged)], room)
	if failed != nil && ctx.Err() == nil {
		c.warnings = append(c.warnings, fmt.Sprintf("the pages were chosen by their words alone, without a model: %v", failed))
	}
	if failed != nil && len(picked) == 0 {
		return addresses(links)
	}
	return addresses(picked)
}

// pickAll asks about all links, part by part. A part that fails leaves the others as they are.
func (c *chooser) pickAll(ctx context.Context, links []Link, most int) (picked []Link, failed error) {
	var mu sync.Mutex
	parts := slices.Collect(slices.Chunk(links, pickFrom))
	lists, err := llm.Each(ctx, pickAtOnce, make([]string, len(parts)), func(ctx context.Context, i int, _ string) ([]Link, error) {
		list, err := c.pickSome(ctx, parts[i], most)
		if err != nil && ctx.Err() == nil {
			mu.Lock()
			failed = err
			mu.Unlock()
			err = nil
		}
		return list, err
	})
	for _, list := range lists {
		picked = append(picked, list...)
	}
	return picked, or(err, failed)
}

func addresses(links []Link) []string {
	var urls []string
	for _, l := range links {
		urls = append(urls, l.URL)
	}
	return urls
}

// pickSome asks which of some pages to read.
func (c *chooser) pickSome(ctx context.Context, links []Link, most int) ([]Link, error) {
	schema, err := llm.CompileSchema(json.RawMessage(pickSchema))
	if err != nil {
		return nil, err
	}
	var list strings.Builder
	for i, l := range links {
		title, about := clip.Bytes(oneLine(l.Title), shownTitle), clip.Bytes(oneLine(l.Description), shownTitle)
		fmt.Fprintf(&list, "%d. %s %s %s\n", i+1, clip.Bytes(l.URL, shownURL), title, about)
	}
	pages := llm.Fence("pages of the site", list.String())
	meter := llm.NewMeter(c.Model, llm.MeterOptions{})
	answer, _, err := llm.JSON(ctx, meter, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: pickPrompt + "\n" + llm.UntrustedRule},
		{Role: llm.User, Text: fmt.Sprintf("%s\nName at most %d pages.\n\nThe pages:\n%s", c.wanted(), most, pages)},
	}}, schema)
	if err := errors.Join(err, c.Spend(meter.Usage())); err != nil {
		return nil, err
	}
	return named(answer, links, most)
}

// named are the links that an answer names, each once.
func named(answer json.RawMessage, links []Link, most int) ([]Link, error) {
	var given struct {
		Pages []int `json:"pages"`
	}
	if err := json.Unmarshal(answer, &given); err != nil {
		return nil, err
	}
	var picked []Link
	taken := map[int]bool{}
	for _, n := range given.Pages {
		if n >= 1 && n <= len(links) && !taken[n] && len(picked) < most {
			taken[n] = true
			picked = append(picked, links[n-1])
		}
	}
	return picked, nil
}

const pickPrompt = `You choose which pages of a website to read for a task. You see numbered pages by address, title and description.
Answer with one JSON object whose "pages" are the numbers of those that are likely to hold what is wanted, the most useful first. Leave out what only repeats another page, and what has nothing to do with the task. An empty list is a good answer.`

const pickSchema = `{"type":"object","required":["pages"],"properties":{"pages":{"type":"array","items":{"type":"integer"}}}}`
