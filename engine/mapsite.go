package engine

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/fetch"
)

// Bounds of the look at further pages.
const (
	mostFurther     = 100 // pages
	furtherAtOnce   = 4
	furtherTime     = 60 * time.Second
	furtherPageTime = 15 * time.Second
)

// glimpse is what a map wants to know of a page.
type glimpse struct {
	url         string // where redirects ended
	status      int
	wall        string
	title, text string
	links       []string
}

// look gets a page as a scrape does: through the cache, and in a browser where it needs one.
func (m *mapping) look(ctx context.Context, href string, timeout time.Duration) (*glimpse, error) {
	s, err := m.engine.newScrape(href, m.plan.pageAt(href))
	if err != nil {
		return nil, err
	}
	s.robots = m.robots
	if err := s.peek(ctx, timeout, m.clock, s.render); err != nil {
		return nil, err
	}
	meta := s.output.Metadata
	return &glimpse{
		url: s.address(), status: s.source.status, wall: s.source.blockedBy(),
		title: meta.Title, text: orDefault(meta.Description, meta.OGDescription), links: s.output.Links,
	}, nil
}

// root gets the page that was asked for. The map goes on without it where it can.
func (m *mapping) root(ctx context.Context) (err error) {
	base := m.plan.url
	if m.page, m.rootErr = m.look(ctx, base, min(mapPageTime, m.plan.timeout/2)); m.page != nil {
		base = m.page.url
	}
	if CodeOf(m.rootErr) == CodeBlocked {
		return m.rootErr
	}
	m.silent = unanswered(m.rootErr)
	m.found, err = newFound(m.plan, withoutUser(base))
	return err
}

// unanswered tells whether a failure is the whole site's: asking for more of it
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

// links lists the page and what it links to.
func (m *mapping) links(context.Context) error {
	page := m.page
	if page == nil {
		return nil
	}
	switch {
	case page.wall != "":
		m.warn("The page shows a wall (%s) instead of its content", page.wall)
	case page.status >= http.StatusBadRequest:
		m.warn("The page answers with status %d", page.status)
	}
	if m.plan.sitemap == SitemapOnly {
		return nil
	}
	if page.status < http.StatusBadRequest {
		m.found.add(MapLink{page.url, page.title, page.text})
	}
	m.take(page.links)
	return nil
}

func (m *mapping) take(links []string) {
	for _, href := range links {
		m.found.add(MapLink{URL: href})
	}
}

// sitemaps lists what the site's sitemaps do. Under lockdown they come from the cache.
func (m *mapping) sitemaps(ctx context.Context) error {
	if m.plan.sitemap == SitemapSkip || m.silent || m.found.full() || ctx.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, mapSitemapTime)
	defer cancel()
	fetcher := m.engine.sitemapFetcher(m.plan.url, m.plan.sitemaps())
	fetcher.robots = m.robots
	unread := 0
	for u, err := range sitemapPages(ctx, fetcher, m.found.base, m.file, sitemap.WalkOptions{MaxSitemaps: mostMapSitemaps}) {
		switch {
		case err != nil && m.unreadable(ctx, err):
			unread++
		case err == nil && m.found.add(MapLink{URL: u.Loc}):
			m.listed++
		}
		if m.found.full() {
			break
		}
	}
	if unread > 0 {
		m.warn("Sitemaps that could not be read, or not whole: %d", unread)
	}
	return nil
}

// unreadable tells whether a problem is one of a whole sitemap.
func (m *mapping) unreadable(ctx context.Context, err error) bool {
	problem, ok := errors.AsType[*sitemap.Problem](err)
	if !ok {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			m.warn("The sitemaps could not all be read within %s", mapSitemapTime)
		}
		return false
	}
	switch problem.Code {
	case sitemap.TooManySitemaps:
		m.warn("Only the first %d sitemaps were read", mostMapSitemaps)
	case sitemap.FetchFailed, sitemap.NotSitemap, sitemap.Truncated, sitemap.ReadFailed, sitemap.TooLarge, sitemap.TooManyURLs, sitemap.TooDeep:
		return true
	}
	return false
}

// further looks at pages that are listed, in their order, where no sitemap told of any:
// so links are followed breadth first.
func (m *mapping) further(ctx context.Context) error {
	if m.plan.sitemap == SitemapOnly || m.listed > 0 || m.rootErr != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, furtherTime)
	defer cancel()
	atOnce, delay := m.pace()
	seen, next := 0, 0
	for going := true; going && seen < mostFurther && m.online(ctx) && !m.found.full(); {
		var pages []string
		if pages, next = m.pick(next, min(atOnce, mostFurther-seen)); len(pages) == 0 {
			return nil
		}
		seen += len(pages)
		going = m.visit(ctx, pages) && rest(ctx, delay)
	}
	if left, _ := m.pick(next, 1); seen > 0 && len(left) > 0 && !m.found.full() {
		m.warn("No sitemap tells of the site's pages, so there are those found by the links of %d", seen)
	}
	return nil
}

// rest waits between pages, where ctx leaves time for that and for another page.
func rest(ctx context.Context, delay time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= delay {
		return false
	}
	return delay == 0 || pause(ctx, delay) == nil
}

// pace is how many pages are asked for at once, and how long is waited after them: what
// a robots.txt that is obeyed asks for.
func (m *mapping) pace() (atOnce int, delay time.Duration) {
	if m.found.robots == nil {
		return furtherAtOnce, 0
	}
	delay, ok := m.found.robots.CrawlDelay(m.found.agent)
	if !ok {
		return furtherAtOnce, 0
	}
	return 1, delay
}

// pick gives the next pages of the site itself, beginning with the URL at next.
func (m *mapping) pick(next, most int) (pages []string, _ int) {
	for ; next < len(m.found.list) && len(pages) < most; next++ {
		href := m.found.list[next].URL
		if m.found.isOwn(href) && bareSlash(href) != bareSlash(m.found.base) && !m.strangeTo(href) {
			pages = append(pages, href)
		}
	}
	return pages, next
}

// strangeTo: a site outside must not get at virtual hosts by its links.
func (m *mapping) strangeTo(href string) bool {
	virtual := m.engine.client.Virtual()
	return virtual.Has(hostname(href)) && !virtual.Has(hostname(m.plan.url))
}

// visit looks at pages at the same time, takes their links in order, and tells whether
// the site doesn't ask to be left alone.
func (m *mapping) visit(ctx context.Context, pages []string) (going bool) {
	seen := make([]*glimpse, len(pages))
	var work sync.WaitGroup
	for i, href := range pages {
		work.Go(func() { seen[i], _ = m.look(ctx, href, furtherPageTime) }) // one that can't be had has no links
	}
	work.Wait()
	going = true
	for i, page := range seen {
		if page == nil {
			continue
		}
		going = going && page.status != http.StatusTooManyRequests && page.status != http.StatusServiceUnavailable
		if page.status < http.StatusBadRequest && m.found.own.JudgeRedirect(pages[i], page.url).Accepted() {
			m.found.add(MapLink{page.url, page.title, page.text})
			m.found.add(MapLink{pages[i], page.title, page.text})
			m.take(page.links)
		}
	}
	return going
}
