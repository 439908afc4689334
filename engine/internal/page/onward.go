package page

import (
	"context"
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

// onward asks whether redirects may be followed, and takes the time of the question off that of the answer.
func onward(a *Acquisition, asked *time.Duration) func(context.Context, string) error {
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
