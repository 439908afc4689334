package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

// sleeps makes a client that notes how long it would have waited.
func sleeps(t *testing.T, change ...func(*Options)) (*Client, *[]time.Duration) {
	var waited []time.Duration
	c := newClient(t, append(change, func(o *Options) {
		o.Sleep = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
	})...)
	c.jitter = func() float64 { return 0.5 }
	return c, &waited
}

func TestRetry_waitsLongerEachTime(t *testing.T) {
	site := fetchtest.New(t)
	c, waited := sleeps(t, func(o *Options) { o.Retries = 7 })
	fails(t, c, Request{URL: site.URL("/reset")})
	want := []time.Duration{250, 500, 1000, 2000, 4000, 5000, 5000}
	for i := range want {
		want[i] *= time.Millisecond
	}
	if !slices.Equal(*waited, want) {
		t.Errorf("waited %v, want %v", *waited, want)
	}
}

func TestRetry_jitterStaysWithinHalf(t *testing.T) {
	c := newClient(t)
	for i, want := range []time.Duration{125 * time.Millisecond, 375 * time.Millisecond} {
		c.jitter = func() float64 { return float64(i) }
		if got := (&trip{client: c}).backoff(); got != want {
			t.Errorf("jitter %d: %s, want %s", i, got, want)
		}
	}
}

func TestRetry_honoursRetryAfterWithinItsCap(t *testing.T) {
	site := fetchtest.New(t)
	for path, want := range map[string]struct {
		waits []time.Duration
		tries int
	}{
		"/status/503/retry-after?s=3":    {[]time.Duration{3 * time.Second, 3 * time.Second}, 3},
		"/status/429/retry-after?s=0":    {[]time.Duration{0, 0}, 3},
		"/status/502/retry-after?s=3600": {nil, 1}, // for the caller to heed
		"/status/500/retry-after?s=3":    {nil, 1},
	} {
		c, waited := sleeps(t)
		resp := mustDo(t, c, Request{URL: site.URL(path)})
		if !slices.Equal(*waited, want.waits) {
			t.Errorf("%s: status %d, waited %v, want %v", path, resp.Status, *waited, want.waits)
		}
		if path, _, _ := cut(path); site.Hits(path) != want.tries {
			t.Errorf("%s: %d tries, want %d", path, site.Hits(path), want.tries)
		}
	}
}

func cut(path string) (string, string, bool) {
	for i := range path {
		if path[i] == '?' {
			return path[:i], path[i+1:], true
		}
	}
	return path, "", false
}

// endsSoon is a context that has nine seconds left, however long the test takes.
type endsSoon struct{ context.Context }

func (endsSoon) Deadline() (time.Time, bool) { return time.Now().Add(9 * time.Second), true }

func TestRetry_doesNotWaitPastTheDeadline(t *testing.T) {
	site := fetchtest.New(t)
	c, waited := sleeps(t)
	resp, err := c.Do(endsSoon{t.Context()}, Request{URL: site.URL("/status/503/retry-after?s=10")})
	if err != nil || resp.Status != http.StatusServiceUnavailable || len(*waited) != 0 {
		t.Errorf("%+v, %v after waiting %v; want the 503 at once", resp, err, *waited)
	}
}

func TestRetry_triesAreSharedByAllHops(t *testing.T) {
	site := fetchtest.New(t)
	c, _ := sleeps(t)
	resp := mustDo(t, c, Request{URL: site.URL("/flaky?key=a&fail=2")})
	if resp.Status != http.StatusOK {
		t.Errorf("status %d", resp.Status)
	}
	c, _ = sleeps(t, func(o *Options) { o.Retries = -1 })
	if resp = mustDo(t, c, Request{URL: site.URL("/flaky?key=b&fail=1")}); resp.Status != http.StatusServiceUnavailable {
		t.Errorf("without retries: status %d, want 503", resp.Status)
	}
}

func TestRetry_endOfContextWhileWaitingIsItsError(t *testing.T) {
	site := fetchtest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	c := newClient(t, func(o *Options) {
		o.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	})
	if _, err := c.Do(ctx, Request{URL: site.URL("/status/503")}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want Canceled", err)
	}
}

func TestSleep_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := sleep(t.Context(), 0); err != nil {
		t.Errorf("error %v", err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"0": 0, "120": 120 * time.Second, "Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second, "Fri, 02 Jan 2026 03:04:00 GMT": -5 * time.Second,
	} {
		if got, ok := retryAfter(value, now); !ok || got != want {
			t.Errorf("%q: %s %v, want %s", value, got, ok, want)
		}
	}
	for _, bad := range []string{"", "soon", "-1", "1.5", "99999999999999999999"} {
		if _, ok := retryAfter(bad, now); ok {
			t.Errorf("%q was understood", bad)
		}
	}
}

func TestTemporary(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("any"), false},
		{context.DeadlineExceeded, false},
		{&ConnectError{Net: netRefused, Err: context.Canceled}, false},
		{&ConnectError{Net: netRefused, Err: net.ErrClosed}, true},
		{&ProxyError{Err: &ConnectError{Net: netRefused, Err: net.ErrClosed}}, true},
		{&ProxyError{Err: errors.New("407")}, false},
		{&TimeoutError{}, true},
		{&BlockedError{}, false},
		{&TLSError{Err: net.ErrClosed}, false},
		{&SizeError{}, false},
		{&DecodeError{Err: net.ErrClosed}, false},
		{&RedirectError{}, false},
		{&HeaderError{}, false},
		{ErrURL, false},
		{ErrClosed, false},
	} {
		if got := Temporary(test.err); got != test.want {
			t.Errorf("%#v: %v, want %v", test.err, got, test.want)
		}
	}
}
