package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/llm"
)

// Bounds of the choice among a site's pages.
const (
	chooseAtOnce = 100  // pages that a model judges in one request
	chooseMost   = 1000 // pages that are judged at all, the most relevant by their words
	chooseOf     = 5000 // pages that a map gives
	titleShown   = 120  // bytes of a title or description
)

// Where a chosen page comes from.
const (
	fromGiven  = "given"
	fromMap    = "map"
	fromSearch = "search"
)

// choose finds the pages to read: those that were given, then those of whole sites and
// of the web. What can't be looked at is a warning while there is something else.
func (x *extraction) choose(ctx context.Context) (selection, error) {
	c := &chooser{extraction: x, seen: map[string]bool{}}
	for _, u := range x.options.URLs {
		if !strings.HasSuffix(u, "*") {
			c.add(fromGiven, u)
		}
	}
	var first error
	for _, u := range x.options.URLs {
		if site, whole := strings.CutSuffix(u, "*"); whole {
			first = orError(first, c.soft(ctx, u, c.site(ctx, site)))
		}
	}
	if x.options.EnableWebSearch {
		first = orError(first, c.soft(ctx, "the web search", c.web(ctx)))
	}
	switch {
	case ctx.Err() != nil:
		return selection{}, context.Cause(ctx)
	case len(c.pages) == 0 && first != nil:
		return selection{}, first
	}
	return selection{Pages: c.pages, Warnings: c.warnings}, nil
}

func orError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// chooser gathers the pages.
type chooser struct {
	*extraction
	seen     map[string]bool
	pages    []chosen
	warnings []string
}

// reserve is how many pages more than the limit are kept for those that fail.
const reserve = 2

func (c *chooser) add(from string, urls ...string) {
	for _, u := range urls {
		href, err := parseTarget(u)
		if err == nil && !c.seen[href] && len(c.pages) < reserve*c.options.Limit {
			c.seen[href] = true
			c.pages = append(c.pages, chosen{URL: href, From: from})
		}
	}
}

// soft makes a warning of an error, and gives it back.
func (c *chooser) soft(ctx context.Context, what string, err error) error {
	if err != nil && ctx.Err() == nil {
		c.warnings = append(c.warnings, fmt.Sprintf("%s gave no pages: %v", what, err))
	}
	return err
}

// site adds the pages of a site that matter.
func (c *chooser) site(ctx context.Context, site string) error {
	o := c.options
	m, err := c.engine.listSite(ctx, site, MapOptions{
		Search: c.words(), Limit: chooseOf, IgnoreSitemap: o.IgnoreSitemap, IncludeSubdomains: o.IncludeSubdomains, AllowExternalLinks: o.AllowExternalLinks,
		Headers: o.Scrape.Headers, Location: o.Scrape.Location, Lockdown: o.Scrape.Lockdown, ZeroDataRetention: o.ZeroDataRetention,
		ObeyRobots: o.Scrape.ObeyRobots, RobotsUserAgent: o.Scrape.RobotsUserAgent, Owner: o.Owner,
	})
	if err != nil {
		return err
	}
	if err := c.store.spend(c.id, c.owner, llm.Usage{}, mapCredits); err != nil {
		return err
	}
	c.add(fromMap, c.pick(ctx, m.Links)...)
	return nil
}

// words are what the pages' addresses and titles are searched for.
func (c *chooser) words() string {
	words := c.options.Prompt
	if c.schema != nil {
		words += " " + strings.Join(fieldNames(c.schema.Raw()), " ")
	}
	return clipRunes(strings.TrimSpace(words), longestSearch)
}

// fieldNames are the names of all properties of a schema, each once, in order.
func fieldNames(schema json.RawMessage) []string {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	var names []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, child := range v {
				if fields, ok := child.(map[string]any); ok && key == "properties" {
					for name := range fields {
						names = append(names, name)
					}
				}
				walk(child)
			}
		case []any:
			for _, child := range v {
				walk(child)
			}
		}
	}
	walk(root)
	slices.Sort(names)
	return slices.Compact(names)
}

// pick lets the model choose among the pages of a site, where there are more than are to
// be read. Links come with the most relevant by their words in front; that is the choice
// where the model gives none.
func (c *chooser) pick(ctx context.Context, links []MapLink) []string {
	room := c.options.Limit - len(c.pages)
	if len(links) <= room || room <= 0 {
		return linkURLs(links)
	}
	judged := links[:min(len(links), chooseMost)]
	var picked []MapLink
	var mu sync.Mutex
	var failed error
	parts := slices.Collect(slices.Chunk(judged, chooseAtOnce))
	lists, err := llm.Each(ctx, pickAtOnce, make([]string, len(parts)), func(ctx context.Context, i int, _ string) ([]MapLink, error) {
		list, err := c.pickSome(ctx, parts[i], room)
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
	if failed = orError(err, failed); failed != nil && ctx.Err() == nil {
		c.warnings = append(c.warnings, fmt.Sprintf("the pages were chosen by their words alone, without a model: %v", failed))
	}
	if failed != nil && len(picked) == 0 {
		return linkURLs(links)
	}
	return linkURLs(picked)
}

// pickAtOnce bounds the requests of one choice that are under way.
const pickAtOnce = 4

func linkURLs(links []MapLink) []string {
	var urls []string
	for _, l := range links {
		urls = append(urls, l.URL)
	}
	return urls
}

// pickSome asks which of some pages to read.
func (c *chooser) pickSome(ctx context.Context, links []MapLink, most int) ([]MapLink, error) {
	schema, err := llm.CompileSchema(json.RawMessage(pickSchema))
	if err != nil {
		return nil, err
	}
	var list strings.Builder
	for i, l := range links {
		fmt.Fprintf(&list, "%d. %s %s %s\n", i+1, clip(l.URL, sampleURL), clip(oneLine(l.Title), titleShown), clip(oneLine(l.Description), titleShown))
	}
	meter := llm.NewMeter(c.model, llm.MeterOptions{})
	answer, _, err := llm.JSON(ctx, meter, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: pickPrompt + "\n" + llm.UntrustedRule},
		{Role: llm.User, Text: fmt.Sprintf("%s\nName at most %d pages.\n\nThe pages:\n%s", c.wanted(), most, llm.Fence("pages of the site", list.String()))},
	}}, schema)
	if err := errors.Join(err, c.store.spend(c.id, c.owner, meter.Usage(), 0)); err != nil {
		return nil, err
	}
	var named struct {
		Pages []int `json:"pages"`
	}
	if err := json.Unmarshal(answer, &named); err != nil {
		return nil, err
	}
	var picked []MapLink
	taken := map[int]bool{}
	for _, n := range named.Pages {
		if n >= 1 && n <= len(links) && !taken[n] && len(picked) < most {
			taken[n] = true
			picked = append(picked, links[n-1])
		}
	}
	return picked, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// wanted says in words what the extraction is about.
func (x *extraction) wanted() string {
	var b strings.Builder
	if x.options.Prompt != "" {
		fmt.Fprintf(&b, "What is wanted:\n%s\n", x.options.Prompt)
	}
	if x.schema != nil {
		fmt.Fprintf(&b, "The data follows this JSON Schema:\n%s\n", x.schema.ForModel())
	}
	return b.String()
}

const pickPrompt = `You choose which pages of a website to read for a task. You see numbered pages by address, title and description.
Answer with one JSON object whose "pages" are the numbers of those that are likely to hold what is wanted, the most useful first. Leave out what only repeats another page, and what has nothing to do with the task. An empty list is a good answer.`

const pickSchema = `{"type":"object","required":["pages"],"properties":{"pages":{"type":"array","items":{"type":"integer"}}}}`
