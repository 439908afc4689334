package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// searchFlags are the flags of a search.
type searchFlags struct {
	searxng, source string
	scrape, json    bool
	o               engine.SearchOptions
}

func (f *searchFlags) declare(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.searxng, "searxng", "", "URL of a SearXNG server to search with (default: the pages in --cache)")
	flags.StringVar(&f.source, "source", "web", "web, news or images")
	flags.IntVar(&f.o.Limit, "limit", 10, "maximum number of results, 1 to 100")
	flags.StringVar(&f.o.TBS, "since", "", "time of the results, such as qdr:w for the last week")
	flags.BoolVar(&f.scrape, "scrape", false, "get the pages of the results, too, as markdown; with --json")
	flags.BoolVar(&f.json, "json", false, "a line of JSON for each result (NDJSON)")
	_ = c.RegisterFlagCompletionFunc("source", cobra.FixedCompletions([]string{"web", "news", "images"}, cobra.ShellCompDirectiveNoFileComp))
}

// options are the engine's.
func (f *searchFlags) options() (engine.SearchOptions, error) {
	o := f.o
	o.Sources = []engine.SearchSource{{Type: search.Source(f.source)}}
	if f.scrape && !f.json {
		return o, wrong("--scrape has no place in a list for people: add --json")
	}
	if f.scrape {
		o.Scrape = &engine.ScrapeOptions{}
	}
	return o, nil
}

func newSearch(p *program) *cobra.Command {
	var f engineFlags
	var s searchFlags
	c := &cobra.Command{
		Use: "search WORDS...", Short: "Web pages, news and images, found by SearXNG or in the cached pages", Args: cobra.MinimumNArgs(1),
		Example: "  winnow crawl https://go.dev/doc/ --cache data -q > /dev/null && winnow search --cache data garbage collector\n" +
			"  winnow search --searxng http://127.0.0.1:8080 open data",
	}
	f.declare(c)
	s.declare(c)
	return p.does(c, func(ctx context.Context, words []string) error {
		o, err := s.options()
		if err != nil {
			return err
		}
		show := terminal.New(p.stderr, f.quiet)
		options, err := s.engine(&f, show, p)
		if err != nil {
			return err
		}
		return p.with(options, func(e *engine.Engine) error {
			found, err := e.Search(ctx, strings.Join(words, " "), o)
			if err != nil {
				return err
			}
			if found.Warning != "" {
				f.say(p, show)("warning: " + terminal.OneLine(found.Warning))
			}
			return p.hits(found.Data, s.json)
		})
	})
}

// engine are the engine's options, with the one provider that is to be asked.
func (f *searchFlags) engine(flags *engineFlags, show *terminal.Display, p *program) (engine.Options, error) {
	if f.searxng == "" && flags.cache == "" {
		return engine.Options{}, wrong("nothing to search: want --searxng URL, or --cache with the folder of an earlier run")
	}
	o, err := flags.options(show, p.stderr)
	if err != nil || f.searxng == "" {
		return o, err
	}
	provider, err := search.NewSearXNG(search.SearXNGOptions{URL: f.searxng})
	if err != nil {
		return o, wrong("--searxng: %w", err)
	}
	o.Search = []search.Provider{provider}
	return o, nil
}

// hits prints what was found.
func (p *program) hits(found engine.SearchData, asJSON bool) error {
	for _, hit := range found.Web {
		if err := p.hit(hit, asJSON, "%d. %s\n   %s\n   %s\n", hit.Position, hit.Title, hit.URL, hit.Description); err != nil {
			return err
		}
	}
	for _, hit := range found.News {
		if err := p.hit(hit, asJSON, "%d. %s (%s)\n   %s\n   %s\n", hit.Position, hit.Title, hit.Date, hit.URL, hit.Snippet); err != nil {
			return err
		}
	}
	for _, hit := range found.Images {
		if err := p.hit(hit, asJSON, "%d. %s\n   %s\n   on %s\n", hit.Position, hit.Title, hit.ImageURL, hit.URL); err != nil {
			return err
		}
	}
	return nil
}

// hit prints a result as a line of JSON or as text.
func (p *program) hit(hit any, asJSON bool, form string, args ...any) (err error) {
	if asJSON {
		return encoder(p.stdout).Encode(hit)
	}
	_, err = fmt.Fprintf(p.stdout, form, args...)
	return err
}
