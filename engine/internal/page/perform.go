package page

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
)

// Perform runs the actions on the live page, in order.
func (v *Visit) Perform(ctx context.Context, src *Page) error {
	if len(v.Request.Actions) == 0 {
		return nil
	}
	if !src.Live() {
		return &UnsupportedError{UnsupportedActions, fmt.Errorf("actions on content of type %q: %w", src.MediaType, ErrNotSupported)}
	}
	err := v.step("actions", func() (string, error) {
		kept := 0
		out, err := v.Act(ctx, v.Request.Actions, func(_ context.Context, data []byte, mediaType string) (string, error) {
			kept++
			return v.Asset(v.Request.Private, fmt.Sprintf("%s-%d", v.ID, kept), Image{MediaType: mediaType, Bytes: data})
		})
		if !out.Empty() {
			src.Actions = out
		}
		return fmt.Sprintf("%d of %d", done(len(v.Request.Actions), err), len(v.Request.Actions)), err
	})
	if err != nil {
		return v.halted(ctx, src, err)
	}
	v.performed = true
	return v.Settle(ctx, src) // what the actions have set going
}

// performOnce performs the actions, and notes that they may have sent something.
func (v *Visit) performOnce(ctx context.Context, src *Page) error {
	v.Acted = v.Acted || slices.ContainsFunc(v.Request.Actions, func(a actions.Action) bool { return !harmless[a.Type] })
	return v.Perform(ctx, src)
}

// harmless actions only look at the page.
var harmless = map[actions.Type]bool{
	actions.Wait: true, actions.Screenshot: true, actions.Scroll: true, actions.Scrape: true, actions.PDF: true,
}

// Act runs actions on the page; keep is that of [actions.Options].
func (v *Visit) Act(
	ctx context.Context, list []actions.Action, keep func(context.Context, []byte, string) (string, error),
) (*actions.Output, error) {
	page := &actedPage{Page: v.Tab, visit: v}
	out, err := actions.Run(ctx, page, list, actions.Options{Keep: keep})
	if err != nil && page.unshown != nil && ctx.Err() == nil {
		err = page.unshown
	}
	return out, err
}

// actedPage is the page as actions see it. What the guard or the browser shows in place of
// a document they can't take for one.
type actedPage struct {
	*browser.Page
	visit   *Visit
	unshown error // why there was no document
}

func (p *actedPage) Screenshot(ctx context.Context, o actions.ScreenshotOptions) ([]byte, string, error) {
	if p.unshown = p.check(ctx); p.unshown != nil {
		return nil, "", p.unshown
	}
	return p.Page.Screenshot(ctx, o)
}

func (p *actedPage) Scrape(ctx context.Context) (actions.ScrapeResult, error) {
	if p.unshown = p.check(ctx); p.unshown != nil {
		return actions.ScrapeResult{}, p.unshown
	}
	return p.Page.Scrape(ctx)
}

func (p *actedPage) PDF(ctx context.Context, o actions.PDFOptions) ([]byte, error) {
	if p.unshown = p.check(ctx); p.unshown != nil {
		return nil, p.unshown
	}
	return p.Page.PDF(ctx, o)
}

func (p *actedPage) check(ctx context.Context) error {
	_, err := p.visit.Shown(ctx)
	return err
}

// done counts the actions before the one that failed.
func done(all int, err error) int {
	if failed, ok := errors.AsType[*actions.Error](err); ok {
		return failed.Index
	}
	return all
}

// showsPage reports whether an action makes a picture of the page.
func showsPage(list []actions.Action) bool {
	for _, a := range list {
		if a.Type == actions.Screenshot || a.Type == actions.PDF {
			return true
		}
	}
	return false
}
