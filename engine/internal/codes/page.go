package codes

import (
	"cmp"
	"errors"
	"strings"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/llm/read"
)

// Of gives the code of a leaf's error and, for a site's fault, the browser's net code where err doesn't print it; both are empty
// where the error is of none of the kinds below.
func Of(err error) (code, detail string) {
	if _, ok := errors.AsType[*actions.Error](err); ok && !errors.Is(err, browser.ErrCrashed) {
		return Action, ""
	}
	if code := Page(err); code != "" {
		return code, ""
	}
	if _, ok := errors.AsType[*work.AttemptsError](err); ok {
		return RetryLimit, ""
	}
	if closed, ok := errors.AsType[*robotstxt.UnreachableError](err); ok {
		if closed.Unreached() {
			return fetched(closed.Err)
		}
		return RobotsUnreachable, ""
	}
	if code, detail = fetched(err); code != "" {
		return code, detail
	}
	return cmp.Or(browsed(err), file(err), Model(err)), ""
}

// Page sorts why there is no page as it was asked for.
func Page(err error) string {
	if miss, ok := errors.AsType[*scraping.MissError](err); ok && miss.Lockdown {
		return LockdownMiss
	} else if ok {
		return NoCachedData
	}
	if none, ok := errors.AsType[*scraping.NoMediaError](err); ok {
		return map[formats.Type]string{formats.Audio: AudioUnsupported, formats.Video: VideoUnsupported}[none.Format]
	}
	if no, ok := errors.AsType[*page.UnsupportedError](err); ok {
		return map[page.Unsupported]string{
			page.UnsupportedActions: ActionsNotSupported, page.UnsupportedBranding: BrandingNotSupported,
			page.UnsupportedContent: UnsupportedFile,
		}[no.What]
	}
	if _, ok := errors.AsType[*page.ActionsTimeoutError](err); ok {
		return Action
	}
	if refused, ok := errors.AsType[*page.GuardError](err); ok && refused.Blocked {
		return Blocked
	} else if ok {
		return Site
	}
	if _, ok := errors.AsType[*robotstxt.DisallowedError](err); ok {
		return Robots
	}
	if errors.Is(err, read.ErrInjection) {
		return Injection
	}
	if _, ok := errors.AsType[*enrich.LearnError](err); ok {
		return ModelFailed
	}
	if errors.Is(err, profile.ErrBusy) {
		return ProfileBusy
	}
	if _, ok := errors.AsType[*profile.CorruptError](err); ok {
		return ProfileDamaged
	}
	return ""
}

// fetched sorts what HTTP failed with.
func fetched(err error) (code string, detail string) {
	// First: what it wraps is about the proxy itself.
	if _, ok := errors.AsType[*fetch.ProxyError](err); ok {
		return Proxy, ""
	}
	if _, ok := errors.AsType[*fetch.BlockedError](err); ok {
		return Blocked, ""
	}
	if _, ok := errors.AsType[*fetch.MissError](err); ok {
		return NoCachedData, ""
	}
	if _, ok := errors.AsType[*fetch.DNSError](err); ok {
		return DNS, ""
	}
	if _, ok := errors.AsType[*fetch.TLSError](err); ok {
		return SSL, ""
	}
	if _, ok := errors.AsType[*fetch.SizeError](err); ok {
		return UnsupportedFile, ""
	}
	if _, ok := errors.AsType[*fetch.RedirectError](err); ok {
		return Site, "ERR_TOO_MANY_REDIRECTS"
	}
	if _, ok := errors.AsType[*fetch.DecodeError](err); ok {
		return Site, "ERR_CONTENT_DECODING_FAILED"
	}
	if _, ok := errors.AsType[*fetch.TimeoutError](err); ok {
		return Site, "ERR_TIMED_OUT"
	}
	if _, ok := errors.AsType[*fetch.ConnectError](err); ok {
		return Site, ""
	}
	if _, ok := errors.AsType[*auth.LoginError](err); ok {
		return Site, ""
	}
	return "", ""
}

// browsed sorts what a browser failed with.
func browsed(err error) string {
	if nav, ok := errors.AsType[*browser.NavigationError](err); ok {
		return net(nav.Net)
	}
	if _, ok := errors.AsType[*browser.InstallError](err); ok {
		return AllEnginesFailed
	}
	if errors.Is(err, browser.ErrCrashed) || errors.Is(err, browser.ErrClosed) {
		return AllEnginesFailed
	}
	if errors.Is(err, browser.ErrDownload) || errors.Is(err, browser.ErrTooLarge) {
		return UnsupportedFile
	}
	if errors.Is(err, browser.ErrScheme) {
		return Blocked
	}
	return ""
}

// net sorts the browser's net error names (net/base/net_error_list.h).
func net(net string) string {
	switch {
	case net == "ERR_NAME_NOT_RESOLVED" || net == "ERR_NAME_RESOLUTION_FAILED":
		return DNS
	case strings.HasPrefix(net, "ERR_CERT_") || strings.HasPrefix(net, "ERR_SSL_"):
		return SSL
	case strings.HasPrefix(net, "ERR_PROXY_"):
		return AllEnginesFailed // the browser's only proxy is its guard, which knows those of the request
	case net == "ERR_UNSAFE_PORT":
		return Blocked
	}
	return Site
}

// file sorts what can be wrong with a file.
func file(err error) string {
	if _, ok := errors.AsType[*page.FileTypeError](err); ok {
		return FileType
	}
	if _, ok := errors.AsType[*document.OCRRequiredError](err); ok {
		return PDFNeedsOCR
	}
	if _, ok := errors.AsType[*document.TimeError](err); ok {
		return PDFTime
	}
	if _, ok := errors.AsType[*document.UnsupportedError](err); ok {
		return UnsupportedFile
	}
	if _, ok := errors.AsType[*document.EncryptedError](err); ok {
		return UnsupportedFile
	}
	if _, ok := errors.AsType[*document.TooLargeError](err); ok {
		return UnsupportedFile
	}
	if _, ok := errors.AsType[*document.DamagedError](err); ok {
		return UnsupportedFile
	}
	return ""
}
