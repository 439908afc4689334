package work

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Outcome is what an item comes to: results, a failure, nothing (Silent, Kept), or another turn (Back) or attempt (RetryAt).
type Outcome struct {
	// Documents are the page's results, kept as JSON.
	Documents []any
	// Failed is why there are none: the page is among the errors.
	Failed error
	// Silent ends the item as if it had never been in line.
	Silent bool
	// Back puts the item back into line, as if its turn had not come.
	Back bool
	// Kept ends the item as one that is as it was before: without results, and with its slot in the limit used.
	Kept bool
	// Found and Denied are what the page leads to; see [crawl.Page].
	Found  []crawl.Found
	Denied []crawl.Denied
	// Credits that the job pays when the item ends.
	Credits int
	// RetryAt, where set, is when the item is tried again: it has not ended. Where no attempt is left, it has, with the rest.
	RetryAt time.Time
	// Cause of that, where it isn't Failed.
	Cause error
	// Fatal, of a failure: the whole job has failed, if nothing else comes of it.
	Fatal bool
	// Note is what the mirrors of a spread job keep of the page; see [Kind].Keep. Nil: nothing.
	Note any
	// InTx adds to the transaction in which the item ends, with the number of its first result and how many there are; may be nil.
	InTx func(tx jobs.Tx, first uint64, results int) error
}

// quiet reports an end that callers don't hear of.
func (o Outcome) quiet() bool { return o.Silent || o.Kept }

// handle works on one item and writes down what came of it.
func (l *Line) handle(ctx context.Context, item crawl.Item) error {
	out := l.attempt(ctx, item)
	if cause := l.givenUp(ctx, out); cause != nil {
		_ = l.Frontier.Release(context.WithoutCancel(ctx), item)
		return cause
	}
	if out.Back {
		return leaseLost(l.Frontier.Release(ctx, item))
	}
	if !out.RetryAt.IsZero() {
		err := l.Frontier.Fail(ctx, item, out.RetryAt, out.cause())
		if !errors.Is(err, crawl.ErrAttempts) {
			return leaseLost(err)
		}
	}
	return leaseLost(l.complete(ctx, item, out))
}

func (o Outcome) cause() string {
	if o.Failed != nil {
		return o.Failed.Error()
	}
	return o.Cause.Error()
}

// attempt keeps a panic over one page from ending the job.
func (l *Line) attempt(ctx context.Context, item crawl.Item) (out Outcome) {
	defer func() {
		if p := recover(); p != nil {
			out = Outcome{Failed: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	if item.Attempt > l.attempts() {
		err := &AttemptsError{Attempts: item.Attempt - 1, Cause: item.Cause}
		return Outcome{Failed: l.runner.o.Failure(ctx, "scrape", item.URL, err)}
	}
	return l.task.Visit(ctx, item)
}

// Failure returns the error of a page as callers get it; see [Options.Failure].
func (l *Line) Failure(ctx context.Context, item crawl.Item, err error) error {
	return l.runner.o.Failure(ctx, l.Record.Kind, item.URL, err)
}

// givenUp returns why a page was not worked off, which is no failure of the page: the job or its owner ends. The owner's end
// may reach the page before the job.
func (l *Line) givenUp(ctx context.Context, out Outcome) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return l.runner.o.Stopped(out.Failed)
}

// leaseLost forgives that an item's lease has ended meanwhile: another has it then.
func leaseLost(err error) error {
	if errors.Is(err, crawl.ErrLeaseLost) {
		return nil
	}
	return err
}
