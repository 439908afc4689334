package page

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/actions"
)

// halted is what actions come to that didn't finish. With time left the page is read as they left it; else the
// content from before them stands. Time that ran out is an action that failed, however much of it there was.
func (v *Visit) halted(ctx context.Context, src *Page, err error) error {
	if ctx.Err() == nil {
		_ = v.Content(ctx, src) // the action's error is the one to return
		return err
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return &ActionsTimeoutError{err}
	}
	return err
}

// notBegun is the error of actions whose turn didn't come before the time ran out, or err itself.
func (v *Visit) notBegun(ctx context.Context, err error) error {
	if settled(err) || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return err
	}
	first := v.Request.Actions[0]
	return &ActionsTimeoutError{&actions.Error{Type: first.Type, Selector: first.Selector, Err: context.Cause(ctx)}}
}

// settled reports an error that says already why actions were not done.
func settled(err error) bool {
	_, unsupported := errors.AsType[*UnsupportedError](err)
	_, timedOut := errors.AsType[*ActionsTimeoutError](err)
	_, guarded := errors.AsType[*GuardError](err)
	return unsupported || timedOut || guarded
}
