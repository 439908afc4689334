package mapping

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl/sitemap"
	"github.com/winnow-go/winnow/engine/internal/sitemaps"
)

// Bounds of the look at further pages.
const (
	maxFurther      = 100 // pages
	furtherAtOnce   = 4
	furtherTime     = 60 * time.Second
	furtherPageTime = 15 * time.Second
)

// Bounds of the page and of the sitemaps.
const (
	pageTime    = 60 * time.Second
	sitemapTime = 30 * time.Second
	maxSitemaps = 25
)

// root gets the page that was asked for. The map goes on without it where it can.
func (m *mapping) root(ctx context.Context) (err error) {
	base := m.request.URL
	m.page, m.failed = m.site.Page(ctx, base, min(pageTime, m.request.Timeout/2))
	switch {
	case m.failed == nil:
		base = m.page.URL
	case m.failed.Refused:
		return m.failed
	default:
		m.silent = m.failed.Silent
	}
	m.found, err = newFound(m.request, withoutUser(base))
	return err
}

// links lists the page and what it links to.
func (m *mapping) links(context.Context) error {
	page := m.page
	if page == nil {
		return nil
	}
	switch {
	case page.Wall != "":
		m.warn("The page shows a wall (%s) instead of its content", page.Wall)
	case page.Status >= http.StatusBadRequest:
		m.warn("The page answers with status %d", page.Status)
	}
	if m.request.Sitemap == Only {
		return nil
	}
	if page.Status < http.StatusBadRequest {
		m.found.add(page.link(page.URL))
	}
	m.take(page.Links)
	return nil
}

// link is the page under a URL.
func (p *Page) link(href string) Link {
	return Link{URL: href, Title: p.Title, Description: p.Description}
}

func (m *mapping) take(links []string) {
	for _, href := range links {
		m.found.add(Link{URL: href})
	}
}

// sitemaps lists what the site's sitemaps do. Under lockdown they come from the cache.
func (m *mapping) sitemaps(ctx context.Context) error {
	if m.request.Sitemap == Skip || m.silent || m.found.full() || ctx.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sitemapTime)
	defer cancel()
	unread := 0
	for u, err := range sitemaps.Pages(ctx, m.site, m.found.base, m.file, sitemap.WalkOptions{MaxSitemaps: maxSitemaps}) {
		switch {
		case err != nil && m.unreadable(ctx, err):
			unread++
		case err == nil && m.found.add(listed(u)):
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

// listed is a page as a sitemap has it.
func listed(u sitemap.URL) Link {
	l := Link{URL: u.Loc, Title: u.Title}
	if !u.LastMod.IsZero() || !u.Published.IsZero() || len(u.Images) > 0 {
		l.Listed = &Listed{LastModified: u.LastMod, Published: u.Published, Images: u.Images}
	}
	return l
}

// unreadable reports whether a problem is one of a whole sitemap.
func (m *mapping) unreadable(ctx context.Context, err error) bool {
	problem, ok := errors.AsType[*sitemap.Problem](err)
	if !ok {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			m.warn("The sitemaps could not all be read within %s", sitemapTime)
		}
		return false
	}
	switch problem.Code {
	case sitemap.TooManySitemaps:
		m.warn("Only the first %d sitemaps were read", maxSitemaps)
	case sitemap.FetchFailed, sitemap.NotSitemap, sitemap.Truncated, sitemap.ReadFailed,
		sitemap.TooLarge, sitemap.TooManyURLs, sitemap.TooDeep:
		return true
	}
	return false
}

// further looks at pages that are listed, in their order, where no sitemap listed any:
// so links are followed breadth first.
func (m *mapping) further(ctx context.Context) error {
	if m.request.Sitemap == Only || m.listed > 0 || m.failed != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, furtherTime)
	defer cancel()
	atOnce, delay := m.pace()
	seen, next := 0, 0
	for going := true; going && seen < maxFurther && m.online(ctx) && !m.found.full(); {
		var pages []string
		if pages, next = m.pick(next, min(atOnce, maxFurther-seen)); len(pages) == 0 {
			return nil
		}
		seen += len(pages)
		going = m.visit(ctx, pages) && rest(ctx, delay)
	}
	if left, _ := m.pick(next, 1); seen > 0 && len(left) > 0 && !m.found.full() {
		m.warn("No sitemap lists the site's pages, so there are those found by the links of %d", seen)
	}
	return nil
}

// rest waits between pages, where ctx leaves time for that and for another page.
func rest(ctx context.Context, delay time.Duration) bool {
	if delay == 0 {
		return true
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= delay {
		return false
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// pace is how many pages are requested at once, and how long is waited after them: what
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

// strangeTo: a site outside must not get at what is behind the program by its links.
func (m *mapping) strangeTo(href string) bool {
	return m.site.Strange(m.request.URL, href)
}

// visit looks at pages at the same time, takes their links in order, and reports whether
// the site doesn't ask to be left alone.
func (m *mapping) visit(ctx context.Context, pages []string) (going bool) {
	seen := make([]*Page, len(pages))
	var work sync.WaitGroup
	for i, href := range pages {
		work.Go(func() { seen[i], _ = m.site.Page(ctx, href, furtherPageTime) }) // an unavailable one has no links
	}
	work.Wait()
	going = true
	for i, page := range seen {
		if page == nil {
			continue
		}
		going = going && page.Status != http.StatusTooManyRequests && page.Status != http.StatusServiceUnavailable
		if page.Status < http.StatusBadRequest && m.found.own.JudgeRedirect(pages[i], page.URL).Accepted() {
			m.found.add(page.link(page.URL))
			m.found.add(page.link(pages[i]))
			m.take(page.Links)
		}
	}
	return going
}
