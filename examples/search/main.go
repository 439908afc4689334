// Command search crawls a site into the cache and searches the cached pages, on this machine. Without a URL it has a small site of its
// own, on a virtual host; with -searxng it queries a SearXNG server instead of the cache.
//
//	go run ./examples/search barley
//	go run ./examples/search -source news mice                # or images: articles that have a date, images that have a text
//	go run ./examples/search -crawl https://go.dev/doc/ -dir data "garbage collector"
//	go run ./examples/search -dir data "escape analysis"      # what an earlier run has crawled
//	go run ./examples/search -searxng http://127.0.0.1:8080 "open data"
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

// settings are the command line.
type settings struct {
	query, crawl, searxng string
	source                string
	pages, limit          int
	engine                engine.Options
}

func parse(args []string, usage io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("search", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.StringVar(&s.crawl, "crawl", "", "URL of a site to crawl first")
	flags.IntVar(&s.pages, "pages", 50, "maximum number of pages to crawl")
	flags.StringVar(&s.source, "source", string(search.Web), "web, news or images")
	flags.IntVar(&s.limit, "limit", 10, "maximum number of results, 1 to 100")
	flags.StringVar(&s.engine.Dir, "dir", "", "folder of the cache; empty: memory")
	flags.StringVar(&s.searxng, "searxng", "", "SearXNG server to query instead of the cache")
	flags.BoolVar(&s.engine.Policy.AllowPrivate, "allow-private", false, "allow pages on local or private addresses")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if s.query = strings.Join(flags.Args(), " "); s.query == "" {
		return s, errors.New("want words to search for")
	}
	return s, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if s.crawl == "" && s.engine.Dir == "" && s.searxng == "" {
		s.crawl, s.engine.Render = "https://"+siteHost+"/", engine.RenderNever
		s.engine.Hosts = map[string]http.Handler{siteHost: http.HandlerFunc(serve)}
	}
	provider, err := s.provider()
	if err != nil {
		return err
	}
	s.engine.Search = []search.Provider{provider}
	e, err := engine.New(s.engine)
	if err != nil {
		return err
	}
	return errors.Join(find(ctx, e, s, stdout, stderr), e.Close())
}

// provider is the index of the cache unless another is configured.
func (s settings) provider() (search.Provider, error) {
	if s.searxng == "" {
		return local.New(local.Options{}), nil
	}
	return search.NewSearXNG(search.SearXNGOptions{URL: s.searxng})
}

func find(ctx context.Context, e *engine.Engine, s settings, stdout, stderr io.Writer) error {
	if s.crawl != "" {
		job, err := e.Crawl(ctx, s.crawl, engine.CrawlOptions{Limit: s.pages})
		if err != nil {
			return err
		}
		status, err := job.Status(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%d pages are in the cache\n", status.Completed)
	}
	sources := []engine.SearchSource{{Type: search.Source(s.source)}}
	found, err := e.Search(ctx, s.query, engine.SearchOptions{Limit: s.limit, Sources: sources})
	if err != nil {
		return err
	}
	show(stdout, found.Data)
	if found.Warning != "" {
		fmt.Fprintln(stderr, found.Warning)
	}
	return nil
}

func show(w io.Writer, found engine.SearchData) {
	for _, hit := range found.Web {
		fmt.Fprintf(w, "%d. %s\n   %s\n   %s\n", hit.Position, hit.Title, hit.URL, hit.Description)
	}
	for _, hit := range found.News {
		fmt.Fprintf(w, "%d. %s (%s)\n   %s\n   %s\n", hit.Position, hit.Title, hit.Date, hit.URL, hit.Snippet)
	}
	for _, hit := range found.Images {
		fmt.Fprintf(w, "%d. %s\n   %s\n   on %s\n", hit.Position, hit.Title, hit.ImageURL, hit.URL)
	}
}
