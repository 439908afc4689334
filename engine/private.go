package engine

import (
	"context"
	"errors"
)

// privateFailure is an error without anything about the page: under lockdown and zero
// data retention neither the URL nor what a site said may end up in whatever the
// caller does with errors. What stays is the code, an option's name and range, and
// how a context ended.
func privateFailure(err *Error) *Error {
	return &Error{Code: err.Code, Op: err.Op, Err: withoutPage(err)}
}

func withoutPage(err *Error) error {
	if err.Code == CodeLockdownMiss {
		return err.Err
	}
	if opt, ok := errors.AsType[*OptionError](err); ok {
		return &OptionError{Field: opt.Field, Value: "(redacted)", Want: opt.Want}
	}
	for _, known := range []error{
		ErrClosed, ErrNotSupported, errNoSearch, errSearchNotLocal, errNoModel, errNotLocal, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, known) {
			return known
		}
	}
	return errPrivate
}

var errPrivate = errors.New("the cause is redacted under lockdown and zero data retention")
