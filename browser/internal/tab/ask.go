package tab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/browser/internal/instance"
)

// ErrBusy is found in the errors of Ask when the page gave no answer in time. The tab stays usable.
var ErrBusy = errors.New("the page does not answer")

// ErrLate is ErrBusy of a call that is under way still.
var ErrLate = fmt.Errorf("%w, and may do so later", ErrBusy)

// Ask runs one of the calls that people make beside the owner's. There are at most as many at once as turns has slots, including those
// that the page doesn't answer.
func (t *Tab) Ask(ctx context.Context, what string, limit time.Duration, turns chan struct{}, fn func() error) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case turns <- struct{}{}:
	case <-timer.C:
		return fmt.Errorf("%s: an earlier one has no answer: %w", what, ErrBusy)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case <-t.quit:
		return fmt.Errorf("%s: %w", what, ErrClosed)
	}
	if err := t.Usable(ctx, what); err != nil {
		<-turns
		return err
	}
	result := Start(t, func() (struct{}, error) {
		defer func() { <-turns }()
		return struct{}{}, fn()
	})
	select {
	case r := <-result:
		return t.Explain(what, r.Err)
	case <-timer.C:
		return fmt.Errorf("%s: no answer in %s: %w", what, limit, ErrLate)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case <-t.Browser.Dead():
		return fmt.Errorf("%s: %w", what, instance.ErrCrashed)
	}
}
