package engine

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/actions"
)

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
	s.source.Late = true
	s.source.Files = s.plan.rendering.Files
	ctx, cancel := s.renderTime(ctx)
	defer cancel()
	if s.source.URL != s.plan.URL && s.obey(ctx, s.source.URL) != nil || s.plan.Accept(s.source) != nil || s.render(ctx) != nil {
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
