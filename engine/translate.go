package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/codes"
	"github.com/winnow-go/winnow/engine/internal/proxies"
	"github.com/winnow-go/winnow/engine/internal/searching"
	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/engine/internal/stores"
	"github.com/winnow-go/winnow/fetch"
)

// failure is the one place where errors of the leaves become an [*Error]. ctx is
// the scrape's: when it has ended, that is the reason, whatever err says.
func failure(ctx context.Context, op, url string, err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: own.Code, Op: op, URL: url, Err: own.Err}
	}
	if late, ok := errors.AsType[*sessions.LateError](err); ok && codes.Page(late.Err) != "" {
		err = late.Err
	}
	if full, ok := stores.Unwritable(err); ok && !refusesOption(err) {
		return &Error{Code: CodeStorage, Op: op, URL: url, Err: full}
	}
	// What says more than that the time is over.
	if code := cmp.Or(codes.Session(err, refusesOption(err)), codes.Task(err), codes.Page(err)); code != "" {
		return &Error{Code: Code(code), Op: op, URL: url, Err: err}
	}
	if size, ok := errors.AsType[*fetch.SizeError](context.Cause(ctx)); ok {
		err = size
	} else if ctx.Err() != nil {
		return ended(ctx, op, url)
	}
	err = ownOption(err)
	code, detail := classify(err)
	if detail != "" {
		err = fmt.Errorf("%s: %w", detail, err)
	}
	return &Error{Code: code, Op: op, URL: url, Err: err}
}

// ownOption makes the leaves' complaints about options the engine's, so that
// callers have one type to look for.
func ownOption(err error) error {
	if opt := codes.Option(err); opt != nil {
		return &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want, Err: opt.Err}
	}
	return err
}

// ended distinguishes the three ways in which a context ends.
func ended(ctx context.Context, op, url string) *Error {
	cause := context.Cause(ctx)
	code := CodeCancelled
	if errors.Is(cause, context.DeadlineExceeded) {
		code = CodeTimeout
	}
	return &Error{Code: code, Op: op, URL: url, Err: cause}
}

// classify gives the code of an error and, for a site's fault, the browser's net code where err doesn't print it.
func classify(err error) (code Code, detail string) {
	if _, ok := errors.AsType[*OptionError](err); ok {
		return CodeBadRequest, ""
	}
	if known, detail := codes.Of(err); known != "" {
		return Code(known), detail
	}
	if errors.Is(err, ErrClosed) {
		return CodeCancelled, ""
	}
	return CodeUnknown, ""
}

func refusesOption(err error) bool {
	_, ok := errors.AsType[*OptionError](ownOption(err))
	return ok
}

// searchError makes the engine's error of what a search failed with.
func searchError(err error) error {
	if failed, ok := errors.AsType[*searching.ProviderError](err); ok {
		return &Error{Code: CodeSearchFailed, Op: "search", Err: failed.Err}
	}
	if late, ok := errors.AsType[*searching.TimeoutError](err); ok {
		return &Error{Code: CodeSearchTimeout, Err: late.Err}
	}
	return err
}

// proxyError makes the engine's error of what proxies could not be planned for.
func proxyError(err error) error {
	if none, ok := errors.AsType[*proxies.NoneError](err); ok {
		return &Error{Code: CodeProxy, Err: ownOption(none.Err)}
	}
	return err
}

// replayError makes the engine's error of what a replay failed with; why its page isn't there has a code of its own.
func replayError(ctx context.Context, err error) error {
	lost, ok := errors.AsType[*sessions.ReplayError](err)
	if !ok {
		return err
	}
	why := failure(context.WithoutCancel(ctx), "interact", "", lost.Err)
	return &Error{Code: CodeReplay, Err: &sessions.ReplayError{Err: why}}
}
