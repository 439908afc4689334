package httpapi

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// Limits of the service for maps.
const (
	mostLinks   = 100_000
	mostLinksV1 = 30_000
	longestMap  = 30 * 60 * 1000 // ms
	longestFind = 1000
)

// mapV2 is POST /v2/map: links are objects.
func (c *call) mapV2() error {
	var url string
	o := engine.MapOptions{Owner: c.team}
	result, err := c.siteMap(&url, &o, fields{
		"url":                   target(&url),
		"search":                text(&o.Search, 0, longestFind),
		"sitemap":               sitemap(&o.Sitemap),
		"includeSubdomains":     flagOr(&o.IncludeSubdomains),
		"ignoreQueryParameters": flagOr(&o.IgnoreQueryParameters),
		"limit":                 whole(&o.Limit, 1, mostLinks),
		"timeout":               span(&o.Timeout, time.Millisecond, 1, longestMap),
		"ignoreCache":           flag(&o.IgnoreCache),
		"location":              nested(&o.Location, locationFields),
		"headers":               texted(&o.Headers),
		"filterByPath":          flagOr(&o.FilterByPath),
		"useIndex":              flagOr(&o.UseIndex),
		"allowExternalLinks":    flag(&o.AllowExternalLinks),
		"includePaths":          texts(&o.IncludePaths, mostPatterns),
		"excludePaths":          texts(&o.ExcludePaths, mostPatterns),
		"lockdown":              flag(&o.Lockdown),
		"zeroDataRetention":     c.retention(&o.ZeroDataRetention),
	})
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

// mapV1 is POST /v1/map: links are strings, and sitemaps are ignored unless the request says otherwise.
func (c *call) mapV1() error {
	var url string
	var only bool
	var ignore *bool
	o := engine.MapOptions{Owner: c.team, Sitemap: engine.SitemapSkip}
	f := fields{
		"url":               target(&url),
		"search":            text(&o.Search, 0, longestFind),
		"ignoreSitemap":     flagOr(&ignore),
		"sitemapOnly":       flag(&only),
		"includeSubdomains": flagOr(&o.IncludeSubdomains),
		"limit":             whole(&o.Limit, 1, mostLinksV1),
		"timeout":           span(&o.Timeout, time.Millisecond, 1, longestMap),
		"location":          nested(&o.Location, locationFields),
	}
	choose := func() error {
		switch {
		case only && ignore != nil && *ignore:
			return invalid("sitemapOnly", "want one of sitemapOnly and ignoreSitemap, not both")
		case only:
			o.Sitemap = engine.SitemapOnly
		case ignore != nil && !*ignore:
			o.Sitemap = engine.SitemapInclude
		}
		return nil
	}
	result, err := c.siteMap(&url, &o, f, choose)
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
func (c *call) siteMap(url *string, o *engine.MapOptions, f fields, then ...func() error) (*engine.MapResult, error) {
	if err := c.body(c.labels(elsewhere(f))); err != nil {
		return nil, err
	}
	if *url == "" {
		return nil, required("url", wantURL)
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
	if o.Timeout > 0 {
		o.Timeout = max(o.Timeout-c.inLine, time.Millisecond)
	}
	return work(c, "map", func(ctx context.Context) (*engine.MapResult, error) { return c.api.engine.Map(ctx, *url, *o) })
}
