package engine

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/sessions"
)

// Code says which kind of failure an [Error] is. The words are the service's;
// programs may act on them.
type Code string

// Codes that the engine gives. Each comment says when.
const (
	// CodeBadRequest: an option or the URL can't be honoured; the error wraps an [*OptionError].
	CodeBadRequest Code = "BAD_REQUEST"
	// CodeUnknown: a fault of the engine itself, a recovered panic included.
	CodeUnknown Code = "UNKNOWN_ERROR"
	// CodeTimeout: the scrape's timeout, or the caller's own deadline, ran out.
	CodeTimeout Code = "SCRAPE_TIMEOUT"
	// CodeCancelled: the caller's context was cancelled, or the engine was closed.
	CodeCancelled Code = "SCRAPE_JOB_CANCELLED"
	// CodeDNS: the host's name does not resolve.
	CodeDNS Code = "SCRAPE_DNS_RESOLUTION_ERROR"
	// CodeSSL: the server's certificate or its TLS handshake is not acceptable.
	CodeSSL Code = "SCRAPE_SSL_ERROR"
	// CodeSite: the site can't be talked to; the message carries the browser's net
	// code, such as ERR_CONNECTION_REFUSED or ERR_TOO_MANY_REDIRECTS.
	CodeSite Code = "SCRAPE_SITE_ERROR"
	// CodeProxy: the proxy can't be used.
	CodeProxy Code = "SCRAPE_PROXY_SELECTION_ERROR"
	// CodeBlocked: the egress policy refuses the address.
	CodeBlocked Code = "unsafe_domain_blocked"
	// CodeUnsupportedFile: the content is of a type that gives no document, damaged, encrypted, or over a size limit.
	CodeUnsupportedFile Code = "SCRAPE_UNSUPPORTED_FILE_ERROR"
	// CodePDFNeedsOCR: the file's text is only in images, and there is no text recognition; the
	// message says what to install.
	CodePDFNeedsOCR Code = "SCRAPE_PDF_OCR_REQUIRED"
	// CodePDFTime: not one page of the PDF was read in the time.
	CodePDFTime Code = "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR"
	// CodeAudioUnsupported and CodeVideoUnsupported: the format was asked for, and neither the page nor,
	// for audio, its feed has any.
	CodeAudioUnsupported Code = "SCRAPE_AUDIO_UNSUPPORTED_URL"
	CodeVideoUnsupported Code = "SCRAPE_VIDEO_UNSUPPORTED_URL"
	// CodeParseOptions: an option means nothing for a file that was handed over.
	CodeParseOptions Code = "PARSE_UNSUPPORTED_OPTIONS"
	// CodeFileType: a file that was handed over is of a type that can't be read.
	CodeFileType Code = "UNSUPPORTED_FILE_TYPE"
	// CodeAction: an action failed; the error wraps an *actions.Error that says which and why.
	CodeAction Code = "SCRAPE_ACTION_ERROR"
	// CodeProfileBusy: another scrape is writing the profile.
	CodeProfileBusy Code = "PROFILE_LOCKED"
	// CodeProfileDamaged: the profile's file is no browser state; the message names it.
	CodeProfileDamaged Code = "PROFILE_DAMAGED"
	// CodeActionsNotSupported: actions were given where none can be performed.
	CodeActionsNotSupported Code = "SCRAPE_ACTIONS_NOT_SUPPORTED"
	// CodeBrandingNotSupported: the branding format was asked where it can't be made.
	CodeBrandingNotSupported Code = "SCRAPE_BRANDING_NOT_SUPPORTED"
	// CodeNoCachedData: minAge was set and no stored page fits the request, or no archive of [Options.Replay] has what was requested.
	CodeNoCachedData Code = "SCRAPE_NO_CACHED_DATA"
	// CodeLockdownMiss: lockdown was set and no stored page fits the request. Neither the
	// error nor any log contains the URL.
	CodeLockdownMiss Code = "SCRAPE_LOCKDOWN_CACHE_MISS"
	// CodeNotFound: nothing of that id is known, or no longer.
	CodeNotFound Code = "NOT_FOUND"
	// CodeMapTimeout: a map's timeout, or the caller's own deadline, ran out before anything was found.
	CodeMapTimeout Code = "MAP_TIMEOUT"
	// CodeRobots: robots.txt was to be obeyed and forbids the URL.
	CodeRobots Code = "ROBOTS_TXT_DISALLOWED"
	// CodeRobotsUnreachable: robots.txt was to be obeyed, the host was reached and doesn't give it (5xx, 429, no answer
	// in time, a broken connection), also after some tries; then nothing of the host is fetched (RFC 9309 §2.3.1.4). A
	// host that can't be reached has the code that its pages would have: [CodeDNS], [CodeSite], [CodeSSL], [CodeProxy].
	CodeRobotsUnreachable Code = "ROBOTS_TXT_UNREACHABLE"
	// CodeModelNotConfigured: the request needs a language model, and [Options.Model] is nil.
	CodeModelNotConfigured Code = "MODEL_NOT_CONFIGURED"
	// CodeModelNotLocal: under lockdown and zero data retention only a model that is declared
	// local may be asked.
	CodeModelNotLocal Code = "MODEL_NOT_LOCAL"
	// CodeModelFailed: the model is unavailable, refuses, or doesn't answer in the asked form.
	CodeModelFailed Code = "MODEL_FAILED"
	// CodeModelBudget: the tokens that the request allows are used up.
	CodeModelBudget Code = "MODEL_BUDGET_EXCEEDED"
	// CodeInjection: checkPromptInjection was set, and the page seems to instruct models.
	CodeInjection Code = "SCRAPE_PROMPT_INJECTION_DETECTED"
	// CodeSearchNotConfigured: [Options.Search] is empty; the message names the choices.
	CodeSearchNotConfigured Code = "SEARCH_NOT_CONFIGURED"
	// CodeSearchNotLocal: under lockdown and zero data retention only a local provider is called, and there is none.
	CodeSearchNotLocal Code = "SEARCH_NOT_LOCAL"
	// CodeSearchTimeout: a search's timeout, or the caller's own deadline, ran out.
	CodeSearchTimeout Code = "SEARCH_TIMEOUT"
	// CodeSearchFailed: every provider that could be asked has failed.
	CodeSearchFailed Code = "SEARCH_FAILED"
	// CodeAgentFailed: the agent's model gave up, or its limits were met before anything was found; the message says which.
	CodeAgentFailed Code = "AGENT_FAILED"
	// CodeSessionLimit: as many browser sessions are active as may be.
	CodeSessionLimit Code = "SESSION_LIMIT_REACHED"
	// CodeSessionDestroyed: the browser session has ended.
	CodeSessionDestroyed Code = "SESSION_DESTROYED"
	// CodeSessionFailed: a session's browser, or what drives it, has failed.
	CodeSessionFailed Code = "SESSION_FAILED"
	// CodeNotConfigured: this machine lacks what sessions or code need; the error wraps [ErrNotConfigured].
	CodeNotConfigured Code = "BROWSER_NOT_CONFIGURED"
	// CodeReplay: the page of a scrape can't be led to where the scrape left it: scrape it again.
	CodeReplay Code = "REPLAY_UNAVAILABLE"
	// CodeFinished: the job has ended already.
	CodeFinished Code = "JOB_FINISHED"
	// CodeMonitorBusy: a check of the monitor is running.
	CodeMonitorBusy Code = "MONITOR_BUSY"
	// CodeIdempotency: the idempotency key was used for another request.
	CodeIdempotency Code = "IDEMPOTENCY_KEY_REUSED"
	// CodeStorage: what the call has to store can't be written, since the disk is full or read-only; later it may be.
	CodeStorage Code = "STORAGE_UNAVAILABLE"
	// CodeRetryLimit: a page of a job was begun as often as allowed and never came to an end.
	CodeRetryLimit Code = "SCRAPE_RETRY_LIMIT"
	// CodeAllEnginesFailed: neither HTTP nor a browser gave the page; most often
	// because no browser can be had (the error then wraps a *browser.InstallError), or
	// because browsers died under it (browser.ErrCrashed).
	CodeAllEnginesFailed Code = "SCRAPE_ALL_ENGINES_FAILED"
)

// ErrClosed is wrapped by the error of every call on a closed engine.
var ErrClosed = errors.New("engine is closed")

// ErrNotConfigured is wrapped by the error of sessions and code where the machine lacks what they need: a
// sandbox, a browser, a language. The message says what to install.
var ErrNotConfigured = sessions.ErrNotConfigured

// ErrNotSupported is wrapped where an option of the service is refused because
// this version can't honour it.
var ErrNotSupported = page.ErrNotSupported

// Error is the one error type of the engine's operations.
type Error struct {
	// Code is never empty.
	Code Code
	// Op is the operation, such as "scrape".
	Op string
	// URL is as the caller gave it; empty where it must not leave the engine.
	URL string
	// Err is the cause. It is nil only where Code says it all.
	Err error
}

// Error prints operation, URL, code and cause in one line.
func (e *Error) Error() string {
	parts := []string{strings.TrimSpace(e.Op + " " + e.URL), string(e.Code)}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ")
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf gives the code of the outermost [Error] in err's chain, "" for nil and
// [CodeUnknown] for an error that carries none.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeUnknown
}

// OptionError says which option can't be honoured, and what could be.
type OptionError struct {
	// Field is the option's name in the service's spelling, such as "timeout".
	Field string
	// Value is what was given.
	Value any
	// Want is the accepted range or form.
	Want string
	// Err is the cause, if there is one beyond the rule itself.
	Err error
}

// Error prints field, value and range.
func (e *OptionError) Error() string { return option.Text(e.Field, e.Value, e.Want, e.Err) }

// Unwrap gives the cause.
func (e *OptionError) Unwrap() error { return e.Err }

// recovered, deferred, makes a panic the error of its function, with the stack.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
