package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

func newScrape(p *program) *cobra.Command {
	var f engineFlags
	var page pageFlags
	var out outputFlags
	c := &cobra.Command{
		Use: "scrape URL...", Short: "Pages, one after the other, as markdown or other formats", Args: cobra.MinimumNArgs(1),
		Example: "  winnow scrape https://go.dev/\n  winnow scrape -f markdown,screenshot -o out https://go.dev/ https://go.dev/doc/\n" +
			`  winnow scrape --demo -f '{"type": "attributes", "selectors": [{"selector": "a", "attribute": "href"}]}' https://shop.example/`,
	}
	f.declare(c)
	page.declare(c)
	out.declare(c)
	return p.does(c, func(ctx context.Context, urls []string) error {
		o, err := page.options()
		if err != nil {
			return err
		}
		to, err := out.open(p, o.Formats, len(urls) > 1)
		if err != nil {
			return err
		}
		return p.start(&f, func(e *engine.Engine, show *terminal.Display) error {
			return scrapeEach(ctx, e, urls, o, &results{sink: to, say: f.say(p, show), of: "pages"}, show)
		})
	})
}

// scrapeEach scrapes pages in the order that they are given in.
func scrapeEach(ctx context.Context, e *engine.Engine, urls []string, o engine.ScrapeOptions, to *results, show *terminal.Display) error {
	for i, url := range urls {
		if ctx.Err() != nil {
			return to.end(ctx.Err())
		}
		doc, err := e.Scrape(ctx, url, o)
		if len(urls) == 1 && err != nil {
			_ = to.close() // it is empty
			return err
		}
		if err := to.add(url, doc, err); err != nil {
			return to.end(err)
		}
		if len(urls) > 1 {
			show.Progress(engine.Progress{Known: len(urls), Queued: len(urls) - i - 1, Done: to.done, Failed: to.wrong}, i == len(urls)-1)
		}
	}
	if len(urls) > 1 {
		show.End()
	}
	return to.end(nil)
}
