package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/pagefile"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// collector writes what a crawl finds into a folder.
type collector struct {
	engine *engine.Engine
	at     *folder
	show   *terminal.Display
	index  *index
}

// run crawls to the end. Whatever ends it earlier, the job stays unfinished once the
// engine is closed, and a later run goes on with it.
func (c *collector) run(ctx context.Context, resume bool) error {
	job, err := c.start(ctx, resume)
	if err != nil {
		return err
	}
	c.show.Say("writing to " + c.at.dir)
	status, err := c.collect(ctx, job)
	if err != nil {
		return c.unfinished(ctx, err)
	}
	if status.State != engine.JobCompleted {
		err = fmt.Errorf("the crawl has %s: %s", status.State, status.Error)
	}
	return errors.Join(err, c.at.finish())
}

// start begins the job, or finds the one that an earlier run began with the same key.
func (c *collector) start(ctx context.Context, resume bool) (*engine.CrawlJob, error) {
	if !resume {
		if err := c.at.claim(); err != nil {
			return nil, err
		}
	}
	p := c.at.plan
	o := engine.CrawlOptions{Limit: p.Limit, IdempotencyKey: p.Key}
	if p.Since {
		o.Since = engine.SinceLast
	}
	job, err := c.engine.StartCrawl(ctx, p.seed(), o)
	if err != nil && !resume {
		err = errors.Join(err, c.at.withdraw())
	}
	return job, err
}

// unfinished adds to err how to continue.
func (c *collector) unfinished(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = errStopped
	}
	return fmt.Errorf("%w; %d pages are written; continue with: -resume -out %q", err, len(c.index.rows), c.at.dir)
}

// collect writes pages as they come, and then the index. It begins with the first page
// also where the job is resumed: what an earlier run wrote last may be cut off.
func (c *collector) collect(ctx context.Context, job *engine.CrawlJob) (engine.JobStatus, error) {
	stop := c.show.Follow(ctx, job.Status)
	err := c.pages(ctx, job)
	stop()
	if err != nil {
		return engine.JobStatus{}, err
	}
	status, err := job.Status(ctx)
	if err == nil && c.at.plan.Since {
		return status, c.writeChanges(ctx, job, status)
	}
	if err != nil || status.Completed == 0 { // an empty index would only be in the way
		return status, err
	}
	return status, c.writeIndex(ctx, job, status)
}

func (c *collector) pages(ctx context.Context, job *engine.CrawlJob) error {
	for doc, err := range job.Documents(ctx, 0) {
		if err == nil {
			err = c.write(doc)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write makes a page's file. Its name follows from the page's own address alone, so that
// it is the same in every run.
func (c *collector) write(doc *engine.Document) error {
	href := cmp.Or(doc.Metadata.URL, doc.Metadata.SourceURL)
	name := pageFile(href)
	c.index.add(row{file: name, title: doc.Metadata.Title, url: href, status: doc.Metadata.StatusCode})
	if err := c.at.root.MkdirAll(pagesDir, 0o755); err != nil {
		return err
	}
	return c.at.root.WriteFile(name, page(doc, href), 0o644)
}

// page is a page's file: what it is, and its markdown.
func page(doc *engine.Document, href string) []byte {
	var b bytes.Buffer
	b.WriteString(pagefile.Head(doc.Metadata.Title, href))
	fmt.Fprintln(&b, strings.TrimSpace(doc.Markdown))
	return b.Bytes()
}

func (c *collector) writeIndex(ctx context.Context, job *engine.CrawlJob, status engine.JobStatus) error {
	var err error
	if c.index.failed, err = job.Errors(ctx); err != nil {
		return err
	}
	if c.index.denied, err = job.Denied(ctx); err != nil {
		return err
	}
	return c.at.root.WriteFile(indexFile, c.index.render(status), 0o644)
}
