package page

import (
	"context"
	"errors"
	"time"
)

// OnwardError says that a redirect was not followed.
type OnwardError struct {
	To  string // where it leads
	Err error  // why
}

func (e *OnwardError) Error() string {
	return "a redirect to " + e.To + " is not followed: " + e.Err.Error()
}
func (e *OnwardError) Unwrap() error { return e.Err }

// judged asks whether redirects may be followed, and takes the time of the question off that of the answer.
func judged(a *Acquisition, asked *time.Duration) func(context.Context, string) error {
	if a.Onward == nil {
		return nil
	}
	return func(ctx context.Context, to string) error {
		began := a.Now()
		defer func() { *asked += a.Now().Sub(began) }()
		if err := a.Onward(ctx, to); err != nil {
			return &OnwardError{to, err}
		}
		return nil
	}
}

// onward judges where a browser is led, as redirects are judged, and ends the visit where it may not go. People and code that work on a
// live page go where they like.
func (v *Visit) onward(ctx context.Context) func(to string) error {
	if v.Onward == nil || v.Live != nil {
		return nil
	}
	return func(to string) error {
		err := v.Onward(ctx, to)
		if err != nil && ctx.Err() == nil {
			v.Cancel(&OnwardError{to, err})
		}
		return err
	}
}

// led reports whether a page was lost because of where it leads.
func led(err error) bool {
	_, ok := errors.AsType[*OnwardError](err)
	return ok
}
