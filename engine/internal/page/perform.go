package page

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
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

// Act runs actions on the page, of which keep is as in [actions.Options], and waits until what they have set going has come to rest:
// that the time runs out meanwhile is no error of theirs. The visit's tab is then the one that they have led to.
func (v *Visit) Act(
	ctx context.Context, list []actions.Action, keep func(context.Context, []byte, string) (string, error),
) (*actions.Output, error) {
	acting, err := v.Tab.Follow(ctx)
	if err != nil {
		return &actions.Output{}, err
	}
	defer func() {
		v.Tab = acting.Page()
		acting.End()
	}()
	page := &actedPage{Acting: acting, visit: v}
	out, err := actions.Run(ctx, page, list, actions.Options{Keep: keep, Rest: func(ctx context.Context) error {
		_, err := acting.WaitReady(ctx)
		return err
	}})
	if err != nil && page.unshown != nil && ctx.Err() == nil {
		err = page.unshown
	}
	return out, err
}

// actedPage is the page as actions see it. What the guard or the browser shows in place of
// a document they can't take for one.
type actedPage struct {
	*browser.Acting
	visit   *Visit
	unshown error // why there was no document
}

func (p *actedPage) Screenshot(ctx context.Context, o actions.ScreenshotOptions) ([]byte, string, error) {
	if p.unshown = p.check(ctx); p.unshown != nil {
		return nil, "", p.unshown
	}
	return p.Acting.Screenshot(ctx, o)
}

func (p *actedPage) Scrape(ctx context.Context) (actions.ScrapeResult, error) {
	if p.unshown = p.check(ctx); p.unshown != nil {
		return actions.ScrapeResult{}, p.unshown
	}
	return p.Acting.Scrape(ctx)
}

func (p *actedPage) PDF(ctx context.Context, o actions.PDFOptions) ([]byte, error) {
	if p.unshown = p.check(ctx); p.unshown != nil {
		return nil, p.unshown
	}
	return p.Acting.PDF(ctx, o)
}

// Effects are those of the page, with types that the content of the files agrees to.
func (p *actedPage) Effects(ctx context.Context) (actions.Effects, error) {
	got, err := p.Acting.Effects(ctx)
	for i := range got.Downloads {
		f := &got.Downloads[i]
		f.Type = fetch.MediaType(f.Type, f.Data)
	}
	return got, err
}

func (p *actedPage) check(ctx context.Context) error {
	p.visit.Tab = p.Page()
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
