package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/agent"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/extracting"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/proxies"
	"github.com/winnow-go/winnow/engine/internal/records"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/engine/internal/searching"
	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/engine/internal/stores"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// failure is the one place where errors of the leaves become an [*Error]. ctx is
// the scrape's: when it has ended, that is the reason, whatever err says.
func failure(ctx context.Context, op, url string, err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: own.Code, Op: op, URL: url, Err: own.Err}
	}
	if late, ok := errors.AsType[*sessions.LateError](err); ok && classifyPage(late.Err) != "" {
		err = late.Err
	}
	if full, ok := stores.Unwritable(err); ok && !refusesOption(err) {
		return &Error{Code: CodeStorage, Op: op, URL: url, Err: full}
	}
	if code := cmp.Or(classifySession(err), classifyTask(err)); code != "" {
		return &Error{Code: code, Op: op, URL: url, Err: err}
	}
	if code := classifyPage(err); code != "" { // which says more than that the time is over
		return &Error{Code: code, Op: op, URL: url, Err: err}
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
	if opt, ok := errors.AsType[*formats.OptionError](err); ok {
		return &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want}
	}
	if opt, ok := errors.AsType[*option.Error](err); ok {
		return &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want, Err: opt.Err}
	}
	if opt, ok := errors.AsType[*browser.OptionError](err); ok {
		return &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want}
	}
	if opt, ok := errors.AsType[*scope.OptionError](err); ok {
		return &OptionError{Field: opt.Field, Value: opt.Value, Want: opt.Want, Err: opt.Err}
	}
	if arg, ok := errors.AsType[*browser.ArgError](err); ok {
		return &OptionError{Field: "Browser.Args", Value: arg.Arg, Want: "an argument that keeps the browser safe", Err: err}
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

// classify gives the code of a leaf's error and, for a site's fault, the
// browser's net code where err doesn't print it.
func classify(err error) (code Code, detail string) {
	if _, ok := errors.AsType[*OptionError](err); ok {
		return CodeBadRequest, ""
	}
	if _, ok := errors.AsType[*actions.Error](err); ok && !errors.Is(err, browser.ErrCrashed) {
		return CodeAction, ""
	}
	if code := classifyPage(err); code != "" {
		return code, ""
	}
	if _, ok := errors.AsType[*work.AttemptsError](err); ok {
		return CodeRetryLimit, ""
	}
	if closed, ok := errors.AsType[*robotstxt.UnreachableError](err); ok {
		if closed.Unreached() {
			return classifyFetch(closed.Err)
		}
		return CodeRobotsUnreachable, ""
	}
	if code, detail = classifyFetch(err); code != "" {
		return code, detail
	}
	if code = classifyBrowser(err); code != "" {
		return code, ""
	}
	if code = classifyFile(err); code != "" {
		return code, ""
	}
	if code = classifyModel(err); code != "" {
		return code, ""
	}
	if errors.Is(err, ErrClosed) {
		return CodeCancelled, ""
	}
	return CodeUnknown, ""
}

// classifySession sorts what ends a session or keeps it from beginning, a scrape that is not known included; "" where the
// cause has a code of its own.
func classifySession(err error) Code {
	if _, ok := errors.AsType[*sessions.EndedError](err); ok {
		return CodeSessionDestroyed
	}
	if late, ok := errors.AsType[*sessions.LateError](err); ok && errors.Is(late.Cause, context.DeadlineExceeded) {
		return CodeTimeout
	}
	if _, ok := errors.AsType[*sessions.FailedError](err); ok && classifyPage(err) == "" && !refusesOption(err) {
		return CodeSessionFailed
	}
	for known, code := range map[error]Code{
		sessions.ErrLimit: CodeSessionLimit, sessions.ErrNotConfigured: CodeNotConfigured,
		sessions.ErrNotFound: CodeNotFound, sessions.ErrNoSession: CodeNotFound, records.ErrNotFound: CodeNotFound,
	} {
		if errors.Is(err, known) {
			return code
		}
	}
	return ""
}

func refusesOption(err error) bool {
	_, ok := errors.AsType[*OptionError](ownOption(err))
	return ok
}

// classifyTask sorts why the task of a job has no result.
func classifyTask(err error) Code {
	if nothing, ok := errors.AsType[*extracting.NothingError](err); ok {
		return Code(cmp.Or(nothing.Code, string(CodeTimeout)))
	}
	if errors.Is(err, agent.ErrGaveUp) || errors.Is(err, agent.ErrNothing) {
		return CodeAgentFailed
	}
	return ""
}

// classifyPage sorts why there is no page as it was asked for.
func classifyPage(err error) Code {
	if miss, ok := errors.AsType[*scraping.MissError](err); ok && miss.Lockdown {
		return CodeLockdownMiss
	} else if ok {
		return CodeNoCachedData
	}
	if none, ok := errors.AsType[*scraping.NoMediaError](err); ok {
		return map[formats.Type]Code{formats.Audio: CodeAudioUnsupported, formats.Video: CodeVideoUnsupported}[none.Format]
	}
	if no, ok := errors.AsType[*page.UnsupportedError](err); ok {
		return map[page.Unsupported]Code{
			page.UnsupportedActions: CodeActionsNotSupported, page.UnsupportedBranding: CodeBrandingNotSupported,
			page.UnsupportedContent: CodeUnsupportedFile,
		}[no.What]
	}
	if _, ok := errors.AsType[*page.ActionsTimeoutError](err); ok {
		return CodeAction
	}
	if refused, ok := errors.AsType[*page.GuardError](err); ok && refused.Blocked {
		return CodeBlocked
	} else if ok {
		return CodeSite
	}
	if _, ok := errors.AsType[*robotstxt.DisallowedError](err); ok {
		return CodeRobots
	}
	if errors.Is(err, read.ErrInjection) {
		return CodeInjection
	}
	if _, ok := errors.AsType[*enrich.LearnError](err); ok {
		return CodeModelFailed
	}
	if errors.Is(err, profile.ErrBusy) {
		return CodeProfileBusy
	}
	if _, ok := errors.AsType[*profile.CorruptError](err); ok {
		return CodeProfileDamaged
	}
	return ""
}

func classifyFetch(err error) (code Code, detail string) {
	// First: what it wraps is about the proxy itself.
	if _, ok := errors.AsType[*fetch.ProxyError](err); ok {
		return CodeProxy, ""
	}
	if _, ok := errors.AsType[*fetch.BlockedError](err); ok {
		return CodeBlocked, ""
	}
	if _, ok := errors.AsType[*fetch.DNSError](err); ok {
		return CodeDNS, ""
	}
	if _, ok := errors.AsType[*fetch.TLSError](err); ok {
		return CodeSSL, ""
	}
	if _, ok := errors.AsType[*fetch.SizeError](err); ok {
		return CodeUnsupportedFile, ""
	}
	if _, ok := errors.AsType[*fetch.RedirectError](err); ok {
		return CodeSite, "ERR_TOO_MANY_REDIRECTS"
	}
	if _, ok := errors.AsType[*fetch.DecodeError](err); ok {
		return CodeSite, "ERR_CONTENT_DECODING_FAILED"
	}
	if _, ok := errors.AsType[*fetch.TimeoutError](err); ok {
		return CodeSite, "ERR_TIMED_OUT"
	}
	if _, ok := errors.AsType[*fetch.ConnectError](err); ok {
		return CodeSite, ""
	}
	return "", ""
}

func classifyBrowser(err error) Code {
	if nav, ok := errors.AsType[*browser.NavigationError](err); ok {
		return netCode(nav.Net)
	}
	if _, ok := errors.AsType[*browser.InstallError](err); ok {
		return CodeAllEnginesFailed
	}
	if errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrClosed) {
		return CodeAllEnginesFailed
	}
	if errors.Is(err, browser.ErrDownload) || errors.Is(err, browser.ErrTooLarge) {
		return CodeUnsupportedFile
	}
	if errors.Is(err, browser.ErrScheme) {
		return CodeBlocked
	}
	return ""
}

// classifyFile sorts what can be wrong with a file.
func classifyFile(err error) Code {
	if _, ok := errors.AsType[*page.FileTypeError](err); ok {
		return CodeFileType
	}
	if _, ok := errors.AsType[*document.OCRRequiredError](err); ok {
		return CodePDFNeedsOCR
	}
	if _, ok := errors.AsType[*document.TimeError](err); ok {
		return CodePDFTime
	}
	if _, ok := errors.AsType[*document.UnsupportedError](err); ok {
		return CodeUnsupportedFile
	}
	if _, ok := errors.AsType[*document.EncryptedError](err); ok {
		return CodeUnsupportedFile
	}
	if _, ok := errors.AsType[*document.TooLargeError](err); ok {
		return CodeUnsupportedFile
	}
	if _, ok := errors.AsType[*document.DamagedError](err); ok {
		return CodeUnsupportedFile
	}
	return ""
}

// classifyModel sorts what can go wrong with a language model.
func classifyModel(err error) Code {
	if errors.Is(err, llm.ErrBudget) {
		return CodeModelBudget
	}
	for _, known := range []error{llm.ErrUnavailable, llm.ErrRefused, llm.ErrTooLong, llm.ErrMalformed} {
		if errors.Is(err, known) {
			return CodeModelFailed
		}
	}
	return ""
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

// netCode sorts the browser's net error names (net/base/net_error_list.h).
func netCode(net string) Code {
	switch {
	case net == "ERR_NAME_NOT_RESOLVED" || net == "ERR_NAME_RESOLUTION_FAILED":
		return CodeDNS
	case strings.HasPrefix(net, "ERR_CERT_") || strings.HasPrefix(net, "ERR_SSL_"):
		return CodeSSL
	case strings.HasPrefix(net, "ERR_PROXY_"):
		return CodeAllEnginesFailed // the browser's only proxy is its guard, which knows those of the request
	case net == "ERR_UNSAFE_PORT":
		return CodeBlocked
	}
	return CodeSite
}
