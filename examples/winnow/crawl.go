package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// defaultPages bounds a crawl whose --limit isn't given: a person's first crawl of a site should end soon.
const defaultPages = 100

// crawlFlags are the flags of which pages are crawled, and how fast.
type crawlFlags struct {
	o           engine.CrawlOptions
	depth, hops int
	sitemap     string
	delay       time.Duration
}

func (f *crawlFlags) declare(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&f.o.Limit, "limit", defaultPages, "maximum number of pages, up to 1000000")
	flags.IntVar(&f.depth, "depth", -1, "path segments below the URL's that a page may have (default: any number)")
	flags.IntVar(&f.hops, "hops", -1, "links away from the URL or a sitemap's page (default: any number)")
	flags.StringSliceVar(&f.o.IncludePaths, "include-path", nil, "regular expressions of paths: only those are crawled")
	flags.StringSliceVar(&f.o.ExcludePaths, "exclude-path", nil, "regular expressions of paths that are not crawled")
	flags.BoolVar(&f.o.CrawlEntireDomain, "entire-domain", false, "the whole host, not only what is below the URL's path")
	flags.BoolVar(&f.o.AllowSubdomains, "subdomains", false, "all hosts of the domain")
	flags.StringVar(&f.sitemap, "sitemap", "include", "include, skip or only: whether the site's sitemaps are read")
	flags.DurationVar(&f.delay, "delay", 0, "time between two requests to a host, up to 1m")
	flags.IntVar(&f.o.MaxConcurrency, "concurrency", 0, "pages at once (default: by the machine)")
	flags.BoolVar(&f.o.IgnoreRobotsTxt, "ignore-robots", false, "crawl what robots.txt forbids; have the site's leave")
	flags.BoolVar(&f.o.FollowTraps, "follow-traps", false, "also fetch forms of addresses (endless calendars and the like) that held nothing new")
	_ = c.RegisterFlagCompletionFunc("sitemap", cobra.FixedCompletions([]string{"include", "skip", "only"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *crawlFlags) options(scrape engine.ScrapeOptions) (engine.CrawlOptions, error) {
	o := f.o
	if o.Limit < 1 { // which the engine takes for many
		return o, wrong("--limit %d: want 1 to 1000000", o.Limit)
	}
	o.Scrape, o.Delay, o.Sitemap = scrape, f.delay, engine.SitemapMode(f.sitemap)
	if f.depth >= 0 {
		o.MaxDepth = &f.depth
	}
	if f.hops >= 0 {
		o.MaxDiscoveryDepth = &f.hops
	}
	return o, nil
}

func newCrawl(p *program) *cobra.Command {
	var f engineFlags
	var page pageFlags
	var crawl crawlFlags
	var out outputFlags
	c := &cobra.Command{
		Use: "crawl URL", Short: "A site, page by page, as robots.txt allows", Args: cobra.ExactArgs(1),
		Example: "  winnow crawl https://go.dev/doc/ -o doc --limit 500\n  winnow crawl --demo https://blog.example/ --json",
	}
	f.declare(c)
	f.declareModel(c)
	crawl.declare(c)
	page.declare(c)
	out.declare(c)
	return p.does(c, func(ctx context.Context, args []string) error {
		o, err := page.options()
		if err != nil {
			return err
		}
		plan, err := crawl.options(o)
		if err != nil {
			return err
		}
		return p.collect(ctx, &f, &out, o.Formats, func(e *engine.Engine) (job, error) { return e.StartCrawl(ctx, args[0], plan) })
	})
}

// sayLeftOut says how many addresses the crawl did not follow, and why.
func sayLeftOut(ctx context.Context, job *engine.CrawlJob, show *terminal.Display) {
	denied, err := job.Denied(ctx)
	if err != nil {
		return // the run's own error says more
	}
	for _, d := range denied {
		show.Say(fmt.Sprintf("not followed: %d (%s)", d.Count, d.Reason))
	}
}
