package httpapi

import (
	"context"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// handleStartBatch is POST /v2/batch/scrape: the scrape options stand beside the URLs.
func handleStartBatch(c *call) error {
	var urls []string
	o := engine.BatchOptions{Owner: c.team}
	f := c.labels(decode.BatchFields(&urls, &o, c.limits.ZeroDataRetention))
	if err := c.body(f); err != nil {
		return err
	}
	return startBatch(c, urls, o, batchPath)
}

// startBatch starts a batch within the limits of the key. path is that of its status.
func startBatch(c *call, urls []string, o engine.BatchOptions, path string) error {
	if len(urls) == 0 {
		return decode.Required("urls", "at least one URL")
	}
	if err := batchMayStart(c, len(urls), &o); err != nil {
		return err
	}
	done, err := c.roomToStart()
	if err != nil {
		return err
	}
	defer done()
	job, err := start(c, "batch", func(ctx context.Context) (*engine.BatchJob, error) { return c.api.engine.StartBatch(ctx, urls, o) })
	if err != nil {
		return err
	}
	c.credits.KeepFor(job.ID())
	body := started{Success: true, ID: job.ID(), URL: c.statusURL(path, job.ID())}
	if err := body.listInvalid(c, o.IgnoreInvalidURLs, job.InvalidURLs); err != nil {
		return err
	}
	return replyStarted(c, job, body)
}

// batchMayStart checks the credits and, where it is to be added to a batch, whose that is.
func batchMayStart(c *call, urls int, o *engine.BatchOptions) (err error) {
	if err := c.credits.Reserve(c.r.Context(), int64(urls)*priceOf(o.Scrape, o.ZeroDataRetention)); err != nil {
		return err
	}
	if o.IdempotencyKey, err = c.idempotencyKey(); err != nil {
		return err
	}
	if o.AppendToID == "" {
		o.MaxConcurrency = c.concurrencyOf(o.MaxConcurrency)
		return nil
	}
	if !isUUID(o.AppendToID) {
		return decode.Invalid("appendToId", wantUUID)
	}
	job, err := c.api.engine.Job(c.r.Context(), o.AppendToID)
	if err == nil && job.Owner() != c.team {
		return errOtherTeam
	}
	return err
}

// handleBatchErrors lists the pages that failed. A page that robots.txt forbids is one of them.
func handleBatchErrors(c *call, job *engine.BatchJob) error { return replyErrors(c, job, nil, nil) }
