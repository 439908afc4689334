package httpapi

import (
	"cmp"
	"context"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// documentBody is the answer of scrape and parse.
type documentBody struct {
	Success bool             `json:"success"`
	Data    *engine.Document `json:"data"`
}

// handleScrape is POST /v2/scrape.
func handleScrape(c *call) error {
	var url string
	o := engine.ScrapeOptions{Owner: c.team}
	f := c.labels(decode.ScrapePageFields(&url, &o, c.limits.ZeroDataRetention))
	if err := c.body(f); err != nil {
		return err
	}
	doc, err := scrape(c, url, o)
	if err != nil {
		return err
	}
	return c.reply(c.documented(doc))
}

// scrape scrapes a page within the limits of the key.
func scrape(c *call, url string, o engine.ScrapeOptions) (*engine.Document, error) {
	if url == "" {
		return nil, decode.Required("url", decode.WantURL)
	}
	if err := c.credits.Reserve(c.r.Context(), int64(o.Price())); err != nil {
		return nil, err
	}
	timeout := cmp.Or(o.Timeout, defaultTimeout)
	done, err := c.page(timeout, engine.CodeTimeout)
	if err != nil {
		return nil, err
	}
	defer done()
	return work(c, "scrape", func(ctx context.Context) (*engine.Document, error) {
		ctx, cancel := c.within(ctx, timeout)
		defer cancel()
		return c.api.engine.Scrape(ctx, url, o)
	})
}

// handleScrapeByID is GET /v2/scrape/{id}. A scrape that failed gives its error again.
func handleScrapeByID(c *call) error {
	rec, err := c.record()
	if err != nil {
		return err
	}
	switch {
	case rec.Document != nil:
		return c.reply(documentBody{true, rec.Document})
	case rec.Code != "":
		return &problem{status: statusIn(rec.Code, rec.Endpoint), code: rec.Code, text: shown(rec.Code, rec.Error)}
	}
	return notFound("this scrape was part of a job: read its document from the job")
}
