package drivepage

import (
	"context"
	"errors"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/llm"
)

// Once has a model operate the page of a visit, once: a visit that starts over, after a crash, does not repeat what may have
// sent something. Fields up to Options are set by its maker; Outcome and Err are valid after [Once.Run].
type Once struct {
	Model   llm.Model
	Goal    string
	Options drive.Options

	Outcome drive.Outcome
	// Err is why the goal was not reached; nil where it was, or the page never came.
	Err error

	used bool
}

var errCrashed = errors.New("the browser crashed while the page was operated")

// Run operates the page. It returns an error where that ends the visit too.
func (o *Once) Run(ctx context.Context, tab *browser.Page) error {
	if o.used {
		return errCrashed
	}
	o.used = true
	o.Outcome, o.Err = drive.Run(ctx, o.Model, New(tab, 0), o.Goal, o.Options)
	if errors.Is(o.Err, browser.ErrCrashed) || errors.Is(o.Err, browser.ErrClosed) {
		return o.Err
	}
	return nil
}
