package httpapi

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// Timeouts of requests that give none: those of the engine.
const (
	defaultTimeout      = time.Minute
	defaultParseTimeout = 30 * time.Second
)

// stillQueued is the error of a request whose time ran out before its turn.
func stillQueued(timeout time.Duration) error {
	return fmt.Errorf("timeout of %s ran out in the queue: the team has reached its limit of running pages", timeout)
}

// lateError is the error of a request whose time ran out after its turn: it names the whole timeout, as the client gave it.
type lateError struct{ timeout time.Duration }

func (e *lateError) Error() string { return fmt.Sprintf("timeout of %s ran out", e.timeout) }

func (e *lateError) Unwrap() error { return context.DeadlineExceeded }

// page waits for the caller's turn where the pages of a team at once are limited. That counts as part of the request's timeout (0: there
// is none); when it runs out, over is the code.
func (c *call) page(timeout time.Duration, over engine.Code) (done func(), err error) {
	ctx, cancel := c.r.Context(), func() {}
	if timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, timeout)
	}
	defer cancel()
	began := c.api.options.Now()
	done, waited, err := c.api.teams.Page(ctx, c.team, c.limits.Pages)
	switch {
	case err == nil && waited:
		c.queued = max(c.api.options.Now().Sub(began), 1)
	case err != nil && c.r.Context().Err() == nil:
		return nil, &engine.Error{Code: over, Op: "wait", Err: stillQueued(timeout)}
	case err != nil:
		return nil, &engine.Error{Code: engine.CodeCancelled, Op: "wait", Err: err}
	}
	return done, nil
}

// within bounds work by the part of the timeout that waiting in the queue has left.
func (c *call) within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if c.queued == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, timeout-c.queued, &lateError{timeout})
}

// documented adds to a document how long it waited in the team's queue, beside that of the engine.
func (c *call) documented(doc *engine.Document) documentBody {
	if c.queued > 0 {
		own := *doc
		own.Metadata.ConcurrencyLimited = true
		own.Metadata.ConcurrencyQueueDurationMs += c.queued.Milliseconds()
		doc = &own
	}
	return documentBody{true, doc}
}
