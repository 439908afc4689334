package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

func newSiteMap(p *program) *cobra.Command {
	var f engineFlags
	var o engine.MapOptions
	var asJSON, wholeSite bool
	var sitemap string
	c := &cobra.Command{
		Use: "map URL", Short: "The addresses of a site, a line each", Args: cobra.ExactArgs(1),
		Example: "  winnow map https://go.dev/\n  winnow map --search garbage --json https://go.dev/",
	}
	f.declare(c)
	flags := c.Flags()
	flags.StringVar(&o.Search, "search", "", "words: what is about them comes first")
	flags.IntVar(&o.Limit, "limit", 0, "maximum number of addresses, up to 100000 (default 5000)")
	flags.StringVar(&sitemap, "sitemap", "include", "include, skip or only: whether the site's sitemaps are read")
	flags.BoolVar(&wholeSite, "whole-site", false, "addresses above the URL's path, too")
	flags.BoolVar(&o.ObeyRobots, "robots", false, "fetch and list nothing that robots.txt forbids")
	flags.DurationVar(&o.Timeout, "timeout", 2*time.Minute, "time after which the list ends with what is found")
	flags.BoolVar(&asJSON, "json", false, "a line of JSON for each (NDJSON), with title and description where they are known")
	return p.does(c, func(ctx context.Context, args []string) error {
		o.Sitemap = engine.SitemapMode(sitemap)
		if wholeSite {
			o.FilterByPath = new(false)
		}
		return p.start(&f, func(e *engine.Engine, show *terminal.Display) error {
			found, err := e.Map(ctx, args[0], o)
			if err != nil {
				return err
			}
			if found.Warning != "" {
				f.say(p, show)("warning: " + terminal.OneLine(found.Warning))
			}
			return p.list(found.Links, asJSON)
		})
	})
}

func (p *program) list(links []engine.MapLink, asJSON bool) error {
	to := encoder(p.stdout)
	for _, link := range links {
		var err error
		if asJSON {
			err = to.Encode(link)
		} else {
			_, err = fmt.Fprintln(p.stdout, link.URL)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
