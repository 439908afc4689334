package robotstxt

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/crawl/robots"
	"github.com/winnow-go/winnow/fetch"
)

// Obey waits until a URL's robots.txt is known, within ctx, and gives nil where that
// allows the URL: else a [*DisallowedError] or, where the file is not available in time, a
// [*UnreachableError].
func (r *Files) Obey(ctx context.Context, href, agent string, proxy fetch.Proxy) error {
	for {
		file, err := r.FileVia(ctx, href, proxy)
		if err == nil {
			return disallowed(file, agent, href)
		}
		later, ok := errors.AsType[*UnreachableError](err)
		if !ok || later.Next.IsZero() {
			return err
		}
		wait := later.Next.Sub(r.Now())
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
			return err
		}
		if err := r.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// disallowed is nil or a [*DisallowedError] with the line that decides.
func disallowed(file *robots.File, agent, href string) error {
	if file.Allowed(agent, href) {
		return nil
	}
	cause := fmt.Errorf("the site's robots.txt forbids it to %s", agent)
	if line, ok := file.Rule(agent, href); ok {
		cause = fmt.Errorf("%w: %s", cause, line)
	}
	return &DisallowedError{cause}
}

// Wait waits, or gives the cause of ctx's end.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// DisallowedError says that a robots.txt forbids a URL.
type DisallowedError struct{ Err error }

func (e *DisallowedError) Error() string { return e.Err.Error() }
func (e *DisallowedError) Unwrap() error { return e.Err }
