// Command generated drives the server through the package that oapi-codegen has made of its OpenAPI document.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"

	"generated/api"
)

func main() {
	if err := drive(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func drive(ctx context.Context) error {
	c, err := api.NewClientWithResponses(os.Getenv("API"), api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	}))
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context, *api.ClientWithResponses) error{scrape, site, crawl, refused} {
		if err := step(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func scrape(ctx context.Context, c *api.ClientWithResponses) error {
	var links api.Format
	if err := links.FromLinksFormat(api.LinksFormat{Type: "links"}); err != nil {
		return err
	}
	var markdown api.Format
	if err := markdown.FromFormatName("markdown"); err != nil {
		return err
	}
	r, err := c.ScrapeWithResponse(ctx, api.ScrapeRequest{
		Url: "https://shop.example/", Formats: &[]api.Format{markdown, links}, Winnow: &api.WinnowOptions{Render: new(api.WinnowOptionsRender("never"))},
	})
	if err != nil {
		return err
	}
	if r.JSON200 == nil || r.JSON200.Data.Markdown == nil || r.JSON200.Data.Links == nil || *r.JSON200.Data.Metadata.StatusCode != http.StatusOK {
		return fmt.Errorf("scrape: %s", r.Body)
	}
	return nil
}

func site(ctx context.Context, c *api.ClientWithResponses) error {
	r, err := c.MapWithResponse(ctx, api.MapRequest{Url: "https://shop.example/", Limit: new(5)})
	if err == nil && (r.JSON200 == nil || len(r.JSON200.Links) == 0) {
		err = fmt.Errorf("map: %s", r.Body)
	}
	return err
}

func crawl(ctx context.Context, c *api.ClientWithResponses) error {
	started, err := c.StartCrawlWithResponse(ctx, nil, api.CrawlRequest{Url: "https://shop.example/", Limit: new(3)})
	if err != nil {
		return err
	}
	if started.JSON200 == nil {
		return fmt.Errorf("crawl: %s", started.Body)
	}
	id, err := uuid.Parse(started.JSON200.Id)
	if err != nil {
		return err
	}
	for {
		r, err := c.GetCrawlWithResponse(ctx, id, nil)
		switch {
		case err != nil:
			return err
		case r.JSON200 != nil && r.JSON200.Status == "scraping":
			time.Sleep(100 * time.Millisecond)
			continue
		case r.JSON200 == nil || r.JSON200.Status != "completed" || len(r.JSON200.Data) != 3:
			return fmt.Errorf("status: %s", r.Body)
		}
		return nil
	}
}

func refused(ctx context.Context, c *api.ClientWithResponses) error {
	r, err := c.ScrapeWithResponse(ctx, api.ScrapeRequest{Url: "http://10.0.0.1/"})
	if err == nil && (r.JSON403 == nil || r.JSON403.Code == nil || *r.JSON403.Code != "unsafe_domain_blocked") {
		err = fmt.Errorf("refused: %s", r.Body)
	}
	return err
}
