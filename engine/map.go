package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/crawl/robots"
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

// Map lists the URLs of the site that a page is on: from the page's links, the site's
// sitemaps and what the cache has of it; where there is no sitemap, from some further
// pages. What fails on the way is a warning as long as something is found. What it
// fetches is kept in the cache as scrapes are, sitemaps too. Every error is an [*Error].
// Safe for concurrent use.
func (e *Engine) Map(ctx context.Context, url string, o MapOptions) (*MapResult, error) {
	began := e.now()
	result, err := e.listSite(ctx, url, o)
	if err != nil {
		return nil, err
	}
	e.stores.ledger.add(o.Owner, began, result.Credits)
	if !o.Lockdown && !o.ZeroDataRetention {
		e.stores.ledger.note(Activity{ID: result.ID, Endpoint: "map", Owner: o.Owner, Target: url, CreatedAt: began, Labels: labelsOf(ctx)})
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
	m := &mapping{engine: e, plan: p, began: e.now(), robots: e.robotsFor(p.page.ZeroDataRetention)}
	ctx, m.clock = withDeadline(ctx, p.timeout)
	defer m.clock.stop()
	result, err := m.run(ctx)
	if err != nil {
		return nil, mapFailure(ctx, url, err, p.private())
	}
	return result, nil
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

// mapping is the state of one map. It is used by one goroutine.
type mapping struct {
	engine *Engine
	plan   *mapPlan
	clock  *deadline
	began  time.Time
	robots *robotsFiles

	page     *glimpse // that was asked for; nil when it can't be had
	rootErr  error    // why not
	found    *found
	silent   bool         // the site can't be asked, or may not be
	file     *robots.File // of the site; nil when it isn't known
	listed   int          // URLs that sitemaps gave
	warnings []string
}

// run is the order of a map.
func (m *mapping) run(ctx context.Context) (_ *MapResult, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	for _, part := range []func(context.Context) error{m.root, m.rules, m.links, m.sitemaps, m.cached, m.further} {
		if err := part(ctx); err != nil {
			return nil, err
		}
		if ctx.Err() != nil && !m.timedOut(ctx) {
			return nil, context.Cause(ctx)
		}
	}
	return m.result(ctx)
}

// timedOut tells whether the map's own time ran out.
func (m *mapping) timedOut(ctx context.Context) bool {
	_, ok := errors.AsType[*timeoutError](context.Cause(ctx))
	return ok
}

// online tells whether the site can be asked for more.
func (m *mapping) online(ctx context.Context) bool {
	return !m.silent && !m.plan.page.Lockdown && ctx.Err() == nil
}

// rules gets the site's robots.txt: for the sitemaps that it names and, where it is
// to be obeyed, for what it forbids.
func (m *mapping) rules(ctx context.Context) error {
	obey := m.plan.page.ObeyRobots
	if !m.online(ctx) || m.plan.sitemap == SitemapSkip && !obey {
		return nil
	}
	file, err := m.robots.fileVia(ctx, m.found.base, m.proxy())
	switch {
	case err == nil:
		m.file = file
		if obey {
			m.found.robots, m.found.agent = file, orDefault(m.plan.page.RobotsUserAgent, DefaultRobotsAgent)
		}
	case obey:
		m.silent = true
		m.warn("The site's robots.txt can't be had, so nothing of it was fetched")
	}
	return nil
}

// proxy is the one that the map's pages are got by first.
func (m *mapping) proxy() string {
	proxy, _ := pickProxy(m.engine.options.Proxies, ProxyBasic, countryOf(m.plan.page.Location))
	return proxy
}

// result puts the answer together.
func (m *mapping) result(ctx context.Context) (*MapResult, error) {
	links := m.rank()
	switch {
	case len(links) > 0:
	case m.rootErr != nil:
		return nil, m.rootErr
	case m.timedOut(ctx):
		return nil, context.Cause(ctx)
	}
	m.explain(ctx, len(links))
	return &MapResult{
		ID: uuid.Must(uuid.NewV7()).String(), URL: m.found.base, Links: links,
		Warning: strings.Join(m.warnings, " "), Credits: mapCredits,
	}, nil
}

// explain says what the list lacks.
func (m *mapping) explain(ctx context.Context, links int) {
	if m.timedOut(ctx) {
		m.warn("The time ran out: these are the URLs found within %s", m.plan.timeout)
	}
	if m.rootErr != nil {
		m.warn("The page itself could not be read (%s)", CodeOf(m.rootErr))
	}
	if m.plan.sitemap == SitemapOnly && m.listed == 0 {
		m.warn("No sitemap with such URLs was found")
	}
	if m.found.denied > 0 {
		m.warn("URLs that the site's robots.txt forbids are left out: %d", m.found.denied)
	}
	if links <= 1 && m.plan.limit != 1 && !isBase(m.plan.url) {
		m.warn("There is next to nothing at or below this URL; a map of the domain's home page may give more")
	}
}

func (m *mapping) warn(format string, args ...any) {
	m.warnings = append(m.warnings, fmt.Sprintf(format, args...)+".")
}
