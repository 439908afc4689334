package mapping

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/engine/internal/deadline"
)

// Run lists the URLs of a site. ctx is timed by the map's clock: when that has run out, Run returns what has been found, and its
// cause as the error only where that is nothing. What fails on the way is a warning as long as something is found; else the error is
// the page's. It is safe for concurrent use.
func Run(ctx context.Context, r Request, d Deps) (Result, error) {
	m := &mapping{request: r, site: d.Site, cache: d.Cache, log: d.Log}
	return m.run(ctx)
}

// mapping is the state of one map. It is used by one goroutine.
type mapping struct {
	request Request
	site    Site
	cache   Cache
	log     *slog.Logger

	page     *Page      // that was asked for; nil when it is unavailable
	failed   *PageError // why; nil when there is a page
	found    *found
	silent   bool         // the site can't be asked, or may not be
	file     *robots.File // of the site; nil when it isn't known
	listed   int          // URLs that sitemaps gave
	warnings []string
}

// run is the order of a map.
func (m *mapping) run(ctx context.Context) (_ Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	for _, part := range []func(context.Context) error{m.root, m.rules, m.links, m.sitemaps, m.llms, m.cached, m.further} {
		if err := part(ctx); err != nil {
			return Result{}, err
		}
		if ctx.Err() != nil && !timedOut(ctx) {
			return Result{}, context.Cause(ctx)
		}
	}
	return m.result(ctx)
}

// timedOut reports whether the map's own time ran out.
func timedOut(ctx context.Context) bool {
	_, ok := errors.AsType[*deadline.TimeoutError](context.Cause(ctx))
	return ok
}

// online reports whether the site can be asked for more.
func (m *mapping) online(ctx context.Context) bool {
	return !m.silent && !m.request.Offline && ctx.Err() == nil
}

// rules gets the site's robots.txt: for the sitemaps that it names and, where it is
// to be obeyed, for what it forbids.
func (m *mapping) rules(ctx context.Context) error {
	agent := m.request.RobotsAgent
	if !m.online(ctx) || m.request.Sitemap == Skip && agent == "" {
		return nil
	}
	file, err := m.site.Robots(ctx, m.found.base)
	switch {
	case err == nil:
		m.file = file
		if agent != "" {
			m.found.robots, m.found.agent = file, agent
		}
	case agent != "":
		m.silent = true
		m.warn("The site's robots.txt is unavailable, so nothing of it was fetched")
	}
	return nil
}

// result puts the answer together.
func (m *mapping) result(ctx context.Context) (Result, error) {
	links := m.rank()
	switch {
	case len(links) > 0:
	case m.failed != nil:
		return Result{}, m.failed
	case timedOut(ctx):
		return Result{}, context.Cause(ctx)
	}
	m.explain(ctx, len(links))
	return Result{URL: m.found.base, Links: links, Warnings: m.warnings}, nil
}

// explain says what the list lacks.
func (m *mapping) explain(ctx context.Context, links int) {
	if timedOut(ctx) {
		m.warn("The time ran out: these are the URLs found within %s", m.request.Timeout)
	}
	if m.failed != nil {
		m.warn("The page itself could not be read (%s)", m.failed.Reason)
	}
	if m.request.Sitemap == Only && m.listed == 0 {
		m.warn("No sitemap with such URLs was found")
	}
	if m.found.denied > 0 {
		m.warn("URLs that the site's robots.txt forbids are left out: %d", m.found.denied)
	}
	if links <= 1 && m.request.Limit != 1 && !isBase(m.request.URL) {
		m.warn("There is next to nothing at or below this URL; a map of the domain's home page may give more")
	}
}

func (m *mapping) warn(format string, args ...any) {
	m.warnings = append(m.warnings, fmt.Sprintf(format, args...)+".")
}
