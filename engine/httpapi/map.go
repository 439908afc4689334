package httpapi

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// handleMapV2 is POST /v2/map: links are objects.
func handleMapV2(c *call) error {
	var url string
	o := engine.MapOptions{Owner: c.team}
	result, err := siteMap(c, &url, &o, decode.MapFields(&url, &o, c.limits.ZeroDataRetention))
	if err != nil {
		return err
	}
	return c.reply(mapBody{true, *result})
}

// mapBody is the answer of a map.
type mapBody struct {
	Success bool `json:"success"`
	engine.MapResult
}

// mapV1Body is that of a map under its first version.
type mapV1Body struct {
	Success bool     `json:"success"`
	Links   []string `json:"links"`
	Credits int      `json:"creditsUsed"`
}

// handleMapV1 is POST /v1/map: links are strings, and sitemaps are ignored unless the request says otherwise.
func handleMapV1(c *call) error {
	var url string
	var only bool
	var ignore *bool
	o := engine.MapOptions{Owner: c.team, Sitemap: engine.SitemapSkip}
	f := decode.MapV1Fields(&url, &o, &ignore, &only)
	choose := func() error {
		switch {
		case only && ignore != nil && *ignore:
			return decode.Invalid("sitemapOnly", "want one of sitemapOnly and ignoreSitemap, not both")
		case only:
			o.Sitemap = engine.SitemapOnly
		case ignore != nil && !*ignore:
			o.Sitemap = engine.SitemapInclude
		}
		return nil
	}
	result, err := siteMap(c, &url, &o, f, choose)
	if err != nil {
		return err
	}
	body := mapV1Body{Success: true, Links: []string{}, Credits: result.Credits}
	for _, link := range result.Links {
		body.Links = append(body.Links, link.URL)
	}
	return c.reply(body)
}

// siteMap reads the body, applies what follows from it, and maps.
func siteMap(c *call, url *string, o *engine.MapOptions, f decode.Fields, then ...func() error) (*engine.MapResult, error) {
	if err := c.body(c.labels(decode.WithUnsupported(f))); err != nil {
		return nil, err
	}
	if *url == "" {
		return nil, decode.Required("url", decode.WantURL)
	}
	for _, apply := range then {
		if err := apply(); err != nil {
			return nil, err
		}
	}
	done, err := c.page(o.Timeout, engine.CodeMapTimeout)
	if err != nil {
		return nil, err
	}
	defer done()
	timeout := o.Timeout
	if timeout > 0 {
		o.Timeout = max(timeout-c.queued, time.Millisecond)
	}
	found, err := work(c, "map", func(ctx context.Context) (*engine.MapResult, error) { return c.api.engine.Map(ctx, *url, *o) })
	if c.queued > 0 && engine.CodeOf(err) == engine.CodeMapTimeout {
		err = &engine.Error{Code: engine.CodeMapTimeout, Op: "map", Err: &lateError{timeout}}
	}
	return found, err
}
