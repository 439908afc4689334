package httpapi

import (
	"context"
	"maps"

	"github.com/winnow-go/winnow/engine"
)

const (
	mostBatchURLs   = 100_000
	mostConcurrency = 1000
	mostEvents      = 100
)

// startBatch is POST /v2/batch/scrape: the scrape options stand beside the URLs.
func (c *call) startBatch() error {
	var urls []string
	o := engine.BatchOptions{Owner: c.team}
	f := c.labels(scrapeFields(&o.Scrape))
	maps.Copy(f, fields{
		"urls":              texts(&urls, mostBatchURLs),
		"webhook":           webhook(&o.Webhook),
		"maxConcurrency":    whole(&o.MaxConcurrency, 1, mostConcurrency),
		"ignoreInvalidURLs": flagOr(&o.IgnoreInvalidURLs),
		"appendToId":        text(&o.AppendToID, 1, longestLabel),
		"zeroDataRetention": c.retention(&o.ZeroDataRetention),
	})
	if err := c.body(f); err != nil {
		return err
	}
	if len(urls) == 0 {
		return required("urls", "at least one URL")
	}
	if err := c.batchMayStart(len(urls), &o); err != nil {
		return err
	}
	job, err := c.start("batch", func(ctx context.Context) (*engine.Job, error) { return c.api.engine.StartBatch(ctx, urls, o) })
	if err != nil {
		return err
	}
	c.promise(job.ID())
	body := started{Success: true, ID: job.ID(), URL: c.statusURL(batchPath, job.ID())}
	if o.IgnoreInvalidURLs == nil || *o.IgnoreInvalidURLs {
		invalid, err := job.InvalidURLs(c.r.Context())
		if err != nil {
			return err
		}
		body.InvalidURLs = new(append([]string{}, invalid...))
	}
	return c.reply(body)
}

// batchMayStart checks the credits and, where it is to be added to a batch, whose that is.
func (c *call) batchMayStart(urls int, o *engine.BatchOptions) (err error) {
	if err := c.afford(int64(urls) * priceOf(o.Scrape, o.ZeroDataRetention)); err != nil {
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
		return invalid("appendToId", wantUUID)
	}
	job, err := c.api.engine.Job(c.r.Context(), o.AppendToID)
	if err == nil && job.Owner() != c.team {
		return errOtherTeam
	}
	return err
}

// webhook reads whom to tell; the engine checks it, and asks the egress policy when something is sent.
func webhook(into **engine.Webhook) reader {
	return maybe(into, func(w *engine.Webhook) reader {
		return shortOr("Webhook", "url", text(&w.URL, 1, longestURL), fields{
			"headers": texted(&w.Headers), "metadata": texted(&w.Metadata), "events": texts(&w.Events, mostEvents), "secret": text(&w.Secret, 0, longestText),
		})
	})
}
