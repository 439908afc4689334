package fetch

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

type prefix = netip.Prefix

// fails asks for a URL and gives the error, which must be a *url.Error.
func fails(t *testing.T, c *Client, r Request) error {
	t.Helper()
	resp, err := c.Do(t.Context(), r)
	if err == nil {
		t.Fatalf("%s: status %d with %d bytes, want an error", r.URL, resp.Status, len(resp.Body))
	}
	var u *url.Error
	if !errors.As(err, &u) {
		t.Fatalf("%s: %v is not a url.Error", r.URL, err)
	}
	return err
}

func TestDo_brokenConnectionsHaveTheBrowsersCode(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for path, want := range map[string]struct {
		net   string
		tries int
	}{
		"/truncated":    {"ERR_CONTENT_LENGTH_MISMATCH", 3},
		"/truncated/te": {"ERR_INCOMPLETE_CHUNKED_ENCODING", 3},
		"/reset":        {"ERR_CONNECTION_RESET", 3},
		"/reset/body":   {"ERR_CONNECTION_RESET", 3},
		"/empty":        {"ERR_EMPTY_RESPONSE", 3},
		"/rubbish":      {"ERR_INVALID_HTTP_RESPONSE", 1},
		"/big-headers":  {"ERR_RESPONSE_HEADERS_TOO_BIG", 1},
	} {
		t.Run(path, func(t *testing.T) {
			var e *ConnectError
			err := fails(t, c, Request{URL: site.URL(path)})
			if !errors.As(err, &e) || e.Net != want.net || e.Addr != site.Host() {
				t.Fatalf("error %v, want a ConnectError with %s", err, want.net)
			}
			if got := site.Hits(path); got != want.tries {
				t.Errorf("%d tries, want %d", got, want.tries)
			}
			if Temporary(err) != (want.tries > 1) {
				t.Errorf("Temporary is %v", Temporary(err))
			}
		})
	}
}

func TestDo_brokenHTTP2StreamIsAConnectError(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	var e *ConnectError
	err := fails(t, c, Request{URL: site.TLSURL("/empty"), SkipTLSVerify: true})
	if !errors.As(err, &e) || e.Net != "ERR_HTTP2_PROTOCOL_ERROR" {
		t.Errorf("error %v, want ERR_HTTP2_PROTOCOL_ERROR", err)
	}
}

func TestDo_refusedConnectionIsAConnectError(t *testing.T) {
	var e *ConnectError
	err := fails(t, newClient(t), Request{URL: "http://" + fetchtest.ClosedPort(t)})
	if !errors.As(err, &e) || e.Net != "ERR_CONNECTION_REFUSED" {
		t.Errorf("error %v, want ERR_CONNECTION_REFUSED", err)
	}
}

func TestDo_bodyOverLimitIsASizeError(t *testing.T) {
	site := fetchtest.New(t)
	c := newClient(t, func(o *Options) { o.MaxBytes = 1 << 20 })
	for _, path := range []string{
		"/huge?bytes=2000000", "/huge?bytes=2000000&chunked=1", "/huge?bytes=1073741824", "/endless",
		"/gzip-bomb?mb=50", "/zstd-bomb?mb=50",
	} {
		t.Run(path, func(t *testing.T) {
			var e *SizeError
			err := fails(t, c, Request{URL: site.URL(path)})
			if !errors.As(err, &e) || e.Limit != 1<<20 || e.URL != site.URL(path) {
				t.Fatalf("error %v, want a SizeError with 1 MiB", err)
			}
			if Temporary(err) {
				t.Error("it is temporary")
			}
		})
	}
	mustDo(t, c, Request{URL: site.URL("/huge?bytes=1048576")})
	mustDo(t, c, Request{URL: site.URL("/huge?bytes=1048576&chunked=1")})
	mustDo(t, c, Request{URL: site.URL("/gzip-bomb?mb=1")})
}

func TestDo_requestsOwnLimitComesFirst(t *testing.T) {
	site := fetchtest.New(t)
	var e *SizeError
	if err := fails(t, newClient(t), Request{URL: site.URL("/article"), MaxBytes: 100}); !errors.As(err, &e) || e.Limit != 100 {
		t.Errorf("error %v, want a SizeError with 100", err)
	}
}

func TestDo_brokenEncodingIsADecodeError(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for path, encoding := range map[string]string{"/broken-gzip": "gzip", "/broken-br": "br", "/broken-zstd": "zstd"} {
		var e *DecodeError
		if err := fails(t, c, Request{URL: site.URL(path)}); !errors.As(err, &e) || e.Encoding != encoding || Temporary(err) {
			t.Errorf("%s: %v, want a DecodeError of %s", path, err, encoding)
		}
	}
}

func TestDo_redirectsWithoutEndAreRedirectErrors(t *testing.T) {
	site := fetchtest.New(t)
	c := newClient(t, func(o *Options) { o.MaxRedirects = 5 })
	for path, want := range map[string]RedirectError{
		"/loop":                               {Reason: "loop", Count: 2},
		"/redirect/6":                         {Reason: "too many", Count: 5},
		"/redirect-to?url=ftp://a.example/":   {Reason: "unusable Location"},
		"/redirect-to?url=http://%5B/":        {Reason: "unusable Location"},
		"/redirect-to?url=javascript:void%20": {Reason: "unusable Location"},
	} {
		var e *RedirectError
		err := fails(t, c, Request{URL: site.URL(path)})
		if !errors.As(err, &e) || e.Reason != want.Reason || e.Count != want.Count || Temporary(err) {
			t.Errorf("%s: %v, want %s after %d", path, err, want.Reason, want.Count)
		}
	}
	mustDo(t, c, Request{URL: site.URL("/redirect/5")})
}

func TestDo_unknownNameIsADNSError(t *testing.T) {
	notFound := &net.DNSError{Err: "no such host", Name: "a.example", IsNotFound: true}
	busy := &net.DNSError{Err: "server misbehaving", Name: "a.example", IsTemporary: true}
	for name, want := range map[string]struct {
		answer    lookup
		temporary bool
	}{
		"not found": {lookup{err: notFound}, false},
		"busy":      {lookup{err: busy}, true},
		"empty":     {lookup{}, false},
	} {
		r := &resolver{answers: []lookup{want.answer}}
		c := newClient(t, func(o *Options) { o.Resolver = r })
		var e *DNSError
		err := fails(t, c, Request{URL: "http://a.example/"})
		if !errors.As(err, &e) || e.Host != "a.example" || Temporary(err) != want.temporary {
			t.Errorf("%s: %v, temporary %v", name, err, Temporary(err))
		}
		if tries := map[bool]int{true: 3, false: 1}[want.temporary]; r.asked() != tries {
			t.Errorf("%s: %d lookups, want %d", name, r.asked(), tries)
		}
	}
}

func TestDo_badCertificateIsATLSError(t *testing.T) {
	site := fetchtest.New(t)
	var e *TLSError
	err := fails(t, newClient(t), Request{URL: site.TLSURL("/article")})
	if !errors.As(err, &e) || e.Host != "127.0.0.1" || Temporary(err) {
		t.Errorf("error %v, want a TLSError", err)
	}
	// Plain HTTP behind an https URL is no certificate, but no connection problem either.
	if err := fails(t, newClient(t), Request{URL: strings.Replace(site.URL("/"), "http:", "https:", 1)}); !errors.As(err, &e) {
		t.Errorf("error %v, want a TLSError", err)
	}
}

func TestDo_silenceIsATimeoutErrorWithItsPhase(t *testing.T) {
	site := fetchtest.New(t)
	hang := func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
	for path, want := range map[string]struct {
		phase string
		opt   func(*Options)
	}{
		"/text":   {"connect", func(o *Options) { o.DialContext, o.ConnectTimeout = hang, 20*time.Millisecond }},
		"/silent": {"headers", func(o *Options) { o.HeaderTimeout = 20 * time.Millisecond }},
		"/never":  {"body", func(o *Options) { o.BodyTimeout = 20 * time.Millisecond }},
	} {
		for _, u := range []string{site.URL(path), site.TLSURL(path)} {
			var e *TimeoutError
			err := fails(t, newClient(t, want.opt), Request{URL: u, SkipTLSVerify: true})
			if !errors.As(err, &e) || e.Phase != want.phase || e.After != 20*time.Millisecond || !Temporary(err) {
				t.Errorf("%s: %v, want a TimeoutError of %s", u, err, want.phase)
			}
		}
		if got := site.Hits(path); got > 2 {
			t.Errorf("%s was tried again: %d hits", path, got)
		}
	}
}

func TestDo_callersContextRules(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for _, path := range []string{"/silent", "/never", "/endless"} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := c.Do(ctx, Request{URL: site.URL(path)})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || Temporary(err) {
			t.Errorf("%s: %v, want DeadlineExceeded", path, err)
		}
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := c.Do(ctx, Request{URL: site.URL("/text")}); !errors.Is(err, context.Canceled) || !errors.Is(err, why) {
		t.Errorf("error %v, want Canceled and its cause", err)
	}
}

func TestDo_refusesWhatItCantAsk(t *testing.T) {
	c := newClient(t)
	for _, u := range []string{"", "a.example", "/path", "ftp://a.example/", "file:///etc/passwd", "http://", "http://a b/", "http://[::1", "data:,x", "http://a.example:99999/"} {
		if _, err := c.Do(t.Context(), Request{URL: u}); !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v, want ErrURL", u, err)
		}
	}
	var h *HeaderError
	if _, err := c.Do(t.Context(), Request{URL: "http://a.example/", Header: http.Header{"Host": {"b"}}}); !errors.As(err, &h) {
		t.Errorf("error %v, want a HeaderError", err)
	}
	for _, r := range []Request{{URL: "http://a.example/", MaxBytes: -1}, {URL: "http://a.example/", Proxy: Proxy{URL: "ftp://p/"}}, {URL: "http://a.example/", Accept: "\n"}} {
		if _, err := c.Do(t.Context(), r); err == nil {
			t.Errorf("%+v was accepted", r)
		}
	}
}

func TestErrors_areReadable(t *testing.T) {
	inner := errors.New("inner")
	for want, err := range map[string]error{
		"h (10.0.0.1:80) is refused by the policy: private network": &BlockedError{"h", netip.MustParseAddr("10.0.0.1"), 80, "private network"},
		"resolve h: no address":       &DNSError{Host: "h"},
		"resolve h: inner":            &DNSError{Host: "h", Err: inner},
		"resolve h: no such host":     &DNSError{Host: "h", Err: &net.DNSError{Err: "no such host", Name: "h", Server: "10.0.0.1:53"}},
		"h:1: ERR_X: read: inner":     &ConnectError{Addr: "h:1", Net: "ERR_X", Err: &net.OpError{Op: "read", Net: "tcp", Source: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 2)}, Err: inner}},
		"h:1: ERR_FAILED: inner":      &ConnectError{"h:1", "ERR_FAILED", inner},
		"TLS with h: inner":           &TLSError{"h", inner},
		"u: body is over 3 bytes":     &SizeError{"u", 3},
		"u: redirect: loop (after 2)": &RedirectError{"u", 2, "loop"},
		"proxy p: inner":              &ProxyError{"p", inner},
		"broken br body: inner":       &DecodeError{"br", inner},
		"no progress with body in 1s": &TimeoutError{"body", time.Second},
		`header "X": is bad`:          &HeaderError{"X", "is bad"},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err.Error(), want)
		}
		if strings.Contains(want, "inner") && !errors.Is(err, inner) {
			t.Errorf("%q doesn't unwrap", want)
		}
	}
}

func TestDo_logsNoURL(t *testing.T) {
	site := fetchtest.New(t)
	var b bytes.Buffer
	c := newClient(t, func(o *Options) {
		o.Logger = slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	mustDo(t, c, Request{URL: site.URL("/flaky?fail=1&secret=1")})
	if got := b.String(); !strings.Contains(got, "retrying") || strings.Contains(got, "127.0.0.1") || strings.Contains(got, "secret") {
		t.Errorf("log %q", got)
	}
}

func TestDo_refusalsAreLoggedOnceWithTheHost(t *testing.T) {
	site := fetchtest.New(t)
	var b bytes.Buffer
	c := newClient(t, func(o *Options) {
		o.Policy = &Policy{AllowHosts: []string{site.Host()}}
		o.Logger = slog.New(slog.NewTextHandler(&b, nil))
	})
	if _, err := c.Do(t.Context(), Request{URL: site.URL("/redirect-to?url=http://10.0.0.1/secret")}); err == nil {
		t.Fatal("a private address was reached")
	}
	if got := b.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "host=10.0.0.1") || strings.Contains(got, "secret") {
		t.Errorf("log %q", got)
	}
}
