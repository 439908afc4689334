package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/mapping"
	"github.com/winnow-go/winnow/engine/internal/prices"
	"github.com/winnow-go/winnow/fetch"
)

// MapResult is the list of a site's URLs.
type MapResult struct {
	// ID of the map, a UUIDv7.
	ID string `json:"id"`
	// URL is where the page's redirects ended; the map is of that site.
	URL string `json:"url,omitempty"`
	// Links are the URLs found, never nil: the most relevant first with Search, else those
	// on the page, of the sitemaps, of the cache and of further pages, in this order.
	Links []MapLink `json:"links"`
	// Warning joins what the map could not do into one text.
	Warning string `json:"warning,omitempty"`
	// Credits that it costs.
	Credits int `json:"creditsUsed"`
}

// MapLink is one URL of a site.
type MapLink struct {
	// URL is absolute and normalised, without a trailing slash.
	URL string `json:"url"`
	// Title and Description are what the page says of itself, where that is known.
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// Listed is what the site's sitemaps say of the page beside that. Nil: nothing.
	Listed *MapListed `json:"winnow,omitempty"`
}

// MapListed is what a site's sitemaps say of a page; it may be wrong.
type MapListed struct {
	// LastModified is when the page changed last, Published when an article of news was, in UTC. Zero: unknown.
	LastModified time.Time `json:"lastModified,omitzero"`
	Published    time.Time `json:"published,omitzero"`
	// Images are the addresses of the page's images, absolute, in the order of the sitemap, at most 1000.
	Images []string `json:"images,omitempty"`
}

// Map lists the URLs of the site that a page is on: from the page's links, the site's
// sitemaps and llms.txt, and what the cache has of it; where there is no sitemap, from some further
// pages. What fails on the way is a warning as long as something is found. What it
// fetches is kept in the cache as scrapes are, sitemaps too. Every error is an [*Error].
// Safe for concurrent use.
func (e *Engine) Map(ctx context.Context, url string, o MapOptions) (*MapResult, error) {
	began := e.now()
	result, err := e.listSite(ctx, url, o)
	if err != nil {
		return nil, err
	}
	e.stores.Ledger.Add(o.Owner, began, result.Credits)
	if !o.Lockdown && !o.ZeroDataRetention {
		e.note(ctx, Activity{ID: result.ID, Endpoint: "map", Owner: o.Owner, Target: url, CreatedAt: began})
	}
	return result, nil
}

// listSite is a map that isn't accounted for.
func (e *Engine) listSite(ctx context.Context, url string, o MapOptions) (*MapResult, error) {
	p, err := e.resolveMap(url, o)
	if err != nil {
		return nil, mapFailure(context.Background(), url, err, o.Lockdown || o.ZeroDataRetention)
	}
	ctx, done, err := e.begin(ctx)
	if err != nil {
		return nil, mapFailure(context.Background(), url, err, p.private())
	}
	defer done()
	ctx, clock := deadline.With(ctx, p.request.Timeout)
	defer clock.Stop()
	found, err := mapping.Run(ctx, p.request, mapping.Deps{Site: e.mapSite(p, clock), Cache: mapCache{e}, Log: e.log})
	if err != nil {
		return nil, mapFailure(ctx, url, err, p.private())
	}
	return &MapResult{
		ID: uuid.Must(uuid.NewV7()).String(), URL: found.URL, Links: mapLinks(found.Links),
		Warning: strings.Join(found.Warnings, " "), Credits: prices.Map,
	}, nil
}

func mapLinks(found []mapping.Link) []MapLink {
	links := make([]MapLink, len(found))
	for i, l := range found {
		links[i] = MapLink{URL: l.URL, Title: l.Title, Description: l.Description, Listed: (*MapListed)(l.Listed)}
	}
	return links
}

// mapFailure is the error of a map.
func mapFailure(ctx context.Context, url string, err error, private bool) *Error {
	f := failure(ctx, "map", url, err)
	if f.Code == CodeTimeout {
		f.Code = CodeMapTimeout
	}
	if private {
		return privateFailure(f)
	}
	return f
}

// mapSite is the site of one map.
type mapSite struct {
	*siteFetcher // of its sitemaps
	plan         *mapPlan
	clock        *deadline.Clock
}

var _ mapping.Site = (*mapSite)(nil)

func (e *Engine) mapSite(p *mapPlan, clock *deadline.Clock) *mapSite {
	return &mapSite{siteFetcher: e.sitemapFetcher(p.request.URL, p.sitemaps()), plan: p, clock: clock}
}

// Page implements [mapping.Site] as a scrape does: through the cache, and in a browser where the page needs one.
func (m *mapSite) Page(ctx context.Context, href string, timeout time.Duration) (*mapping.Page, *mapping.PageError) {
	s, err := m.engine.newScrape(href, m.plan.pageAt(href))
	if err == nil {
		s.Robots = m.robots
		err = s.peek(ctx, timeout, m.clock)
	}
	if err != nil {
		code := CodeOf(err)
		return nil, &mapping.PageError{Reason: string(code), Refused: code == CodeBlocked, Silent: unanswered(err), Err: err}
	}
	page, out := s.result.Page, s.result.Output
	meta := out.Metadata
	return &mapping.Page{
		URL: s.address(), Status: page.Status, Wall: page.BlockedBy(),
		Title: meta.Title, Description: cmp.Or(meta.Description, meta.OGDescription), Links: out.Links,
	}, nil
}

// unanswered reports whether a failure is the whole site's: asking for more of it
// would only take time.
func unanswered(err error) bool {
	if _, answers := errors.AsType[*fetch.RedirectError](err); answers {
		return false
	}
	if slow, ok := errors.AsType[*fetch.TimeoutError](err); ok && slow.Phase != "connect" {
		return false
	}
	return slices.Contains([]Code{CodeDNS, CodeSSL, CodeSite, CodeProxy, CodeRobotsUnreachable}, CodeOf(err))
}

// Robots implements [mapping.Site], by the proxy that the map's pages are requested by first.
func (m *mapSite) Robots(ctx context.Context, href string) (*robots.File, error) {
	return m.robots.FileVia(ctx, href, m.engine.proxies.Basic(countryOf(m.plan.page.Location)))
}

// Strange implements [mapping.Site].
func (m *mapSite) Strange(from, to string) bool { return m.engine.client.Strange(from, to) }

// mapCache is the cache as a map reads it.
type mapCache struct{ engine *Engine }

// Keys implements [mapping.Cache].
func (c mapCache) Keys(ctx context.Context, prefix, after string, limit int) ([]string, error) {
	return c.engine.stores.Pages.Keys(ctx, prefix, after, limit)
}

// Page implements [mapping.Cache].
func (c mapCache) Page(ctx context.Context, key string) (mapping.Link, bool) {
	page, err := c.engine.pageStore.Newest(ctx, key)
	if err != nil || page == nil {
		return mapping.Link{}, false
	}
	return mapping.Link{URL: page.URL, Title: page.Title, Description: page.Description}, true
}
