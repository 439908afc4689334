package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/pagefile"
)

// changed is the summary of a crawl that comes again.
func (x *index) changed() string {
	return fmt.Sprintf("%d changes, %d pages written, %d failed", x.changes, len(x.rows), len(x.failed))
}

func (c *collector) summary() string {
	if c.at.plan.Since {
		return c.index.changed()
	}
	return c.index.summary()
}

// pageFile is the file of a page.
func pageFile(href string) string { return path.Join(pagesDir, pagefile.Name(href)+".md") }

// writeChanges lists what has changed, and deletes the files of pages that are there no longer.
func (c *collector) writeChanges(ctx context.Context, job *engine.CrawlJob, status engine.JobStatus) error {
	var err error
	if c.index.failed, err = job.Errors(ctx); err != nil {
		return err
	}
	var list bytes.Buffer
	fmt.Fprintf(&list, "# %s\n\nWhat has changed since the crawl before, as of %s.\n\n", c.at.plan.seed(), status.CompletedAt.Format("2006-01-02 15:04"))
	for change, err := range job.Changes(ctx, 0) {
		if err != nil {
			return err
		}
		c.index.changes++
		describe(&list, change)
		if err := c.drop(change); err != nil {
			return err
		}
	}
	if c.index.changes == 0 {
		list.WriteString("Nothing.\n")
	}
	return c.at.root.WriteFile(changesFile, list.Bytes(), 0o644)
}

// describe writes a change. Diffs have fences of their own length: a page may have any.
func describe(to *bytes.Buffer, change engine.Change) {
	fmt.Fprintf(to, "- %s: %s", change.Kind, link(change.URL))
	if change.From != "" {
		fmt.Fprintf(to, ", from %s", link(change.From))
	}
	to.WriteByte('\n')
	if change.Diff == "" {
		return
	}
	to.WriteByte('\n')
	for line := range bytes.Lines([]byte(change.Diff)) {
		to.WriteString("      ") // code of the list's item
		to.Write(line)
	}
	to.WriteByte('\n')
}

// drop deletes the file of a page that has gone, or moved.
func (c *collector) drop(change engine.Change) error {
	href := change.From
	if change.Kind == engine.PageRemoved {
		href = change.URL
	}
	if href == "" {
		return nil
	}
	if err := c.at.root.Remove(pageFile(href)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
