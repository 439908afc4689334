package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
)

// perform runs the actions on the live page, in order.
func (b *browsing) perform(ctx context.Context, src *source) error {
	if len(b.plan.actions) == 0 {
		return nil
	}
	if !src.live() {
		return &Error{Code: CodeActionsNotSupported, Err: fmt.Errorf("actions on content of type %q: %w", src.mediaType, ErrNotSupported)}
	}
	err := b.step("actions", func() (string, error) {
		kept := 0
		out, err := b.act(ctx, b.plan.actions, func(_ context.Context, data []byte, mediaType string) (string, error) {
			kept++
			return b.asset(fmt.Sprintf("%s-%d", b.id, kept), image{mediaType: mediaType, bytes: data})
		})
		if !out.Empty() {
			src.actions = out
		}
		return fmt.Sprintf("%d of %d", done(len(b.plan.actions), err), len(b.plan.actions)), err
	})
	if err != nil {
		return b.halted(ctx, src, err)
	}
	b.performed = true
	return b.settle(ctx, src) // what the actions have set going
}

// performOnce performs the actions, and notes that they may have sent something.
func (b *browsing) performOnce(ctx context.Context, src *source) error {
	b.acted = b.acted || slices.ContainsFunc(b.plan.actions, func(a actions.Action) bool { return !harmless[a.Type] })
	return b.perform(ctx, src)
}

// harmless actions only look at the page.
var harmless = map[actions.Type]bool{actions.Wait: true, actions.Screenshot: true, actions.Scroll: true, actions.Scrape: true, actions.PDF: true}

// act runs actions on the page; keep is that of [actions.Options].
func (b *browsing) act(ctx context.Context, list []actions.Action, keep func(context.Context, []byte, string) (string, error)) (*actions.Output, error) {
	page := &actedPage{Page: b.page, visit: b}
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
	visit   *browsing
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
	_, err := p.visit.shown(ctx)
	return err
}

// done counts the actions before the one that failed.
func done(all int, err error) int {
	if failed, ok := errors.AsType[*actions.Error](err); ok {
		return failed.Index
	}
	return all
}

// checkActions refuses a list that can't be run.
func checkActions(o ScrapeOptions) error {
	err := actions.Validate(o.Actions, o.WaitFor)
	if opt, ok := errors.AsType[*actions.OptionError](err); ok {
		return &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want}
	}
	return err
}

// showsPage tells whether an action makes a picture of the page.
func showsPage(list []actions.Action) bool {
	for _, a := range list {
		if a.Type == actions.Screenshot || a.Type == actions.PDF {
			return true
		}
	}
	return false
}
