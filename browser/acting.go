package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser/internal/elements"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

var _ actions.Page = (*Acting)(nil)

// Acting is a page as actions work on it: a tab that one of them opens is the page from then on, and where that closes itself the one
// before it is again. It is driven by one goroutine at a time, and must be ended.
type Acting struct {
	pages []*Page // the one that actions work on last, before it those that it came from
	host  tabHost
	in    *arrivals
	notes []string
}

// tabHost is what a page's tabs belong to: its pool, or a session.
type tabHost interface {
	// arriving makes the page of a tab that a site has opened. It must not block.
	arriving(playwright.Page) *Page
	// adopt makes such a page one that can be driven, and the host's page.
	adopt(context.Context, *Page) error
	// turnTo makes an adopted page the host's page again.
	turnTo(*Page)
	// release lets adopted pages go whose tabs stay open.
	release([]*Page)
}

// Follow returns the page for actions. [Acting.Page] is where they end, and [Acting.End] has to be called.
func (p *Page) Follow(ctx context.Context) (*Acting, error) {
	if err := p.tab.Usable(ctx, "follow the page's tabs"); err != nil {
		return nil, err
	}
	in, host := p.family.arrivals, p.family.host
	in.hear(p.tab.Page.Context())
	in.begin(host.arriving)
	if p.opts.MaxDownload > 0 {
		in.files.Open()
	}
	a := &Acting{pages: []*Page{p}, host: host, in: in}
	if err := a.announce(ctx, p); err != nil {
		a.End()
		return nil, err
	}
	return a, nil
}

// announce has the browser announce the tabs that a page opens.
func (a *Acting) announce(ctx context.Context, p *Page) error {
	if p.family.announces {
		return nil
	}
	p.family.announces = true
	return p.tab.WatchWindows(ctx, func(w tab.Window) { a.in.announced(p, w) })
}

// Page is the one that actions work on now.
func (a *Acting) Page() *Page { return a.pages[len(a.pages)-1] }

// End closes the tabs that have not become the page, which stays what it is.
func (a *Acting) End() {
	for _, o := range a.in.end() {
		a.close(o)
	}
	a.in.files.Close(a.pages[0].tab)
	a.host.release(a.pages[:len(a.pages)-1])
}

// WaitSelector waits until an element that matches is visible, also in a tab that opens meanwhile.
func (a *Acting) WaitSelector(ctx context.Context, selector string, timeout time.Duration) (notes []string, err error) {
	left := remaining(timeout)
	err = a.again(ctx, func(p *Page) error {
		notes, err = a.elements(p).Await(ctx, selector, left())
		return err
	})
	return notes, err
}

// Click clicks the first match, or all matches there are.
func (a *Acting) Click(ctx context.Context, selector string, o actions.ClickOptions) (done actions.Clicked, err error) {
	left := remaining(o.Timeout)
	err = a.again(ctx, func(p *Page) error {
		a.in.act(p)
		o.Timeout = left()
		done, err = a.elements(p).Click(ctx, selector, o)
		return err
	})
	return done, err
}

// Scroll moves the window, or the first match of a selector.
func (a *Acting) Scroll(ctx context.Context, o actions.ScrollOptions) error {
	left := remaining(o.Timeout)
	return a.again(ctx, func(p *Page) error {
		o.Timeout = left()
		return a.elements(p).Scroll(ctx, o)
	})
}

// Type types text into the element that has the focus.
func (a *Acting) Type(ctx context.Context, text string) error {
	return a.once(ctx, func(p *Page) error { return p.Type(ctx, text) })
}

// Press presses and releases a key.
func (a *Acting) Press(ctx context.Context, key string) error {
	return a.once(ctx, func(p *Page) error { return p.Press(ctx, key) })
}

// Evaluate runs a script in the page and returns its value.
func (a *Acting) Evaluate(ctx context.Context, script string) (value actions.JavaScriptReturn, err error) {
	value = actions.JavaScriptReturn{Type: "unknown", Value: []byte("null")} // of one that closes the tab
	err = a.once(ctx, func(p *Page) error {
		got, err := p.Evaluate(ctx, script)
		if err == nil {
			value = got
		}
		return err
	})
	return value, err
}

// Screenshot draws the page; see [Page.Screenshot].
func (a *Acting) Screenshot(ctx context.Context, o ScreenshotOptions) (data []byte, mediaType string, err error) {
	err = a.again(ctx, func(p *Page) error {
		data, mediaType, err = p.Screenshot(ctx, o)
		return err
	})
	return data, mediaType, err
}

// PDF prints the page with its backgrounds and returns the file.
func (a *Acting) PDF(ctx context.Context, o actions.PDFOptions) (data []byte, err error) {
	err = a.again(ctx, func(p *Page) error {
		data, err = p.PDF(ctx, o)
		return err
	})
	return data, err
}

// Scrape returns the page's address and document as they are now.
func (a *Acting) Scrape(ctx context.Context) (found actions.ScrapeResult, err error) {
	err = a.again(ctx, func(p *Page) error {
		found, err = p.Scrape(ctx)
		return err
	})
	return found, err
}

// WaitReady is [Page.WaitReady], also of a tab that opens meanwhile.
func (a *Acting) WaitReady(ctx context.Context) (reason string, err error) {
	for {
		err = a.again(ctx, func(p *Page) error {
			reason, err = p.WaitReady(ctx)
			return err
		})
		if err != nil || !a.moved() {
			return reason, err
		}
	}
}

// Effects returns the files that the browser was made to save since its last call, and notes of the tabs that have opened and closed.
func (a *Acting) Effects(ctx context.Context) (got actions.Effects, err error) {
	if err = a.turn(ctx); err == nil {
		first := a.pages[0]
		var notes []string
		got.Downloads, notes, err = a.in.files.Read(ctx, first.tab, first.opts.MaxDownload, first.loader.loadWait(ctx))
		a.notes = append(a.notes, notes...)
	}
	got.Notes, a.notes = a.notes, nil
	return got, err
}

// elements are those of a page, which gives up its waits once another is the page.
func (a *Acting) elements(p *Page) elements.In {
	in := elementsOf(p)
	in.Moved, in.Aim = a.moved, a.in.aimAt
	in.Closed = func() bool { return !isOpen(p.tab) && !p.tab.Closed() && !p.tab.Crashed() }
	return in
}

// again does what can be done on another page where the page closes its tab, or another becomes the page, before it is done.
func (a *Acting) again(ctx context.Context, act func(*Page) error) error {
	for {
		if err := a.turn(ctx); err != nil {
			return err
		}
		p := a.Page()
		if err := act(p); !errors.Is(err, elements.ErrMoved) && !a.lost(ctx, p, err) {
			return err
		}
	}
}

// once does what must not be done twice. Where the page closes its tab meanwhile it counts as done.
func (a *Acting) once(ctx context.Context, act func(*Page) error) error {
	if err := a.turn(ctx); err != nil {
		return err
	}
	p := a.Page()
	a.in.act(p)
	if err := act(p); !a.lost(ctx, p, err) {
		return err
	}
	return nil
}

// lost reports that an error means that the page has closed its tab, while there is another one.
func (a *Acting) lost(ctx context.Context, p *Page, err error) bool {
	return err != nil && ctx.Err() == nil && !p.tab.Closed() && !p.tab.Crashed() && !p.tab.Browser.IsDead() &&
		!isOpen(p.tab) && slices.ContainsFunc(a.pages, func(p *Page) bool { return isOpen(p.tab) })
}

// moved reports whether another tab is to be the page.
func (a *Acting) moved() bool {
	o, _, _ := a.in.right()
	return o != nil || !isOpen(a.Page().tab) && a.lost(context.Background(), a.Page(), errNoTab)
}

// turn goes where the page is now: back from tabs that have closed themselves, then on to one that has opened.
func (a *Acting) turn(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("follow the page's tabs: %w", context.Cause(ctx))
	}
	a.goBack()
	if err := a.goOn(ctx); err != nil {
		return err
	}
	for _, o := range a.in.unwanted() {
		a.close(o)
	}
	return nil
}

// goBack leaves tabs that have closed themselves.
func (a *Acting) goBack() {
	was := a.Page()
	if !a.lost(context.Background(), was, errNoTab) {
		return
	}
	left := slices.DeleteFunc(slices.Clone(a.pages), func(p *Page) bool { return isOpen(p.tab) })
	a.pages = slices.DeleteFunc(a.pages, func(p *Page) bool { return !isOpen(p.tab) })
	a.host.turnTo(a.Page())
	a.host.release(left)
	a.note("The tab %s has closed itself: %s is the page again.", oneLine(was.loader.documents.now().address), oneLine(a.Page().URL()))
}

// goOn makes the tab the page that has opened, once it is there.
func (a *Acting) goOn(ctx context.Context) error {
	if names := a.in.uncalled(); len(names) > 0 {
		a.note("%s", closedTabs(names))
	}
	limit := a.Page().loader.loadWait(ctx)
	for end := time.Now().Add(limit); ; {
		o, page, changed := a.in.right()
		switch {
		case o == nil:
			for _, name := range a.in.settle(nil) {
				a.note("The tab that opened for %s has no document.", name)
			}
			return nil
		case page != nil:
			if err := a.take(ctx, o, page); err != nil {
				return err
			}
		case time.Now().After(end):
			a.note("A tab for %s has opened, but had no document after %s.", a.in.giveUp(o), limit.Round(time.Millisecond))
		default:
			if err := a.await(ctx, changed, time.Until(end)); err != nil {
				return err
			}
		}
	}
}

// await waits for a change.
func (a *Acting) await(ctx context.Context, changed <-chan struct{}, limit time.Duration) error {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-changed:
	case <-t.C:
	case <-ctx.Done():
		return fmt.Errorf("wait for a tab: %w", context.Cause(ctx))
	case <-a.Page().tab.Browser.Dead():
		return a.Page().tab.Explain("wait for a tab", tab.ErrGone)
	}
	return nil
}

// take makes a tab the page, and waits until it has loaded. One that closes meanwhile is none.
func (a *Acting) take(ctx context.Context, o *opening, page *Page) error {
	others := a.in.settle(o)
	err := a.host.adopt(ctx, page)
	if err == nil {
		a.pages = append(a.pages, page)
		a.note("A tab has opened and is the page now: %s", oneLine(page.loader.documents.now().address))
		err = a.arrange(ctx, page)
	}
	if err != nil && (ctx.Err() != nil || isOpen(page.tab) || page.tab.Crashed() || page.tab.Browser.IsDead()) {
		return err
	}
	if len(others) > 0 {
		a.note("%s", closedTabs(others))
	}
	return nil
}

// arrange makes an adopted tab what the page is.
func (a *Acting) arrange(ctx context.Context, page *Page) error {
	if err := a.announce(ctx, page); err != nil {
		return err
	}
	if again, known := page.headers.missed(page.loader.documents.now()); known && again {
		a.note("It was loaded again, with the request's headers.")
		if _, err := page.Goto(ctx, page.URL()); err != nil {
			return err
		}
	} else if known {
		a.note("It was requested without the request's headers.")
	}
	return page.WaitLoad(ctx)
}

// closedTabs says which tabs were closed that opened beside the page's.
func closedTabs(names []string) string {
	const most = 5
	text := "Other tabs that opened are closed: " + strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// close closes a tab that is not to be the page.
func (a *Acting) close(o *opening) {
	if o.page == nil {
		return
	}
	shown := o.page.tab.Page
	tab.Start(a.pages[0].tab, func() (struct{}, error) { return struct{}{}, shown.Close() })
	o.page.tab.LetGo()
}

func (a *Acting) note(format string, values ...any) {
	a.notes = append(a.notes, fmt.Sprintf(format, values...))
}

// minTime is what an action has at least, however late its page came.
const minTime = 100 * time.Millisecond

// remaining counts a time down from now.
func remaining(timeout time.Duration) func() time.Duration {
	begun := time.Now()
	return func() time.Duration { return max(timeout-time.Since(begun), min(timeout, minTime)) }
}
