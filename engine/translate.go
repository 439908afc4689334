package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/llm"
)

// failure is the one place where errors of the leaves become an [*Error]. ctx is
// the scrape's: when it has ended, that is the reason, whatever err says.
func failure(ctx context.Context, op, url string, err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return &Error{Code: own.Code, Op: op, URL: url, Err: own.Err}
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

// ended tells apart the three ways in which a context ends.
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
	if closed, ok := errors.AsType[*robotsError](err); ok {
		return closed.code(), ""
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

func classifyFetch(err error) (code Code, detail string) {
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
	if _, ok := errors.AsType[*fetch.ProxyError](err); ok {
		return CodeProxy, ""
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
