package main

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
	"github.com/winnow-go/winnow/formats"
)

func newBatch(p *program) *cobra.Command {
	var f engineFlags
	var page pageFlags
	var out outputFlags
	var concurrency int
	c := &cobra.Command{
		Use: "batch [FILE...]", Short: "Many pages at once: URLs, or NDJSON of map and search, from files or a pipe",
		Example: "  winnow batch urls.txt -o pages\n  winnow map https://go.dev/doc/ | winnow batch --json > pages.ndjson",
	}
	f.declare(c)
	f.declareModel(c)
	page.declare(c)
	out.declare(c)
	c.Flags().IntVar(&concurrency, "concurrency", 0, "pages at once (default: by the machine)")
	return p.does(c, func(ctx context.Context, files []string) error {
		o, err := page.options()
		if err != nil {
			return err
		}
		urls, err := p.urlsFrom(files)
		if err != nil {
			return err
		}
		return p.collect(ctx, &f, &out, o.Formats, func(e *engine.Engine) (job, error) {
			return e.StartBatch(ctx, urls, engine.BatchOptions{Scrape: o, MaxConcurrency: concurrency})
		})
	})
}

// job is what batches and crawls have in common.
type job interface {
	Status(context.Context) (engine.JobStatus, error)
	Documents(ctx context.Context, from uint64) iter.Seq2[*engine.Document, error]
	Errors(context.Context) ([]engine.JobError, error)
	Cancel(context.Context) error
}

// cancelTime is how long a job gets to end after a signal.
const cancelTime = 10 * time.Second

// collect starts a job and gives its documents to where results go, as they come, and then what has failed.
func (p *program) collect(
	ctx context.Context, f *engineFlags, out *outputFlags, asked []formats.Format, begin func(*engine.Engine) (job, error),
) error {
	return p.start(f, func(e *engine.Engine, show *terminal.Display) error {
		to, err := out.open(p, asked, true)
		if err != nil {
			return err
		}
		j, err := begin(e)
		if err != nil {
			return errors.Join(err, to.close())
		}
		return followed(ctx, j, &results{sink: to, say: f.say(p, show), of: "pages"}, show)
	})
}

// followed shows a job's progress to its end.
func followed(ctx context.Context, j job, to *results, show *terminal.Display) error {
	stop := show.Follow(ctx, j.Status)
	err := documents(ctx, j, to)
	stop()
	if err != nil {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer cancel()
		_ = j.Cancel(ending) // the engine closes next
		return to.end(err)
	}
	if err := failures(ctx, j, to); err != nil {
		return to.end(err)
	}
	if crawl, ok := j.(*engine.CrawlJob); ok {
		sayLeftOut(ctx, crawl, show)
	}
	return to.end(ending(ctx, j))
}

func documents(ctx context.Context, j job, to *results) error {
	for doc, err := range j.Documents(ctx, 0) {
		if err != nil {
			return err
		}
		if err := to.add(doc.Metadata.SourceURL, doc, nil); err != nil {
			return err
		}
	}
	return nil
}

func failures(ctx context.Context, j job, to *results) error {
	list, err := j.Errors(ctx)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := to.add(f.URL, nil, &engine.Error{Code: f.Code, URL: f.URL, Err: errors.New(f.Error)}); err != nil {
			return err
		}
	}
	return nil
}

// ending is the error of a job that could not begin; its warning is said.
func ending(ctx context.Context, j job) error {
	status, err := j.Status(ctx)
	if err != nil || status.State == engine.JobCompleted {
		return err
	}
	return &engine.Error{Code: status.Code, Op: status.Kind, URL: status.URL, Err: errors.New(status.Error)}
}
