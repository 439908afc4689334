package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/fetch"
)

func TestFailure_ofSessionsHasTheCodeOfItsCause(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	late := &deadline.TimeoutError{After: time.Minute}
	for _, c := range []struct {
		ctx  context.Context
		err  error
		code Code
	}{
		{over, &sessions.EndedError{Reason: "it was closed"}, CodeSessionDestroyed},
		{t.Context(), sessions.ErrLimit, CodeSessionLimit},
		{t.Context(), sessions.ErrNotFound, CodeNotFound},
		{t.Context(), sessions.ErrNoSession, CodeNotFound},
		{t.Context(), fmt.Errorf("%w: no sandbox", sessions.ErrNotConfigured), CodeNotConfigured},
		{t.Context(), &sessions.FailedError{Err: errors.New("x")}, CodeSessionFailed},
		{t.Context(), &sessions.FailedError{Err: browser.ErrCrashed}, CodeSessionFailed},
		{t.Context(), &sessions.FailedError{Err: profile.ErrBusy}, CodeProfileBusy},
		{t.Context(), &sessions.FailedError{Err: &browser.OptionError{Field: "Args"}}, CodeBadRequest},
		{t.Context(), &sessions.LateError{Cause: late, Err: context.Canceled}, CodeTimeout},
		{t.Context(), &sessions.LateError{Cause: late, Err: &page.GuardError{Blocked: true}}, CodeBlocked},
		{over, &sessions.LateError{Cause: context.Canceled, Err: context.Canceled}, CodeCancelled},
	} {
		if got := failure(c.ctx, "session", "", c.err); got.Code != c.code {
			t.Errorf("%#v: %v, want %s", c.err, got, c.code)
		}
	}
	lost := replayError(over, &sessions.ReplayError{Err: &fetch.DNSError{Host: "a.example"}})
	if got := failure(t.Context(), "interact", "", lost); got.Code != CodeReplay || CodeOf(errors.Unwrap(errors.Unwrap(got))) != CodeDNS {
		t.Error(got)
	}
}
