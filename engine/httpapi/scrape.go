package httpapi

import (
	"cmp"
	"context"

	"github.com/winnow-go/winnow/engine"
)

// documentBody is the answer of scrape and parse.
type documentBody struct {
	Success bool             `json:"success"`
	Data    *engine.Document `json:"data"`
}

// scrape is POST /v2/scrape.
func (c *call) scrape() error {
	var url string
	o := engine.ScrapeOptions{Owner: c.team}
	f := c.labels(scrapeFields(&o))
	f["url"], f["zeroDataRetention"] = target(&url), c.retention(&o.ZeroDataRetention)
	if err := c.body(f); err != nil {
		return err
	}
	if url == "" {
		return required("url", wantURL)
	}
	if err := c.afford(int64(o.Price())); err != nil {
		return err
	}
	timeout := cmp.Or(o.Timeout, defaultTimeout)
	done, err := c.page(timeout, engine.CodeTimeout)
	if err != nil {
		return err
	}
	defer done()
	doc, err := work(c, "scrape", func(ctx context.Context) (*engine.Document, error) {
		ctx, cancel := c.within(ctx, timeout)
		defer cancel()
		return c.api.engine.Scrape(ctx, url, o)
	})
	if err != nil {
		return err
	}
	return c.reply(c.documented(doc))
}

// scrapeByID is GET /v2/scrape/{id}. A scrape that failed gives its error again.
func (c *call) scrapeByID() error {
	rec, err := c.record()
	if err != nil {
		return err
	}
	switch {
	case rec.Document != nil:
		return c.reply(documentBody{true, rec.Document})
	case rec.Code != "":
		status, text := statusIn(rec.Code, rec.Endpoint), rec.Error
		if hidden, ok := inner[rec.Code]; ok {
			text = hidden
		}
		return &problem{status: status, code: rec.Code, text: text}
	}
	return notFound("this scrape was part of a job, which has its document")
}

// record finds the scrape of the path, if it is the caller's.
func (c *call) record() (*engine.ScrapeRecord, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	rec, err := c.api.engine.ScrapeByID(c.r.Context(), id)
	if err != nil {
		return nil, err
	}
	if rec.Owner != c.team {
		return nil, errOtherTeam
	}
	return rec, nil
}
