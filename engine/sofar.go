package engine

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/actions"
)

// halted is what actions come to that didn't finish. With time left the page is read as they left it; else the
// content from before them stands. Time that ran out is an action that failed, however much of it there was.
func (b *browsing) halted(ctx context.Context, src *source, err error) error {
	if ctx.Err() == nil {
		_ = b.content(ctx, src) // the action's error is the one to tell
		return err
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return &Error{Code: CodeAction, Err: err}
	}
	return err
}

// notBegun is the error of actions whose turn didn't come before the time ran out, or err itself.
func (b *browsing) notBegun(ctx context.Context, err error) error {
	if _, known := errors.AsType[*Error](err); known || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return err
	}
	first := b.plan.actions[0]
	return &Error{Code: CodeAction, Err: &actions.Error{Type: first.Type, Selector: first.Selector, Err: context.Cause(ctx)}}
}

// soFar is the document of a scrape that an action has ended: the page in the asked formats, without what a model,
// change tracking and media would add. Nil where another error ended the scrape, or the page gives no document.
func (s *scrape) soFar(ctx context.Context, failed error) *Document {
	action, ok := errors.AsType[*actions.Error](failed)
	if !ok || s.source == nil {
		return nil
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return nil // the caller has gone, or the engine closes
	}
	s.source.late = true
	s.source.files = s.plan.files
	ctx, cancel := s.renderTime(ctx)
	defer cancel()
	if s.source.url != s.plan.url && s.obey(ctx, s.source.url) != nil || s.checkType() != nil || s.render(ctx) != nil {
		return nil
	}
	s.warn("The actions did not finish (%v); this is the content as it was then", action)
	doc, err := s.account()
	if err != nil {
		return nil
	}
	doc.Metadata.CreditsUsed = s.credits(failed)
	return doc
}
