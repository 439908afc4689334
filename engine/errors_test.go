package engine

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/deadline"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

func TestCodeOf(t *testing.T) {
	coded := &Error{Code: CodeTimeout, Op: "scrape", URL: "u", Err: context.DeadlineExceeded}
	for _, c := range []struct {
		err  error
		want Code
	}{
		{nil, ""},
		{errors.New("x"), CodeUnknown},
		{coded, CodeTimeout},
		{fmt.Errorf("batch: %w", fmt.Errorf("page: %w", coded)), CodeTimeout},
		{errors.Join(errors.New("x"), coded), CodeTimeout},
	} {
		if got := CodeOf(c.err); got != c.want {
			t.Errorf("CodeOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
	if !errors.Is(coded, context.DeadlineExceeded) {
		t.Error("the cause is hidden")
	}
	if got, want := coded.Error(), "scrape u: SCRAPE_TIMEOUT: context deadline exceeded"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFailure_translatesEveryErrorOfTheLeaves(t *testing.T) {
	cause := errors.New("cause")
	for _, c := range []struct {
		err  error
		want Code
		text string
	}{
		{&fetch.BlockedError{Host: "h", Addr: netip.MustParseAddr("10.0.0.1"), Port: 80, Reason: "private"}, CodeBlocked, ""},
		{&fetch.DNSError{Host: "h", Err: cause}, CodeDNS, ""},
		{&fetch.TLSError{Host: "h", Err: cause}, CodeSSL, ""},
		{&fetch.SizeError{URL: "u", Limit: 1}, CodeUnsupportedFile, ""},
		{&fetch.ProxyError{Proxy: "p", Err: cause}, CodeProxy, ""},
		{&fetch.RedirectError{URL: "u", Count: 21}, CodeSite, "ERR_TOO_MANY_REDIRECTS"},
		{&fetch.DecodeError{Encoding: "gzip", Err: cause}, CodeSite, "ERR_CONTENT_DECODING_FAILED"},
		{&fetch.TimeoutError{Phase: "headers"}, CodeSite, "ERR_TIMED_OUT"},
		{&fetch.ConnectError{Addr: "a", Net: "ERR_CONNECTION_REFUSED", Err: cause}, CodeSite, "ERR_CONNECTION_REFUSED"},
		{&browser.NavigationError{URL: "u", Net: "ERR_NAME_NOT_RESOLVED", Err: cause}, CodeDNS, ""},
		{&browser.NavigationError{URL: "u", Net: "ERR_CERT_DATE_INVALID", Err: cause}, CodeSSL, ""},
		{&browser.NavigationError{URL: "u", Net: "ERR_SSL_PROTOCOL_ERROR", Err: cause}, CodeSSL, ""},
		{&browser.NavigationError{URL: "u", Net: "ERR_PROXY_CONNECTION_FAILED", Err: cause}, CodeAllEnginesFailed, ""},
		{&browser.NavigationError{URL: "u", Net: "ERR_UNSAFE_PORT", Err: cause}, CodeBlocked, ""},
		{&browser.NavigationError{URL: "u", Net: "ERR_EMPTY_RESPONSE", Err: cause}, CodeSite, "ERR_EMPTY_RESPONSE"},
		{&browser.InstallError{}, CodeAllEnginesFailed, ""},
		{browser.ErrCrashed, CodeAllEnginesFailed, ""},
		{browser.ErrDownload, CodeUnsupportedFile, ""},
		{browser.ErrTooLarge, CodeUnsupportedFile, ""},
		{browser.ErrScheme, CodeBlocked, ""},
		{&browser.OptionError{Field: "f", Value: "x", Want: "y"}, CodeBadRequest, "f"},
		{&browser.ArgError{Arg: "--no-sandbox", Reason: "r"}, CodeBadRequest, "--no-sandbox"},
		{&formats.OptionError{Field: "formats", Value: "x", Want: "y"}, CodeBadRequest, "formats"},
		{ErrClosed, CodeCancelled, ""},
		{cause, CodeUnknown, ""},
	} {
		for _, err := range []error{c.err, fmt.Errorf("deep: %w", c.err)} {
			got := failure(t.Context(), "scrape", "u", err)
			if got.Code != c.want || !strings.Contains(got.Error(), c.text) {
				t.Errorf("%T: got %v, want %s with %q", c.err, got, c.want, c.text)
			}
		}
	}
}

func TestFailure_ofAnEndedContextIsItsCause(t *testing.T) {
	for _, c := range []struct {
		cause error
		want  Code
	}{
		{&deadline.TimeoutError{After: 1}, CodeTimeout},
		{context.DeadlineExceeded, CodeTimeout},
		{context.Canceled, CodeCancelled},
		{ErrClosed, CodeCancelled},
		{&fetch.SizeError{URL: "u", Limit: 1}, CodeUnsupportedFile},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(c.cause)
		got := failure(ctx, "scrape", "u", errors.New("target closed"))
		if got.Code != c.want || !errors.Is(got, c.cause) {
			t.Errorf("%v: got %v, want %s", c.cause, got, c.want)
		}
	}
}

func TestOptionError_aValueThatIsASecretIsNotTold(t *testing.T) {
	if got := (&OptionError{Field: "webhook.url", Want: "an https URL"}).Error(); got != "webhook.url: want an https URL" {
		t.Error(got)
	}
}

// A value is cut between two characters.
func TestOptionError_cutsAtACharacter(t *testing.T) {
	for n := range 4 {
		err := &OptionError{Field: "f", Value: strings.Repeat("a", n) + strings.Repeat("€", 100), Want: "w"}
		if text := err.Error(); !utf8.ValidString(text) || strings.Contains(text, `\x`) {
			t.Errorf("%q", text)
		}
	}
}
