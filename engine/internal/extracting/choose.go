package extracting

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/llm"
)

// Request says which pages are wanted.
type Request struct {
	// URLs are web addresses; one that ends in "*" stands for all pages at and below it.
	URLs []string
	// Prompt says in words what is wanted, Schema is the form of the data, nil where none is given.
	Prompt string
	Schema *llm.Schema
	// Limit of pages that are read. Twice as many are chosen, for those that fail.
	Limit int
	// Search looks for further pages in the web.
	Search bool
}

// Means are what a choice is made with. All are required.
type Means struct {
	Web   Web
	Model llm.Model
	// Spend books what the model has used for one question. An error ends the part of the choice that it belongs to. It is called
	// from several goroutines at once.
	Spend func(llm.Usage) error
}

// Web is where pages are found. It books by itself what that costs.
type Web interface {
	// Pages lists pages of a site, at most so many, those that the words are about in front.
	Pages(ctx context.Context, site, words string, limit int) ([]Link, error)
	// Search gives the addresses of pages that a query finds, at most so many, the best first.
	Search(ctx context.Context, query string, limit int) ([]string, error)
}

// Link is a page of a site. Title and Description may be empty.
type Link struct{ URL, Title, Description string }

// Selection is what is to be read. Its JSON stands in files.
type Selection struct {
	Pages    []Chosen        `json:"pages"`
	Warnings []string        `json:"warnings,omitempty"` // of what couldn't be looked at
	Schema   json.RawMessage `json:"schema,omitempty"`   // that a model made of the prompt
}

// Chosen is a page that is to be read, in the order of what it matters.
type Chosen struct {
	URL  string `json:"url"` // normalised, each once
	From string `json:"from"`
}

// Where a chosen page comes from.
const (
	fromGiven  = "given"
	fromMap    = "map"
	fromSearch = "search"
)

// maxPages bounds the pages of a site that are looked at.
const maxPages = 5000

// Choose finds the pages to read: those that were given, then those of whole sites and of the web. What can't be looked at is a
// warning while there is something else.
func Choose(ctx context.Context, r Request, m Means) (Selection, error) {
	c := &chooser{Request: r, Means: m, seen: map[string]bool{}}
	for _, u := range r.URLs {
		if !strings.HasSuffix(u, "*") {
			c.add(fromGiven, u)
		}
	}
	first := c.look(ctx)
	switch {
	case ctx.Err() != nil:
		return Selection{}, context.Cause(ctx)
	case len(c.pages) == 0 && first != nil:
		return Selection{}, first
	}
	schema, err := c.form(ctx)
	return Selection{Pages: c.pages, Warnings: c.warnings, Schema: schema}, err
}

// chooser gathers the pages.
type chooser struct {
	Request
	Means
	seen     map[string]bool
	pages    []Chosen
	warnings []string
}

// look adds the pages of whole sites and of the web, and gives the first error.
func (c *chooser) look(ctx context.Context) (first error) {
	for _, u := range c.URLs {
		if site, whole := strings.CutSuffix(u, "*"); whole {
			first = or(first, c.soft(ctx, u, c.site(ctx, site)))
		}
	}
	if c.Search {
		first = or(first, c.soft(ctx, "the web search", c.web(ctx)))
	}
	return first
}

func or(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// reserve is how many pages more than the limit are kept for those that fail.
const reserve = 2

func (c *chooser) add(from string, urls ...string) {
	for _, u := range urls {
		href, err := weburl.Target(u)
		if err == nil && !c.seen[href] && len(c.pages) < reserve*c.Limit {
			c.seen[href] = true
			c.pages = append(c.pages, Chosen{URL: href, From: from})
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
	links, err := c.Web.Pages(ctx, site, c.words(), maxPages)
	if err != nil {
		return err
	}
	c.add(fromMap, c.pick(ctx, links)...)
	return nil
}

// wanted says in words what the data is about.
func (c *chooser) wanted() string {
	var b strings.Builder
	if c.Prompt != "" {
		fmt.Fprintf(&b, "What is wanted:\n%s\n", c.Prompt)
	}
	if c.Schema != nil {
		fmt.Fprintf(&b, "The data follows this JSON Schema:\n%s\n", c.Schema.ForModel())
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
