package sessions

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// ErrNotConfigured is wrapped where the machine lacks what sessions or code need. The message says what to install.
var ErrNotConfigured = errors.New("this machine is not set up for browser sessions")

// ErrLimit is wrapped where as many sessions are active as may be.
var ErrLimit = errors.New("the limit of sessions is reached")

// ErrNotFound: nothing is stored of a session.
var ErrNotFound = errors.New("no session has this id, or it is forgotten")

// ErrNoSession: no session went on with a scrape.
var ErrNoSession = errors.New("the scrape has no session")

// Reasons for which a session ends. Another is the end of its browser.
var (
	ErrClosed      = errors.New("it was closed")
	ErrTTL         = errors.New("its time was over")
	ErrIdle        = errors.New("it was not used any more")
	ErrEngineEnded = errors.New("its engine ended")
)

// EndedError says that a session has ended.
type EndedError struct{ Reason string }

func (e *EndedError) Error() string { return "the session has ended: " + e.Reason }

// FailedError says that a session's browser, or what operates it, has failed.
type FailedError struct{ Err error }

func (e *FailedError) Error() string { return e.Err.Error() }

func (e *FailedError) Unwrap() error { return e.Err }

// LateError says that the time of a call was over. Cause says which; Err is what the call came to by that.
type LateError struct{ Cause, Err error }

func (e *LateError) Error() string { return e.Cause.Error() }

func (e *LateError) Unwrap() error { return e.Cause }

// ReplayError says that a page can't be led to where a scrape left it.
type ReplayError struct{ Err error }

func (e *ReplayError) Error() string {
	return fmt.Sprintf("the page can't be led to where the scrape left it, scrape it again: %v", e.Err)
}

func (e *ReplayError) Unwrap() error { return e.Err }

// limitError says how many sessions are active.
type limitError struct{ active int }

func (e *limitError) Error() string {
	return fmt.Sprintf("%d sessions are active: end one first, or raise Options.MaxSessions", e.active)
}

func (e *limitError) Is(target error) bool { return target == ErrLimit }

// failed sorts why there is no session, or why code could not be run: because ctx has ended, because the machine
// lacks something, or otherwise.
func failed(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrNotConfigured) {
		return err
	}
	_, unavailable := errors.AsType[*sandbox.UnavailableError](err)
	if _, ok := errors.AsType[*browser.InstallError](err); ok || unavailable {
		return fmt.Errorf("%w: %w", ErrNotConfigured, err)
	}
	return &FailedError{Err: err}
}
