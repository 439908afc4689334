package codes

import (
	"cmp"
	"context"
	"errors"

	"github.com/winnow-go/winnow/engine/internal/agent"
	"github.com/winnow-go/winnow/engine/internal/extracting"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/records"
	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/llm"
)

// Session sorts what ends a session or keeps it from beginning, a scrape that is not known included; "" where the
// cause has a code of its own. refused says that the cause is an option, of which a session that can't begin is not at fault.
func Session(err error, refused bool) string {
	if _, ok := errors.AsType[*sessions.EndedError](err); ok {
		return SessionDestroyed
	}
	if late, ok := errors.AsType[*sessions.LateError](err); ok && errors.Is(late.Cause, context.DeadlineExceeded) {
		return Timeout
	}
	if _, ok := errors.AsType[*sessions.FailedError](err); ok && Page(err) == "" && !refused {
		return SessionFailed
	}
	for known, code := range map[error]string{
		sessions.ErrLimit: SessionLimit, sessions.ErrNotConfigured: NotConfigured,
		sessions.ErrNotFound: NotFound, sessions.ErrNoSession: NotFound, records.ErrNotFound: NotFound,
	} {
		if errors.Is(err, known) {
			return code
		}
	}
	return ""
}

// Task sorts why the task of a job has no result, or why there is none.
func Task(err error) string {
	if nothing, ok := errors.AsType[*extracting.NothingError](err); ok {
		return cmp.Or(nothing.Code, Timeout)
	}
	if errors.Is(err, monitoring.ErrNotFound) {
		return NotFound
	}
	if errors.Is(err, monitoring.ErrBusy) {
		return MonitorBusy
	}
	if errors.Is(err, agent.ErrGaveUp) || errors.Is(err, agent.ErrNothing) {
		return AgentFailed
	}
	return ""
}

// Model sorts what can go wrong with a language model.
func Model(err error) string {
	if errors.Is(err, llm.ErrBudget) {
		return ModelBudget
	}
	for _, known := range []error{llm.ErrUnavailable, llm.ErrRefused, llm.ErrTooLong, llm.ErrMalformed} {
		if errors.Is(err, known) {
			return ModelFailed
		}
	}
	return ""
}
