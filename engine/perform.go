package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/actions"
)

// perform runs the actions on the live page, in order.
func (b *browsing) perform(ctx context.Context, src *source) error {
	if len(b.plan.actions) == 0 {
		return nil
	}
	if !src.isHTML() {
		return &Error{Code: CodeActionsNotSupported, Err: fmt.Errorf("actions on content of type %q: %w", src.mediaType, ErrNotSupported)}
	}
	err := b.step("actions", func() (string, error) {
		kept := 0
		out, err := actions.Run(ctx, b.page, b.plan.actions, actions.Options{
			Keep: func(_ context.Context, data []byte, mediaType string) (string, error) {
				kept++
				return b.asset(fmt.Sprintf("%s-%d", b.id, kept), image{mediaType: mediaType, bytes: data})
			},
		})
		if !out.Empty() {
			src.actions = out
		}
		return fmt.Sprintf("%d of %d", done(len(b.plan.actions), err), len(b.plan.actions)), err
	})
	if err != nil {
		return err
	}
	return b.settle(ctx, src) // what the actions have set going
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
