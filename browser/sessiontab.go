package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// maxTabs is how many tabs a session may have open; those that a site opens beyond are closed.
const maxTabs = 16

// Tab is one of a session's tabs.
type Tab struct {
	URL  string
	Page bool // it is the one that Page returns
}

// firstPage makes the session's context and tab.
func (s *Session) firstPage(ctx context.Context) error {
	page := s.newPage()
	if err := s.pool.countIn(page); err != nil {
		return err
	}
	err := page.setUp(ctx)
	if err == nil {
		err = page.furnish(ctx)
	}
	if err != nil {
		_ = page.Close()
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.page, s.key = page, page.ready.key
	return nil
}

func (s *Session) newPage() *Page {
	page := s.pool.newPage(s.gen, s.opts.Page)
	page.popups.report = func() { s.opened(page) }
	page.family = family{host: s, arrivals: &s.arrivals}
	page.tab.KeepContext()
	return page
}

// Page returns the session's tab. Where it was closed, by code or because the ctx of a call ended, or has crashed, the newest of the
// other tabs takes its place, or a new blank one; a context that code has closed is replaced by an empty one. The page must not be
// closed by the caller, though that does no harm. Errors: ErrClosed, ErrCrashed, ctx's.
func (s *Session) Page(ctx context.Context) (*Page, error) {
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	if page := s.current(); isOpen(page.tab) {
		return page, nil
	}
	return s.replace(ctx)
}

// Fold makes the newest tab the page and closes all others.
func (s *Session) Fold(ctx context.Context) (*Page, error) {
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	c := s.current().tab.Context()
	tabs := func() []playwright.Page { return openTabs(c) }
	switch err := s.showNewest(ctx, tabs); {
	case errors.Is(err, errNoTab):
		return s.replace(ctx)
	case err != nil:
		return nil, err
	}
	page := s.current()
	for _, t := range tabs() {
		if t == page.tab.Page {
			continue
		}
		err := tab.Run(ctx, page.tab, "close a tab", func() error { return t.Close() })
		if err != nil && slices.Contains(tabs(), t) { // else it was closed meanwhile
			return nil, err
		}
	}
	return page, nil
}

// errNoTab means that a context has no tab that could be the page.
var errNoTab = errors.New("there is no tab")

// showNewest makes the newest of the open tabs the page, unless it is already. One that closes meanwhile is passed over: the driver then
// doesn't know it any more.
func (s *Session) showNewest(ctx context.Context, tabs func() []playwright.Page) error {
	for {
		open := tabs()
		if len(open) == 0 {
			return errNoTab
		}
		newest := open[len(open)-1]
		if page := s.current(); newest == page.tab.Page && isOpen(page.tab) {
			return nil
		}
		if err := s.show(ctx, newest); err == nil || ctx.Err() != nil || s.Err() != nil || slices.Contains(tabs(), newest) {
			return err
		}
	}
}

// Tabs lists the open tabs of the session's context, oldest first. Tabs that were opened at the same moment are in any order: they
// are in the order in which the browser reported them.
func (s *Session) Tabs() []Tab {
	page := s.current()
	if page == nil {
		return nil
	}
	var tabs []Tab
	for _, t := range openTabs(page.tab.Context()) {
		tabs = append(tabs, Tab{URL: t.URL(), Page: t == page.tab.Page})
	}
	return tabs
}

// take begins a change of the page.
func (s *Session) take(ctx context.Context) error {
	if err := s.Err(); err != nil {
		return err
	}
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-s.gen.Dead():
		return s.Err()
	case <-ctx.Done():
		return fmt.Errorf("wait for the session's page: %w", context.Cause(ctx))
	}
}

func (s *Session) leave() { <-s.turn }

func (s *Session) current() *Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.page
}

// replace gives the session another page, in the same context where that is still there.
func (s *Session) replace(ctx context.Context) (*Page, error) {
	old := s.current()
	_ = old.Close()
	c := old.tab.Context()
	err := s.showNewest(ctx, func() []playwright.Page { return openTabs(c) })
	if errors.Is(err, errNoTab) {
		err = s.showNew(ctx, c)
	}
	if err != nil && ctx.Err() == nil && s.Err() == nil {
		s.log.Debug("the session's context is gone", "error", err)
		err = s.firstPage(ctx)
	}
	if err != nil {
		if dead := s.Err(); dead != nil {
			return nil, dead
		}
		return nil, fmt.Errorf("replace the session's page: %w", err)
	}
	return s.current(), nil
}

// showNew makes a blank tab the page.
func (s *Session) showNew(ctx context.Context, c playwright.BrowserContext) error {
	page := s.newPage()
	page.tab.Enter(c)
	return s.attach(ctx, page, func() (playwright.Page, error) { return c.NewPage() })
}

// show makes a tab the page.
func (s *Session) show(ctx context.Context, shown playwright.Page) error {
	page := s.newPage()
	page.tab.Enter(shown.Context())
	return s.attach(ctx, page, func() (playwright.Page, error) { return shown, nil })
}

// arriving makes the page of a tab that a site has opened; see [tabHost].
func (s *Session) arriving(t playwright.Page) *Page {
	page := s.newPage()
	page.tab.Hold(t)
	page.tab.Enter(t.Context())
	page.ready.key = s.key
	return page
}

// adopt makes such a page the session's. The one before it isn't let go: it may be the page again.
func (s *Session) adopt(ctx context.Context, page *Page) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.leave()
	if err := s.pool.countIn(page); err != nil {
		return err
	}
	if err := join(ctx, page); err != nil {
		page.tab.LetGo()
		return err
	}
	s.turnTo(page)
	return nil
}

func (s *Session) turnTo(page *Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.page = page
}

func (s *Session) release(pages []*Page) {
	for _, page := range pages {
		if page != s.current() {
			page.tab.LetGo()
		}
	}
	s.tend()
}

// attach gives a page its tab and makes it the session's.
func (s *Session) attach(ctx context.Context, page *Page, make func() (playwright.Page, error)) (err error) {
	if err := s.pool.countIn(page); err != nil {
		return err
	}
	page.ready.key = s.key
	err = page.tab.Open(ctx, make)
	if err == nil {
		err = page.attach(ctx)
	}
	if err != nil {
		page.tab.LetGo()
		return err
	}
	s.mu.Lock()
	old := s.page
	s.page = page
	s.mu.Unlock()
	old.tab.LetGo()
	return nil
}

// opened notes a tab that a site or code has opened in the context of a page.
func (s *Session) opened(first *Page) {
	cmp.Or(s.current(), first).popups.seen.Store(true)
	s.tend()
}

// tend schedules a count of the tabs.
func (s *Session) tend() {
	select {
	case s.tabs <- struct{}{}:
	default: // a count is due already
	}
}

// tendTabs closes surplus tabs, until the session ends. It looks at the open tabs rather than at events: a tab may
// open while another becomes the page.
func (s *Session) tendTabs() {
	for {
		select {
		case <-s.gen.Dead():
			return
		case <-s.tabs:
		}
		if page := s.current(); page != nil {
			page.popups.closeSurplus()
		}
	}
}
