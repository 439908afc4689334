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
	f.declareModel(c)
	page.declare(c)
	out.declare(c)
	return p.does(c, func(ctx context.Context, urls []string) error {
		o, err := page.options()
		if err != nil {
			return err
		}
		return p.start(&f, func(e *engine.Engine, show *terminal.Display) error {
			to, err := out.open(p, o.Formats, len(urls) > 1)
			if err != nil {
				return err
			}
			list := &results{sink: to, say: f.say(p, show), of: "pages"}
			return each(ctx, urls, list, show, func(url string) (*engine.Document, error) { return e.Scrape(ctx, url, o) })
		})
	})
}

// each gets one document after the other, in the order that they are given in. The error of a single one is that of the run.
func each(ctx context.Context, names []string, to *results, show *terminal.Display, get func(string) (*engine.Document, error)) error {
	for i, name := range names {
		if ctx.Err() != nil {
			return to.end(ctx.Err())
		}
		doc, err := get(name)
		if len(names) == 1 {
			if err == nil {
				err = to.add(name, doc, nil)
			}
			return to.end(err)
		}
		if err := to.add(name, doc, err); err != nil {
			return to.end(err)
		}
		show.Progress(engine.Progress{Known: len(names), Queued: len(names) - i - 1, Done: to.good, Failed: to.bad}, i == len(names)-1)
	}
	show.End()
	return to.end(nil)
}
