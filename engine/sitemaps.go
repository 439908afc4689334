package engine

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// SitemapMode says what the sitemaps of a site are used for.
type SitemapMode string

// The ways of using sitemaps. The zero value is SitemapInclude.
const (
	// SitemapInclude takes URLs from sitemaps and from links.
	SitemapInclude SitemapMode = "include"
	// SitemapSkip asks for no sitemap.
	SitemapSkip SitemapMode = "skip"
	// SitemapOnly takes URLs from sitemaps alone.
	SitemapOnly SitemapMode = "only"
)

func (m SitemapMode) validate(field string) error {
	switch m {
	case "", SitemapInclude, SitemapSkip, SitemapOnly:
		return nil
	}
	return &OptionError{Field: field, Value: string(m), Want: `"include", "skip" or "only"`}
}

// sitemapTimeout is for one sitemap, waiting in line included.
const sitemapTimeout = 20 * time.Second

// sitemapFetcher gets the sitemaps of the site that a seed is on: by plain HTTP, in line
// with all scrapes (so its caller must hold no slot there), through the cache and all else that o says
// of scrapes: MaxAge, MinAge, StoreInCache, Lockdown, ZeroDataRetention, ObeyRobots, proxies,
// location, TLS, and headers, which go to the seed's own origin only. What o says of documents
// doesn't count. A status other than 2xx is an error. Virtual hosts and sites that get credentials are reached only
// from a seed on one. Safe for concurrent use.
func (e *Engine) sitemapFetcher(seed string, o ScrapeOptions) *siteFetcher {
	return &siteFetcher{engine: e, seed: seed, o: o, robots: e.scraper.RobotsFor(o.ZeroDataRetention)}
}

type siteFetcher struct {
	engine *Engine
	seed   string // normalised
	o      ScrapeOptions
	robots *robotstxt.Files
}

// Fetch implements [sitemap.Fetcher]. Its errors are an [*Error].
func (f *siteFetcher) Fetch(ctx context.Context, href string) (io.ReadCloser, error) {
	s, err := f.engine.newFileScrape(href, f.options(href))
	if err == nil && f.strangeTo(href) {
		err = &fetch.BlockedError{Host: weburl.Hostname(href), Reason: "virtual host or intranet"}
	}
	if err != nil {
		return nil, failure(context.Background(), "sitemap", href, err)
	}
	s.Robots = f.robots
	if err := s.peek(ctx, sitemapTimeout, nil); err != nil {
		return nil, err
	}
	if status := s.status(); status < 200 || status > 299 {
		return nil, &Error{Code: CodeSite, Op: "fetch", URL: href, Err: fmt.Errorf("status %d %s", status, http.StatusText(status))}
	}
	return io.NopCloser(bytes.NewReader(s.result.Page.Body)), nil
}

// strangeTo: a site outside must not get at virtual hosts or an intranet by its sitemaps or links.
func (f *siteFetcher) strangeTo(href string) bool { return f.engine.client.Strange(f.seed, href) }

// options are what counts of a scrape's options for a file that is taken as it is.
func (f *siteFetcher) options(href string) ScrapeOptions {
	o := ScrapeOptions{
		MaxAge: f.o.MaxAge, MinAge: f.o.MinAge, StoreInCache: f.o.StoreInCache, Revalidate: f.o.Revalidate,
		Lockdown: f.o.Lockdown, ZeroDataRetention: f.o.ZeroDataRetention, Owner: f.o.Owner,
		ObeyRobots: f.o.ObeyRobots, RobotsUserAgent: f.o.RobotsUserAgent,
		Proxy: f.o.Proxy, ProxyURL: f.o.ProxyURL, Location: f.o.Location,
		SkipTLSVerification: new(skipTLS(f.o)),
	}
	if weburl.SameOrigin(f.seed, href) {
		o.Headers = f.o.Headers
	}
	return o
}
