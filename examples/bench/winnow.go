//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// be makes this process a peer: it answers rounds until there are no more.
func be(ctx context.Context, name string, in io.Reader, out io.Writer) error {
	do, end, err := contestant(name)
	if err != nil {
		return err
	}
	defer end()
	rounds := json.NewDecoder(in)
	for {
		var r round
		if err := rounds.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		o := outcome{}
		pages, err := do(ctx, r)
		if o.Pages = pages; err != nil {
			o.Error = err.Error()
		}
		if err := json.NewEncoder(out).Encode(o); err != nil {
			return err
		}
	}
}

// contestant is what does a peer's rounds, and what ends it.
func contestant(name string) (do func(context.Context, round) (int, error), end func(), err error) {
	if do := staticPeer(name); do != nil {
		return do, func() {}, nil
	}
	o := options()
	o.Render = engine.RenderAlways
	o.Browser.Executable = os.Getenv("BENCH_BROWSER")
	e, err := engine.New(o)
	if err != nil {
		return nil, nil, err
	}
	ways := map[string]func(context.Context, round) (int, error){
		"scrape": func(ctx context.Context, r round) (int, error) { return scrapeEach(ctx, e, r) },
		"batch": func(ctx context.Context, r round) (int, error) {
			job, err := e.Batch(ctx, r.URLs, engine.BatchOptions{MaxConcurrency: r.Parallel})
			if err != nil {
				return 0, err
			}
			return collect(ctx, job, len(r.URLs), whole)
		},
		"crawl": func(ctx context.Context, r round) (int, error) {
			job, err := e.Crawl(ctx, r.Index, engine.CrawlOptions{MaxConcurrency: r.Parallel, Sitemap: engine.SitemapSkip})
			if err != nil {
				return 0, err
			}
			return collect(ctx, job, len(r.URLs)+1, whole)
		},
	}
	if ways[name] == nil {
		return nil, nil, fmt.Errorf("no peer %q", name)
	}
	return ways[name], func() { _ = e.Close() }, nil
}

// options let an engine reach the site.
func options() (o engine.Options) {
	o.Policy.AllowPrivate = true
	return o
}

// staticPeer is what does the rounds of a peer of static pages; nil for others. Each round has an engine of its own, so that no round
// holds what an earlier one has kept.
func staticPeer(name string) func(context.Context, round) (int, error) {
	all := engine.ScrapeOptions{Formats: []formats.Format{{Type: formats.Links}}, OnlyMainContent: new(false)}
	switch name {
	case "links":
		return func(ctx context.Context, r round) (int, error) { return crawlStatic(ctx, r, "", all, linked) }
	case "markdown":
		return func(ctx context.Context, r round) (int, error) {
			return crawlStatic(ctx, r, "", engine.ScrapeOptions{}, whole)
		}
	case "folder":
		return func(ctx context.Context, r round) (int, error) {
			dir, err := os.MkdirTemp("", "winnow-bench-")
			if err != nil {
				return 0, err
			}
			defer os.RemoveAll(dir)
			return crawlStatic(ctx, r, dir, engine.ScrapeOptions{}, whole)
		}
	}
	return nil
}

// crawlStatic crawls the pages of a round from their index, which isn't counted.
func crawlStatic(
	ctx context.Context, r round, dir string, page engine.ScrapeOptions, check func(*engine.Document) error,
) (pages int, err error) {
	o := options()
	o.Dir, o.MaxPages = dir, r.Parallel
	e, err := engine.New(o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	job, err := e.Crawl(ctx, r.Index, engine.CrawlOptions{MaxConcurrency: r.Parallel, Sitemap: engine.SitemapSkip, Scrape: page})
	if err != nil {
		return 0, err
	}
	status, err := job.Status(ctx)
	if err != nil {
		return 0, err
	}
	pages, err = collect(ctx, job, status.Completed, check)
	return pages - 1, err
}

// scrapeEach scrapes the pages one by one, so many at once.
func scrapeEach(ctx context.Context, e *engine.Engine, r round) (int, error) {
	urls := make(chan string)
	var (
		mu     sync.Mutex
		pages  int
		failed error
		wg     sync.WaitGroup
	)
	for range r.Parallel {
		wg.Go(func() {
			for url := range urls {
				doc, err := e.Scrape(ctx, url, engine.ScrapeOptions{})
				if err == nil {
					err = whole(doc)
				}
				mu.Lock()
				pages, failed = pages+1, errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	for _, url := range r.URLs {
		urls <- url
	}
	close(urls)
	wg.Wait()
	return pages, failed
}

// documents is a job that has any.
type documents interface {
	Documents(ctx context.Context, from uint64) iter.Seq2[*engine.Document, error]
}

// collect reads a job's documents and checks that all are there, each as check wants it.
func collect(ctx context.Context, job documents, want int, check func(*engine.Document) error) (pages int, err error) {
	for doc, err := range job.Documents(ctx, 0) {
		if err == nil {
			err = check(doc)
		}
		if err != nil {
			return pages, err
		}
		pages++
	}
	if pages != want {
		return pages, fmt.Errorf("%d pages of %d", pages, want)
	}
	return pages, nil
}

// whole checks that a page's script has done its work.
func whole(doc *engine.Document) error {
	if !strings.Contains(doc.Markdown, last) {
		return fmt.Errorf("%s is not whole", doc.Metadata.URL)
	}
	return nil
}

// linked checks that a static page has given its links.
func linked(doc *engine.Document) error {
	if len(doc.Links) < pageLinks {
		return fmt.Errorf("%s has %d links", doc.Metadata.URL, len(doc.Links))
	}
	return nil
}
