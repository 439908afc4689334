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
	s.page, s.readyKey = page, page.readyKey
	return nil
}

func (s *Session) newPage() *Page {
	page := s.pool.newPage(s.gen, s.opts.Page)
	page.of = s
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
	if page := s.current(); page.stays() {
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
	page := s.current()
	tabs := openTabs(page.tab.Context())
	if len(tabs) == 0 {
		return s.replace(ctx)
	}
	if newest := tabs[len(tabs)-1]; newest != page.tab.Page || !page.stays() {
		if err := s.show(ctx, newest); err != nil {
			return nil, err
		}
	}
	page = s.current()
	for _, t := range tabs[:len(tabs)-1] {
		err := tab.Run(ctx, page.tab, "close a tab", func() error { return t.Close() })
		if err != nil && !errors.Is(err, playwright.ErrTargetClosed) {
			return nil, err
		}
	}
	return page, nil
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
	tabs := openTabs(old.tab.Context())
	var err error
	if len(tabs) > 0 {
		err = s.show(ctx, tabs[len(tabs)-1])
	} else {
		err = s.showNew(ctx, old.tab.Context())
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

// attach gives a page its tab and makes it the session's.
func (s *Session) attach(ctx context.Context, page *Page, make func() (playwright.Page, error)) (err error) {
	if err := s.pool.countIn(page); err != nil {
		return err
	}
	page.readyKey = s.readyKey
	page.tab.Page, err = tab.Do(ctx, page.tab, "make a tab", make)
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

// attach is setUp and furnish for a tab that exists, in a context that is furnished.
func (p *Page) attach(ctx context.Context) error {
	p.watch()
	p.traffic.listen(p.tab)
	p.loader.domReady.Store(true)
	p.reader.Options = p.readingOptions()
	if err := p.prepareTab(ctx, identify(p.opts, p.gen.Version)); err != nil {
		return err
	}
	return p.keepAway(ctx)
}

// stays reports whether a session's page can be used on.
func (p *Page) stays() bool {
	return !p.tab.Closed() && !p.tab.Crashed() && p.tab.Page != nil && slices.Contains(openTabs(p.tab.Context()), p.tab.Page)
}

// Alone makes a session's page close what other tabs its context opens from now on, or, with false, no longer. Other pages always do.
func (p *Page) Alone(on bool) {
	if !on {
		p.besides.Store(nil)
		return
	}
	p.besides.Store(new(openTabs(p.tab.Context())))
}

// opened notes a tab that a site or code has opened in the context of a page.
func (s *Session) opened(first *Page) {
	cmp.Or(s.current(), first).popped.Store(true)
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
			page.closeTabs(page.surplus())
		}
	}
}

// surplus are the tabs beside the page that are to be closed: all that came since it is alone, else the newest beyond the limit.
func (p *Page) surplus() []playwright.Page {
	tabs := slices.DeleteFunc(openTabs(p.tab.Context()), func(t playwright.Page) bool { return t == p.tab.Page })
	if before := p.besides.Load(); before != nil {
		return slices.DeleteFunc(tabs, func(t playwright.Page) bool { return slices.Contains(*before, t) })
	}
	return tabs[min(len(tabs), maxTabs-1):]
}

// closeTabs closes tabs side by side and waits for it.
func (p *Page) closeTabs(tabs []playwright.Page) {
	var closing []<-chan tab.Outcome[struct{}]
	for _, t := range tabs {
		closing = append(closing, tab.Start(p.tab, func() (struct{}, error) { return struct{}{}, t.Close() }))
	}
	for _, closed := range closing {
		select {
		case <-closed:
		case <-p.gen.Dead():
			return
		}
	}
}

// openTabs lists the tabs of a context that are open, oldest first. The library's own IsClosed is read and written without a lock.
func openTabs(c playwright.BrowserContext) []playwright.Page {
	if c == nil {
		return nil
	}
	return slices.Clone(c.Pages())
}
